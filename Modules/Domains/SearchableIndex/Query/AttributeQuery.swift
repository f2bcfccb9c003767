public import Foundation
@_exported public import SwitchboardErrors

/// A parsed query in the language of `docs/query-language.md`.
///
/// For example:
///
/// ```swift
/// let query = try AttributeQuery("keywords == \"drama\"c && rating >= 4")
/// let predicate = query.predicate(at: Date(), in: .current)
/// let dramas = items.filter { predicate.matches($0) }
/// ```
///
/// Any text either parses or throws a ``QueryError``, in linear time and space.
public struct AttributeQuery: Sendable {
    /// The maximum number of Unicode scalars in a query.
    public static let maximumLength = 10_000
    /// The maximum nesting depth of parentheses and negations.
    public static let maximumDepth = 100

    let root: QueryNode
    private let textAttributes: [String]

    /// Parses a query.
    ///
    /// - Throws: A ``QueryError`` with the position of the first error.
    public init(_ text: String, attributes: AttributeTypes = .standard) throws(QueryError) {
        let scalars = Array(text.unicodeScalars.prefix(Self.maximumLength + 1))
        guard scalars.count <= Self.maximumLength else { throw .tooLong(limit: Self.maximumLength) }
        var parser = try QueryParser(scalars, attributes: attributes)
        root = try parser.parse()
        textAttributes = attributes.textAttributes
    }

    /// Returns the query prepared for evaluation: times are fixed, values folded.
    public func predicate(at now: Date, in calendar: Calendar) -> QueryPredicate {
        predicate(of: root, at: now, in: calendar)
    }

    func predicate(of node: QueryNode, at now: Date, in calendar: Calendar) -> QueryPredicate {
        QueryPredicate(node, textAttributes: textAttributes, now: now, calendar: calendar)
    }
}

/// A query prepared for evaluation on many items.
public struct QueryPredicate: Sendable {
    private let holds: @Sendable (any AttributeSource) -> Bool

    init(_ node: QueryNode, textAttributes: [String], now: Date, calendar: Calendar) {
        holds = Self.condition(node) { attribute, test in
            let names = attribute == "*" ? textAttributes : [attribute]
            let holds = Self.condition(test) { $0.date(at: now, in: calendar) }
            return { source in names.contains { source.values(of: $0).contains(where: holds) } }
        }
    }

    /// Evaluates the query. Values of another type than the attribute's never match.
    ///
    /// - Complexity: O(*n* · *m*) per comparison, for texts of *n* and literals of *m* code units.
    public func matches(_ source: some AttributeSource) -> Bool { holds(source) }

    private static func condition(
        _ node: QueryNode, _ comparison: (String, QueryTest) -> @Sendable (any AttributeSource) -> Bool
    ) -> @Sendable (any AttributeSource) -> Bool {
        switch node {
        case .all(let nodes):
            let conditions = nodes.map { condition($0, comparison) }
            return { source in conditions.allSatisfy { $0(source) } }
        case .any(let nodes):
            let conditions = nodes.map { condition($0, comparison) }
            return { source in conditions.contains { $0(source) } }
        case .not(let node):
            let condition = condition(node, comparison)
            return { !condition($0) }
        case .comparison(let attribute, let test): return comparison(attribute, test)
        }
    }

    private static func condition(
        _ test: QueryTest, _ date: (TimeExpression) -> Date
    ) -> @Sendable (AttributeValue) -> Bool {
        func isNumber(_ holds: @escaping @Sendable (Double) -> Bool) -> @Sendable (AttributeValue) -> Bool {
            { if case .number(let number) = $0 { holds(number) } else { false } }
        }
        func isDate(_ holds: @escaping @Sendable (Date) -> Bool) -> @Sendable (AttributeValue) -> Bool {
            { if case .date(let date) = $0 { holds(date) } else { false } }
        }
        switch test {
        case .isSet: return { _ in true }
        case .text(let value):
            let pattern = TextPattern(value)
            return { if case .text(let text) = $0 { pattern.matches(text) } else { false } }
        case .number(let operation, let bound): return isNumber { operation.holds($0, bound) }
        case .numberRange(let lower, let upper): return isNumber { lower <= $0 && $0 <= upper }
        case .date(let operation, let time):
            let bound = date(time)
            return isDate { operation.holds($0, bound) }
        case .dateRange(let lower, let upper):
            let (lower, upper) = (date(lower), date(upper))
            return isDate { lower <= $0 && $0 <= upper }
        case .flag(let flag): return { $0 == .flag(flag) }
        }
    }
}

