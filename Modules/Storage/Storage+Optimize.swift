import GRDB

/// The result of ``Storage/optimize()``.
public struct OptimizeReport: Sendable, Equatable, Encodable {
    /// The size of file and log before, in bytes.
    public let bytesBefore: Int
    /// The size of file and log after, in bytes.
    public let bytesAfter: Int
}

extension Storage {
    /// Returns unused space to the disk, refreshes the query planner's statistics and truncates the log.
    ///
    /// Temporarily needs as much free space as the size of the database.
    ///
    /// - Throws: ``StorageError/locked(path:)`` if another process is writing, ``StorageError/diskFull(path:)`` and
    ///   other ``StorageError``s.
    public func optimize() throws(StorageError) -> OptimizeReport {
        if let reason = connections.readOnlyError { throw reason }
        return try StorageError.translating(path) {
            try connections.withoutTransaction { db in
                let before = try size(db)
                try db.execute(sql: "VACUUM")
                try db.execute(sql: "ANALYZE")
                try truncateLog(db)
                return OptimizeReport(bytesBefore: before, bytesAfter: try size(db))
            }
        }
    }

    private func truncateLog(_ db: Database) throws {
        if path == nil { return }
        do {
            _ = try db.checkpoint(.truncate)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            // Other processes still read from the log. A later checkpoint truncates it.
        }
    }

    private func size(_ db: Database) throws -> Int {
        guard let path else {
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            return try pages * (Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
        }
        return DatabaseFile.size(of: path) + DatabaseFile.size(of: DatabaseFile(path: path).log)
    }
}
