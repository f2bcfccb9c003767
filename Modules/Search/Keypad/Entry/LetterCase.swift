/// The case of a word, which the key `#` cycles through.
public enum LetterCase: Sendable, Hashable, CaseIterable {
    /// The case of the word list.
    case asWritten
    /// The first letter in upper case.
    case capital
    /// All letters in upper case.
    case capitals

    /// The next case of the cycle.
    var next: LetterCase {
        switch self {
        case .asWritten: .capital
        case .capital: .capitals
        case .capitals: .asWritten
        }
    }

    /// Returns a word in this case.
    ///
    /// - Parameters:
    ///   - word: A word in any case.
    ///   - language: The language code. Turkish maps i to İ; Greek words in upper case lose their accents.
    public func applied(to word: String, language: String) -> String {
        switch self {
        case .asWritten: word
        case .capital: Self.uppercased(word.prefix(1), language, dropsAccents: false) + word.dropFirst()
        case .capitals: Self.uppercased(word[...], language, dropsAccents: language == "el")
        }
    }

    private static func uppercased(_ text: Substring, _ language: String, dropsAccents: Bool) -> String {
        if language == "tr" { return text.map { $0 == "i" ? "İ" : $0 == "ı" ? "I" : $0.uppercased() }.joined() }
        guard dropsAccents else { return text.uppercased() }
        let plain: [Character: String] = [
            "ά": "Α", "έ": "Ε", "ή": "Η", "ί": "Ι", "ό": "Ο", "ύ": "Υ", "ώ": "Ω", "ΐ": "Ϊ", "ΰ": "Ϋ",
        ]
        return text.map { plain[$0] ?? $0.uppercased() }.joined()
    }
}
