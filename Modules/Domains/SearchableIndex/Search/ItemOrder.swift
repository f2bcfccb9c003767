public import Foundation
import GRDB
import SwitchboardAlgorithms
import SwitchboardStorage
import SwitchboardTextNormalization

/// A location of an item, in degrees of WGS 84.
public struct ItemLocation: Sendable, Hashable {
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double

    /// Creates a location.
    public init(latitude: Double, longitude: Double) {
        (self.latitude, self.longitude) = (latitude, longitude)
    }

    init?(_ source: ItemAttributeSource) {
        guard case .number(let latitude)? = source.values(of: "latitude").first,
            case .number(let longitude)? = source.values(of: "longitude").first
        else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    /// Returns the great-circle distance to another location in kilometers.
    public func distance(to other: ItemLocation) -> Double {
        GreatCircle.distance(from: (latitude, longitude), to: (other.latitude, other.longitude))
    }
}

/// A criterion by which results are sorted instead of by their match. Items without its attribute come last.
///
/// For example: `[.attribute("rating", .reverse), .attribute("title")]`.
public enum ItemSort: Sendable, Hashable {
    /// By a standard or custom attribute: numbers by value, dates by time, `false` before `true`, texts by their folded
    /// words. A list counts with its first value in the order.
    case attribute(String, SortOrder = .forward)
    /// By the distance from a location, nearest first.
    case distance(from: ItemLocation)

    /// Parses criteria separated by commas: names of attributes, with `-` for the reverse order, and `distance`.
    ///
    /// - Parameters:
    ///   - text: The criteria, such as `-rating,title`.
    ///   - location: The location from which distances count.
    /// - Throws: ``SearchableIndexError/invalidSort(reason:)``.
    public static func parsing(
        _ text: String, from location: ItemLocation? = nil
    ) throws(SearchableIndexError) -> [ItemSort] {
        var order: [ItemSort] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let isReverse = part.hasPrefix("-")
            let name = String(isReverse ? part.dropFirst() : part).trimmingCharacters(in: .whitespaces)
            if name.isEmpty {
                throw .invalidSort(
                    reason: "an attribute is missing in the order “\(text)”; write it as in -rating,title")
            }
            guard name == "distance" else {
                order.append(.attribute(name, isReverse ? .reverse : .forward))
                continue
            }
            guard let location, !isReverse else {
                throw .invalidSort(reason: "an order by distance needs a location, and has the nearest first")
            }
            order.append(.distance(from: location))
        }
        return order
    }
}

/// The number of results for each value of an attribute.
public struct ItemFacet: Sendable, Hashable {
    /// A value, and the number of results that have it.
    public struct Value: Sendable, Hashable {
        /// The value as text: a date is its day.
        public var value: String
        /// The number of results.
        public var count: Int
    }

    /// The name of the attribute.
    public var attribute: String
    /// The most frequent values; equally frequent ones in order of their texts.
    public var values: [Value]
    /// The number of values that are not among ``values``.
    public var others: Int
}

// MARK: - Sorting

/// The values of an item by which it is sorted.
struct ItemSortKey {
    private let values: [AttributeValue?]

    init(_ source: ItemAttributeSource, _ order: [ItemSort]) {
        values = order.map { criterion in
            switch criterion {
            case .distance(let location):
                return ItemLocation(source).map { .number($0.distance(to: location)) }
            case .attribute(let name, let direction):
                let values = source.values(of: name).map { value in
                    if case .text(let text) = value {
                        AttributeValue.text(NameKey(text).sortText + "\u{0}" + text)
                    } else {
                        value
                    }
                }
                return direction == .forward
                    ? values.min { Self.isLess($0, $1) } : values.max { Self.isLess($0, $1) }
            }
        }
    }

