public import GRDB
import SwitchboardAlgorithms

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The numbered changes of a module's objects, for clients that ask what has changed since their last request.
///
/// Triggers record each change in the transaction that makes it, so no change is missed, and a cluster shares the
/// numbers. An object has one entry, for its latest change. The entry of a removed object is kept for
/// ``daysOfRemovals`` days.
///
/// For example:
///
/// ```swift
/// let journal = ChangeJournal(module: "Notes")
/// let token = try storage.read { db in try journal.token(in: db) }
/// // …
/// let changes = try storage.read { db in try journal.changes(since: token, in: db) }
/// ```
public struct ChangeJournal: Sendable {
    /// The module of the objects.
    public let module: String

    /// The number of days for which removals are known. Older tokens are unknown once a removal has been forgotten.
    public static let daysOfRemovals = 90

    /// Creates a journal; a module has one.
    public init(module: String) {
        self.module = module
    }

    /// A changed or removed object.
    public struct Entry: Sendable, Hashable {
        /// The identifier of the object.
        public let object: String
        /// `true` if the object was removed.
        public let isRemoved: Bool
    }

    /// The changes after a token.
    public struct Changes: Sendable, Hashable {
        /// The changed objects in the order of their latest changes.
        public let entries: [Entry]
        /// The token for the changes that follow.
        public let token: ChangeToken
        /// `false` if a limit has cut the entries.
        public let isComplete: Bool
    }

    /// Returns the token of the present state. Read it in the transaction that reads the objects.
    public func token(in db: Database) throws -> ChangeToken {
        let position = try position(in: db)
        return ChangeToken(epoch: position.epoch, number: position.last)
    }

    /// Returns the changes after a token; nil if the token is unknown, or so old that removals have been forgotten.
    ///
    /// - Parameters:
    ///   - token: A token of an earlier call.
    ///   - limit: The maximum number of changes; at least 1.
    ///   - db: The database.
    /// - Complexity: O(*changes*).
    public func changes(since token: ChangeToken, limit: Int = .max, in db: Database) throws -> Changes? {
        let limit = max(limit, 1)
        let position = try position(in: db)
        guard token.epoch == position.epoch, token.number <= position.last, token.number >= position.forgotten else {
            return nil
        }
        let statement = try db.cachedStatement(
            sql: """
                SELECT object, isRemoved, number FROM storage_change WHERE module = ? AND number > ?
                ORDER BY number LIMIT ?
                """)
        let most = Int64(clamping: limit)
        let rows = try Row.fetchAll(statement, arguments: [module, token.number, most == .max ? -1 : most + 1])
        let entries = try rows.prefix(limit).map { try Entry(object: $0.value(0), isRemoved: $0.value(1)) }
        let isComplete = rows.count <= limit
        let last: Int64 = try isComplete ? position.last : rows[limit - 1].value(2)
        return Changes(
            entries: entries, token: ChangeToken(epoch: position.epoch, number: last), isComplete: isComplete)
    }

    /// Returns the first objects of a module, or those that follow a token of an earlier part, in the order of their keys.
    ///
    /// Changes during a listing in parts are reported after it.
    ///
    /// - Parameter objects: Returns at most some objects with larger keys than the given one, which is 0 at first.
    /// - Returns: nil if the token is unknown or too old.
    package func listing<Object>(
        continuing token: ChangeToken?, limit: Int, in db: Database,
        _ objects: (_ key: Int64, _ limit: Int) throws -> [(key: Int64, object: Object)]
    ) throws -> (objects: [Object], token: ChangeToken, isComplete: Bool)? {
        let limit = max(limit, 1)
        if let token, try changes(since: token, limit: 1, in: db) == nil { return nil }
        let start = try token?.withoutListing ?? self.token(in: db)
        let found = try objects(token?.listedTo ?? 0, limit == .max ? .max : limit + 1)
        guard found.count > limit else { return (found.map(\.object), start, true) }
        return (found.prefix(limit).map(\.object), start.continuing(after: found[limit - 1].key), false)
    }

    /// Records a change of an object that no trigger of ``schema(tracking:removedIf:)`` covers.
    public func record(_ object: String, isRemoved: Bool, in db: Database) throws {
        try db.execute(
            sql: "UPDATE storage_change_position SET last = last + 1 WHERE module = ?", arguments: [module])
        try db.execute(
            sql: "INSERT OR REPLACE INTO storage_change VALUES (?, ?, ?, \(ChangeJournal.now), ?)",
            arguments: [module, object, try position(in: db).last, isRemoved])
    }

    private func position(in db: Database) throws -> (epoch: Int64, last: Int64, forgotten: Int64) {
        let statement = try db.cachedStatement(
            sql: "SELECT epoch, last, forgotten FROM storage_change_position WHERE module = ?")
        guard let row = try Row.fetchOne(statement, arguments: [module]) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the journal of \(module) is missing")
        }
        return try (row.value(0), row.value(1), row.value(2))
    }
}

// MARK: - Tables

extension ChangeJournal {
    private static let now = "(julianday('now') - 2440587.5) * 86400.0"

    /// The storage's own tables.
    static let tables = """
        CREATE TABLE storage_change (
            module TEXT NOT NULL, object TEXT NOT NULL, number INTEGER NOT NULL, changedAt REAL NOT NULL,
            isRemoved INTEGER NOT NULL, PRIMARY KEY (module, object)) WITHOUT ROWID;
        CREATE UNIQUE INDEX storage_change_on_number ON storage_change (module, number);
        CREATE INDEX storage_change_removed ON storage_change (module, changedAt) WHERE isRemoved;
        CREATE TABLE storage_change_position (
            module TEXT NOT NULL PRIMARY KEY, epoch INTEGER NOT NULL, last INTEGER NOT NULL,
            forgotten INTEGER NOT NULL) WITHOUT ROWID;
        """

