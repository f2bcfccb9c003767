@_exported public import SwitchboardErrors

/// The state of predictive text entry with nine keys.
///
/// Each press changes ``text``; ``candidates`` are the alternatives for the last word. For example:
///
/// ```swift
/// var entry = TextEntry(words: list)
/// for key in try EntryKey.keys("#8430 3673*") { try entry.press(key) }
/// print(try entry.text)  // The ford
/// print(try entry.candidates)  // ford, dose, dope, …
/// ```
///
/// Words are looked up lazily, when they are read or committed.
///
/// - `0`, punctuation, or a further word after a spelled or suggested one commits a word and adds it to
///   ``takeCommittedWords()``.
/// - `1` after a word is a period, and NEXT cycles through the other marks; between two letters it is an apostrophe.
/// - `#` within or right after a word changes its case; between words it changes the case of the next one.
/// - NEXT between words cycles through suggestions for the next one; within a word it also cycles through longer words.
///   A letter after a suggestion begins the next word.
/// - `/` starts multi-tap entry: repeated presses of a key cycle through its letters, and NEXT ends the letter.
///
/// A key without an effect still counts as a keystroke. Members throw errors of the word source.
public struct TextEntry<Words: WordSource> {
    /// The source of the words.
    public let words: Words
    /// The number of keys pressed.
    public private(set) var keystrokes = 0

    /// The composition at the end of the text.
    private enum State {
        case gap
        case word(PredictiveWord)
        case spelling(MultiTapWord)
        case suggestion([WordCandidate], choice: Int)
        case mark(Int)
    }

    /// The text before the composition.
    private var committedText = ""
    private var state = State.gap
    /// The case of the current or next word.
    private var letterCase = LetterCase.asWritten
    /// The previous word of the sentence.
    private var previous: String?
    private var committedWords: [CommittedWord] = []

    /// The punctuation marks that `1` types after a word; NEXT cycles through them.
    public static var marks: [String] { [".", ",", "?", "!", "'", "-", ":", ";", "(", ")", "\"", "/", "@", "1"] }
    /// The punctuation marks that `1` types after a space or another mark; NEXT cycles through them.
    public static var openingMarks: [String] {
        [".", "\"", "-", "(", "'", ")", ",", "?", "!", ":", ";", "/", "@", "1"]
    }

    /// Creates an empty text.
    public init(words: Words) {
        self.words = words
    }

    // MARK: - Text

    /// The whole text, including the composition at its end.
    public var text: String {
        mutating get throws { try committedText + composition() }
    }

    /// The composition: the end of ``text`` that further keys may change.
    public var unfinished: String {
        mutating get throws { try composition() }
    }

    /// The alternatives that NEXT cycles through: words for the keys, suggestions between words, or punctuation.
    ///
    /// If the keys spell no complete word, the prefix of the most likely one comes first.
    public var candidates: [String] {
        mutating get throws {
            switch state {
            case .word(var word):
                let candidates = try word.candidates(words, after: previous)
                state = .word(word)
                return candidates.map(\.text)
            case .spelling(let word): return word.text.isEmpty ? [] : [word.text]
            case .suggestion(let list, _): return list.map(\.text)
            case .mark: return marks
            case .gap: return try suggestions().map(\.text)
            }
        }
    }

    /// The index of the current candidate in ``candidates``; nil between words.
    public var choice: Int? {
        switch state {
        case .word(let word): word.choice
        case .suggestion(_, let choice), .mark(let choice): choice
        case .spelling(let word): word.text.isEmpty ? nil : 0
        case .gap: nil
        }
    }

    /// Indicates that multi-tap entry is active.
    public var isSpelling: Bool {
        if case .spelling = state { true } else { false }
    }

    /// The keys of the current predictive word, as ASCII digits, with `1` for an apostrophe; empty if there is none.
    public var typedKeys: [UInt8] {
        if case .word(let word) = state { word.keys } else { [] }
    }

    /// Returns the words committed since the previous call.
    public mutating func takeCommittedWords() -> [CommittedWord] {
        defer { committedWords = [] }
        return committedWords
    }

    // MARK: - Keys

    /// Handles a key press.
    public mutating func press(_ key: EntryKey) throws {
        keystrokes += 1
        switch key {
        case .letter(let digit): try pressLetter(digit)
        case .punctuation: try pressPunctuation()
        case .space:
            try finish()
            committedText += " "
        case .next: try pressNext()
        case .letterCase:
            if case .mark = state { try finish() }
            if case .word(let word) = state, word.hasMark { try finish() }
            letterCase = letterCase.next
        case .spell: try pressSpell()
        case .delete: pressDelete()
        }
    }

