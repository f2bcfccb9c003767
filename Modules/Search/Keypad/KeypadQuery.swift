/// What a person pressed, or typed as digits.
///
/// `0` is the gap between two words or the digit, `1` any punctuation or the digit; what they are is for the search to
/// decide. Digits of other scripts (٣, ۳, ３) count as the keys they name.
public struct KeypadQuery: Sendable, Hashable {
    /// The keys in order, as ASCII digits. Nothing else.
    public let keys: [UInt8]

    /// Whether the query began with `+`, so that the keys are the beginning of an international number.
    public let isInternational: Bool

    /// Whether numbers come before names in the results: the query begins with `0` or `+`.
    public var looksAtNumbersFirst: Bool { isInternational || keys.first == UInt8(ascii: "0") }

    /// Reads keys from text.
    ///
    /// Spaces, dashes, dots and parentheses are skipped, and so are the invisible direction marks that come along
    /// when a number is copied. An empty text is an empty query.
    ///
    /// - Throws: ``KeypadQueryError`` for the first character that is no key.
    public init(parsing text: String) throws(KeypadQueryError) {
        var keys: [UInt8] = []
        var isInternational = false
        var position = 0
        for character in text {
            position += 1
            if let digit = Self.digit(character) {
                keys.append(digit)
            } else if character == "+" || character == "\u{FF0B}", keys.isEmpty, !isInternational {
                isInternational = true
            } else if !Self.isSkipped(character) {
                throw KeypadQueryError.notAKey(character, position: position)
            }
        }
        self.keys = keys
        self.isInternational = isInternational
    }

    static func digit(_ character: Character) -> UInt8? {
        guard character.unicodeScalars.count == 1, let scalar = character.unicodeScalars.first,
            scalar.properties.generalCategory == .decimalNumber,
            let value = character.wholeNumberValue, (0...9).contains(value)
        else { return nil }
        return UInt8(ascii: "0") + UInt8(value)
    }

    private static func isSkipped(_ character: Character) -> Bool {
        if character.isWhitespace { return true }
        return character.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case ".", "(", ")", "\u{2212}", "\u{FF08}", "\u{FF09}", "\u{FF0E}": true
            default:
                scalar.properties.generalCategory == .dashPunctuation || scalar.properties.generalCategory == .format
            }
        }
    }
}

/// Why a text is no keypad query.
public enum KeypadQueryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A character that stands for no key, with its place counted in characters from 1.
    case notAKey(Character, position: Int)

    /// What is wrong, where, and what would be right.
    public var description: String {
        switch self {
        case .notAKey("+", let position):
            "\"+\" at position \(position) is only allowed at the beginning; use the digits 0 to 9"
        case .notAKey(let character, let position):
            "\"\(character)\" at position \(position) is no key; use the digits 0 to 9, with + only at the beginning"
        }
    }
}
