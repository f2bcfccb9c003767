import CSwitchboardWordLists
public import SwitchboardKeypad

/// The words of text entry that come with the program, one list for each language.
///
/// They are part of the program itself: nothing is opened or read at a start. Where they come from, and their licence (CC BY-SA 4.0),
/// is told beside the data. For example:
///
/// ```swift
/// KeypadWords.list(for: "tr-TR")?.candidates(for: Array("648".utf8), limit: 3)
/// ```
public enum KeypadWords {
    /// A language with a list.
    public struct Language: Sendable, Hashable {
        /// Its code of ISO 639-1.
        public let code: String
        /// Its name in English.
        public let name: String
    }

    /// The languages that have a list, in the order of the lists.
    public static let languages: [Language] = lists.map { list in
        Language(code: list.language, name: names[list.language] ?? list.language)
    }

    /// The words of a language; nil if it has no list.
    ///
    /// - Parameter tag: a code of ISO 639-1, with or without territory and script, in any case: `pt`, `pt_BR`, `PT-br`.
    public static func list(for tag: String) -> WordList? {
        let code = tag.prefix { $0 != "-" && $0 != "_" && $0 != "." && $0 != "@" }.lowercased()
        return lists.first { $0.language == code }
    }

    private static let lists: [WordList] = {
        var lists: [WordList] = []
        var size = 0
        while let bytes = sb_word_list(lists.count, &size) {
            // They are constants of the program, so they stay as they are for ever. Each is one that the tests have opened.
            guard let list = try? WordList(UnsafeRawBufferPointer(start: bytes, count: size)) else { break }
            lists.append(list)
        }
        return lists
    }()

    private static let names = [
        "en": "English", "es": "Spanish", "tr": "Turkish", "ru": "Russian", "de": "German", "fr": "French",
        "pt": "Portuguese", "it": "Italian", "pl": "Polish", "uk": "Ukrainian", "el": "Greek",
    ]
}
