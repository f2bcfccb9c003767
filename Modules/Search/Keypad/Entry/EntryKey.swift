@_exported public import SwitchboardErrors

/// A key of text entry.
public enum EntryKey: Sendable, Hashable {
    /// `2` to `9`, as an ASCII digit: types a letter.
    case letter(UInt8)
    /// `1`: types punctuation, or an apostrophe between letters.
    case punctuation
    /// `0`: commits the word and types a space.
    case space
    /// `*`: selects the next word, punctuation mark or suggestion.
    case next
    /// `#`: switches between abc, Abc and ABC.
    case letterCase
    /// `/`: starts multi-tap entry, for words that are not listed.
    case spell
    /// `<`: undoes the last key.
    case delete

    /// Creates the key of a character, or returns nil if it has no key. Digits of other scripts are accepted.
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

    /// Parses keys, skipping white space.
    ///
    /// - Throws: ``EntryKeyError`` for the first invalid character.
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

    /// The character of the key.
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

/// A syntax error in a sequence of keys.
public enum EntryKeyError: CodedError, Hashable {
    /// A character without a key, with its position in characters from 1.
    case notAKey(Character, position: Int)
    /// A key that types no letter, with its position in characters from 1.
    case notALetter(Character, position: Int)

    /// The code, the category and the message with the position.
    public var details: ErrorDetails {
        switch self {
        case .notAKey(let character, let position):
            .init(
                "notAKey", .usage,
                "“\(character)” at position \(position) is not a key; use 2 to 9 for letters, 0 for the space, "
                    + "1 for punctuation, * for the next word, # for the case, / to spell, < to delete")
        case .notALetter(let character, let position):
            .init(
                "notAKey", .usage,
                "“\(character)” at position \(position) does not type a letter; use 2 to 9, and 1 for an apostrophe")
        }
    }
}
