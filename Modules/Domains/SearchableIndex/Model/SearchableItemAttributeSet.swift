/// The attributes of an item: standard attributes and custom ones.
///
/// An attribute without values is not set. The standard attributes are also available as properties, such as `title`; see
/// ``StandardAttributes``.
@dynamicMemberLookup
public struct SearchableItemAttributeSet: Sendable, Hashable {
    /// The set attributes, sorted by raw value; values are never empty.
    private(set) var entries: [Entry] = []
    /// The values of custom attributes, by key.
    public var custom: [String: [AttributeValue]] = [:] {
        didSet { custom = custom.filter { !$0.value.isEmpty } }
    }

    struct Entry: Sendable, Hashable {
        let attribute: Attribute
        var values: [AttributeValue]
    }

    /// An empty set.
    public init() {}

    /// The values of an attribute; empty if it is not set.
    public subscript(attribute: Attribute) -> [AttributeValue] {
        get { entries.first { $0.attribute == attribute }?.values ?? [] }
        set {
            let position = entries.firstIndex { $0.attribute.rawValue >= attribute.rawValue } ?? entries.count
            let exists = position < entries.count && entries[position].attribute == attribute
            if newValue.isEmpty {
                if exists { entries.remove(at: position) }
            } else if exists {
                entries[position].values = newValue
            } else {
                entries.insert(Entry(attribute: attribute, values: newValue), at: position)
            }
        }
    }

    /// Returns the texts of an attribute. A property such as `title`, which is found by its key path, takes ten times as
    /// long.
    package func texts(of attribute: Attribute) -> [String] {
        self[attribute].compactMap { if case .text(let text) = $0 { text } else { nil } }
    }

    /// The attributes that are set, sorted by raw value.
    public var attributes: [Attribute] { entries.map(\.attribute) }

    /// The name to show: the display name, title or first alternate name; `nil` if there is none.
    public var shownName: String? {
        for attribute in [Attribute.displayName, .title, .alternateNames] {
            if case .text(let text)? = self[attribute].first, !text.isEmpty { return text }
        }
        return nil
    }
}
