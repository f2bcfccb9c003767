import GRDB
import Storage

/// Which contacts have changed since a generation, so that an index of that generation need not be made anew.
///
/// Triggers write a row for each changed contact into `contact_change`, in the transaction of the change, with the generation *before*
/// it. So what has changed since generation g is what has rows of g or later; and g has rows unless nothing has changed
/// since, or g never was a state of this file (an index of another one, or of a future that a restore took back), or the
/// rows have been tidied away. In the latter cases the index has to be made anew.
enum ContactChanges {
    /// Changes of more transactions than these are forgotten.
    static let mostTransactions: Int64 = 20_000
    /// One transaction that changes more than this share of the contacts is not noted contact by contact.
    static let bulkShare = 10
    static let leastBulk = 1_000

    /// The keys of the contacts that have changed since one generation, and before another one, ascending; nil if that is not known.
    /// O(changes).
    static func keys(since start: Int64, before end: Int64 = .max, in db: Database) throws -> [Int64]? {
        let known = try Bool.fetchOne(
            try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM contact_change WHERE generation = ?)"),
            arguments: [start])
        guard known ?? false else { return nil }
        return try Int64.fetchAll(
            try db.cachedStatement(
                sql: """
                    SELECT DISTINCT contact FROM contact_change WHERE generation >= ? AND generation < ? ORDER BY contact
                    """), arguments: [start, end])
    }

    /// Forgets what is too old or too much to be of use; at the end of a transaction that has changed contacts.
    static func tidy(in db: Database) throws {
        guard let latest = try Int64.fetchOne(db, sql: "SELECT max(generation) FROM contact_change"),
            let oldest = try Int64.fetchOne(db, sql: "SELECT min(generation) FROM contact_change")
        else { return }
        // The lower bits of a generation are random, the rest counts.
        if (latest - oldest) >> 20 > mostTransactions {
            try db.execute(
                sql: "DELETE FROM contact_change WHERE generation < ?",
                arguments: [latest - (mostTransactions / 2) << 20])
        }
    }

    /// Forgets all if the transaction under way has changed so many contacts that an index is better made anew.
    static func tidyAfterImport(_ changed: Int, in db: Database) throws {
        guard changed > leastBulk else { return try tidy(in: db) }
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM contact") ?? 0
        if changed > count / bulkShare { try db.execute(sql: "DELETE FROM contact_change") } else { try tidy(in: db) }
    }
}

extension ContactBook {
    /// Changes contacts in one transaction, and keeps the list of changes short.
    func writing<T>(_ body: (Database) throws -> T) throws -> T {
        try storage.write(changing: ContactBook.module) { db in
            let result = try body(db)
            try ContactChanges.tidy(in: db)
            return result
        }
    }
}
