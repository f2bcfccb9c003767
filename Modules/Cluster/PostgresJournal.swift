package import Foundation
package import SwitchboardStorage

/// A journal in PostgreSQL.
///
/// An append is one statement, which moves the head of the journal only if the entry extends it. If its outcome is
/// unknown because the connection was lost, or because the server did not wait for its standby, the same entry is
/// appended again. The second attempt finds the entry or appends it, so it is never stored twice.
package final class PostgresJournal: Journal {
    private let pool: PostgresPool
    private let name: String

    /// Creates a journal of this name, which is stored with its first entry.
    ///
    /// - Parameter pool: Connections to a database with the tables of ``ClusterSchema``.
    package init(_ name: String, in pool: PostgresPool) {
        self.name = name
        self.pool = pool
    }

    package func head() throws(StorageError) -> JournalHead {
        pool.metrics.add(\.heads)
        return try pool.run { connection throws(PostgresFailure) in
            let rows = try connection.execute(
                "SELECT sequence, entry, base_sequence, bytes FROM switchboard.journal WHERE name = $1", [.text(name)])
            return JournalHead(
                position: rows.position(0, 0), baseSequence: rows.integer(0, 2) ?? 0,
                bytesSinceBase: Int(rows.integer(0, 3) ?? 0))
        }
    }

    package func entries(after sequence: Int64) throws(StorageError) -> [JournalEntry] {
        let entries = try pool.run { connection throws(PostgresFailure) in
            let rows = try connection.execute(
                """
                SELECT sequence, entry, previous, is_image, contents FROM switchboard.journal_entry
                WHERE journal = $1 AND sequence > $2 ORDER BY sequence
                """, [.text(name), .integer(sequence)])
            var entries: [JournalEntry] = []
            for row in 0..<rows.rowCount {
                guard let position = rows.position(row, 0), let isImage = rows.flag(row, 3),
                    let contents = rows.bytes(row, 4)
                else { throw PostgresFailure(message: "an entry has an unexpected type", state: "42804") }
                entries.append(
                    JournalEntry(
                        position: position, previous: rows.uuid(row, 2),
                        contents: isImage ? .image(contents) : .changes(contents)))
            }
            return entries
        }
        pool.metrics.add(\.fetchedEntries, entries.count)
        return entries
    }

    package func append(_ entry: JournalEntry) throws(StorageError) -> JournalAppendResult {
        let (isImage, contents) =
            switch entry.contents {
            case .changes(let bytes): (false, bytes)
            case .image(let bytes): (true, bytes)
            }
        // A new schema or a restored file does not count as a change by the request during which it is stored.
        let request = isImage || RepeatableRequest.current?.isStored == true ? nil : RepeatableRequest.current
        let position: [PostgresValue] = [
            .text(name), .integer(entry.position.sequence), .uuid(entry.position.id),
        ]
        let result = try pool.run { connection throws(PostgresFailure) in
            if entry.previous == nil {
                _ = try connection.execute(
                    "INSERT INTO switchboard.journal (name) VALUES ($1) ON CONFLICT DO NOTHING", [.text(name)])
            }
            let appended = try connection.execute(
                """
                WITH moved AS (
                    UPDATE switchboard.journal
                    SET sequence = $2::bigint, entry = $3::uuid, bytes = bytes + length($6::bytea), wake = now()
                    WHERE name = $1 AND sequence = $2::bigint - 1 AND entry IS NOT DISTINCT FROM $4::uuid
                    RETURNING name)\(request == nil ? "" : Self.storingRequest)
                INSERT INTO switchboard.journal_entry (journal, sequence, entry, previous, is_image, contents)
                SELECT name, $2::bigint, $3::uuid, $4::uuid, $5::boolean, $6::bytea FROM moved RETURNING sequence
                """,
                position + [.uuid(entry.previous), .flag(isImage), .bytes(contents)]
                    + (request.map { [.text($0.key), .text($0.content)] } ?? []))
            if appended.rowCount == 1 { return JournalAppendResult.appended }
            // Found if an earlier attempt has appended it. The update waits for attempts in progress, and its commit for
            // the standby.
            let found = try connection.execute(
                """
                UPDATE switchboard.journal SET bytes = bytes WHERE name = $1 AND EXISTS (
                    SELECT 1 FROM switchboard.journal_entry WHERE journal = $1 AND sequence = $2 AND entry = $3)
                RETURNING name
                """, position)
            return found.rowCount == 1 ? JournalAppendResult.appended : .conflict
        }
        pool.metrics.add(result == .appended ? \.appends : \.conflicts)
        if result == .appended { request?.markStored() }
        return result
    }

    /// The part of the statement that fails if another attempt at the same request has changed something.
    private static let storingRequest = """
        ,
        stored AS (
            INSERT INTO switchboard.request_key (key, journal, content) SELECT $7, name, $8 FROM moved)
        """

    package func base() throws(StorageError) -> JournalBase? {
        pool.metrics.add(\.cacheMisses)
        return try pool.run { connection throws(PostgresFailure) in
            let rows = try connection.execute(
                "SELECT sequence, entry, image FROM switchboard.journal_base WHERE journal = $1", [.text(name)])
            guard let position = rows.position(0, 0), let image = rows.bytes(0, 2) else { return nil }
            return JournalBase(position: position, image: image)
        }
    }

    package func replaceBase(_ base: JournalBase) throws(StorageError) {
        try pool.run { connection throws(PostgresFailure) in
            _ = try connection.execute(
                """
                WITH moved AS (
                    UPDATE switchboard.journal SET
                        former_sequence = base_sequence, base_sequence = $2::bigint, bytes = (
                            SELECT coalesce(sum(length(contents)), 0) FROM switchboard.journal_entry
                            WHERE journal = $1 AND sequence > $2)
                    WHERE name = $1 AND base_sequence < $2 AND EXISTS (
                        SELECT 1 FROM switchboard.journal_entry WHERE journal = $1 AND sequence = $2 AND entry = $3)
                    RETURNING name, former_sequence),
                stored AS (
                    INSERT INTO switchboard.journal_base (journal, sequence, entry, image)
                    SELECT name, $2::bigint, $3::uuid, $4::bytea FROM moved
                    ON CONFLICT (journal) DO UPDATE SET
                        sequence = excluded.sequence, entry = excluded.entry, image = excluded.image)
                DELETE FROM switchboard.journal_entry USING moved
                WHERE journal = name AND journal_entry.sequence <= moved.former_sequence
                """,
                [
                    .text(name), .integer(base.position.sequence), .uuid(base.position.id), .bytes(base.image),
                ])
        }
    }
}

extension PostgresResult {
    /// Returns the position in two columns, or nil if the journal is empty.
    fileprivate func position(_ row: Int, _ column: Int) -> JournalPosition? {
        guard let sequence = integer(row, column), let id = uuid(row, column + 1) else { return nil }
        return JournalPosition(sequence: sequence, id: id)
    }
}

/// The journals of a PostgreSQL database.
package struct PostgresJournals: Sendable {
    private let pool: PostgresPool

    /// Creates access to a database with the tables of ``ClusterSchema``.
    package init(_ pool: PostgresPool) { self.pool = pool }

    package func journal(_ name: String) -> PostgresJournal { PostgresJournal(name, in: pool) }

    /// A journal in a list.
    package struct Summary: Sendable {
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

    /// Returns the number of the newest entry of each existing journal.
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
        package let name: String
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
