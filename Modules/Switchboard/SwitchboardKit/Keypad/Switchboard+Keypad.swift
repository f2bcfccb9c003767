public import SwitchboardKeypad
public import SwitchboardKeypadLearning
import SwitchboardKeypadWords

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension Switchboard {
    /// The words learnt from text entry.
    public var keypadLearning: KeypadLearning {
        get throws { KeypadLearning(storage: try storage) }
    }

    /// `true` if the database exists; never creates it.
    var hasDatabase: Bool { isOpen || access(settings.database, F_OK) == 0 }

    /// Returns the word list of a language.
    ///
    /// - Parameters:
    ///   - tag: The requested language; nil for that of the settings, or English if it has no list.
    ///   - language: The language of the settings.
    /// - Throws: ``SwitchboardError`` if the requested language has no list.
    public static func wordList(_ tag: String?, otherwise language: String = "en") throws(SwitchboardError) -> WordList
    {
        if let tag {
            guard let list = KeypadWords.list(for: tag) else {
                let known = KeypadWords.languages.map(\.code).joined(separator: ", ")
                throw SwitchboardError.usage("no word list for the language “\(tag)”; available: \(known)")
            }
            return list
        }
        guard let list = KeypadWords.list(for: language) ?? KeypadWords.list(for: "en") else {
            throw SwitchboardError(
                code: "internal", message: "the word lists are missing", status: .internalError)
        }
        return list
    }

    /// Returns the candidate words for keys.
    ///
    /// - Parameters:
    ///   - keys: `2` to `9`, and `1` for an apostrophe; spaces are ignored.
    ///   - language: A language tag; nil for the language of the settings.
    ///   - limit: The maximum number of results; 0 for all.
    /// - Throws: ``SwitchboardError`` for a language without a word list or a negative limit, `EntryKeyError`,
    ///   `StorageError`.
    public func words(for keys: String, language: String? = nil, limit: Int = 10) throws -> KeypadWordsResponse {
        try Self.validate(limit: limit)
        let list = try Self.wordList(language, otherwise: settings.language)
        let words = personalWords(list)
        let found = try words.candidates(for: try Self.lettersOfWord(keys), after: nil, limit: limit)
        return KeypadWordsResponse(results: found.map { KeypadWord(words.withFrequency($0)) })
    }

    /// Begins text entry.
    ///
    /// - Parameters:
    ///   - language: A language tag; nil for the language of the settings.
    ///   - learns: If `true`, typed words are learnt, unless learning is off.
    /// - Throws: ``SwitchboardError`` for a language without a word list.
    public func typing(language: String? = nil, learns: Bool = true) throws -> KeypadTyping {
        KeypadTyping(try Self.wordList(language, otherwise: settings.language), of: self, learns: learns)
    }

    /// Returns the text that keys type.
    ///
    /// - Parameters: See ``typing(language:learns:)``; `keys` are parsed by `EntryKey`.
    /// - Throws: Like ``typing(language:learns:)``, and `EntryKeyError`, `StorageError`. Words that ended before the
    ///   error were learnt.
    public func type(
        _ keys: String, language: String? = nil, limit: Int = 10, learns: Bool = true
    ) throws -> KeypadTextResponse {
        try Self.validate(limit: limit)
        var typing = try typing(language: language, learns: learns)
        for key in try EntryKey.keys(keys) { try typing.press(key) }
        let candidates = try typing.candidates()
        return KeypadTextResponse(
            text: try typing.text(), keystrokes: typing.entry.keystrokes,
            candidates: Array(limit == 0 ? candidates[...] : candidates.prefix(limit)))
    }

    /// Returns the text that keys type and the candidates of the last word, from the word list alone: without a
    /// database and without learning.
    ///
    /// - Parameters:
    ///   - keys: The keys, as parsed by `EntryKey`.
    ///   - language: A language tag; nil for English.
    ///   - limit: The maximum number of words; 0 for all.
    /// - Throws: ``SwitchboardError`` for a language without a word list or a negative limit, `EntryKeyError`.
    public static func keypadResponse(keys: String, language: String? = nil, limit: Int = 10) throws -> KeypadResponse {
        try validate(limit: limit)
        let list = try wordList(language)
        var entry = TextEntry(words: list)
        for key in try EntryKey.keys(keys) { try entry.press(key) }
        let candidates = try entry.candidates
        return KeypadResponse(
            keys: keys, language: list.language, text: try entry.text, keystrokes: entry.keystrokes,
            candidates: Array(limit == 0 ? candidates[...] : candidates.prefix(limit)),
            results: list.candidates(for: entry.typedKeys, limit: limit).map(KeypadWord.init))
    }

    private static func lettersOfWord(_ text: String) throws(EntryKeyError) -> [UInt8] {
        var keys: [UInt8] = []
        for (index, character) in text.enumerated() where !character.isWhitespace {
            switch EntryKey(character) {
            case .letter(let digit): keys.append(digit)
            case .punctuation: keys.append(UInt8(ascii: "1"))
            // No word contains this key, but it is a valid key.
            case .space: keys.append(UInt8(ascii: "0"))
            case nil: throw .notAKey(character, position: index + 1)
            default: throw .notALetter(character, position: index + 1)
            }
        }
        return keys
    }
}
