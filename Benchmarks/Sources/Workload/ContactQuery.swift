import Foundation

/// A query for contacts, with its target.
public struct ContactQuery: Sendable {
    /// The kinds of query, in the order of the tables.
    public enum Kind: String, Sendable, CaseIterable {
        /// Two to eight digits from the start of a word of the name on.
        case keypadName = "keypad name"
        /// The first nine to twelve digits of a name.
        case keypadLongName = "keypad long name"
        /// One or two letters of a word and two or three of a later one.
        case keypadInitials = "keypad initials"
        /// Four to seven digits from inside a number.
        case keypadNumber = "keypad part of a number"
        /// One digit.
        case keypadDigit = "keypad one digit"
        /// A whole name with one typo.
        case keypadTypo = "keypad one typo"
        /// The first seven to eleven digits of a name, one of them wrong.
        case keypadWrongDigit = "keypad one digit wrong"
        /// Nine to twelve random digits: every kind of match is tried, usually in vain.
        case keypadNothing = "keypad nothing"
        /// A prefix of a word, or a word and a prefix of the next.
        case textPrefix = "text prefix"
        /// Prefixes of two words, the later one first.
        case textWords = "text words in any order"
        /// Four letters from inside a word.
        case textInfix = "text infix"
        /// A whole name with one typo.
        case textTypo = "text one typo"
        /// The first six to nine letters of a name, with one typo.
        case textUnfinished = "text one typo, unfinished"
        /// One letter.
        case textLetter = "text one letter"
        /// Nine letters of no contact.
        case textNothing = "text nothing"

        /// `true` if the query consists of keypad digits.
        public var isKeypad: Bool { rawValue.hasPrefix("keypad") }
        /// `true` if the share of queries with the target in ten hits is measured.
        public var isMisspelt: Bool {
            [.keypadTypo, .keypadWrongDigit, .textTypo, .textUnfinished].contains(self)
        }
    }

    /// The kind of query.
    public var kind: Kind
    /// Digits, or text.
    public var text: String
    /// The display name of the target.
    public var meant: String

    /// Creates a query; see the properties.
    public init(kind: Kind, text: String, meant: String) {
        self.kind = kind
        self.text = text
        self.meant = meant
    }
}

extension ContactQuery {
    /// Writes queries as a table: kind, text, target, one per line.
    public static func write(_ queries: [ContactQuery], to path: String) throws {
        let lines = queries.map { "\($0.kind.rawValue)\t\($0.text)\t\($0.meant)\n" }
        try lines.joined().write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Reads a table of ``write(_:to:)``. Lines of unknown kinds are ignored.
    public static func read(from path: String) throws -> [ContactQuery] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard cells.count == 3, let kind = Kind(rawValue: String(cells[0])) else { return nil }
            return ContactQuery(kind: kind, text: String(cells[1]), meant: String(cells[2]))
        }
    }
}
