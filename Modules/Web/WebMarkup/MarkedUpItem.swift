public import Foundation

/// A value of an attribute.
public enum MarkupValue: Hashable, Sendable {
    /// A text.
    case text(String)
    /// A number.
    case number(Double)
    /// A moment.
    case date(Date)
    /// Yes or no.
    case flag(Bool)
    /// Several texts, such as keywords.
    case texts([String])
}

/// Something that a page describes: the page itself, or one of several events, people, products on it.
public struct MarkedUpItem: Hashable, Sendable {
    /// What tells it from all others: an address. That of the page for the page itself; for others their own `@id` or
    /// address, else that of the page with a fragment such as `#event-2`. Nil if the address of the page is not known.
    public var id: String?
    /// What it is, as schema.org calls it: `Recipe`, `Event`, `WebPage`.
    public var kind: String
    /// The attributes that every item of the index may have, by name (``MarkupAttribute/all``).
    public var attributes: [String: MarkupValue]
    /// What goes beyond them: price, ingredients, the address to open it in an app.
    public var custom: [String: MarkupValue]

    /// Makes an item.
    public init(
        id: String?, kind: String, attributes: [String: MarkupValue] = [:], custom: [String: MarkupValue] = [:]
    ) {
        self.id = id
        self.kind = kind
        self.attributes = attributes
        self.custom = custom
    }
}

extension MarkedUpItem {
    /// The value of an attribute of the index or a custom one; no name is both.
    public subscript(name: String) -> MarkupValue? { attributes[name] ?? custom[name] }
}

/// The attributes of an item while sources are read, the most trusted first: what is set stays.
struct AttributeCollection {
    private(set) var values: [String: MarkupValue] = [:]

    /// Sets a value unless there is one, or the new one is empty.
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

    /// Sets a list unless there is one; each value once, in order, no more than a hundred.
    mutating func offer(_ name: String, texts: [String]) { offer(name, .texts(Self.distinct(texts))) }

    /// Adds values to a list.
    mutating func add(_ name: String, texts: [String]) {
        var all = texts
        if case .texts(let before)? = values[name] { all = before + texts }
        let distinct = Self.distinct(all)
        if !distinct.isEmpty { values[name] = .texts(distinct) }
    }

    private static func distinct(_ texts: [String]) -> [String] {
        var seen: Set<String> = []
        var distinct: [String] = []
        for text in texts where !text.isEmpty && distinct.count < MarkupText.mostValues && seen.insert(text).inserted {
            distinct.append(text)
        }
        return distinct
    }

    /// The item with these attributes, each in its place.
    func item(id: String?, kind: String) -> MarkedUpItem {
        var item = MarkedUpItem(id: id, kind: kind)
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