    /// Begins a new epoch of all modules, in which no earlier token is known.
    static func beginEpoch(in db: Database) throws {
        try db.execute(sql: "UPDATE storage_change_position SET epoch = random()")
    }

    /// Returns the SQL that begins the journal of a table and creates its triggers, for a migration.
    ///
    /// - Parameters: See ``triggers(tracking:removedIf:)``.
    public func schema(tracking table: String, removedIf condition: String = "FALSE") -> String {
        "INSERT INTO storage_change_position VALUES ('\(module)', random(), 0, 0);\n"
            + triggers(tracking: table, removedIf: condition)
    }

    /// Returns the SQL that creates the triggers, or replaces those of an earlier version, for a migration.
    ///
    /// - Parameters:
    ///   - table: The table of the objects, whose column `id` identifies them.
    ///   - condition: An expression for removed objects that keep their row, with the row as `new`.
    public func triggers(tracking table: String, removedIf condition: String = "FALSE") -> String {
        let own = "module = '\(module)'"
        func record(_ row: String, _ isRemoved: String) -> String {
            """
            UPDATE storage_change_position SET last = last + 1 WHERE \(own);
            INSERT INTO storage_change SELECT '\(module)', \(row).id, last, \(ChangeJournal.now), \(isRemoved)
                FROM storage_change_position WHERE \(own)
            ON CONFLICT (module, object) DO UPDATE SET number = excluded.number, changedAt = excluded.changedAt,
                isRemoved = excluded.isRemoved;
            """
        }
        let isOld =
            "\(own) AND isRemoved AND changedAt < \(ChangeJournal.now) - \(ChangeJournal.daysOfRemovals * 86_400)"
        let forget = """
            UPDATE storage_change_position SET forgotten = max(forgotten, coalesce(
                (SELECT max(number) FROM storage_change WHERE \(isOld)), 0)) WHERE \(own);
            DELETE FROM storage_change WHERE \(isOld);
            """
        let events = [
            ("insert", record("new", condition)), ("update", record("new", condition)),
            ("delete", record("old", "TRUE") + "\n" + forget),
        ]
        return events.map { name, statements in
            """
            DROP TRIGGER IF EXISTS \(table)_is_journaled_on_\(name);
            CREATE TRIGGER \(table)_is_journaled_on_\(name) AFTER \(name) ON \(table) BEGIN
                \(statements)
            END;
            """
        }.joined(separator: "\n")
    }
}

// MARK: - Tokens

/// A position in a ``ChangeJournal``, durable over restarts. A restored backup begins a new epoch.
public struct ChangeToken: Hashable, Sendable, LosslessStringConvertible {
    let epoch: Int64
    let number: Int64
    /// The last listed key of a first listing that a limit has cut; nil otherwise.
    package let listedTo: Int64?

    init(epoch: Int64, number: Int64, listedTo: Int64? = nil) {
        (self.epoch, self.number, self.listedTo) = (epoch, number, listedTo)
    }

    /// Creates a token from its text; nil if it is malformed.
    public init?(_ description: String) {
        let parts = description.split(separator: "-", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let epoch = UInt64(parts[0], radix: 36), let number = Int64(parts[1]),
            number >= 0
        else { return nil }
        let listedTo = parts.count == 3 ? Int64(parts[2]) : nil
        guard parts.count == 2 || listedTo != nil else { return nil }
        self.init(epoch: Int64(bitPattern: epoch), number: number, listedTo: listedTo)
    }

    /// The text: letters, digits and hyphens.
    public var description: String {
        let text = String(UInt64(bitPattern: epoch), radix: 36) + "-\(number)"
        return listedTo.map { text + "-\($0)" } ?? text
    }

    /// The token of the state that a first listing began with.
    fileprivate var withoutListing: ChangeToken { ChangeToken(epoch: epoch, number: number) }

    /// Returns the token of this state for the rest of a first listing.
    fileprivate func continuing(after key: Int64) -> ChangeToken {
        ChangeToken(epoch: epoch, number: number, listedTo: key)
    }
}

// MARK: - Resources

/// An object as a named file with a tag that changes with its bytes.
public struct StoredResource: Hashable, Sendable {
    /// The name, unique in its collection.
    public let name: String
    /// The tag, without quotation marks.
    public let tag: String
    /// The number of bytes.
    public let size: Int
    /// The time of the last change.
    public let modifiedAt: Date

    /// Creates a resource.
    public init(name: String, tag: String, size: Int, modifiedAt: Date) {
        (self.name, self.tag, self.size, self.modifiedAt) = (name, tag, size, modifiedAt)
    }

    /// Creates the resource of some bytes.
    package init(name: String, bytes: [UInt8], modifiedAt: Date) {
        self.init(name: name, tag: Self.tag(of: bytes), size: bytes.count, modifiedAt: modifiedAt)
    }

    /// Returns the tag of a resource with some bytes.
    package static func tag(of bytes: [UInt8]) -> String {
        String(StableHash.of(bytes), radix: 16) + "-" + String(bytes.count, radix: 16)
    }
}

/// The resources of a collection that changed after a token, or all of them.
public struct ResourceChanges: Hashable, Sendable {
    /// The new and changed resources.
    public var changed: [StoredResource] = []
    /// The names of removed resources.
    public var removed: [String] = []
    /// The token for the changes that follow.
    public var token: ChangeToken
    /// `false` if a limit has cut the changes.
    public var isComplete = true

    /// Creates an empty set of changes.
    public init(token: ChangeToken) {
        self.token = token
    }

    /// Creates a part of a listing.
    package init(listing: (objects: [StoredResource], token: ChangeToken, isComplete: Bool)) {
        (changed, token, isComplete) = listing
    }
}
