public import Foundation

/// Something an app wants to be found: an identifier, a domain, what is known of it, and how long it is kept.
public struct SearchableItem: Sendable, Hashable {
    /// When an item is taken out of the index by itself.
    public enum Expiration: Sendable, Hashable {
        /// A month after it was put.
        case usual
        /// Then.
        case at(Date)
        /// Never.
        case never
    }

    /// The app's name for it; unique in its index. A UUID unless given.
    public var uniqueIdentifier: String
    /// What it belongs to, from the largest to the smallest with dots between: deleting `account` also deletes `account.mailbox`.
    public var domainIdentifier: String?
    /// What is known of it.
    public var attributeSet: SearchableItemAttributeSet
    /// When it is taken out.
    public var expiration: Expiration

    /// An item; see the properties.
    public init(
        uniqueIdentifier: String? = nil, domainIdentifier: String? = nil, attributeSet: SearchableItemAttributeSet,
        expiration: Expiration = .usual
    ) {
        self.uniqueIdentifier = uniqueIdentifier ?? UUID().uuidString
        self.domainIdentifier = domainIdentifier
        self.attributeSet = attributeSet
        self.expiration = expiration
    }

    /// When it is taken out, as a date; nil for never or, before it was put, for a month after.
    public var expirationDate: Date? {
        if case .at(let date) = expiration { date } else { nil }
    }
}

/// What changes in an item that is in the index: all else stays as it is.
public struct SearchableItemUpdate: Sendable, Hashable {
    /// Which item.
    public var uniqueIdentifier: String
    /// What is set, taking the place of what was.
    public var attributeSet = SearchableItemAttributeSet()
    /// The attributes that are taken away.
    public var removed: Set<Attribute> = []
    /// The app's own attributes that are taken away.
    public var removedCustom: Set<String> = []
    /// The new domain: nil leaves it as it is, `.some(nil)` takes it away.
    public var domainIdentifier: String??
    /// When it is taken out now; nil leaves that as it is.
    public var expiration: SearchableItem.Expiration?

    /// A change of nothing yet.
    public init(uniqueIdentifier: String) {
        self.uniqueIdentifier = uniqueIdentifier
    }
}

/// One entry of what is put into an index.
public enum ItemChange: Sendable, Hashable {
    /// The item as a whole; one of this identifier is replaced.
    case put(SearchableItem)
    /// A part of an item that is there.
    case update(SearchableItemUpdate)

    /// Which item it is about.
    public var uniqueIdentifier: String {
        switch self {
        case .put(let item): item.uniqueIdentifier
        case .update(let update): update.uniqueIdentifier
        }
    }
}
