/// The script of a name, which determines the order of its components.
package enum NameScript {
    /// Returns `true` for a text of Han, kana and hangul only.
    package static func isEastAsian(_ text: String) -> Bool {
        let letters = text.unicodeScalars.lazy.filter { $0 != " " }
        return !letters.isEmpty && letters.allSatisfy { isHan($0) || isKana($0) || isHangul($0) }
    }

    package static func isHan(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3005, 0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x323AF: true
        default: false
        }
    }

    package static func isKana(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3041...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: true
        default: false
        }
    }

    package static func isHangul(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAC00...0xD7A3, 0x1100...0x11FF, 0x3131...0x318E: true
        default: false
        }
    }
}
