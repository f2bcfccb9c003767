public import Foundation
import GRDB
import SwitchboardAlgorithms
public import SwitchboardStorage
import Synchronization

/// A record of the objects that a person chose for each query, which come first the next time.
///
/// The choices are stored in the person's own database only. A choice counts half as much after thirty days and is
/// deleted after ``lifetime``. Methods throw `StorageError`.
///
/// For example:
///
/// ```swift
/// let choices = SearchChoices(storage: storage)
/// try choices.record("airport-LHR", kind: "airport", query: "lon")
/// print(try choices.preferences(for: "lo", kind: "airport").map(\.id))  // ["airport-LHR"]
/// ```
public final class SearchChoices: Sendable {
    static let module = "SearchChoices"

    /// The time after which a choice is deleted: 180 days, in which its weight halves six times.
    public static let lifetime: TimeInterval = 180 * 86_400
    /// The maximum number of bytes of a query that is learned; longer ones are pasted rather than typed.
    public static let maximumQueryLength = 128

    private let storage: Storage
    private let clock: @Sendable () -> Date

    /// `true` for each kind that has choices, as of a generation of the data.
    private let known = Mutex<(generation: Int64, hasChoices: [String: Bool])>((0, [:]))

    /// Creates the choices of a storage.
    ///
    /// - Parameters:
    ///   - storage: A storage opened with ``migrations``.
    ///   - clock: Returns the current time.
    public init(storage: Storage, clock: @escaping @Sendable () -> Date = { Date() }) {
        storage.register(Self.migrations)
        self.storage = storage
        self.clock = clock
    }

    // MARK: - Setting

    /// Returns `true` unless learning is off. While it is off, choices are neither recorded nor used.
    public func isOn() throws -> Bool {
        try storage.read { db in try Bool.fetchOne(db, sql: "SELECT isOn FROM search_learning") ?? true }
    }

    /// Switches learning on or off; choices are kept.
    public func setOn(_ isOn: Bool) throws {
        try storage.write(changing: Self.module) { db in
            try db.execute(sql: "UPDATE search_learning SET isOn = ?", arguments: [isOn])
        }
    }

    // MARK: - Recording

    /// Records that an object was chosen for a query, unless learning is off or the query is empty or too long.
    ///
    /// - Parameters:
    ///   - id: The identifier of the object.
    ///   - kind: The kind of the object. Choices are separate for each kind.
    ///   - query: The normalized query; equal texts are one query, and a prefix is an unfinished one.
    public func record(_ id: String, kind: String, query: String) throws {
        guard !query.isEmpty, query.utf8.count <= Self.maximumQueryLength, try isOn() else { return }
        let now = clock().timeIntervalSince1970
        try storage.write(changing: Self.module) { db in
            try db.execute(sql: "DELETE FROM search_choice WHERE chosenAt < ?", arguments: [now - Self.lifetime])
            try db.execute(
                sql: """
                    INSERT INTO search_choice VALUES (?, ?, ?, 1, ?)
                    ON CONFLICT (kind, query, object) DO UPDATE SET count = count + 1, chosenAt = excluded.chosenAt
                    """, arguments: [kind, query, id, now])
        }
    }

    /// Deletes all choices.
    public func forgetAll() throws {
        try storage.write(changing: Self.module) { db in try db.execute(sql: "DELETE FROM search_choice") }
    }

    /// Deletes the choices of an object for all queries.
    ///
    /// - Returns: The number of deleted choices.
    public func forget(_ id: String) throws -> Int {
        try storage.write(changing: Self.module) { db in
            try db.execute(sql: "DELETE FROM search_choice WHERE object = ?", arguments: [id])
            return db.changesCount
        }
    }

    // MARK: - Reading

    /// An object that was chosen for a query.
    public struct Choice: Sendable, Hashable {
        /// The kind of the object.
        public var kind: String
        /// The identifier of the object.
        public var id: String
        /// The normalized query.
        public var query: String
        /// The number of times the object was chosen.
        public var count: Int
        /// The time of the last choice.
        public var chosenAt: Date
    }

