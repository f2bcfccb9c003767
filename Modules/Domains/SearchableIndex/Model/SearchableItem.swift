public import Foundation

/// An item of an app's content: an identifier, a domain, attributes and an expiration.
public struct SearchableItem: Sendable, Hashable {
    /// The expiration of an item.
    public enum Expiration: Sendable, Hashable {
        /// A month after the put.
        case `default`
        /// A date.
        case at(Date)
        /// Never.
        case never
    }

    /// The app's identifier of the item, unique in its index; a UUID by default.
    public var uniqueIdentifier: String
    /// The group of the item, hierarchical by dots: deleting `account` also deletes `account.mailbox`.
    public var domainIdentifier: String?
    /// The attributes of the item.
    public var attributeSet: SearchableItemAttributeSet
    /// The time at which the item is removed from the index.
    public var expiration: Expiration

    /// Creates an item.
    public init(
        uniqueIdentifier: String? = nil, domainIdentifier: String? = nil, attributeSet: SearchableItemAttributeSet,
        expiration: Expiration = .default
    ) {
        self.uniqueIdentifier = uniqueIdentifier ?? UUID().uuidString
        self.domainIdentifier = domainIdentifier
        self.attributeSet = attributeSet
        self.expiration = expiration
    }

    /// The expiration as a date; `nil` for never or, before the put, for the default.
    public var expirationDate: Date? {
        if case .at(let date) = expiration { date } else { nil }
    }
}

/// A partial update of an item in the index. Everything else keeps its value.
public struct SearchableItemUpdate: Sendable, Hashable {
    /// The identifier of the item.
    public var uniqueIdentifier: String
    /// The attributes to set, replacing their values.
    public var attributeSet = SearchableItemAttributeSet()
    /// The attributes to remove.
    public var removed: Set<Attribute> = []
    /// The custom attributes to remove.
    public var removedCustom: Set<String> = []
    /// The new domain: `nil` keeps the old one, `.some(nil)` removes it.
    public var domainIdentifier: String??
    /// The new expiration; `nil` keeps the old one.
    public var expiration: SearchableItem.Expiration?

    /// Creates an update without changes.
    public init(uniqueIdentifier: String) {
        self.uniqueIdentifier = uniqueIdentifier
    }
}

/// A change to an index.
public enum ItemChange: Sendable, Hashable {
    /// Adds an item, or replaces the one with the same identifier.
    case put(SearchableItem)
    /// Updates an item that exists.
    case update(SearchableItemUpdate)
}
