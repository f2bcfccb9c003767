public import SwitchboardKeypad
public import SwitchboardKeypadLearning
import SwitchboardKeypadWords

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

// Text entry with nine keys. Words are looked up without a database as long as there is none.

extension Switchboard {
    /// What was typed with nine keys before.
    ///
    /// - Throws: `StorageError`.
    public var keypadLearning: KeypadLearning {
        get throws { KeypadLearning(storage: try storage) }
    }

    /// Whether there is a database to look into; asking makes none.
    var hasDatabase: Bool { isOpen || access(settings.database, F_OK) == 0 }

    /// The words of a language.
    ///
    /// - Parameters:
    ///   - tag: the language as somebody asked for it; nil for that of the settings, and English if that has no list.
    ///   - language: the language of the settings.
    /// - Throws: a ``Fault`` if a language was asked for that has no list.
    public static func wordList(_ tag: String?, otherwise language: String = "en") throws(Fault) -> WordList {
        if let tag {
            guard let list = KeypadWords.list(for: tag) else {
                let known = KeypadWords.languages.map(\.code).joined(separator: ", ")
                throw Fault.usage("there are no words of the language “\(tag)”; known are \(known)")
            }
            return list
        }
        guard let list = KeypadWords.list(for: language) ?? KeypadWords.list(for: "en") else {
            throw Fault(
                code: "internal", message: "the program has no words of any language", status: .internalError)
        }
        return list
    }

    /// The words of some keys.
    ///
    /// - Parameters:
    ///   - keys: `2` to `9`, and `1` for an apostrophe; spaces do not count.
    ///   - language: a language tag; nil for that of the settings.
    ///   - limit: how many at most; 0 for all.
    /// - Throws: a ``Fault`` for a language without words or a negative limit, `EntryKeyError`, `StorageError`.
    public func words(for keys: String, language: String? = nil, limit: Int = 10) throws -> KeypadWordsResponse {
        try Self.check(limit: limit)
        let list = try Self.wordList(language, otherwise: settings.language)
        let words = personalWords(list)
        let found = try words.candidates(for: try Self.lettersOfWord(keys), after: nil, limit: limit)
        return KeypadWordsResponse(results: found.map { KeypadWord(words.withFrequency($0)) })
    }

    /// Text entry.
    ///
    /// - Parameters:
    ///   - language: a language tag; nil for that of the settings.
    ///   - learns: whether what is typed is learnt, unless that is off altogether.
    /// - Throws: a ``Fault`` for a language without words.
    public func typing(language: String? = nil, learns: Bool = true) throws -> KeypadTyping {
        KeypadTyping(try Self.wordList(language, otherwise: settings.language), of: self, learns: learns)
    }

    /// What keys type.
    ///
    /// - Parameters: as for ``typing(language:learns:)``; `keys` as `EntryKey` reads them.
    /// - Throws: as ``typing(language:learns:)``, and `EntryKeyError`, `StorageError`; what ended before the failure was learnt.
    public func type(
        _ keys: String, language: String? = nil, limit: Int = 10, learns: Bool = true
    ) throws -> KeypadTextResponse {
        try Self.check(limit: limit)
        var typing = try typing(language: language, learns: learns)
        for key in try EntryKey.keys(keys) { try typing.press(key) }
        let candidates = try typing.candidates()
        return KeypadTextResponse(
            text: try typing.text(), keystrokes: typing.entry.keystrokes,
            candidates: Array(limit == 0 ? candidates[...] : candidates.prefix(limit)))
    }

    /// What keys type and the words of the last ones, from the list alone: for everybody, without a database, and nothing is learnt.
    ///
    /// - Parameters:
    ///   - keys: as `EntryKey` reads them.
    ///   - language: a language tag; nil for English.
    ///   - limit: how many words at most; 0 for all.
    /// - Throws: a ``Fault`` for a language without words or a negative limit, `EntryKeyError`.
    public static func keypadAnswer(keys: String, language: String? = nil, limit: Int = 10) throws -> KeypadResponse {
        try check(limit: limit)
        let list = try wordList(language)
        var entry = TextEntry(words: list)
        for key in try EntryKey.keys(keys) { try entry.press(key) }
        let candidates = try entry.candidates
        return KeypadResponse(
            keys: keys, language: list.language, text: try entry.text, keystrokes: entry.keystrokes,
            candidates: Array(limit == 0 ? candidates[...] : candidates.prefix(limit)),
            results: list.candidates(for: entry.typedKeys, limit: limit).map(KeypadWord.init))
    }

    /// The keys of one word.
    private static func lettersOfWord(_ text: String) throws(EntryKeyError) -> [UInt8] {
        var keys: [UInt8] = []
        for (index, character) in text.enumerated() where !character.isWhitespace {
            switch EntryKey(character) {
            case .letter(let digit): keys.append(digit)
            case .punctuation: keys.append(UInt8(ascii: "1"))
            // No letter is on it, so there is no such word; that is no mistake of whoever asks.
            case .space: keys.append(UInt8(ascii: "0"))
            case nil: throw .notAKey(character, position: index + 1)
            default: throw .notALetter(character, position: index + 1)
            }
        }
        return keys
    }
}
