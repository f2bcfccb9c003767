public import Foundation

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
