import Foundation

/// A question about contacts, with what it is for.
public struct ContactQuery: Sendable {
    /// The kinds of question, in the order of the tables.
    public enum Kind: String, Sendable, CaseIterable {
        /// Three to eight digits of a run that begins at a word of the name.
        case keypadName = "keypad name"
        /// One or two letters of a word and two or three of a later one.
        case keypadInitials = "keypad initials"
        /// Four to seven digits from the inside of a number.
        case keypadNumber = "keypad part of a number"
        /// One digit.
        case keypadDigit = "keypad one digit"
        /// A whole name with one slip.
        case keypadTypo = "keypad one typo"
        /// The first six to nine digits of a name, with one slip.
        case keypadUnfinished = "keypad one typo, unfinished"
        /// Nine digits that nobody has: every kind of match is tried in vain.
        case keypadNothing = "keypad nothing"
        /// The beginning of a word, or a word and the beginning of the next.
        case textPrefix = "text prefix"
        /// Beginnings of two words, the later one first.
        case textWords = "text words in any order"
        /// Four letters from the inside of a word.
        case textInfix = "text infix"
        /// A whole name with one slip.
        case textTypo = "text one typo"
        /// The first six to nine letters of a name, with one slip.
        case textUnfinished = "text one typo, unfinished"
        /// One letter.
        case textLetter = "text one letter"
        /// Nine letters that nobody has.
        case textNothing = "text nothing"

        /// Whether the question is asked with the keys of a telephone.
        public var isKeypad: Bool { rawValue.hasPrefix("keypad") }
        /// Whether it counts if the person is among the first ten.
        public var isMisspelt: Bool {
            [.keypadTypo, .keypadUnfinished, .textTypo, .textUnfinished].contains(self)
        }
        /// The name in a table: without the way of asking.
        public var title: String { String(rawValue.drop { $0 != " " }.dropFirst()) }
    }

    /// What it tries.
    public var kind: Kind
    /// Digits, or text.
    public var text: String
    /// The display name of the person meant.
    public var meant: String

    /// A question; see the properties.
    public init(kind: Kind, text: String, meant: String) {
        self.kind = kind
        self.text = text
        self.meant = meant
    }
}

extension ContactQuery {
    /// Writes questions as a table: kind, text, person meant, a line each.
    public static func write(_ queries: [ContactQuery], to path: String) throws {
        let lines = queries.map { "\($0.kind.rawValue)\t\($0.text)\t\($0.meant)\n" }
        try lines.joined().write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Reads what ``write(_:to:)`` wrote; lines of unknown kinds are left out.
    public static func read(from path: String) throws -> [ContactQuery] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard cells.count == 3, let kind = Kind(rawValue: String(cells[0])) else { return nil }
            return ContactQuery(kind: kind, text: String(cells[1]), meant: String(cells[2]))
        }
    }
}