    /// Commits the composition.
    public mutating func finish() throws {
        let text = try composition()
        switch state {
        case .gap: return
        case .mark(let number): endSentence(after: mark(number))
        case .word(var word):
            if let chosen = try word.chosen(words, after: previous) {
                commit(chosen.text, keys: chosen.isWhole ? word.letterKeys : nil, wasChosen: word.wasChosen)
            } else {
                previous = nil
            }
            if word.hasMark { endSentence(after: Self.marks[0]) }
        case .spelling(let word):
            if !word.text.isEmpty { commit(word.text, keys: nil, wasChosen: true) }
        case .suggestion(let list, let choice):
            // A suggestion does not count as a choice among the words of its keys.
            if list.indices.contains(choice) { commit(list[choice].text, keys: nil, wasChosen: false) }
        }
        committedText += text
        state = .gap
        letterCase = .asWritten
    }

    private mutating func commit(_ text: String, keys: [UInt8]?, wasChosen: Bool) {
        guard let keys = keys ?? wordKeys(of: text) else {
            // Text without keys, such as a spelled number, cannot be learned.
            previous = nil
            return
        }
        committedWords.append(CommittedWord(text: text, keys: keys, previous: previous, wasChosen: wasChosen))
        previous = text
    }

    /// Forgets the previous word at the end of a sentence.
    private mutating func endSentence(after mark: String) {
        if [".", "?", "!"].contains(mark) { previous = nil }
    }

    private mutating func pressLetter(_ digit: UInt8) throws {
        switch state {
        case .gap: state = .word(PredictiveWord(digit))
        case .mark:
            try finish()
            state = .word(PredictiveWord(digit))
        case .suggestion:
            try finish()
            committedText += " "
            state = .word(PredictiveWord(digit))
        case .spelling(var word):
            word.tap(digit, letters: words.letters(on: digit))
            state = .spelling(word)
        case .word(var word):
            if !word.hasMark, try word.isSuggestion(words, after: previous) {
                try finish()
                committedText += " "
                state = .word(PredictiveWord(digit))
                return
            }
            if try word.append(digit, words, after: previous) {
                state = .word(word)
                return
            }
            // The mark is the apostrophe of an unlisted word: l'eau, O'Connor.
            word.hasMark = false
            state = .word(word)
            try finish()
            committedText += "'"
            state = .word(PredictiveWord(digit))
        }
    }

    private mutating func pressPunctuation() throws {
        if case .word(var word) = state, !word.hasMark {
            word.hasMark = true
            state = .word(word)
            return
        }
        try finish()
        state = .mark(0)
    }

    private mutating func pressNext() throws {
        switch state {
        case .gap:
            let list = try suggestions()
            if !list.isEmpty { state = .suggestion(list, choice: 0) }
        case .suggestion(let list, let choice): state = .suggestion(list, choice: (choice + 1) % max(1, list.count))
        case .mark(let number): state = .mark((number + 1) % marks.count)
        case .spelling(var word):
            word.endLetter()
            state = .spelling(word)
        case .word(var word):
            if word.hasMark {
                word.hasMark = false
                state = .word(word)
                try finish()
                state = .mark(1)
                return
            }
            try word.selectNext(words, after: previous)
            state = .word(word)
        }
    }

    private mutating func pressSpell() throws {
        switch state {
        case .gap, .word, .suggestion: state = .spelling(MultiTapWord())
        case .mark:
            try finish()
            state = .spelling(MultiTapWord())
        case .spelling: try finish()
        }
    }

    private mutating func pressDelete() {
        switch state {
        case .gap:
            if !committedText.isEmpty { committedText.removeLast() }
            previous = nil
        case .mark, .suggestion: state = .gap
        case .word(var word): state = word.removeLast() ? .word(word) : .gap
        case .spelling(var word): state = word.removeLast() ? .spelling(word) : .gap
        }
        if case .gap = state { letterCase = .asWritten }
    }

    // MARK: - Composition

    private func suggestions() throws -> [WordCandidate] {
        guard let previous, committedText.last?.isWhitespace ?? true else { return [] }
        return try words.suggestions(after: previous, limit: PredictiveWord.maximumCandidates)
    }

    /// The punctuation marks that `1` types at the end of the committed text.
    private var marks: [String] {
        let isAfterWord = committedText.last.map { $0.isLetter || $0.isNumber } ?? false
        return isAfterWord ? Self.marks : Self.openingMarks
    }

