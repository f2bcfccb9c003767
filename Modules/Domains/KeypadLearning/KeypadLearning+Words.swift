import GRDB
public import SwitchboardKeypad
import SwitchboardStorage

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
