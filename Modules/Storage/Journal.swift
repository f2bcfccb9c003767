import CSwitchboardSession
import GRDB
import GRDBSQLite

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An ordered sequence of the changes of one database, shared by several servers.
///
/// The journal is the source of truth, and each server's file is a replica. A storage with a journal
/// (``StorageOptions/journal``) appends each change before it commits the change to its file, and applies the changes of
/// other servers before it reads or writes.
///
/// An entry extends exactly one other entry. An append is therefore a compare-and-swap: of two servers that extend the same
/// entry, one succeeds.
///
/// The methods are called on any thread, and may be called at the same time. They report a journal that cannot be reached
/// as ``StorageError/journalUnavailable(reason:)``.
public protocol Journal: Sendable {
    /// Returns the end of the journal. Includes every entry whose append has succeeded before the call, by any server.
    func head() throws(StorageError) -> JournalHead

    /// Returns the entries after a sequence number, ascending. Entries that a base includes may be missing.
    func entries(after sequence: Int64) throws(StorageError) -> [JournalEntry]

    /// Appends an entry durably if it extends the newest one.
    ///
    /// - Returns: ``JournalAppendResult/appended`` also if the newest entry has the same identifier.
    /// - Throws: ``StorageError/journalUnavailable(reason:)``, also if the outcome is unknown.
    func append(_ entry: JournalEntry) throws(StorageError) -> JournalAppendResult

    /// Returns the newest base, or nil if there is none.
    func base() throws(StorageError) -> JournalBase?

    /// Stores a base unless there is a newer one. The journal may delete entries that an earlier base includes.
    func replaceBase(_ base: JournalBase) throws(StorageError)
}

/// An entry of a journal without its contents.
public struct JournalPosition: Sendable, Hashable {
    /// The number of the entry, from 1.
    public let sequence: Int64
    /// The identifier of the entry. Histories with different entries of one number differ in it.
    public let id: UUID

    /// Creates a position.
    public init(sequence: Int64, id: UUID) {
        self.sequence = sequence
        self.id = id
    }
}

/// The end of a journal.
public struct JournalHead: Sendable, Hashable {
    /// The newest entry, or nil if the journal is empty.
    public let position: JournalPosition?
    /// The number of the entry that the newest base includes, or 0.
    public let baseSequence: Int64
    /// The size of the entries since that base, in bytes.
    public let bytesSinceBase: Int

    /// Creates a head.
    public init(position: JournalPosition?, baseSequence: Int64, bytesSinceBase: Int) {
        self.position = position
        self.baseSequence = baseSequence
        self.bytesSinceBase = bytesSinceBase
    }
}

/// A change of a database.
public struct JournalEntry: Sendable, Hashable {
    /// The contents of an entry.
    public enum Contents: Sendable, Hashable {
        /// A changeset of SQLite's session extension: a transaction.
        case changes(Data)
        /// A whole database file, after a new schema or a restore.
        case image(Data)
    }

    /// The number and the identifier of the entry.
    public let position: JournalPosition
    /// The identifier of the entry that this one extends, or nil for the first one.
    public let previous: UUID?
    /// The change.
    public let contents: Contents

    /// Creates an entry.
    public init(position: JournalPosition, previous: UUID?, contents: Contents) {
        self.position = position
        self.previous = previous
        self.contents = contents
    }

    /// Creates an entry with a new identifier that extends the entry at a position, or that is the first one.
    public init(extending position: JournalPosition?, with contents: Contents) {
        self.init(
            position: JournalPosition(sequence: (position?.sequence ?? 0) + 1, id: UUID()), previous: position?.id,
            contents: contents)
    }

    /// Returns `true` if the entry extends the one at a position; nil is the beginning.
    public func extends(_ position: JournalPosition?) -> Bool {
        self.position.sequence == (position?.sequence ?? 0) + 1 && previous == position?.id
    }
}

/// The result of appending an entry.
public enum JournalAppendResult: Sendable, Hashable {
    /// The entry is durable.
    case appended
    /// The entry does not extend the newest one. Nothing was appended.
    case conflict
}

/// A database file that includes all entries up to a position.
public struct JournalBase: Sendable, Hashable {
    /// The newest entry that is included.
    public let position: JournalPosition
    /// The bytes of the file, an ordinary database.
    public let image: Data

    /// Creates a base.
    public init(position: JournalPosition, image: Data) {
        self.position = position
        self.image = image
    }
}

/// A recording of the changes that a connection makes to its tables with a primary key.
///
/// It must not outlive the connection.
@safe struct ChangesetRecorder: ~Copyable {
    // Safe: used and deleted only by the one owner of `self`.
    private let session: OpaquePointer

