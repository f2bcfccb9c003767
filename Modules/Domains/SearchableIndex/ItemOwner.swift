import GRDB
import SwitchboardStorage

/// The program that opens the items of a domain.
///
/// A program gets a chosen item as a URL, or as an action with the activity to continue. This is the counterpart of
/// `application(_:continue:restorationHandler:)`.
///
/// For example:
///
/// ```swift
/// try index.setOwner(
///     ItemOwner(domain: "notes", application: "org.example.Notes", urlTemplate: "notes://open/{id}"))
/// ```
public struct ItemOwner: Sendable, Hashable {
    /// The part of a URL template that the identifier of an item replaces.
    public static let placeholder = "{id}"

    /// The domain whose items the program opens, including items in subdomains.
    public let domain: String
    /// The identifier of the program's desktop entry, such as `org.example.Notes`, which is also its name on the bus.
    public let application: String
    /// The URL of an item, with ``placeholder`` for its identifier; nil for the item's own URL.
    public let urlTemplate: String?
    /// The action that gets the activity to continue; nil if the program gets a URL.
    public let action: String?

    /// Creates an owner.
    ///
    /// - Throws: ``SearchableIndexError/invalidOwner(reason:)``.
    public init(
        domain: String, application: String, urlTemplate: String? = nil, action: String? = nil
    ) throws(SearchableIndexError) {
        let application = application.hasSuffix(".desktop") ? String(application.dropLast(8)) : application
        guard !domain.isEmpty, domain.utf8.count <= SearchableItem.largestIdentifier else {
            throw .invalidOwner(
                reason: domain.isEmpty
                    ? "the domain is empty; name the domain of the items"
                    : "the domain is " + .longer(than: SearchableItem.largestIdentifier))
        }
        guard Self.isApplication(application) else {
            throw .invalidOwner(
                reason: "“\(application)” does not identify a desktop entry; use one such as org.example.Notes")
        }
        if let urlTemplate, urlTemplate.utf8.count > SizeLimit.url {
            throw .invalidOwner(reason: "the template of URLs is " + .longer(than: SizeLimit.url))
        }
        if let urlTemplate, !Self.isTemplate(urlTemplate) {
            throw .invalidOwner(
                reason: "“\(urlTemplate)” is not a template of URLs; use one with {id}, such as notes://open/{id}")
        }
        if let action {
            guard Self.isAction(action) else {
                throw .invalidOwner(
                    reason: "“\(action)” is not the name of an action; use letters, digits, '-' and '.'")
            }
            guard Self.isBusName(application) else {
                throw .invalidOwner(
                    reason: "“\(application)” is not a name on the bus, which an action needs; use one such as "
                        + "org.example.Notes, or a template of URLs")
            }
        }
        (self.domain, self.application) = (domain, application)
        (self.urlTemplate, self.action) = (urlTemplate, action)
    }

    // MARK: - Opening

    /// Returns the program's own identifier of an item, without the domain and colon that precede it if another program
    /// put the item over D-Bus.
    public func identifier(of id: String) -> String {
        id.hasPrefix(domain + ":") ? String(id.dropFirst(domain.utf8.count + 1)) : id
    }

