import SwitchboardVCard

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
        let isASCII = given.utf8.allSatisfy { $0 < 0x80 } && family.utf8.allSatisfy { $0 < 0x80 }
        if !isASCII, NameScript.isEastAsian(family + given) {
            // Chinese, Japanese and Korean: the family name first, without a space.
            return Self.joined(prefix, family + given, middle, suffix)
        }
        return Self.joined(prefix, given, middle, family, suffix)
    }

    /// The parts that are not empty, with spaces between them.
    private static func joined(_ parts: String...) -> String {
        var name = ""
        for part in parts where !part.isEmpty {
            if !name.isEmpty { name += " " }
            name += part
        }
        return name
    }
}
