import Foundation
import GRDB
import SwitchboardStorage

/// The attributes of an item for queries, including derived attributes.
struct ItemAttributeSource: AttributeSource {
    private enum Attributes {
        case set(SearchableItemAttributeSet)
        case bytes(Data)
    }

    private let key: Int64
    private let id: String
    private let domain: String?
    private let expiresAt: Date?
    private let attributes: Attributes
    private let db: Database

    init(_ stored: StoredItem, in db: Database) {
        key = stored.key
        id = stored.item.uniqueIdentifier
        domain = stored.item.domainIdentifier
        expiresAt = stored.item.expirationDate
        attributes = .set(stored.item.attributeSet)
        self.db = db
    }

    /// - Parameter row: A row of ``ItemRows/columns``.
    init(_ row: Row, in db: Database) throws {
        key = try row.value(0)
        id = try row.value(1)
        domain = try row.value(2)
        expiresAt = try row.value(3)
        attributes = .bytes(try row.value(6))
        self.db = db
    }

    private subscript(attribute: Attribute) -> [AttributeValue] {
        switch attributes {
        case .set(let set): set[attribute]
        case .bytes(let bytes): AttributeCoder.values(of: attribute, in: bytes)
        }
    }

    private func custom(_ key: String) -> [AttributeValue] {
        switch attributes {
        case .set(let set): set.custom[key] ?? []
        case .bytes(let bytes): AttributeCoder.values(custom: key, in: bytes)
        }
    }

    func values(of attribute: String) -> [AttributeValue] {
        switch attribute {
        case "id": return [.text(id)]
        case "domain": return domain.map { [.text($0)] } ?? []
        case "expiresAt": return expiresAt.map { [.date($0)] } ?? []
        // The full text is read only if a query uses it.
        case "textContent": return (try? ItemRows.text(of: key, in: db)).flatMap { $0 }.map { [.text($0)] } ?? []
        default: break
        }
        guard let known = Attribute(name: attribute) else { return custom(attribute) }
        switch known {
        case .contentTypeTree:
            let given = self[.contentTypeTree]
            if !given.isEmpty { return given }
            guard case .text(let type)? = self[.contentType].first else { return [] }
            return ContentType.tree(of: type).map { .text($0) }
        case .authors, .recipients: return Self.names(self[known])
        case .authorNames: return Self.names(self[.authors]) + self[known]
        case .recipientNames: return Self.names(self[.recipients]) + self[known]
        case .authorEmailAddresses: return Self.emails(self[.authors]) + self[known]
        case .recipientEmailAddresses: return Self.emails(self[.recipients]) + self[known]
        default: return self[known]
        }
    }

    private static func persons(_ values: [AttributeValue]) -> [IndexedPerson] {
        values.compactMap { if case .person(let person) = $0 { person } else { nil } }
    }

    private static func names(_ values: [AttributeValue]) -> [AttributeValue] {
        persons(values).map { .text($0.name) }
    }

    private static func emails(_ values: [AttributeValue]) -> [AttributeValue] {
        persons(values).flatMap(\.emails).map { .text($0) }
    }

    func isIn(domain: String) -> Bool {
        guard let own = self.domain else { return false }
        return own == domain || own.hasPrefix(domain + ".")
    }

    func conforms(to type: String) -> Bool { values(of: "contentTypeTree").contains(.text(type)) }
}
