/// What is known of an item: values by attribute, and those of attributes that an app has made for itself.
///
/// An attribute that has no values is not set. The named attributes are properties, such as ``title``.
public struct SearchableItemAttributeSet: Sendable, Hashable {
    /// In order of the attributes; none is empty.
    private(set) var entries: [Entry] = []
    /// The values of an app's own attributes, by key.
    public var custom: [String: [AttributeValue]] = [:] {
        didSet { custom = custom.filter { !$0.value.isEmpty } }
    }

    struct Entry: Sendable, Hashable {
        let attribute: Attribute
        var values: [AttributeValue]
    }

    /// An empty set.
    public init() {}

    /// The values of an attribute; none if it is not set.
    public subscript(attribute: Attribute) -> [AttributeValue] {
        get { entries.first { $0.attribute == attribute }?.values ?? [] }
        set {
            let place = entries.firstIndex { $0.attribute.rawValue >= attribute.rawValue } ?? entries.count
            let isThere = place < entries.count && entries[place].attribute == attribute
            if newValue.isEmpty {
                if isThere { entries.remove(at: place) }
            } else if isThere {
                entries[place].values = newValue
            } else {
                entries.insert(Entry(attribute: attribute, values: newValue), at: place)
            }
        }
    }

    /// The attributes that are set, in their order.
    public var attributes: [Attribute] { entries.map(\.attribute) }

    /// Whether nothing is set.
    public var isEmpty: Bool { entries.isEmpty && custom.isEmpty }

    /// What the item is called: its display name, title or first other name; nil if it has none.
    public var shownName: String? {
        for attribute in [Attribute.displayName, .title, .alternateNames] {
            if case .text(let text)? = self[attribute].first, !text.isEmpty { return text }
        }
        return nil
    }
}
