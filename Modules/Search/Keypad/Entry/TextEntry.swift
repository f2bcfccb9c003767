/// Text as it is entered with nine keys.
///
/// Each press changes ``text``; ``candidates`` are the words that could stand in place of the last one. For example:
///
/// ```swift
/// var entry = TextEntry(words: list)
/// for key in try EntryKey.keys("#8430 3673*") { try entry.press(key) }
/// entry.text        // "The ford"
/// entry.candidates  // "fore", "ford", "dose", …
/// ```
///
/// Words are looked up only when somebody asks what they are or the word ends, so that a press takes no time by itself.
///
/// - A word ends with `0`, with punctuation, and where a spelt or suggested one is followed by another. Only then it counts as meant, and
///   stands in ``takeEnded()``.
/// - `1` behind a word is a full stop, and NEXT walks the other marks; between two letters it is the apostrophe.
/// - `#` in a word or right behind it changes its case, between words that of the next.
/// - NEXT between words walks the suggestions for the next one.
/// - `/` begins a word letter by letter: pressing a key again walks its letters, NEXT ends the letter.
///
/// A key that can do nothing does nothing. It still counts as a keystroke.
public struct TextEntry<Words: WordSource> {
    /// Where the words come from.
    public let words: Words
    /// How many keys were pressed.
    public private(set) var keystrokes = 0

    /// What is under way at the end of the text.
    enum State {
        case gap
        case word(TypedWord)
        case spelling(SpeltWord)
        case suggestion([WordCandidate], choice: Int)
        case mark(Int)
    }

    /// The text before what is under way.
    private var done = ""
    private var state = State.gap
    /// The case of the word under way, or of the next one.
    private var letterCase = LetterCase.asWritten
    /// The last word of the sentence so far.
    private var previous: String?
    private var ended: [EndedWord] = []

    /// The marks that `1` types, the first one at once, the others with NEXT.
    public static var marks: [String] { [".", ",", "?", "!", "'", "-", ":", ";", "(", ")", "\"", "/", "@", "1"] }

    /// A text without a letter.
    public init(words: Words) {
        self.words = words
    }

    // MARK: - What is there

    /// The whole text, with what is under way at its end.
    ///
    /// - Throws: what the source of words throws.
    public var text: String {
        mutating get throws { try done + current() }
    }

    /// The part of ``text`` that further keys may still change.
    ///
    /// - Throws: what the source of words throws.
    public var unfinished: String {
        mutating get throws { try current() }
    }

    /// The words that NEXT walks: those of the keys, the suggestions between two words, or the marks.
    ///
    /// If the keys spell no whole word, the beginning of the most likely one comes first.
    ///
    /// - Throws: what the source of words throws.
    public var candidates: [String] {
        mutating get throws {
            switch state {
            case .word(var word):
                let candidates = try word.candidates(words, after: previous)
                state = .word(word)
                return candidates.map(\.text)
            case .spelling(let word): return word.text.isEmpty ? [] : [word.text]
            case .suggestion(let list, _): return list.map(\.text)
            case .mark: return Self.marks
            case .gap: return try suggestions().map(\.text)
            }
        }
    }

    /// Which of ``candidates`` stands in the text; nil between words.
    public var choice: Int? {
        switch state {
        case .word(let word): word.choice
        case .suggestion(_, let choice), .mark(let choice): choice
        case .spelling(let word): word.text.isEmpty ? nil : 0
        case .gap: nil
        }
    }

    /// Whether the word under way is spelt letter by letter.
    public var isSpelling: Bool {
        if case .spelling = state { true } else { false }
    }

    /// The keys of the word under way, as ASCII digits, with `1` for an apostrophe; none if there is no such word.
    public var typedKeys: [UInt8] {
        if case .word(let word) = state { word.keys } else { [] }
    }

    /// The words that have ended since this was last asked for.
    public mutating func takeEnded() -> [EndedWord] {
        defer { ended = [] }
        return ended
    }

    // MARK: - Keys

    /// Presses a key.
    ///
    /// - Throws: what the source of words throws.
    public mutating func press(_ key: EntryKey) throws {
        keystrokes += 1
        switch key {
        case .letter(let digit): try pressLetter(digit)
        case .punctuation: try pressPunctuation()
        case .space:
            try finish()
            done += " "
        case .next: try pressNext()
        case .letterCase:
            if case .mark = state { try finish() }
            if case .word(let word) = state, word.hasMark { try finish() }
            letterCase = letterCase.next
        case .spell: try pressSpell()
        case .delete: pressDelete()
        }
    }

