public import Foundation

/// A query in the language of `docs/query-language.md`, read and checked.
///
/// For example:
///
/// ```swift
/// let query = try AttributeQuery("keywords == \"drama\"c && rating >= 4")
/// let predicate = query.predicate(at: Date(), in: .current)
/// items.filter { predicate.matches($0) }
/// ```
///
/// Any text is accepted or refused with a ``QueryError``; none takes more than linear time and space to read.
public struct AttributeQuery: Sendable {
    /// The most Unicode scalars a query has.
    public static let longest = 10_000
    /// The most levels of parentheses and negations.
    public static let deepest = 100

    /// The syntax tree.
    public let root: QueryNode
    private let textAttributes: [String]

    /// Reads a query.
    ///
    /// - Parameters:
    ///   - text: The query.
    ///   - attributes: The attributes it may name.
    /// - Throws: Where the first mistake is, and what was expected there.
    public init(_ text: String, attributes: AttributeTypes = .standard) throws(QueryError) {
        let scalars = Array(text.unicodeScalars.prefix(Self.longest + 1))
        guard scalars.count <= Self.longest else { throw .tooLong(limit: Self.longest) }
        var parser = try QueryParser(scalars, attributes: attributes)
        root = try parser.parse()
        textAttributes = attributes.textAttributes
    }

    /// A part of a query as a query of its own.
    init(root: QueryNode, like query: AttributeQuery) {
        self.root = root
        textAttributes = query.textAttributes
    }

    /// The query made ready: times are fixed, values folded.
    public func predicate(at now: Date, in calendar: Calendar) -> QueryPredicate {
        QueryPredicate(root, textAttributes: textAttributes, now: now, calendar: calendar)
    }
}