    /// Starts a recording.
    ///
    /// - Parameter table: The table whose changes are not recorded.
    init(_ db: Database, except table: StaticString) throws {
        var session: OpaquePointer?
        // Safe: GRDB keeps the connection open as long as `db`, and the name is a constant of the program that ends with
        // NUL.
        let name = unsafe UnsafeRawPointer(table.utf8Start).assumingMemoryBound(to: CChar.self)
        let code = unsafe sb_session_create(db.sqliteConnection, name, &session)
        try Changeset.check(code)
        guard let session = unsafe session else { throw StorageError.failed(code: code, detail: "no session") }
        unsafe self.session = session
    }

    // Safe: the session was created by `init` and is deleted only here.
    deinit { unsafe sb_session_delete(session) }

    /// Returns the changes since the start; empty if no row differs.
    ///
    /// - Complexity: Proportional to the size of the changed rows.
    func changeset() throws -> Data {
        var bytes: UnsafeMutableRawPointer?
        var size = 0
        // Safe: the session lives as long as `self`. The extension allocates the bytes, which are freed after they were
        // copied.
        try Changeset.check(unsafe sb_session_changeset(session, &bytes, &size))
        defer { unsafe sb_session_free(bytes) }
        guard let bytes = unsafe bytes, size > 0 else { return Data() }
        return unsafe Data(bytes: bytes, count: size)
    }
}

/// Changesets of SQLite's session extension.
enum Changeset {
    /// Prepares a connection for applying changesets, which contain the effects of triggers and foreign keys.
    static func prepareToApply(_ db: Database) throws {
        // Safe: GRDB keeps the connection open as long as `db`.
        try check(unsafe sb_session_set_triggers(db.sqliteConnection, false))
        try db.execute(sql: "PRAGMA foreign_keys = OFF")
    }

    /// Prepares the rows of an ordinary database for recording. The connection was prepared as for applying.
    ///
    /// SQLite stores no values of an added column in older rows, which have its default value. The session extension of
    /// SQLite 3.40 records NULL for them, and the changes fit no other file. An update stores all values of a row.
    static func prepareToRecord(_ db: Database) throws {
        let defaults = try Row.fetchAll(
            db,
            sql: """
                SELECT tables.name, min(columns.name) FROM pragma_table_list AS tables
                JOIN pragma_table_info(tables.name) AS columns
                WHERE tables.schema = 'main' AND tables.type = 'table' AND dflt_value IS NOT NULL GROUP BY tables.name
                """)
        for row in defaults {
            let (table, column) = try (row.value(0) as String, row.value(1) as String)
            let name = column.quotedDatabaseIdentifier
            try db.execute(sql: "UPDATE \(table.quotedDatabaseIdentifier) SET \(name) = \(name)")
        }
    }

    /// Applies a changeset. Must be called in a transaction of a connection that was prepared for it.
    ///
    /// - Returns: `false` if a row or a table is not as it was before the change. The caller then rolls back.
    static func apply(_ changes: Data, to db: Database) throws -> Bool {
        var hasConflict = false
        // Safe: the bytes live during the call, and GRDB keeps the connection open as long as `db`.
        let code = unsafe changes.withUnsafeBytes { bytes in
            unsafe sb_session_apply(db.sqliteConnection, bytes.baseAddress, bytes.count, &hasConflict)
        }
        if hasConflict { return false }
        try check(code)
        return true
    }

    fileprivate static func check(_ code: Int32) throws {
        if Int(code) == SB_SESSION_MISSING {
            throw StorageError.journalUnavailable(reason: "this SQLite lacks the session extension")
        }
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}

/// The position of a replica in its journal, in a table that is not recorded.
extension JournalPosition {
    static let table: StaticString = "storage_journal"

    /// Reads the position of a replica.
    init(in db: Database) throws {
        let row = try Row.fetchOne(try db.cachedStatement(sql: "SELECT sequence, entry FROM storage_journal"))
        guard let row, let id = UUID(uuidString: try row.value(1)) else {
            throw StorageError.damaged(path: "the replica", detail: "its position in the journal is missing")
        }
        try self.init(sequence: row.value(0), id: id)
    }

    /// Stores the position of a replica.
    func store(in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE storage_journal SET sequence = ?, entry = ?")
            .execute(arguments: [sequence, id.uuidString])
    }

    /// Makes an ordinary database a replica at this position.
    func makeReplica(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE storage_journal (sequence INTEGER PRIMARY KEY, entry TEXT NOT NULL);
                INSERT INTO storage_journal VALUES (?, ?);
                PRAGMA user_version = \(Schema.replicaFormatVersion);
                """, arguments: [sequence, id.uuidString])
    }

    /// Makes a replica an ordinary database. Returns its position, or nil if it was not a replica.
    static func removeReplica(_ db: Database) throws -> JournalPosition? {
        guard try Int32.fetchOne(db, sql: "PRAGMA user_version") == Schema.replicaFormatVersion else { return nil }
        let position = try JournalPosition(in: db)
        try db.execute(
            sql: "DROP TABLE storage_journal; PRAGMA user_version = \(Schema.formatVersion)")
        return position
    }
}
