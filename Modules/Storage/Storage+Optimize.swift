import GRDB

/// What ``Storage/optimize()`` has gained.
public struct OptimizeReport: Sendable, Equatable {
    /// The size of file and log before, in bytes.
    public let bytesBefore: Int
    /// The size of file and log after, in bytes.
    public let bytesAfter: Int
}

extension Storage {
    /// Gives unused space back to the disk, refreshes the statistics for the query planner, and empties the log.
    ///
    /// Needs as much free space as the database is large, for a short while.
    ///
    /// - Throws: ``StorageError/locked(path:)`` if another process is writing, ``StorageError/diskFull(path:)``, and
    ///   others.
    public func optimize() throws(StorageError) -> OptimizeReport {
        if let reason = connections.whyReadOnly { throw reason }
        return try StorageError.translating(path) {
            try connections.withoutTransaction { db in
                let before = try size(db)
                try db.execute(sql: "VACUUM")
                try db.execute(sql: "ANALYZE")
                try emptyLog(db)
                return OptimizeReport(bytesBefore: before, bytesAfter: try size(db))
            }
        }
    }

    private func emptyLog(_ db: Database) throws {
        if path == nil { return }
        do {
            _ = try db.checkpoint(.truncate)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            // Readers elsewhere still need the log: it is emptied later, no harm done.
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
