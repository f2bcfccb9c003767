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
