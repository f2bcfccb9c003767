public import SwitchboardKeypad
public import SwitchboardKeypadLearning

/// Text entry of one person, which learns while they type.
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

    /// Presses a key, and learns from the word that ends with it.
    ///
    /// - Throws: `StorageError`. The key was pressed nevertheless.
    public mutating func press(_ key: EntryKey) throws {
        try entry.press(key)
        try learn()
    }

    /// Ends the word under way.
    ///
    /// - Throws: `StorageError`.
    public mutating func finish() throws {
        try entry.finish()
        try learn()
    }

    /// The text with what is under way at its end.
    ///
    /// - Throws: `StorageError`.
    public mutating func text() throws -> String { try entry.text }

    /// What is under way at the end of the text.
    ///
    /// - Throws: `StorageError`.
    public mutating func unfinished() throws -> String { try entry.unfinished }

    /// What NEXT walks.
    ///
    /// - Throws: `StorageError`.
    public mutating func candidates() throws -> [String] { try entry.candidates }

    private mutating func learn() throws {
        let ended = entry.takeEnded()
        guard learns, !ended.isEmpty else { return }
        try switchboard.keypadLearning.record(ended, language: entry.words.language)
    }
}
