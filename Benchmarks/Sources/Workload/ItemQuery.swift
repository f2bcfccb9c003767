import Foundation

/// A question about items, with the one it is for.
public struct ItemQuery: Sendable {
    /// The kinds of question, in the order of the tables.
    public enum Kind: String, Sendable, CaseIterable {
        /// A title as it is being typed: its first three to twenty letters.
        case prefix
        /// Two or three words of a title, in any order.
        case words = "words of the title"
        /// The same with one slip, in a word of at least four letters.
        case typo = "one typo"
        /// One letter.
        case letter = "one letter"

        /// Whether it counts if the item is among the first ten; a letter begins too many.
        public var isCounted: Bool { self != .letter }
    }

    /// What it tries.
    public var kind: Kind
    /// The text.
    public var text: String
    /// The identifier of the item meant.
    public var meant: String

    /// A question; see the properties.
    public init(kind: Kind, text: String, meant: String) {
        self.kind = kind
        self.text = text
        self.meant = meant
    }
}

extension ItemQuery {
    /// Writes questions as a table: kind, text, item meant, a line each.
    public static func write(_ queries: [ItemQuery], to path: String) throws {
        let lines = queries.map { "\($0.kind.rawValue)\t\($0.text)\t\($0.meant)\n" }
        try lines.joined().write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Reads what ``write(_:to:)`` wrote; lines of unknown kinds are left out.
    public static func read(from path: String) throws -> [ItemQuery] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard cells.count == 3, let kind = Kind(rawValue: String(cells[0])) else { return nil }
            return ItemQuery(kind: kind, text: String(cells[1]), meant: String(cells[2]))
        }
    }
}
