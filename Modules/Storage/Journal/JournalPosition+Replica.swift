import GRDB

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