    /// Returns `true` if this item comes before another; nil if they are equal.
    func precedes(_ other: ItemSortKey, in order: [ItemSort]) -> Bool? {
        for (position, criterion) in order.enumerated() {
            switch (values[position], other.values[position]) {
            case (nil, nil): continue
            case (_, nil): return true
            case (nil, _): return false
            case (let one?, let two?):
                let isReverse = if case .attribute(_, .reverse) = criterion { true } else { false }
                if Self.isLess(one, two) { return !isReverse }
                if Self.isLess(two, one) { return isReverse }
            }
        }
        return nil
    }

    /// Orders values of one type; values of different types by their types.
    private static func isLess(_ one: AttributeValue, _ other: AttributeValue) -> Bool {
        switch (one, other) {
        case (.number(let one), .number(let other)): one < other
        case (.date(let one), .date(let other)): one < other
        case (.flag(let one), .flag(let other)): !one && other
        case (.text(let one), .text(let other)): one < other
        default: rank(one) < rank(other)
        }
    }

    private static func rank(_ value: AttributeValue) -> Int {
        switch value {
        case .number: 0
        case .date: 1
        case .flag: 2
        case .text, .data, .person: 3
        }
    }
}

/// The first items of an order among any number that are added. Equal ones keep the order in which they are added.
struct FirstItems {
    private let order: [ItemSort]
    private let limit: Int
    private var items: [(key: Int64, sortKey: ItemSortKey)] = []

    /// - Parameter limit: The number of items that are kept; 0 for all.
    init(by order: [ItemSort], limit: Int) { (self.order, self.limit) = (order, limit) }

    mutating func add(_ source: ItemAttributeSource) {
        items.append((source.key, ItemSortKey(source, order)))
        if limit > 0, items.count / 2 > limit { keepFirst() }
    }

    /// Returns the keys of the first items.
    mutating func sortedKeys() -> [Int64] {
        keepFirst()
        return items.map(\.key)
    }

    private mutating func keepFirst() {
        let sorted = items.enumerated().sorted { one, other in
            one.element.sortKey.precedes(other.element.sortKey, in: order) ?? (one.offset < other.offset)
        }
        items = (limit > 0 ? sorted.prefix(limit) : sorted[...]).map(\.element)
    }
}

// MARK: - Counting

/// A counter of the values of attributes.
struct FacetCounter {
    private let attributes: [String]
    private var counts: [[String: Int]]

    init(_ attributes: [String]) {
        self.attributes = attributes
        counts = attributes.map { _ in [:] }
    }

    mutating func add(_ source: ItemAttributeSource) {
        for (position, name) in attributes.enumerated() {
            for text in Set(source.values(of: name).compactMap(Self.text)) { counts[position][text, default: 0] += 1 }
        }
    }

    /// Returns the most frequent values of each attribute.
    func facets(limit: Int) -> [ItemFacet] {
        zip(attributes, counts).map { name, counts in
            let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            let shown = limit > 0 ? sorted.prefix(limit) : sorted[...]
            return ItemFacet(
                attribute: name, values: shown.map { ItemFacet.Value(value: $0.key, count: $0.value) },
                others: sorted.count - shown.count)
        }
    }

    private static func text(_ value: AttributeValue) -> String? {
        switch value {
        case .text(let text): text
        case .number(let number): Int64(exactly: number).map(String.init) ?? String(number)
        case .date(let date): date.formatted(.iso8601.year().month().day())
        case .flag(let flag): "\(flag)"
        case .person(let person): person.name
        case .data: nil
        }
    }
}

extension AttributeTypes {
    /// Returns the name of an attribute by which results are sorted or counted, also for one of Apple's names.
    func known(_ name: String) throws(SearchableIndexError) -> String {
        let known = self.name(for: name)
        if self[known] != nil { return known }
        throw .invalidSort(reason: "unknown attribute “\(name)”; correct the name or declare it")
    }

    /// Returns an order with the known names of its attributes.
    func known(_ order: [ItemSort]) throws(SearchableIndexError) -> [ItemSort] {
        var resolved: [ItemSort] = []
        for criterion in order {
            if case .attribute(let name, let direction) = criterion {
                resolved.append(.attribute(try known(name), direction))
            } else {
                resolved.append(criterion)
            }
        }
        return resolved
    }
}
