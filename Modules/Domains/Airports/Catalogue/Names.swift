/// Names in several languages, in the syntax of the catalogue: `ru=Лондон;es=Londres;x=Londinium|Lunnainn`.
///
/// Languages are BCP 47 tags; `x` holds former and colloquial names, which no language owns. The text is kept as it is
/// and read when a name is asked for, so that making an airport costs nothing for names nobody looks at. Reading is
/// linear in the length of the text.
public struct Names: Hashable, Sendable {
    /// The language tag of former and colloquial names.
    public static let otherTag = "x"

    /// The names in the syntax of the catalogue.
    public let text: String

    /// Names out of the syntax of the catalogue; parts that do not follow it are left out when reading.
    public init(text: String = "") {
        self.text = text
    }

    /// Names by language, the best of a language first.
    ///
    /// `;`, `|` and control characters would break the syntax; in names they become a comma, a stroke and a space.
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

    /// Whether there are no names at all.
    public var isEmpty: Bool { text.isEmpty }

    /// Every language with its names, in the order of the text.
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

    /// The names in one language, the best first; none where it has none.
    public func names(in language: String) -> [String] {
        var rest = text.utf8[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
            let group = rest[..<end]
            rest = end < rest.endIndex ? rest[rest.index(after: end)...] : rest[rest.endIndex...]
            guard group.starts(with: language.utf8) else { continue }
            let names = group.dropFirst(language.utf8.count)
            // A tag that only begins as this one is another language.
            guard names.first == UInt8(ascii: "=") else { continue }
            return names.dropFirst().split(separator: UInt8(ascii: "|")).compactMap { String($0) }
        }
        return []
    }

    /// Former and colloquial names.
    public var other: [String] { names(in: Self.otherTag) }

    /// The best name for a reader of `language`: of the tag itself, then of ever shorter ones (`pt-BR`, then `pt`).
    ///
    /// Names of a locale (`pt_BR.UTF-8`) are understood too.
    public func best(in language: String) -> String? {
        guard !text.isEmpty else { return nil }
        for tag in Self.tags(for: language) where tag != Self.otherTag {
            if let name = names(in: tag).first { return name }
        }
        return nil
    }

    /// The best name for a reader of `language` beside `english`, which is not among these names.
    ///
    /// What is listed under English are further English names, so that they never replace it.
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
    /// Names out of an object of language tags, each with its list: `{"ru": ["Лондон"]}`.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([String: [String]].self))
    }

    /// Writes an object of language tags, each with its list.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Dictionary(byLanguage.map { ($0.language, $0.names) }) { first, _ in first })
    }
}
