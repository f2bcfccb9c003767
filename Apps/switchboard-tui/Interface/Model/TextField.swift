/// A line that is typed.
public struct TextField: Hashable, Sendable {
    /// What stands before the cursor.
    public private(set) var before: String
    /// What stands after it.
    public private(set) var after: String

    /// A line with the cursor at its end.
    public init(_ text: String = "") {
        before = text
        after = ""
    }

    /// The whole text.
    public var text: String {
        get { before + after }
        set { (before, after) = (newValue, "") }
    }

    /// Whether nothing is typed.
    public var isEmpty: Bool { before.isEmpty && after.isEmpty }

    /// Types a text at the cursor; line ends become spaces, other control characters are left out.
    public mutating func insert(_ text: String) {
        for scalar in text.unicodeScalars {
            if scalar == "\n" || scalar == "\t" { before.unicodeScalars.append(" ") }
            if scalar.value >= 0x20, !(0x7F..<0xA0).contains(scalar.value) { before.unicodeScalars.append(scalar) }
        }
    }

    /// Puts a text in the place of what stands before the cursor.
    mutating func replaceBefore(_ text: String) {
        before = ""
        insert(text)
    }

    /// What a key of editing does.
    ///
    /// - Returns: whether it was one.
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
