import GRDB
public import SwitchboardKeypad
public import SwitchboardStorage

/// What a person has chosen and typed with nine keys: words, and which word followed which.
///
/// It is kept in the person's own database and nowhere else. For example:
///
/// ```swift
/// let learning = KeypadLearning(storage: storage)
/// try learning.record(entry.takeEnded(), language: "en")
/// try learning.words(for: Array("3673".utf8), language: "en")   // what was chosen comes first
/// ```
///
/// **What comes first.** A word that is chosen for the first time comes before all of its keys, however often those were chosen. From then on
/// each use counts, and of equal ones the later comes first. So one choice is enough to be learnt, and one slip is not enough to lose what was
/// learnt. A word that is taken as it is offered counts only once it was chosen: the order of the list needs no learning.
///
/// **What followed.** Of each word that ends it is remembered what stood before it in the sentence, by the same rule; the
/// oldest of these are forgotten when many have come since.
public final class KeypadLearning: Sendable {
    /// The name of this module in the database.
    static let module = "KeypadLearning"

    let storage: Storage
    /// How many words may end until what followed a word is forgotten if it was not typed again.
    let memory: Int

    /// What was learnt in a database, which must have ``migrations``.
    ///
    /// - Parameters:
    ///   - storage: the database.
    ///   - memory: how many words may end until what followed a word is forgotten.
    public init(storage: Storage, memory: Int = 50_000) {
        self.storage = storage
        self.memory = max(1, memory)
    }

    // MARK: - Whether

    /// Whether what is typed is learnt; so it is until somebody says otherwise.
    ///
    /// - Throws: `StorageError`.
    public func isOn() throws -> Bool {
        try storage.read { db in try Bool.fetchOne(db, sql: "SELECT isOn FROM keypad_learning") ?? true }
    }

    /// Sets whether what is typed is learnt. What was learnt stays.
    ///
    /// - Throws: `StorageError`.
    public func setOn(_ isOn: Bool) throws {
        try storage.write(changing: Self.module) { db in
            try db.execute(sql: "UPDATE keypad_learning SET isOn = ?", arguments: [isOn])
        }
    }

    // MARK: - Learning

    /// Learns from words that have ended, all in one transaction; nothing if learning is off.
    ///
    /// - Throws: `StorageError`; nothing is learnt then.
    public func record(_ words: [EndedWord], language: String) throws {
        guard !words.isEmpty, try isOn() else { return }
        try storage.write(changing: Self.module) { db in
            for word in words { try record(word, language, in: db) }
        }
    }

    /// Adds a word by hand, also while learning is off; it comes before others of its keys as if it had been chosen.
    ///
    /// - Returns: the keys that type it.
    /// - Throws: ``KeypadLearningError`` if no keys type it, `StorageError`.
    @discardableResult
    public func add(_ word: String, language: String) throws -> [UInt8] {
        guard let keys = wordKeys(of: word) else { throw KeypadLearningError.notAWord(word) }
        try storage.write(changing: Self.module) { db in
            try record(EndedWord(text: word, keys: keys, wasChosen: true), language, in: db)
        }
        return keys
    }

    /// Forgets a word, and with what words it stood.
    ///
    /// - Throws: ``KeypadLearningError`` if it was not learnt, `StorageError`.
    public func forget(_ word: String, language: String) throws {
        try storage.write(changing: Self.module) { db in
            try db.execute(
                sql: "DELETE FROM keypad_word WHERE language = ? AND text = ?", arguments: [language, word])
            var count = db.changesCount
            try db.execute(
                sql: "DELETE FROM keypad_pair WHERE language = ? AND (text = ? OR previous = ?)",
                arguments: [language, word, word])
            count += db.changesCount
            guard count > 0 else { throw KeypadLearningError.notLearnt(word) }
        }
    }

    /// Forgets all words of all languages.
    ///
    /// - Throws: `StorageError`.
    public func forgetAll() throws {
        try storage.write(changing: Self.module) { db in
            try db.execute(sql: "DELETE FROM keypad_word; DELETE FROM keypad_pair")
        }
    }

    private func record(_ word: EndedWord, _ language: String, in db: Database) throws {
        let keys = String(decoding: word.keys, as: UTF8.self)
        try db.execute(sql: "UPDATE keypad_learning SET turn = turn + 1")
        // The first choice stands above all others of the keys: with as many uses as the most used one, and later than it.
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
            sql: "DELETE FROM keypad_pair WHERE turn < (SELECT turn FROM keypad_learning) - ?", arguments: [memory])
    }
}