    private func mark(_ number: Int) -> String { marks.indices.contains(number) ? marks[number] : "" }

    private mutating func composition() throws -> String {
        switch state {
        case .gap: return ""
        case .mark(let number): return mark(number)
        case .spelling(let word): return inCase(word.text)
        case .suggestion(let list, let choice):
            return list.indices.contains(choice) ? inCase(list[choice].text) : ""
        case .word(var word):
            let shown = try word.shown(words, after: previous)
            let mark = word.hasMark ? Self.marks[0] : ""
            state = .word(word)
            return inCase(shown) + mark
        }
    }

    private func inCase(_ text: String) -> String { letterCase.applied(to: text, language: words.language) }
}

/// A key of text entry.
public enum EntryKey: Sendable, Hashable {
    /// `2` to `9`, as an ASCII digit: types a letter.
    case letter(UInt8)
    /// `1`: types punctuation, or an apostrophe between letters.
    case punctuation
    /// `0`: commits the word and types a space.
    case space
    /// `*`: selects the next word, punctuation mark or suggestion.
    case next
    /// `#`: switches between abc, Abc and ABC.
    case letterCase
    /// `/`: starts multi-tap entry, for words that are not listed.
    case spell
    /// `<`: undoes the last key.
    case delete

    /// Creates the key of a character, or returns nil if it has no key. Digits of other scripts are accepted.
    public init?(_ character: Character) {
        switch character {
        case "*": self = .next
        case "#": self = .letterCase
        case "/": self = .spell
        case "<": self = .delete
        default:
            guard let digit = KeypadQuery.digit(character) else { return nil }
            switch digit {
            case UInt8(ascii: "0"): self = .space
            case UInt8(ascii: "1"): self = .punctuation
            default: self = .letter(digit)
            }
        }
    }

    /// Parses keys, skipping white space.
    ///
    /// - Throws: ``EntryKeyError`` for the first invalid character.
    public static func keys(_ text: String) throws(EntryKeyError) -> [EntryKey] {
        var keys: [EntryKey] = []
        var position = 0
        for character in text {
            position += 1
            if character.isWhitespace { continue }
            guard let key = EntryKey(character) else { throw .notAKey(character, position: position) }
            keys.append(key)
        }
        return keys
    }

    /// The character of the key.
    public var symbol: Character {
        switch self {
        case .letter(let digit): Character(Unicode.Scalar(digit))
        case .punctuation: "1"
        case .space: "0"
        case .next: "*"
        case .letterCase: "#"
        case .spell: "/"
        case .delete: "<"
        }
    }
}

/// A syntax error in a sequence of keys.
public enum EntryKeyError: CodedError, Hashable {
    /// A character without a key, with its position in characters from 1.
    case notAKey(Character, position: Int)
    /// A key that types no letter, with its position in characters from 1.
    case notALetter(Character, position: Int)

    /// The code, the category and the message with the position.
    public var details: ErrorDetails {
        switch self {
        case .notAKey(let character, let position):
            .init(
                "notAKey", .usage,
                "“\(character)” at position \(position) is not a key; use 2 to 9 for letters, 0 for the space, "
                    + "1 for punctuation, * for the next word, # for the case, / to spell, < to delete")
        case .notALetter(let character, let position):
            .init(
                "notAKey", .usage,
                "“\(character)” at position \(position) does not type a letter; use 2 to 9, and 1 for an apostrophe")
        }
    }
}

/// The case of a word, which the key `#` cycles through.
public enum LetterCase: Sendable, Hashable, CaseIterable {
    /// The case of the word list.
    case asWritten
    /// The first letter in upper case.
    case capital
    /// All letters in upper case.
    case capitals

    /// The next case of the cycle.
    fileprivate var next: LetterCase {
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

/// A word that the user has accepted by continuing after it.
public struct CommittedWord: Sendable, Hashable {
    /// The word as listed or spelled, before a change of case.
    public var text: String
    /// The keys of the word as ASCII digits, without keys for apostrophes.
    public var keys: [UInt8]
    /// The previous word of the same sentence.
    public var previous: String?
    /// `true` if the word was chosen with NEXT or spelled, `false` if it was accepted as offered.
    public var wasChosen: Bool

    /// Creates a committed word.
    public init(text: String, keys: [UInt8], previous: String? = nil, wasChosen: Bool) {
        self.text = text
        self.keys = keys
        self.previous = previous
        self.wasChosen = wasChosen
    }
}