    /// Returns all choices, newest first.
    public func list() throws -> [Choice] {
        try storage.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT kind, object, query, count, chosenAt FROM search_choice
                    ORDER BY chosenAt DESC, kind, query, object
                    """
            ).map { row in
                try Choice(
                    kind: row.value(0), id: row.value(1), query: row.value(2), count: row.value(3),
                    chosenAt: Date(timeIntervalSince1970: row.value(4)))
            }
        }
    }

    /// An object to put first in the results of a query.
    public struct Preference: Sendable, Hashable {
        /// The identifier of the object.
        public var id: String
        /// `true` if it was chosen for the query itself, `false` if only for an extension or a prefix of it.
        public var isForThisQuery: Bool
        /// The number of choices, halved every thirty days; choices for the query itself count four times.
        public var weight: Double
    }

    /// The weight of a choice for the query itself.
    private static let weightOfThisQuery = 4.0
    /// The number of prefixes of a query, longest first, whose choices count for it.
    private static let maximumStarts = 16

    private func hasChoices(of kind: String) throws -> Bool {
        let generation = try storage.generation(of: Self.module)
        let known = known.withLock { $0.generation == generation ? $0.hasChoices[kind] : nil }
        if let known { return known }
        let hasChoices =
            try storage.read(statement: "SELECT EXISTS (SELECT 1 FROM search_choice WHERE kind = ?)") { statement in
                try Bool.fetchOne(statement, arguments: [kind])
            } ?? false
        self.known.withLock { known in
            if known.generation != generation { known = (generation, [:]) }
            known.hasChoices[kind] = hasChoices
        }
        return hasChoices
    }

    private static let preferencesSQL = """
        SELECT object, query, count, chosenAt FROM search_choice
        WHERE kind = ? AND (query >= ? AND query < ? OR query IN (\(repeatElement("?", count: maximumStarts).joined(separator: ","))))
        AND (SELECT isOn FROM search_learning)
        """

    /// Returns the objects chosen for a query, its extensions or its prefixes, the most often and most recently chosen
    /// first.
    ///
    /// O(log *n* + *c*) in the choices *c* of such queries among *n*.
    ///
    /// - Parameters:
    ///   - query: The normalized query; evaluated only if there are choices of the kind.
    ///   - kind: The kind of the objects.
    ///   - limit: The maximum number of objects.
    public func preferences(
        for query: @autoclosure () -> String, kind: String, limit: Int = 8
    ) throws -> [Preference] {
        guard try hasChoices(of: kind) else { return [] }
        let query = query()
        guard !query.isEmpty, query.utf8.count <= Self.maximumQueryLength else { return [] }
        let starts: [String?] = query.indices.dropFirst().suffix(Self.maximumStarts).map { String(query[..<$0]) }
        let padding = [String?](repeating: nil, count: Self.maximumStarts - starts.count)
        let rows = try storage.read(statement: Self.preferencesSQL) { statement in
            try Row.fetchAll(
                statement, arguments: StatementArguments([kind, query, query + "\u{10FFFF}"] + starts + padding))
        }
        if rows.isEmpty { return [] }
        let now = clock().timeIntervalSince1970
        var preferences: [String: Preference] = [:]
        for row in rows {
            let id: String = try row.value(0)
            let isForThisQuery = try row.value(1) == query
            let age = max(0, now - (try row.value(3)))
            let weight = Double(try row.value(2) as Int) * exp2(-age / UseRank.halfLife)
            var preference = preferences[id] ?? Preference(id: id, isForThisQuery: false, weight: 0)
            if isForThisQuery { preference.isForThisQuery = true }
            preference.weight += isForThisQuery ? weight * Self.weightOfThisQuery : weight
            preferences[id] = preference
        }
        return Array(preferences.values.sorted { ($1.weight, $0.id) < ($0.weight, $1.id) }.prefix(limit))
    }
}

// MARK: - Migrations

extension SearchChoices {
    /// The migrations for `Storage`.
    public static let migrations = ModuleMigrations(
        module: module,
        [
            .init(
                "1-choices",
                sql: """
                    CREATE TABLE search_learning (
                        id INTEGER PRIMARY KEY CHECK (id = 1),
                        isOn INTEGER NOT NULL DEFAULT 1
                    ) STRICT;
                    INSERT INTO search_learning (id) VALUES (1);

                    CREATE TABLE search_choice (
                        kind TEXT NOT NULL,
                        query TEXT NOT NULL,
                        object TEXT NOT NULL,
                        count INTEGER NOT NULL,
                        chosenAt REAL NOT NULL,
                        PRIMARY KEY (kind, query, object)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX search_choice_time ON search_choice (chosenAt);
                    """)
        ])
}
