public import Foundation
import SwitchboardAlgorithms

/// A value of an attribute.
public enum MarkupValue: Hashable, Sendable {
    /// A string.
    case text(String)
    /// A number.
    case number(Double)
    /// A date.
    case date(Date)
    /// A Boolean value.
    case flag(Bool)
    /// Several strings, such as keywords.
    case texts([String])
}

/// An item described by a page: the page itself, or one of several things on it, such as events or products.
public struct MarkupItem: Hashable, Sendable {
    /// The identifier of the item, a URL: the page's URL for the page itself, otherwise the item's `@id` or URL, or the
    /// page's URL with a fragment such as `#event-2`. `nil` if the URL of the page is unknown.
    public var id: String?
    /// The schema.org type: `Recipe`, `Event`, `WebPage`.
    public var kind: String
    /// The standard attributes of items, by name (``MarkupAttribute/all``).
    public var attributes: [String: MarkupValue]
    /// The custom attributes, by name: price, ingredients, deep links.
    public var custom: [String: MarkupValue]

    /// Creates an item.
    public init(
        id: String?, kind: String, attributes: [String: MarkupValue] = [:], custom: [String: MarkupValue] = [:]
    ) {
        self.id = id
        self.kind = kind
        self.attributes = attributes
        self.custom = custom
    }

    /// The value of a standard or custom attribute. The names are disjoint.
    public subscript(name: String) -> MarkupValue? { attributes[name] ?? custom[name] }
}

/// The attributes of an item, collected from the most to the least trusted source. The first value wins.
struct AttributeCollection {
    private(set) var values: [String: MarkupValue] = [:]

    /// Sets a value unless the attribute is set or the value is empty.
    mutating func offer(_ name: String, _ value: MarkupValue?) {
        guard let value, values[name] == nil else { return }
        switch value {
        case .text(let text) where text.isEmpty: return
        case .number(let number) where !number.isFinite: return
        case .texts(let texts) where texts.isEmpty: return
        default: values[name] = value
        }
    }

    mutating func offer(_ name: String, text: String?) { offer(name, text.map(MarkupValue.text)) }
    mutating func offer(_ name: String, number: Double?) { offer(name, number.map(MarkupValue.number)) }
    mutating func offer(_ name: String, date: Date?) { offer(name, date.map(MarkupValue.date)) }

    /// Sets a list of unique values, at most a hundred, unless the attribute is set.
    mutating func offer(_ name: String, texts: [String]) { offer(name, .texts(distinct(texts))) }

    mutating func add(_ name: String, texts: [String]) {
        var all = texts
        if case .texts(let before)? = values[name] { all = before + texts }
        all = distinct(all)
        if !all.isEmpty { values[name] = .texts(all) }
    }

    private func distinct(_ texts: [String]) -> [String] {
        Array(texts.filter { !$0.isEmpty }.uniqued.prefix(MarkupText.maximumValues))
    }

    func item(id: String?, kind: String) -> MarkupItem {
        var item = MarkupItem(id: id, kind: kind)
        for (name, value) in values {
            if MarkupAttribute.customNames.contains(name) {
                item.custom[name] = value
            } else {
                item.attributes[name] = value
            }
        }
        return item
    }
}
