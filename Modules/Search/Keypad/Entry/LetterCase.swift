/// How the letters of a word are written, as the key `#` walks it.
public enum LetterCase: Sendable, Hashable, CaseIterable {
    /// As the word is written by itself.
    case asWritten
    /// The first letter large.
    case capital
    /// All letters large.
    case capitals

    /// The one that comes next.
    var next: LetterCase {
        switch self {
        case .asWritten: .capital
        case .capital: .capitals
        case .capitals: .asWritten
        }
    }

    /// The word in this case.
    ///
    /// - Parameters:
    ///   - word: a word in any case.
    ///   - language: Turkish has an İ for its i; Greek capitals in a row lose the accent.
    public func applied(to word: String, language: String) -> String {
        switch self {
        case .asWritten: word
        case .capital: Self.large(word.prefix(1), language, dropsAccents: false) + word.dropFirst()
        case .capitals: Self.large(word[...], language, dropsAccents: language == "el")
        }
    }

    private static func large(_ text: Substring, _ language: String, dropsAccents: Bool) -> String {
        if language == "tr" { return text.map { $0 == "i" ? "İ" : $0 == "ı" ? "I" : $0.uppercased() }.joined() }
        guard dropsAccents else { return text.uppercased() }
        let plain: [Character: String] = [
            "ά": "Α", "έ": "Ε", "ή": "Η", "ί": "Ι", "ό": "Ο", "ύ": "Υ", "ώ": "Ω", "ΐ": "Ϊ", "ΰ": "Ϋ",
        ]
        return text.map { plain[$0] ?? $0.uppercased() }.joined()
    }
}
