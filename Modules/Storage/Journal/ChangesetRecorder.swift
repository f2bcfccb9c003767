import CSwitchboardSession
import GRDB
import GRDBSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
