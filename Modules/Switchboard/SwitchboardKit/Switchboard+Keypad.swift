import SwitchboardContacts
import SwitchboardIncrementalIndex
public import SwitchboardKeypad
public import SwitchboardKeypadLearning
import SwitchboardKeypadWords
import SwitchboardStorage

extension Switchboard {
    /// The words learned from text entry.
    public var keypadLearning: KeypadLearning {
        get throws { KeypadLearning(storage: try storage) }
    }

    /// `true` if the database exists; never creates it.
    var hasDatabase: Bool { isOpen || FileSystem.attributes(of: settings.database) != nil }

    /// Returns the word list of a language.
    ///
    /// - Parameters:
    ///   - tag: The requested language; nil for the language of the settings, or for English if that has no list.
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
            throw SwitchboardError(code: "internal", message: "the word lists are missing", status: .internalError)
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
    public func words(for keys: String, language: String? = nil, limit: Int = 10) throws -> ListResponse<WordCandidate>
    {
        try Self.validate(limit: limit)
        let list = try Self.wordList(language, otherwise: settings.language)
        let words = personalWords(list)
        let found = try words.candidates(for: try Self.lettersOfWord(keys), after: nil, limit: limit)
        return ListResponse(found.map(words.withFrequency))
    }

    /// Begins text entry.
    ///
    /// - Parameters:
    ///   - language: A language tag; nil for the language of the settings.
    ///   - learns: If `true`, typed words are learned, unless learning is off.
    /// - Throws: ``SwitchboardError`` for a language without a word list.
    public func typing(language: String? = nil, learns: Bool = true) throws -> KeypadTyping {
        KeypadTyping(try Self.wordList(language, otherwise: settings.language), of: self, learns: learns)
    }

    /// Returns the text that keys type.
    ///
    /// - Parameters: See ``typing(language:learns:)``; `keys` are parsed by `EntryKey`.
    /// - Throws: The errors of ``typing(language:learns:)``, `EntryKeyError`, `StorageError`. Words completed before
    ///   the error were learned.
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
            results: list.candidates(for: entry.typedKeys, limit: limit))
    }

    private static func lettersOfWord(_ text: String) throws(EntryKeyError) -> [UInt8] {
        var keys: [UInt8] = []
        for (index, character) in text.enumerated() where !character.isWhitespace {
            switch EntryKey(character) {
            case .letter(let digit): keys.append(digit)
            case .punctuation: keys.append(UInt8(ascii: "1"))
            // This key is valid, but no word contains it.
            case .space: keys.append(UInt8(ascii: "0"))
            case nil: throw .notAKey(character, position: index + 1)
            default: throw .notALetter(character, position: index + 1)
            }
        }
        return keys
    }

    /// Returns a word list extended by the user's learned words and the names of their contacts; just the list if there
    /// is no database.
    func personalWords(_ list: WordList) -> PersonalWords {
        PersonalWords(
            list, learning: { self.hasDatabase ? try self.keypadLearning : nil },
            names: { self.hasDatabase ? try self.names(for: $0) : [] })
    }

    /// Returns the contact names that begin with keys, ordered by use of the contacts.
    private func names(for keys: [UInt8]) throws -> [WordCandidate] {
        let letters = keys.filter { $0 != UInt8(ascii: "1") }
        // One key would match too many names.
        guard letters.count > 1, letters.count <= WordList.longestWord else { return [] }
        let input = try SearchInput(keys: String(decoding: letters, as: UTF8.self))
        var names: [WordCandidate] = []
        // Limit the search to as many contacts as can be shown.
        for hit in try contactSearch.search(input, limit: 20).hits {
            let name = hit.person.name
            let fields = [name.given, name.middle, name.family, hit.person.nickname, hit.person.displayName]
            for word in fields.flatMap({ $0.split(whereSeparator: \.isWhitespace) }).map(String.init) {
                guard let typed = wordKeys(of: word), typed.starts(with: letters),
                    letters.count == keys.count || digits(of: word).utf8.starts(with: keys)
                else { continue }
                names.append(WordCandidate(text: word, isWhole: typed == letters))
            }
        }
        return names
    }
}

/// Text entry with nine keys that learns from what the user types.
public struct KeypadTyping {
    /// The text so far.
    public private(set) var entry: TextEntry<PersonalWords>

    private let switchboard: Switchboard
    private let learns: Bool

    init(_ list: WordList, of switchboard: Switchboard, learns: Bool) {
        entry = TextEntry(words: switchboard.personalWords(list))
        self.switchboard = switchboard
        self.learns = learns
    }

    /// Presses a key and learns the word that it completes.
    ///
    /// - Throws: `StorageError`; the key press still takes effect.
    public mutating func press(_ key: EntryKey) throws {
        try entry.press(key)
        try learn()
    }

    /// Ends the current word.
    public mutating func finish() throws {
        try entry.finish()
        try learn()
    }

    /// Returns the text including the unfinished word.
    public mutating func text() throws -> String { try entry.text }

    /// Returns the unfinished word, which is part of ``text()``.
    public mutating func unfinished() throws -> String { try entry.unfinished }

    /// Returns the candidates that NEXT cycles through.
    public mutating func candidates() throws -> [String] { try entry.candidates }

    private mutating func learn() throws {
        let ended = entry.takeCommittedWords()
        guard learns, !ended.isEmpty else { return }
        try switchboard.keypadLearning.record(ended, language: entry.words.language)
    }
}

/// The text typed by keys: `{"text", "keystrokes", "candidates"}`, with the query in a batch.
public struct KeypadTextResponse: Encodable, Sendable {
    /// The query in a batch.
    public var query: String?
    /// The text.
    public let text: String
    /// The number of key presses.
    public let keystrokes: Int
    /// The alternatives for the last word, or the suggestions for the next one.
    public let candidates: [String]
}

/// The response of a server to keys: the text they type, and the candidates for the last word.
///
/// `{"keys", "language", "text", "keystrokes", "candidates", "results"}`
public struct KeypadResponse: Encodable, Sendable {
    /// The keys as requested.
    public let keys: String
    /// The language of the words.
    public let language: String
    /// The text.
    public let text: String
    /// The number of key presses.
    public let keystrokes: Int
    /// The alternatives for the last word.
    public let candidates: [String]
    /// The candidate words of the last keys, with their frequencies.
    public let results: [WordCandidate]
}
