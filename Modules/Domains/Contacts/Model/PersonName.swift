/// The parts of a person's name; any of them may be empty.
public struct PersonName: Hashable, Sendable {
    /// "Dr.", "Prof."
    public var prefix: String
    /// The given name.
    public var given: String
    /// Further given names, a patronymic.
    public var middle: String
    /// The family name with its particles: "van der Berg".
    public var family: String
    /// "Jr.", "III", "PhD"
    public var suffix: String
    /// The second family name where a card tells it apart (RFC 9554); it stands in ``family``, too.
    public var secondFamily = ""
    /// "Jr.", "III" where a card tells it apart (RFC 9554); it stands in ``suffix``, too.
    public var generation = ""

    /// A name of parts.
    public init(prefix: String = "", given: String = "", middle: String = "", family: String = "", suffix: String = "")
    {
        self.prefix = prefix
        self.given = given
        self.middle = middle
        self.family = family
        self.suffix = suffix
    }

    /// Whether no part says anything that is shown.
    public var isEmpty: Bool {
        given.isEmpty && family.isEmpty && middle.isEmpty && prefix.isEmpty && suffix.isEmpty
    }

    /// The whole name in the order its script has it: "Dr. Carmen Luz Diaz", "山田太郎", "김민준".
    public var composed: String {
        if Script(of: family + given) == .eastAsian {
            // Chinese, Japanese and Korean: the family name first, nothing between.
            return [prefix, family + given, middle, suffix].filter { !$0.isEmpty }.joined(separator: " ")
        }
        return [prefix, given, middle, family, suffix].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The family name first, parted by spaces, without prefix and suffix: "Diaz Carmen Luz".
    public var familyFirst: String {
        [family, given, middle].filter { !$0.isEmpty }.joined(separator: " ")
    }
}

/// What matters of a script to the order of a name.
enum Script {
    /// Nothing but Han, kana and hangul.
    case eastAsian
    case other

    init(of text: String) {
        var isEastAsian = false
        for scalar in text.unicodeScalars where scalar != " " {
            guard Script.isHan(scalar) || Script.isKana(scalar) || Script.isHangul(scalar) else {
                self = .other
                return
            }
            isEastAsian = true
        }
        self = isEastAsian ? .eastAsian : .other
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