    /// Ends the word under way, as if the text went on behind it.
    ///
    /// - Throws: what the source of words throws.
    public mutating func finish() throws {
        let text = try current()
        switch state {
        case .gap: return
        case .mark(let number): close(Self.mark(number))
        case .word(var word):
            if let chosen = try word.chosen(words, after: previous) {
                end(chosen.text, keys: chosen.isWhole ? word.letterKeys : nil, wasChosen: word.wasChosen)
            } else {
                previous = nil
            }
            if word.hasMark { close(Self.mark(0)) }
        case .spelling(let word):
            if !word.text.isEmpty { end(word.text, keys: nil, wasChosen: true) }
        case .suggestion(let list, let choice):
            // It was chosen among those of any keys, which says nothing of its place among those of its own.
            if list.indices.contains(choice) { end(list[choice].text, keys: nil, wasChosen: false) }
        }
        done += text
        state = .gap
        letterCase = .asWritten
    }

    private mutating func end(_ text: String, keys: [UInt8]?, wasChosen: Bool) {
        guard let keys = keys ?? wordKeys(of: text) else {
            // What has letters on no key, such as a number that was spelt, is no word to be learnt.
            previous = nil
            return
        }
        ended.append(EndedWord(text: text, keys: keys, previous: previous, wasChosen: wasChosen))
        previous = text
    }

    /// A sentence that ends has no word before the next one.
    private mutating func close(_ mark: String) {
        if [".", "?", "!"].contains(mark) { previous = nil }
    }

    private mutating func pressLetter(_ digit: UInt8) throws {
        switch state {
        case .gap: state = .word(TypedWord(digit))
        case .mark:
            try finish()
            state = .word(TypedWord(digit))
        case .suggestion:
            try finish()
            done += " "
            state = .word(TypedWord(digit))
        case .spelling(var word):
            word.tap(digit, letters: words.letters(on: digit))
            state = .spelling(word)
        case .word(var word):
            if try word.append(digit, words, after: previous) {
                state = .word(word)
                return
            }
            // The mark behind the word is the apostrophe of a word that is none of the list's: l'eau, O'Connor.
            word.hasMark = false
            state = .word(word)
            try finish()
            done += "'"
            state = .word(TypedWord(digit))
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
        case .mark(let number): state = .mark((number + 1) % Self.marks.count)
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
            try word.walk(words, after: previous)
            state = .word(word)
        }
    }

    private mutating func pressSpell() throws {
        switch state {
        case .gap, .word, .suggestion: state = .spelling(SpeltWord())
        case .mark:
            try finish()
            state = .spelling(SpeltWord())
        case .spelling: try finish()
        }
    }

    private mutating func pressDelete() {
        switch state {
        case .gap:
            if !done.isEmpty { done.removeLast() }
            previous = nil
        case .mark, .suggestion: state = .gap
        case .word(var word): state = word.removeLast() ? .word(word) : .gap
        case .spelling(var word): state = word.removeLast() ? .spelling(word) : .gap
        }
        if case .gap = state { letterCase = .asWritten }
    }

    // MARK: - The end of the text

    private func suggestions() throws -> [WordCandidate] {
        guard let previous, done.last?.isWhitespace ?? true else { return [] }
        return try words.suggestions(after: previous, limit: TypedWord.longestList)
    }

    private static func mark(_ number: Int) -> String { marks.indices.contains(number) ? marks[number] : "" }

    private mutating func current() throws -> String {
        switch state {
        case .gap: return ""
        case .mark(let number): return Self.mark(number)
        case .spelling(let word): return inCase(word.text)
        case .suggestion(let list, let choice):
            return list.indices.contains(choice) ? inCase(list[choice].text) : ""
        case .word(var word):
            let shown = try word.shown(words, after: previous)
            let mark = word.hasMark ? Self.mark(0) : ""
            state = .word(word)
            return inCase(shown) + mark
        }
    }

    private func inCase(_ text: String) -> String { letterCase.applied(to: text, language: words.language) }
}
