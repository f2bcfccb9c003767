/// A line editor.
public struct TextField: Hashable, Sendable {
    /// The text before the cursor.
    public private(set) var before: String
    /// The text after the cursor.
    public private(set) var after: String

    /// Creates a field with the cursor at the end of a text.
    public init(_ text: String = "") {
        before = text
        after = ""
    }

    /// The whole text.
    public var text: String {
        get { before + after }
        set { (before, after) = (newValue, "") }
    }

    /// True if the text is empty.
    public var isEmpty: Bool { before.isEmpty && after.isEmpty }

    /// Inserts a text at the cursor; newlines and tabs become spaces, other control characters are dropped.
    public mutating func insert(_ text: String) {
        for scalar in text.unicodeScalars {
            if scalar == "\n" || scalar == "\t" { before.unicodeScalars.append(" ") }
            if scalar.value >= 0x20, !(0x7F..<0xA0).contains(scalar.value) { before.unicodeScalars.append(scalar) }
        }
    }

    /// Replaces the text before the cursor.
    mutating func replaceBefore(_ text: String) {
        before = ""
        insert(text)
    }

    /// Handles an editing key.
    ///
    /// - Returns: false if the key does not edit.
    public mutating func edit(_ key: Key) -> Bool {
        switch key {
        case .backspace, .control("h"): _ = before.popLast()
        case .delete: _ = after.isEmpty ? nil : after.removeFirst()
        case .left: if let last = before.popLast() { after.insert(last, at: after.startIndex) }
        case .right: if !after.isEmpty { before.append(after.removeFirst()) }
        case .home, .control("a"): (before, after) = ("", text)
        case .end, .control("e"): (before, after) = (text, "")
        case .control("u"): before = ""
        case .control("k"): after = ""
        case .control("w"):
            while before.last == " " { before.removeLast() }
            while let last = before.last, last != " " { before.removeLast() }
        case .character(let character): insert(String(character))
        default: return false
        }
        return true
    }
}
