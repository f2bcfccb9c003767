import GRDB
@_exported public import SwitchboardErrors
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
    static let module = "KeypadLearning"

    private let storage: Storage
    private let pairLifetime: Int

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

// MARK: - Words

extension KeypadLearning {
    /// Returns the learned words that begin with the given keys: complete words first, then by number of uses.
    ///
    /// - Parameters:
    ///   - keys: ASCII digits from `2` to `9`, and `1` for an apostrophe.
    ///   - language: The language code, such as `en`.
    ///   - limit: The maximum number of words.
    /// - Throws: `StorageError`.
    /// - Complexity: O(*m* log *m*) in the number of learned words that begin with the keys.
    public func words(for keys: [UInt8], language: String, limit: Int = 50) throws -> [WordCandidate] {
        try fetch(keys, from: "keypad_word WHERE", ["language": language, "limit": max(0, limit)], isLearned: true)
    }

    /// Returns the words typed after another one that begin with the given keys, in the same order.
    public func words(
        for keys: [UInt8], after previous: String, language: String, limit: Int = 50
    ) throws -> [WordCandidate] {
        try fetch(
            keys, from: "keypad_pair WHERE previous = :previous AND",
            ["language": language, "previous": previous, "limit": max(0, limit)], isLearned: false)
    }

    /// Returns the words typed after another one, the most used first.
    public func suggestions(after previous: String, language: String, limit: Int = 50) throws -> [WordCandidate] {
        try storage.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT text FROM keypad_pair WHERE language = ? AND previous = ? ORDER BY uses DESC, turn DESC LIMIT ?
                    """, arguments: [language, previous, max(0, limit)])
        }.map { WordCandidate(text: $0, isWhole: true) }
    }

    /// Returns all learned words of a language, the most recently used first.
    public func words(language: String) throws -> [String] {
        try storage.read { db in
            try String.fetchAll(
                db, sql: "SELECT text FROM keypad_word WHERE language = ? ORDER BY turn DESC", arguments: [language])
        }
    }

    private func fetch(
        _ keys: [UInt8], from source: String, _ arguments: StatementArguments, isLearned: Bool
    ) throws -> [WordCandidate] {
        let sql = """
            SELECT text, keys FROM \(source) language = :language AND keys >= :keys AND keys < :end
            ORDER BY (keys = :keys) DESC, uses DESC, turn DESC LIMIT :limit
            """
        let letters = keys.filter { $0 != UInt8(ascii: "1") }
        let start = String(decoding: letters, as: UTF8.self)
        let range: StatementArguments = ["keys": start, "end": start + ":"]
        let found = try storage.read { db in
            // Cached, since each key press runs the query twice.
            try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments + range).map { row in
                try WordCandidate(text: row.value(0), isWhole: row.value(1) == start, isLearned: isLearned)
            }
        }
        guard letters.count < keys.count else { return found }
        return found.filter { digits(of: $0.text).utf8.starts(with: keys) }
    }
}

// MARK: - Migrations

extension KeypadLearning {
    /// The database migrations of this module.
    public static let migrations = ModuleMigrations(
        module: module,
        [
            // `turn` is a counter, since a clock may go back. `keys` excludes the key of apostrophes.
            .init(
                "1-words",
                sql: """
                    CREATE TABLE keypad_learning (
                        id INTEGER PRIMARY KEY CHECK (id = 1),
                        isOn INTEGER NOT NULL DEFAULT 1,
                        turn INTEGER NOT NULL DEFAULT 0
                    ) STRICT;
                    INSERT INTO keypad_learning (id) VALUES (1);

                    CREATE TABLE keypad_word (
                        language TEXT NOT NULL,
                        text TEXT NOT NULL,
                        keys TEXT NOT NULL,
                        uses INTEGER NOT NULL,
                        turn INTEGER NOT NULL,
                        PRIMARY KEY (language, text)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX keypad_word_keys ON keypad_word (language, keys);

                    CREATE TABLE keypad_pair (
                        language TEXT NOT NULL,
                        previous TEXT NOT NULL,
                        text TEXT NOT NULL,
                        keys TEXT NOT NULL,
                        uses INTEGER NOT NULL,
                        turn INTEGER NOT NULL,
                        PRIMARY KEY (language, previous, text)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX keypad_pair_turn ON keypad_pair (turn);
                    CREATE INDEX keypad_pair_text ON keypad_pair (language, text);
                    """)
        ])
}

// MARK: - Errors

/// An error adding or deleting learned words.
public enum KeypadLearningError: CodedError, Hashable {
    /// A text that is not a single word with keys.
    case notAWord(String)
    /// A word that has not been learned.
    case notLearned(String)

    /// The code, the category and the message.
    public var details: ErrorDetails {
        switch self {
        case .notAWord(let text):
            .init(
                "notAWord", .usage,
                "cannot type “\(text)” with the keys; use a single word of letters, such as Łukasz or o'clock")
        case .notLearned(let word):
            .init(
                "notFound", .notFound,
                "“\(word)” has not been learned in this language; check the spelling and the language")
        }
    }
}
