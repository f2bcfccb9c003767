import GRDB
public import SwitchboardKeypad
public import SwitchboardStorage

/// The words and pairs of words that a user has chosen and typed with nine keys.
///
/// They are stored in the user's own database only. For example:
///
/// ```swift
/// let learning = KeypadLearning(storage: storage)
/// try learning.record(entry.takeCommittedWords(), language: "en")
/// let words = try learning.words(for: Array("3673".utf8), language: "en")  // chosen words come first
/// ```
///
/// **Words.** A word chosen for the first time ranks before all other words of its keys. From then on words rank by
/// number of uses, then by the latest use. One choice is enough to learn a word, and one mistake is not enough to lose
/// it. Accepting a word as offered counts only after it was chosen once.
///
/// **Pairs.** Each word is also recorded with the previous word of the sentence, ranked by the same rule. Old pairs are
/// deleted.
///
/// Methods throw `StorageError` unless they document other errors.
public final class KeypadLearning: Sendable {
    /// The name of the module in the database.
    static let module = "KeypadLearning"

    let storage: Storage
    let pairLifetime: Int

    /// Creates access to the learned words of a database with ``migrations``.
    ///
    /// - Parameters:
    ///   - storage: The database.
    ///   - pairLifetime: The number of recorded words after which an unused pair is deleted.
    public init(storage: Storage, pairLifetime: Int = 50_000) {
        storage.register(Self.migrations)
        self.storage = storage
        self.pairLifetime = max(1, pairLifetime)
    }

    // MARK: - Setting

    /// Returns `true` if learning is on, which is the default.
    public func isOn() throws -> Bool {
        try storage.read { db in try Bool.fetchOne(db, sql: "SELECT isOn FROM keypad_learning") ?? true }
    }

    /// Turns learning on or off. Learned words are kept.
    public func setOn(_ isOn: Bool) throws {
        try storage.write(changing: Self.module) { db in
            try db.execute(sql: "UPDATE keypad_learning SET isOn = ?", arguments: [isOn])
        }
    }

    // MARK: - Learning

    /// Records committed words in one transaction, unless learning is off.
    ///
    /// - Throws: `StorageError`, without recording any word.
    public func record(_ words: [CommittedWord], language: String) throws {
        guard !words.isEmpty, try isOn() else { return }
        try storage.write(changing: Self.module) { db in
            for word in words { try record(word, language, in: db) }
        }
    }

    /// Adds a word as if it had been chosen, even if learning is off.
    ///
    /// - Returns: The keys that type the word.
    /// - Throws: ``KeypadLearningError`` if no keys type the word, `StorageError`.
    @discardableResult
    public func add(_ word: String, language: String) throws -> [UInt8] {
        guard let keys = wordKeys(of: word) else { throw KeypadLearningError.notAWord(word) }
        try storage.write(changing: Self.module) { db in
            try record(CommittedWord(text: word, keys: keys, wasChosen: true), language, in: db)
        }
        return keys
    }

    /// Deletes a word and its pairs.
    ///
    /// - Throws: ``KeypadLearningError`` if the word is unknown, `StorageError`.
    public func forget(_ word: String, language: String) throws {
        try storage.write(changing: Self.module) { db in
            try db.execute(sql: "DELETE FROM keypad_word WHERE language = ? AND text = ?", arguments: [language, word])
            var count = db.changesCount
            try db.execute(
                sql: "DELETE FROM keypad_pair WHERE language = ? AND (text = ? OR previous = ?)",
                arguments: [language, word, word])
            count += db.changesCount
            guard count > 0 else { throw KeypadLearningError.notLearned(word) }
        }
    }

    /// Deletes all words of all languages.
    public func forgetAll() throws {
        try storage.write(changing: Self.module) { db in
            try db.execute(sql: "DELETE FROM keypad_word; DELETE FROM keypad_pair")
        }
    }

    private func record(_ word: CommittedWord, _ language: String, in db: Database) throws {
        let keys = String(decoding: word.keys, as: UTF8.self)
        try db.execute(sql: "UPDATE keypad_learning SET turn = turn + 1")
        // The first choice ranks before all other words of the keys: it gets the use count of the most used one, and is
        // more recent.
        if word.wasChosen {
            try db.execute(
                sql: """
                    INSERT INTO keypad_word (language, text, keys, uses, turn)
                    SELECT :language, :text, :keys,
                        max(1, (SELECT ifnull(max(uses), 0) FROM keypad_word WHERE language = :language AND keys = :keys)),
                        turn FROM keypad_learning WHERE true
                    ON CONFLICT (language, text) DO UPDATE SET uses = uses + 1, turn = excluded.turn
                    """, arguments: ["language": language, "text": word.text, "keys": keys])
        } else {
            try db.execute(
                sql: """
                    UPDATE keypad_word SET uses = uses + 1, turn = (SELECT turn FROM keypad_learning)
                    WHERE language = ? AND text = ?
                    """, arguments: [language, word.text])
        }
        guard let previous = word.previous else { return }
        try db.execute(
            sql: """
                INSERT INTO keypad_pair (language, previous, text, keys, uses, turn)
                SELECT :language, :previous, :text, :keys,
                    CASE WHEN :wasChosen THEN max(1, (
                        SELECT ifnull(max(uses), 0) FROM keypad_pair
                        WHERE language = :language AND previous = :previous AND keys = :keys))
                    ELSE 1 END,
                    turn FROM keypad_learning WHERE true
                ON CONFLICT (language, previous, text) DO UPDATE SET uses = uses + 1, turn = excluded.turn
                """,
            arguments: [
                "language": language, "previous": previous, "text": word.text, "keys": keys,
                "wasChosen": word.wasChosen,
            ])
        try db.execute(
            sql: "DELETE FROM keypad_pair WHERE turn < (SELECT turn FROM keypad_learning) - ?",
            arguments: [pairLifetime])
    }
}
