import Foundation

/// An item with all that is stored of it, made before the transaction that stores it.
struct PreparedItem: Sendable {
    let id: String
    let domain: String?
    let contentType: String?
    let expiration: SearchableItem.Expiration
    let rankingHint: Double
    let lastUsedDate: Date?
    let attributes: [UInt8]
    /// The whole text, which stands apart.
    let text: String?
    /// The types of the app's own attributes.
    let custom: [String: AttributeType]

    /// What an item counts that gives no ranking hint.
    static let usualHint = 50.0

    /// - Throws: ``ItemFault`` if a value is not of its attribute's type, or out of its range.
    init(_ item: SearchableItem) throws(ItemFault) {
        let set = item.attributeSet
        guard !item.uniqueIdentifier.isEmpty, item.uniqueIdentifier.utf8.count <= 1_000 else {
            throw ItemFault("an identifier has 1 to 1000 bytes", item: item.uniqueIdentifier)
        }
        for entry in set.entries {
            do throws(AttributeMistake) {
                try entry.attribute.check(entry.values)
            } catch {
                throw ItemFault(error.reason, item: item.uniqueIdentifier, attribute: entry.attribute.name)
            }
        }
        var custom: [String: AttributeType] = [:]
        for (key, values) in set.custom {
            guard CustomAttribute.isValid(key) else {
                throw ItemFault("no attribute can have this name", item: item.uniqueIdentifier, attribute: key)
            }
            let types = Set(values.map(CustomAttribute.type))
            guard let type = types.first, types.count == 1 else {
                throw ItemFault(
                    "the values are of several types", item: item.uniqueIdentifier, attribute: "custom.\(key)")
            }
            custom[key] = type
        }
        id = item.uniqueIdentifier
        domain = item.domainIdentifier
        contentType = set.contentType
        expiration = item.expiration
        rankingHint = set.rankingHint ?? PreparedItem.usualHint
        lastUsedDate = set.lastUsedDate
        text = set.textContent
        attributes = AttributeBytes.encoded(set, without: .textContent)
        self.custom = custom
    }
}

extension Attribute {
    /// Whether values can be the attribute's.
    func check(_ values: [AttributeValue]) throws(AttributeMistake) {
        guard isList || values.count <= 1 else { throw AttributeMistake(reason: "has one value at most") }
        for value in values {
            switch (kind, value) {
            case (.text, .text), (.date, .date), (.flag, .flag), (.data, .data), (.person, .person): break
            case (.url, .text(let text)):
                guard AttributeValue.isAddress(text) else {
                    throw AttributeMistake(reason: "must be an address with its scheme, such as https://example.org")
                }
            case (.number, .number(let number)): try check(number)
            default: throw AttributeMistake(reason: "must be \(kind.article)")
            }
        }
    }
}
