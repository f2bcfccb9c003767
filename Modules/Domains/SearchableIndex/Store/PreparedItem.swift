import Foundation

/// An item in its stored form, encoded before the transaction.
struct PreparedItem: Sendable {
    let id: String
    let domain: String?
    let contentType: String?
    let expiration: SearchableItem.Expiration
    let rankingHint: Double
    let lastUsedDate: Date?
    let attributes: [UInt8]
    /// The full text, stored separately.
    let text: String?
    let custom: [String: AttributeType]

    static let defaultRankingHint = 50.0

    init(_ item: SearchableItem) throws(ItemError) {
        let set = item.attributeSet
        guard !item.uniqueIdentifier.isEmpty, item.uniqueIdentifier.utf8.count <= SearchableItem.largestIdentifier
        else {
            // A long identifier does not help in a message.
            throw ItemError(
                reason: "the identifier must have between 1 and \(SearchableItem.largestIdentifier) bytes",
                item: String(item.uniqueIdentifier.prefix(100)), attribute: "id")
        }
        for (attribute, text) in [("id", item.uniqueIdentifier), ("domain", item.domainIdentifier ?? "")] {
            if let reason = text.storageProblem(SearchableItem.largestIdentifier) {
                throw ItemError(reason: reason, item: item.uniqueIdentifier, attribute: attribute)
            }
        }
        if let excess = set.excess {
            throw ItemError(reason: excess.reason, item: item.uniqueIdentifier, attribute: excess.attribute)
        }
        for entry in set.entries {
            if let failure = entry.attribute.failure(of: entry.values) {
                throw ItemError(reason: failure, item: item.uniqueIdentifier, attribute: entry.attribute.name)
            }
        }
        var custom: [String: AttributeType] = [:]
        for (key, values) in set.custom {
            guard CustomAttribute.isValid(key) else {
                throw ItemError(
                    reason:
                        "invalid attribute name; use a letter and up to 99 letters, digits, '_' or '-', not a standard attribute",
                    item: item.uniqueIdentifier, attribute: key)
            }
            let types = Set(values.map(CustomAttribute.type))
            guard let type = types.first, types.count == 1 else {
                throw ItemError(
                    reason: "the values have different types; use one type", item: item.uniqueIdentifier,
                    attribute: "custom.\(key)")
            }
            custom[key] = type
        }
        id = item.uniqueIdentifier
        domain = item.domainIdentifier
        contentType = set.contentType
        expiration = item.expiration
        rankingHint = set.rankingHint ?? PreparedItem.defaultRankingHint
        lastUsedDate = set.lastUsedDate
        text = set.textContent
        attributes = AttributeCoder.encoded(set, without: .textContent)
        self.custom = custom
    }
}

extension Attribute {
    /// Returns the reason why values are invalid, or nil.
    func failure(of values: [AttributeValue]) -> String? {
        guard isList || values.count <= 1 else { return "accepts only one value" }
        return values.lazy.compactMap { value in
            switch (kind, value) {
            case (.text, .text), (.date, .date), (.flag, .flag), (.data, .data), (.person, .person): nil
            case (.url, .text(let text)): AttributeValue.isURL(text) ? nil : AttributeValue.urlHint
            case (.number, .number(let number)): failure(of: number)
            default: "must be \(kind.article)"
            }
        }.first
    }
}
