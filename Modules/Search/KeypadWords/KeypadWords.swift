import CSwitchboardWordLists
public import SwitchboardKeypad

/// The built-in word lists of text entry.
///
/// The lists are constants of the program, and nothing is read at startup. Their source and license (CC BY-SA 4.0) are
/// documented next to the data. For example:
///
/// ```swift
/// let words = KeypadWords.list(for: "tr-TR")?.candidates(for: Array("648".utf8), limit: 3)
/// ```
public enum KeypadWords {
    /// A language with a word list.
    public struct Language: Sendable, Hashable {
        /// The ISO 639-1 code.
        public let code: String
        /// The English name.
        public let name: String
    }

    /// The languages with a word list.
    public static let languages: [Language] = lists.map { list in
        Language(code: list.language, name: names[list.language] ?? list.language)
    }

    /// Returns the word list of a language, or nil if there is none.
    ///
    /// - Parameter tag: An ISO 639-1 code in any case, optionally with script and territory: `pt`, `pt_BR`, `PT-br`.
    public static func list(for tag: String) -> WordList? {
        let code = tag.prefix { $0 != "-" && $0 != "_" && $0 != "." && $0 != "@" }.lowercased()
        return lists.first { $0.language == code }
    }

    private static let lists: [WordList] = {
        var lists: [WordList] = []
        var size = 0
        // Safe: the bytes are constants of the program. The tests open each list.
        while let bytes = unsafe sb_word_list(lists.count, &size) {
            let memory = unsafe UnsafeRawBufferPointer(start: bytes, count: size)
            guard let list = try? unsafe WordList(permanent: memory) else { break }
            lists.append(list)
        }
        return lists
    }()

    private static let names = [
        "en": "English", "es": "Spanish", "tr": "Turkish", "ru": "Russian", "de": "German", "fr": "French",
        "pt": "Portuguese", "it": "Italian", "pl": "Polish", "uk": "Ukrainian", "el": "Greek",
    ]
}
