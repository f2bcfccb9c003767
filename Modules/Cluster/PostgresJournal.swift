import Foundation
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