/// The type of an attribute in a query. The type of a list is the type of its elements.
public enum AttributeType: String, Sendable, Hashable, Codable {
    /// A string, compared with quoted values, wildcards and modifiers.
    case text
    /// A number, compared and ordered.
    case number
    /// A date, compared and ordered.
    case date
    /// `true` or `false`.
    case flag
}

/// A source of attribute values for the evaluation of queries.
public protocol AttributeSource {
    /// Returns the values of an attribute: empty if it is not set, several if it is a list.
    func values(of attribute: String) -> [AttributeValue]
}

/// The attributes that a query may name, with their types.
///
/// For example: `AttributeTypes.standard.adding("shoeSize", .number)`.
public struct AttributeTypes: Sendable {
    private var types: [String: AttributeType]
    /// The names of the text attributes, sorted; the meaning of the attribute `*`.
    public private(set) var textAttributes: [String]

    /// Creates a table of attributes.
    public init(_ types: [String: AttributeType]) {
        self.types = types
        textAttributes = types.filter { $0.value == .text }.keys.sorted()
    }

    /// The type of an attribute, or `nil` if it is unknown.
    public subscript(name: String) -> AttributeType? { types[name] }

    /// Apple's names for attributes that are named differently here and follow no rule.
    private static let appleNames = [
        "uniqueIdentifier": "id", "domainIdentifier": "domain", "expirationDate": "expiresAt",
        "kMDItemIdentifier": "id", "kMDItemDescription": "contentDescription", "kMDItemStarRating": "rating",
        "kMDItemURL": "url",
    ]

    /// Returns the name of the attribute that Apple calls `name`, such as `domainIdentifier` or `kMDItemDisplayName`, or
    /// `name` itself.
    func name(for name: String) -> String {
        if types[name] != nil { return name }
        if let known = AttributeTypes.appleNames[name] { return known }
        guard name.hasPrefix("kMDItem") else { return name }
        let rest = name.dropFirst("kMDItem".count)
        let known = rest.prefix(1).lowercased() + rest.dropFirst()
        return types[known] == nil ? name : known
    }

    /// Returns the table with an additional attribute, such as a custom one.
    public func adding(_ name: String, _ type: AttributeType) -> AttributeTypes {
        var types = types
        types[name] = type
        return AttributeTypes(types)
    }

    /// The standard attributes: identifier, domain, expiration, and every ``Attribute`` except binary data.
    public static let standard: AttributeTypes = {
        var types: [String: AttributeType] = ["id": .text, "domain": .text, "expiresAt": .date]
        for attribute in Attribute.allCases {
            switch attribute.kind {
            case .text, .url, .person: types[attribute.name] = .text
            case .number: types[attribute.name] = .number
            case .date: types[attribute.name] = .date
            case .flag: types[attribute.name] = .flag
            case .data: break
            }
        }
        return AttributeTypes(types)
    }()
}

/// A syntax or type error in a query. Columns count Unicode scalars from 1.
public enum QueryError: CodedError, Hashable {
    /// The query contains something other than expected.
    case expected(String, found: String, column: Int)
    /// The query names an unknown attribute.
    case unknownAttribute(String, column: Int)
    /// The operator or value does not match the type of the attribute.
    case wrongType(attribute: String, expected: String, column: Int)
    /// The query is longer than ``AttributeQuery/maximumLength`` scalars.
    case tooLong(limit: Int)
    /// Parentheses and negations are nested deeper than ``AttributeQuery/maximumDepth`` levels.
    case tooDeep(limit: Int, column: Int)

    /// The column of the error.
    public var column: Int {
        switch self {
        case .expected(_, _, let column), .unknownAttribute(_, let column), .wrongType(_, _, let column),
            .tooDeep(_, let column):
            column
        case .tooLong(let limit): limit + 1
        }
    }

    /// The code, the category, the position with the problem and the remedy in one sentence, and the column.
    public var details: ErrorDetails {
        let message =
            switch self {
            case .expected(let expected, let found, _): "expected \(expected), found \(found)."
            case .unknownAttribute(let name, _): "unknown attribute “\(name)”; correct the name or declare it."
            case .wrongType(let attribute, let expected, _): "“\(attribute)” needs \(expected)."
            case .tooLong(let limit): "The query has more than \(limit) characters; shorten it."
            case .tooDeep(let limit, _):
                "more than \(limit) levels of parentheses and negations; use fewer levels."
            }
        let place = if case .tooLong = self { "" } else { "Column \(column): " }
        return ErrorDetails("invalidQuery", .usage, place + message, column: column)
    }
}
