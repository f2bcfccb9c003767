/// Names in several languages, in the catalogue's syntax: `ru=Лондон;es=Londres;x=Londinium|Lunnainn`.
///
/// Languages are BCP 47 tags; `x` marks former and colloquial names. The text is stored unparsed and read on access, so
/// that creating an airport does not parse its names. Access is linear in the length of the text.
public struct Names: Hashable, Sendable {
    /// The tag of former and colloquial names.
    public static let otherTag = "x"

    /// The names in the catalogue's syntax.
    public let text: String

    /// Creates names from text in the catalogue's syntax. Malformed groups are ignored on access.
    public init(text: String = "") {
        self.text = text
    }

    /// Creates names from a dictionary of languages, the preferred name of each language first.
    ///
    /// `;`, `|` and control characters are reserved; they are replaced by a comma, a slash and a space.
    public init(_ namesByLanguage: [String: [String]]) {
        let groups = namesByLanguage.sorted { $0.key < $1.key }.compactMap { language, names -> String? in
            let language = language.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
            let names = names.map(Self.escaped).filter { !$0.isEmpty }
            return language.isEmpty || names.isEmpty ? nil : "\(language)=\(names.joined(separator: "|"))"
        }
        text = groups.joined(separator: ";")
    }

    private static func escaped(_ name: String) -> String {
        String(
            String.UnicodeScalarView(
                name.unicodeScalars.map { scalar in
                    switch scalar {
                    case ";": ","
                    case "|": "/"
                    case _ where scalar.value < 0x20 || scalar.value == 0x7F: " "
                    default: scalar
                    }
                }))
    }

    /// `true` if there are no names.
    public var isEmpty: Bool { text.isEmpty }

    /// All languages with their names, in the order of the text.
    public var byLanguage: [(language: String, names: [String])] {
        text.utf8.split(separator: UInt8(ascii: ";")).compactMap { group in
            guard let sign = group.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let names = group[group.index(after: sign)...].split(separator: UInt8(ascii: "|")).compactMap {
                String($0)
            }
            guard let language = String(group[..<sign]), !language.isEmpty, !names.isEmpty else { return nil }
            return (language, names)
        }
    }

    /// Returns the names in one language, preferred name first.
    public func names(in language: String) -> [String] {
        var rest = text.utf8[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
            let group = rest[..<end]
            rest = end < rest.endIndex ? rest[rest.index(after: end)...] : rest[rest.endIndex...]
            guard group.starts(with: language.utf8) else { continue }
            let names = group.dropFirst(language.utf8.count)
            // A longer tag with this prefix is another language.
            guard names.first == UInt8(ascii: "=") else { continue }
            return names.dropFirst().split(separator: UInt8(ascii: "|")).compactMap { String($0) }
        }
        return []
    }

    /// The former and colloquial names.
    public var other: [String] { names(in: Self.otherTag) }

    /// Returns the preferred name in a language, falling back to shorter tags (`pt-BR`, then `pt`).
    ///
    /// POSIX locale names (`pt_BR.UTF-8`) are accepted too.
    public func best(in language: String) -> String? {
        guard !text.isEmpty else { return nil }
        for tag in Self.tags(for: language) where tag != Self.otherTag {
            if let name = names(in: tag).first { return name }
        }
        return nil
    }

    /// Returns the preferred name in a language, or else `english`, which is not among these names.
    ///
    /// Names listed under English are alternatives and never replace `english`.
    func title(in language: String, english: String) -> String {
        Self.tags(for: language).last == "en" ? english : best(in: language) ?? english
    }

    static func tags(for language: String) -> [String] {
        let tag = language.prefix { $0 != "." && $0 != "@" }.split { $0 == "-" || $0 == "_" }
        guard let base = tag.first else { return [] }
        let subtags = [base.lowercased()] + tag.dropFirst().map(String.init)
        return (1...subtags.count).reversed().map { subtags.prefix($0).joined(separator: "-") }
    }
}

extension Names: Codable {
    /// Decodes an object of language tags, each with a list of names: `{"ru": ["Лондон"]}`.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([String: [String]].self))
    }

    /// Encodes an object of language tags, each with a list of names.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Dictionary(byLanguage.map { ($0.language, $0.names) }) { first, _ in first })
    }
}
