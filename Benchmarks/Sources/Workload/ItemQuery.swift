import Foundation

/// A query for items, with its target.
public struct ItemQuery: Sendable {
    /// The kinds of query, in the order of the tables.
    public enum Kind: String, Sendable, CaseIterable {
        /// A title as it is typed: its first three to twenty letters.
        case prefix
        /// Two or three words of a title, in any order.
        case words = "words of the title"
        /// The same with one typo, in a word of at least four letters.
        case typo = "one typo"
        /// One letter.
        case letter = "one letter"

        /// `true` if the share of queries with the target in ten hits is measured. A letter matches too many items.
        public var isCounted: Bool { self != .letter }
    }

    /// The kind of query.
    public var kind: Kind
    /// The text.
    public var text: String
    /// The identifier of the target.
    public var meant: String

    /// Creates a query; see the properties.
    public init(kind: Kind, text: String, meant: String) {
        self.kind = kind
        self.text = text
        self.meant = meant
    }
}

extension ItemQuery {
    /// Writes queries as a table: kind, text, target, one per line.
    public static func write(_ queries: [ItemQuery], to path: String) throws {
        let lines = queries.map { "\($0.kind.rawValue)\t\($0.text)\t\($0.meant)\n" }
        try lines.joined().write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Reads a table of ``write(_:to:)``. Lines of unknown kinds are ignored.
    public static func read(from path: String) throws -> [ItemQuery] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard cells.count == 3, let kind = Kind(rawValue: String(cells[0])) else { return nil }
            return ItemQuery(kind: kind, text: String(cells[1]), meant: String(cells[2]))
        }
    }
}
