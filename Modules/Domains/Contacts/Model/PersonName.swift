/// The components of a person's name. Each may be empty.
public struct PersonName: Hashable, Sendable {
    /// The prefixes: "Dr.", "Prof."
    public var prefix: String
    /// The given name.
    public var given: String
    /// Additional given names or a patronymic.
    public var middle: String
    /// The family name including particles: "van der Berg".
    public var family: String
    /// The suffixes: "Jr.", "III", "PhD"
    public var suffix: String
    /// The secondary surname (RFC 9554), also part of ``family``; empty if the card has none.
    public var secondFamily = ""
    /// The generation (RFC 9554), such as "Jr.", also part of ``suffix``; empty if the card has none.
    public var generation = ""

    /// Creates a name from its components.
    public init(prefix: String = "", given: String = "", middle: String = "", family: String = "", suffix: String = "")
    {
        self.prefix = prefix
        self.given = given
        self.middle = middle
        self.family = family
        self.suffix = suffix
    }

    /// `true` if all displayed components are empty.
    public var isEmpty: Bool {
        given.isEmpty && family.isEmpty && middle.isEmpty && prefix.isEmpty && suffix.isEmpty
    }

    /// The name in the order of its script: "Dr. Carmen Luz Diaz", "山田太郎", "김민준".
    public var composed: String {
        if Script.isEastAsian(family + given) {
            // Chinese, Japanese and Korean: the family name first, without a space.
            return [prefix, family + given, middle, suffix].filter { !$0.isEmpty }.joined(separator: " ")
        }
        return [prefix, given, middle, family, suffix].filter { !$0.isEmpty }.joined(separator: " ")
    }
}

/// The script of a name, which determines the order of its components.
enum Script {
    /// Returns `true` for a text of Han, kana and hangul only.
    static func isEastAsian(_ text: String) -> Bool {
        let letters = text.unicodeScalars.lazy.filter { $0 != " " }
        return !letters.isEmpty && letters.allSatisfy { isHan($0) || isKana($0) || isHangul($0) }
    }

    static func isHan(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3005, 0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x323AF: true
        default: false
        }
    }

    static func isKana(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3041...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: true
        default: false
        }
    }

    static func isHangul(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAC00...0xD7A3, 0x1100...0x11FF, 0x3131...0x318E: true
        default: false
        }
    }
}