    /// Returns the URL with which the program opens an item; nil without a template.
    ///
    /// - Parameter id: The identifier, which is percent-encoded except for the unreserved characters of RFC 3986.
    public func url(of id: String) -> String? {
        let id = identifier(of: id).utf8.reduce(into: "") { text, byte in
            if Self.isUnreserved(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return urlTemplate.map { template in
            template.split(separator: Self.placeholder, omittingEmptySubsequences: false).joined(separator: id)
        }
    }

    // MARK: - Validation

    private static func isUnreserved(_ byte: UInt8) -> Bool { isWord(byte) || [0x2D, 0x2E, 0x7E].contains(byte) }

    /// Returns `true` for an ASCII letter, digit or underscore.
    private static func isWord(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: "_") || (0x61...0x7A).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func elements(_ name: String) -> [Substring.UTF8View] {
        name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Substring($0).utf8 }
    }

    private static func isApplication(_ name: String) -> Bool {
        name.utf8.count <= 255
            && elements(name).allSatisfy { !$0.isEmpty && $0.allSatisfy { isWord($0) || $0 == UInt8(ascii: "-") } }
    }

    /// Returns `true` for a well-known name (D-Bus Specification, "Valid Names").
    private static func isBusName(_ name: String) -> Bool {
        let elements = elements(name)
        return isApplication(name) && elements.count > 1 && elements.allSatisfy { !isDigit($0.first ?? 0x30) }
    }

    private static func isAction(_ name: String) -> Bool {
        (1...255).contains(name.utf8.count)
            && name.utf8.allSatisfy { $0 != UInt8(ascii: "_") && isUnreserved($0) && $0 != UInt8(ascii: "~") }
    }

    private static func isTemplate(_ template: String) -> Bool {
        let parts = template.split(separator: placeholder, omittingEmptySubsequences: false)
        // The scheme has no placeholder, and other braces are mistakes.
        return parts.count > 1 && parts[0].contains(":") && AttributeValue.isURL(parts.joined(separator: "1"))
            && parts.allSatisfy { part in part.utf8.allSatisfy { $0 < 0x80 && $0 != 0x7B && $0 != 0x7D } }
    }
}

extension ItemOwner: Encodable {
    private enum CodingKeys: String, CodingKey { case id, domain, application, url, action }

    /// Encodes `{"id", "domain", "application", "url", "action"}`; the domain is the identifier.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(domain, forKey: .id)
        try container.encode(domain, forKey: .domain)
        try container.encode(application, forKey: .application)
        try container.encode(urlTemplate, forKey: .url)
        try container.encode(action, forKey: .action)
    }
}

// MARK: - Owners

extension SearchableIndex {
    /// Sets the program that opens the items of a domain, in place of an earlier one.
    public func setOwner(_ owner: ItemOwner) throws {
        try storage.write { db in
            let index = try ItemRows.indexKey(making: name, in: db)
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO item_owner (indexKey, domain, application, urlTemplate, action)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [index, owner.domain, owner.application, owner.urlTemplate, owner.action])
        }
    }

    /// Removes the owner of a domain. Its items are then opened by the owner of the nearest parent domain, if any.
    ///
    /// - Throws: ``SearchableIndexError/ownerNotFound(domain:)``.
    public func removeOwner(ofDomain domain: String) throws {
        try storage.write { db in
            try db.execute(
                sql: "DELETE FROM item_owner WHERE domain = ? AND \(Self.isOfIndex)", arguments: [domain, name])
            guard db.changesCount > 0 else { throw SearchableIndexError.ownerNotFound(domain: domain) }
        }
    }

    /// Returns the owners, sorted by domain.
    public func owners() throws -> [ItemOwner] {
        try storage.read { db in
            try Row.fetchAll(
                db, sql: "SELECT \(Self.columns) FROM item_owner WHERE \(Self.isOfIndex) ORDER BY domain",
                arguments: [name]
            ).compactMap(Self.owner)
        }
    }

    /// Returns the owner of a domain, or else the owner of the nearest parent domain; nil if there is none.
    ///
    /// - Parameter domain: The domain of an item; nil for an item without a domain, which has no owner.
    public func owner(ofDomain domain: String?) throws -> ItemOwner? {
        guard let domain, !domain.isEmpty else { return nil }
        return try storage.read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT \(Self.columns) FROM item_owner
                    WHERE \(Self.isOfIndex) AND substr(? || '.', 1, length(domain) + 1) = domain || '.'
                    ORDER BY length(domain) DESC LIMIT 1
                    """)
            return try Row.fetchOne(statement, arguments: [name, domain]).flatMap(Self.owner)
        }
    }

    private static let columns = "domain, application, urlTemplate, action"
    private static let isOfIndex = "indexKey = (SELECT key FROM item_index WHERE name = ?)"

    /// Returns the owner of a row; nil if its names are invalid.
    private static func owner(_ row: Row) throws -> ItemOwner? {
        let (domain, application): (String, String) = (try row.value(0), try row.value(1))
        let (template, action): (String?, String?) = (try row.value(2), try row.value(3))
        return try? ItemOwner(domain: domain, application: application, urlTemplate: template, action: action)
    }
}
