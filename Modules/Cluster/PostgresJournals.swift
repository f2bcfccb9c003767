package import SwitchboardStorage

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The journals of a PostgreSQL database.
package struct PostgresJournals: Sendable {
    private let pool: PostgresPool

    /// Creates access to a database with the tables of ``ClusterSchema``.
    package init(_ pool: PostgresPool) { self.pool = pool }

    /// Returns the journal of a name.
    package func journal(_ name: String) -> PostgresJournal { PostgresJournal(name, in: pool) }

    /// A journal in a list.
    package struct Summary: Sendable {
        /// The name.
        package let name: String
        /// The number of the newest entry.
        package let sequence: Int64
        /// The number of entries since the newest base.
        package let entriesSinceBase: Int64
        /// The size of the base and the entries since, in bytes.
        package let bytes: Int64
    }

    /// Returns all journals by name.
    package func list() throws(StorageError) -> [Summary] {
        try pool.run { connection throws(PostgresFailure) in
            let rows = try connection.execute(
                """
                SELECT journal.name, journal.sequence, journal.sequence - journal.base_sequence,
                    bytes + coalesce(length(image), 0)
                FROM switchboard.journal LEFT JOIN switchboard.journal_base ON journal = name ORDER BY journal.name
                """, [])
            return (0..<rows.rowCount).map { row in
                Summary(
                    name: rows.text(row, 0) ?? "", sequence: rows.integer(row, 1) ?? 0,
                    entriesSinceBase: rows.integer(row, 2) ?? 0, bytes: rows.integer(row, 3) ?? 0)
            }
        }
    }

    /// Returns the numbers of the newest entries, of the journals that exist.
    ///
    /// - Complexity: One query.
    package func sequences(of names: [String]) throws(StorageError) -> [String: Int64] {
        pool.metrics.add(\.heads)
        return try pool.run { connection throws(PostgresFailure) in
            let rows = try connection.execute(
                "SELECT name, sequence FROM switchboard.journal WHERE name = ANY($1::text[])", [.texts(names)])
            var sequences: [String: Int64] = [:]
            for row in 0..<rows.rowCount {
                if let name = rows.text(row, 0) { sequences[name] = rows.integer(row, 1) }
            }
            return sequences
        }
    }

    /// Deletes a journal.
    package func remove(_ name: String) throws(StorageError) {
        try pool.run { connection throws(PostgresFailure) in
            _ = try connection.execute("DELETE FROM switchboard.journal WHERE name = $1", [.text(name)])
        }
    }

    // MARK: - Due journals

    /// A journal whose owner's reminders are checked by one server.
    package struct Due: Sendable {
        /// The name of the journal.
        package let name: String
        /// The identifier of the claim.
        fileprivate let claim: String
    }

    /// The time in seconds after which another server checks the reminders of a claimed journal.
    private static let claimDuration = 120

    /// Claims journals that have changed, or whose time of ``finish(_:next:)`` has come.
    ///
    /// A claim only saves other servers the work. The claims in the databases themselves ensure that each reminder is
    /// delivered once.
    ///
    /// - Parameters:
    ///   - names: The journals to consider, or nil for all.
    ///   - limit: The maximum number.
    package func claimDue(among names: [String]?, limit: Int) throws(StorageError) -> [Due] {
        try pool.run { connection throws(PostgresFailure) in
            let rows = try connection.execute(
                """
                UPDATE switchboard.journal SET wake = now() + interval '\(Self.claimDuration) seconds' WHERE name IN (
                    SELECT name FROM switchboard.journal
                    WHERE wake <= now() AND (name = ANY($1::text[]) OR $1::text[] IS NULL)
                    ORDER BY wake LIMIT $2::bigint FOR UPDATE SKIP LOCKED)
                RETURNING name, wake::text
                """, [names.map(PostgresValue.texts) ?? .null, .integer(Int64(limit))])
            return (0..<rows.rowCount).map { Due(name: rows.text($0, 0) ?? "", claim: rows.text($0, 1) ?? "") }
        }
    }

    /// Ends a claim, unless the journal has changed since.
    ///
    /// - Parameter next: The time of the next reminder, or nil if none is pending.
    package func finish(_ due: Due, next: Date?) throws(StorageError) {
        try pool.run { connection throws(PostgresFailure) in
            _ = try connection.execute(
                """
                UPDATE switchboard.journal SET wake = to_timestamp($3::double precision)
                WHERE name = $1 AND wake::text = $2
                """,
                [
                    .text(due.name), .text(due.claim),
                    next.map { .real($0.timeIntervalSince1970) } ?? PostgresValue.null,
                ])
        }
    }

    /// Makes a journal due, for example because a browser requests its reminders; nil for all.
    package func wake(_ name: String? = nil) throws(StorageError) {
        try pool.run { connection throws(PostgresFailure) in
            _ = try connection.execute(
                "UPDATE switchboard.journal SET wake = now() WHERE name = $1 OR $1 IS NULL",
                [name.map(PostgresValue.text) ?? .null])
        }
    }

    // MARK: - The server

    /// Returns the number of seconds by which the clock of PostgreSQL is ahead of this machine's.
    package func clockOffset() throws(StorageError) -> TimeInterval {
        try pool.run { connection throws(PostgresFailure) in
            let start = Date()
            let rows = try connection.execute(
                "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint", [])
            let middle = start.timeIntervalSince1970 + Date().timeIntervalSince(start) / 2
            return Double(rows.integer(0, 0) ?? 0) / 1000 - middle
        }
    }
}
