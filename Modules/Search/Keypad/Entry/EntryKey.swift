/// A key of text entry.
public enum EntryKey: Sendable, Hashable {
    /// `2` to `9`, as an ASCII digit: a letter of the word.
    case letter(UInt8)
    /// `1`: punctuation, or between letters the apostrophe.
    case punctuation
    /// `0`: the word ends, a space.
    case space
    /// `*`: the next word of these keys, mark, or suggestion.
    case next
    /// `#`: abc, Abc, ABC.
    case letterCase
    /// `/`: letter by letter, for words that no list has.
    case spell
    /// `<`: takes the last key back.
    case delete

    /// The key of a character; nil if it is none. Digits of other scripts count as the keys they name.
    public init?(_ character: Character) {
        switch character {
        case "*": self = .next
        case "#": self = .letterCase
        case "/": self = .spell
        case "<": self = .delete
        default:
            guard let digit = KeypadQuery.digit(character) else { return nil }
            switch digit {
            case UInt8(ascii: "0"): self = .space
            case UInt8(ascii: "1"): self = .punctuation
            default: self = .letter(digit)
            }
        }
    }

    /// Reads keys from text; white space between them is skipped.
    ///
    /// - Throws: ``EntryKeyError`` for the first character that is no key.
    public static func keys(_ text: String) throws(EntryKeyError) -> [EntryKey] {
        var keys: [EntryKey] = []
        var position = 0
        for character in text {
            position += 1
            if character.isWhitespace { continue }
            guard let key = EntryKey(character) else { throw .notAKey(character, position: position) }
            keys.append(key)
        }
        return keys
    }

    /// The key as it is printed on it.
    public var symbol: Character {
        switch self {
        case .letter(let digit): Character(Unicode.Scalar(digit))
        case .punctuation: "1"
        case .space: "0"
        case .next: "*"
        case .letterCase: "#"
        case .spell: "/"
        case .delete: "<"
        }
    }
}

/// Why a text is no sequence of keys.
public enum EntryKeyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A character that stands for no key, with its place counted in characters from 1.
    case notAKey(Character, position: Int)
    /// A key that stands for no letter of a word, with its place counted in characters from 1.
    case notALetter(Character, position: Int)

    /// What is wrong, where, and what would be right.
    public var description: String {
        switch self {
        case .notAKey(let character, let position):
            "“\(character)” at position \(position) is no key; use 2 to 9 for letters, 0 for the space, 1 for punctuation, "
                + "* for the next word, # for the case, / to spell, < to delete"
        case .notALetter(let character, let position):
            "“\(character)” at position \(position) types no letter of a word; use 2 to 9, and 1 for an apostrophe"
        }
    }
}
