import Foundation
@_exported public import SwitchboardErrors

/// A search query of keypad keys.
///
/// `0` is a word gap or the digit, `1` is punctuation or the digit; the search tries both. Digits of other scripts
/// (٣, ۳, ３) are accepted.
public struct KeypadQuery: Sendable, Hashable {
    /// The first 400 keys in order, as ASCII digits. No name or number has more, and the search takes longer with each.
    public let keys: [UInt8]

    /// Indicates that the query begins with `+` and is the prefix of an international number.
    public let isInternational: Bool

    /// Indicates that the query begins with `0` or `+`, which ranks numbers before names.
    public var prefersNumbers: Bool { isInternational || keys.first == UInt8(ascii: "0") }

    /// Parses a query.
    ///
    /// Spaces, dashes, dots, parentheses and the invisible direction marks of copied numbers are skipped. An empty text
    /// is an empty query. A number is read as it is printed or dialed: a `tel:` URI, slashes, the `(0)` after a country
    /// code, the signs of a code (`*100#`), and an extension or pause, which is left out.
    ///
    /// - Throws: ``KeypadQueryError`` for the first invalid character.
    public init(parsing text: String) throws(KeypadQueryError) {
        if let number = NumberNotation.plain(text), let query = try? KeypadQuery(keys: number) {
            self = query
        } else {
            try self.init(keys: text)
        }
    }

    private init(keys text: String) throws(KeypadQueryError) {
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
        self.keys = Array(keys.prefix(Self.maximumKeys))
        self.isInternational = isInternational
    }

    private static let maximumKeys = 400

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

/// The notations of phone numbers that are more than digits with separators.
package enum NumberNotation {
    /// The minimum number of digits before an extension or a pause.
    private static let minimumDigits = 3

    /// Returns the number without the parts that do not belong to its digits; nil for a text without such parts, or without
    /// digits.
    static func plain(_ text: String) -> String? {
        // Nearly all queries are digits or a name.
        guard let first = text.unicodeScalars.first(where: { !$0.properties.isWhitespace }),
            first.properties.numericType == .decimal || "+*#(<tT".unicodeScalars.contains(first),
            text.unicodeScalars.contains(where: { "/*#,;:<(xXeEpPwW".unicodeScalars.contains($0) })
        else { return nil }
        var number = text.trimmingCharacters(in: .whitespaces)
        if number.hasPrefix("<"), number.hasSuffix(">") { number = String(number.dropFirst().dropLast()) }
        if number.lowercased().hasPrefix("tel:") {
            number = String(number.dropFirst(4))
            number = number.removingPercentEncoding ?? number
        }
        if let match = number.firstMatch(
            of: /(?i)(?:;ext=|[\s.,;]*(?:extension|extn?|x)[.:]?\s*[0-9]+$|[,;pw][0-9*#,;pw\s]*$)/),
            number[..<match.range.lowerBound].count(where: \.isNumber) >= minimumDigits
        {
            number = String(number[..<match.range.lowerBound])
        }
        if number.hasPrefix("+") || number.hasPrefix("00") { number = number.replacing("(0)", with: "") }
        number.removeAll { "/*#".contains($0) }
        return number.contains(where: \.isNumber) ? number : nil
    }
}

/// A syntax error in a keypad query.
public enum KeypadQueryError: CodedError, Hashable {
    /// An invalid character, with its position in characters from 1.
    case notAKey(Character, position: Int)

    /// The code, the category and the message with the position.
    public var details: ErrorDetails {
        switch self {
        case .notAKey("+", let position):
            .init(
                "notAKey", .usage,
                "\"+\" at position \(position) is only allowed at the beginning; use the digits 0 to 9")
        case .notAKey(let character, let position):
            .init(
                "notAKey", .usage,
                "\"\(character)\" at position \(position) is not a key; use the digits 0 to 9, with + only at the "
                    + "beginning")
        }
    }
}

/// The input of a search field: text in any script, or the digits of a keypad.
///
/// For example:
///
/// ```swift
/// let text: SearchInput = "gonzales"
/// let keys = try SearchInput(keys: "5646")  // Jogo
/// ```
public struct SearchInput: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The input as typed.
    public let text: String
    /// The keypad query; `nil` if the input is text.
    public let keys: KeypadQuery?

    /// Creates a text input.
    public init(_ text: String) {
        self.text = text
        keys = nil
    }

    /// Creates a text input.
    public init(stringLiteral text: String) { self.init(text) }

    /// Creates an input of keypad digits.
    ///
    /// - Throws: ``KeypadQueryError`` for the first character that is not on a key.
    public init(keys: String) throws(KeypadQueryError) {
        text = keys
        self.keys = try KeypadQuery(parsing: keys)
    }

    /// Creates an input of keypad digits or text.
    ///
    /// - Throws: ``KeypadQueryError`` for the first character that is not on a key.
    public init(_ typed: String, keypad: Bool) throws(KeypadQueryError) {
        if keypad { try self.init(keys: typed) } else { self.init(typed) }
    }

    /// Indicates that nothing was typed, apart from white space.
    public var isEmpty: Bool {
        keys.map { $0.keys.isEmpty && !$0.isInternational } ?? text.allSatisfy(\.isWhitespace)
    }
}
