public import SwitchboardKeypad
public import SwitchboardKeypadLearning

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

    /// Presses a key, and learns the word that it ends.
    ///
    /// - Throws: `StorageError`; the key was still pressed.
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

    /// Returns the unfinished word.
    public mutating func unfinished() throws -> String { try entry.unfinished }

    /// Returns the candidates that NEXT cycles through.
    public mutating func candidates() throws -> [String] { try entry.candidates }

    private mutating func learn() throws {
        let ended = entry.takeCommittedWords()
        guard learns, !ended.isEmpty else { return }
        try switchboard.keypadLearning.record(ended, language: entry.words.language)
    }
}
