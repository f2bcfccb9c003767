package import SwitchboardStorage
import Synchronization

/// The tables in PostgreSQL, in a dedicated schema.
package enum ClusterSchema {
    /// The migrations of this module, oldest first.
    private static let migrations = [
        SQLMigration(
            "1-journals",
            sql: """
                CREATE TABLE switchboard.journal (
                    name text PRIMARY KEY,
                    -- The newest entry.
                    sequence bigint NOT NULL DEFAULT 0,
                    entry uuid,
                    -- The newest base, and the one before, whose entries are kept for servers that are a little behind.
                    base_sequence bigint NOT NULL DEFAULT 0,
                    former_sequence bigint NOT NULL DEFAULT 0,
                    -- The size of the entries since the newest base.
                    bytes bigint NOT NULL DEFAULT 0
                );
                CREATE TABLE switchboard.journal_entry (
                    journal text NOT NULL REFERENCES switchboard.journal (name) ON DELETE CASCADE,
                    sequence bigint NOT NULL,
                    entry uuid NOT NULL,
                    previous uuid,
                    is_image boolean NOT NULL,
                    contents bytea NOT NULL,
                    PRIMARY KEY (journal, sequence)
                );
                CREATE TABLE switchboard.journal_base (
                    journal text PRIMARY KEY REFERENCES switchboard.journal (name) ON DELETE CASCADE,
                    sequence bigint NOT NULL,
                    entry uuid NOT NULL,
                    image bytea NOT NULL
                );
                """),
        SQLMigration(
            "2-databases",
            sql: """
                -- The time from which reminders are looked for, or null.
                ALTER TABLE switchboard.journal ADD COLUMN wake timestamptz DEFAULT now();
                CREATE INDEX journal_wake ON switchboard.journal (wake);
                -- Recent transactions, by which a server recognises one whose outcome it does not know.
                CREATE TABLE switchboard.recent_transaction (
                    id uuid PRIMARY KEY, started_at timestamptz NOT NULL DEFAULT now());
                CREATE TABLE switchboard.generation (module text PRIMARY KEY, generation bigint NOT NULL);
                """),
        SQLMigration(
            "3-requests",
            sql: """
                -- Requests that have changed a journal and may be sent again, with the responses to them.
                CREATE TABLE switchboard.request_key (
                    key text PRIMARY KEY,
                    journal text NOT NULL REFERENCES switchboard.journal (name) ON DELETE CASCADE,
                    content text NOT NULL,
                    stored_at timestamptz NOT NULL DEFAULT now(),
                    status bigint,
                    fields text,
                    body bytea
                );
                CREATE INDEX request_key_stored_at ON switchboard.request_key (stored_at);
                CREATE INDEX request_key_journal ON switchboard.request_key (journal);
                """),
    ]

    /// "SWBD", the advisory lock that lets one server at a time migrate.
    private static let lock = 0x5357_4244

    /// Creates the tables, or migrates tables of an older version. Several servers may do so at the same time.
    ///
    /// - Parameter modules: The migrations of the modules whose tables are in the same database.
    /// - Throws: ``StorageError/journalUnavailable(reason:)``, also if the tables are from a newer version.
    package static func migrate(_ pool: PostgresPool, _ modules: [SQLMigration] = []) throws(StorageError) {
        let migrations = migrations + modules
        let newer = try pool.run { connection throws(PostgresFailure) in
            try connection.execute(
                script: """
                    BEGIN;
                    SELECT pg_advisory_xact_lock(\(lock));
                    SET LOCAL client_min_messages = error;
                    CREATE SCHEMA IF NOT EXISTS switchboard;
                    CREATE TABLE IF NOT EXISTS switchboard.migration (
                        name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
                    """)
            let rows = try connection.execute("SELECT name FROM switchboard.migration ORDER BY name", [])
            let applied = (0..<rows.rowCount).compactMap { rows.text($0, 0) }
            if let newer = applied.last(where: { name in !migrations.contains { $0.name == name } }) {
                try connection.execute(script: "ROLLBACK")
                return newer as String?
            }
            for migration in migrations where !applied.contains(migration.name) {
                try connection.execute(script: migration.sql)
                _ = try connection.execute(
                    "INSERT INTO switchboard.migration (name) VALUES ($1)", [.text(migration.name)])
            }
            try connection.execute(script: "COMMIT")
            return nil
        }
        if let newer {
            throw .journalUnavailable(reason: "its tables are of a newer version (\(newer)); update this program")
        }
    }
}

/// Counters of journal use since the process started.
package final class ClusterMetrics: Sendable {
    /// The counted events.
    package struct Counts: Sendable {
        /// Look-ups of the end of a journal.
        package var heads = 0
        /// Entries that this server has appended.
        package var appends = 0
        /// Entries rejected because another server's entry came first.
        package var conflicts = 0
        /// Entries of other servers that were fetched because copies lagged behind.
        package var fetchedEntries = 0
        /// Copies that were built from an image because they were missing or did not fit.
        package var cacheMisses = 0
        /// Statements that failed, even if a later attempt succeeded.
        package var failures = 0
    }

    private let mutex = Mutex(Counts())

    package var counts: Counts { mutex.withLock { $0 } }

    func add(_ counter: WritableKeyPath<Counts, Int>, _ count: Int = 1) {
        mutex.withLock { $0[keyPath: counter] += count }
    }
}
