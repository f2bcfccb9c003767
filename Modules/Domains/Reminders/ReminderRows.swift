import Foundation
import GRDB
public import SwitchboardStorage

enum ReminderRows {
    static let columns = """
        id, subject, name, title, body, dueAt, timeZone, state, isLate, deliveredAt, modifiedAt, handledAt,
        sequence, failure, completedAt
        """

    /// Returns the SQL condition for rows that are tasks: those that are open, and those whose subject was contacted.
    static func isTask(of table: String) -> String {
        "(\(table).completedAt IS NOT NULL OR (\(table).handledAt IS NULL AND \(table).state <> 'cancelled'))"
    }

    static func reminder(_ id: String, in db: Database) throws -> Reminder {
        guard let row = try Row.fetchOne(db, sql: "SELECT \(columns) FROM reminder WHERE id = ?", arguments: [id])
        else {
            throw RemindersError.notFound(id: id)
        }
        return try reminder(of: row)
    }

    static func reminders(_ states: Set<Reminder.State>, in db: Database) throws -> [Reminder] {
        let list = states.map { "'\($0.rawValue)'" }.joined(separator: ",")
        let sql = "SELECT \(columns) FROM reminder WHERE state IN (\(list)) ORDER BY dueAt, id"
        return try Row.fetchAll(db, sql: sql).map(reminder)
    }

    static func overdue(at now: Date, in db: Database) throws -> [Reminder] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT \(columns) FROM reminder WHERE handledAt IS NULL AND state <> 'cancelled' AND dueAt <= ?
                ORDER BY dueAt, id
                """, arguments: [now.timeIntervalSince1970]
        ).map(reminder)
    }

    static func pending(of subject: String, in db: Database) throws -> Reminder? {
        let sql = "SELECT \(columns) FROM reminder WHERE subject = ? AND state = 'pending'"
        return try Row.fetchOne(db, sql: sql, arguments: [subject]).map(reminder)
    }

    static func reminder(of row: Row) throws -> Reminder {
        let zone: String = try row.value(6)
        let state: String = try row.value(7)
        return try Reminder(
            id: row.value(0), subject: row.value(1), name: row.value(2), title: row.value(3), body: row.value(4),
            dueAt: row.value(5), timeZone: TimeZone(identifier: zone) ?? .gmt,
            state: Reminder.State(rawValue: state) ?? .cancelled, isLate: row.value(8),
            deliveredAt: row.value(9), modifiedAt: row.value(10), handledAt: row.value(11), sequence: row.value(12),
            failure: row.value(13), completedAt: row.value(14))
    }

    static func insert(_ reminder: Reminder, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO reminder (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                reminder.id, reminder.subject, reminder.name, reminder.title, reminder.body,
                reminder.dueAt.timeIntervalSince1970, reminder.timeZone.identifier, reminder.state.rawValue,
                reminder.isLate, reminder.deliveredAt?.timeIntervalSince1970,
                reminder.modifiedAt.timeIntervalSince1970, reminder.handledAt?.timeIntervalSince1970,
                reminder.sequence, reminder.failure, reminder.completedAt?.timeIntervalSince1970,
            ])
    }

    /// Records that the delivered reminders of a subject have been acted on.
    static func handle(_ subject: String, now: Date, in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE reminder SET handledAt = ?1, modifiedAt = ?1
                WHERE subject = ?2 AND state = 'delivered' AND handledAt IS NULL
                """, arguments: [now.timeIntervalSince1970, subject])
    }

    /// Cancels the pending reminder of a subject, if any, unless it is the given one.
    static func cancelPending(of subject: String, except id: String, now: Date, in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE reminder SET state = 'cancelled', modifiedAt = ?1, handledAt = ?1, sequence = sequence + 1
                WHERE subject = ?2 AND state = 'pending' AND id <> ?3
                """,
            arguments: [now.timeIntervalSince1970, subject, id])
    }

    /// Opens a reminder that was closed because its subject was contacted.
    static func reopen(_ id: String, now: Date, in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE reminder SET state = iif(dueAt > ?1, 'pending', 'delivered'), handledAt = NULL, completedAt = NULL,
                    modifiedAt = ?1, sequence = sequence + 1
                WHERE id = ?2
                """,
            arguments: [now.timeIntervalSince1970, id])
    }

    /// Reschedules a reminder and makes it pending again on all channels.
    static func move(_ id: String, to dueAt: Date, zone: TimeZone, now: Date, in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE reminder SET dueAt = ?1, timeZone = ?2, state = 'pending', isLate = 0, deliveredAt = NULL,
                    handledAt = NULL, completedAt = NULL, modifiedAt = ?3, sequence = sequence + 1, failure = ''
                WHERE id = ?4
                """,
            arguments: [dueAt.timeIntervalSince1970, zone.identifier, now.timeIntervalSince1970, id])
        try db.execute(sql: "DELETE FROM reminder_delivery WHERE reminder = ?", arguments: [id])
    }
}

// MARK: - Migrations

extension Reminders {
    /// The module name for the storage's generation of reminders.
    public static let module = "Reminders"

    /// The numbered changes of reminders, by identifier.
    package static let journal = ChangeJournal(module: module)

    /// The tables of reminders and of their deliveries on each channel.
    ///
    /// `claim` is the token of the process that delivers the reminder on a channel; it expires at `nextTryAt`.
    public static let migrations = ModuleMigrations(
        module: module,
        [
            .init(
                "1-reminders",
                sql: """
                    CREATE TABLE reminder (
                        id TEXT NOT NULL PRIMARY KEY, subject TEXT NOT NULL, name TEXT NOT NULL,
                        title TEXT NOT NULL, body TEXT NOT NULL, dueAt REAL NOT NULL, timeZone TEXT NOT NULL,
                        state TEXT NOT NULL, isLate INTEGER NOT NULL, deliveredAt REAL,
                        modifiedAt REAL NOT NULL, sequence INTEGER NOT NULL, failure TEXT NOT NULL,
                        attempts INTEGER NOT NULL, nextTryAt REAL NOT NULL, claim TEXT);
                    CREATE UNIQUE INDEX reminder_pending_of ON reminder (subject) WHERE state = 'pending';
                    CREATE INDEX reminder_pending_at ON reminder (nextTryAt) WHERE state = 'pending';
                    """),
            .init(
                "2-channels",
                sql: """
                    CREATE TABLE reminder_delivery (
                        reminder TEXT NOT NULL REFERENCES reminder (id) ON DELETE CASCADE, channel TEXT NOT NULL,
                        attempts INTEGER NOT NULL, nextTryAt REAL NOT NULL, claim TEXT, deliveredAt REAL,
                        PRIMARY KEY (reminder, channel)) STRICT, WITHOUT ROWID;
                    ALTER TABLE reminder ADD COLUMN handledAt REAL;
                    -- Until now, no one could act on a reminder that had disappeared from the screen.
                    UPDATE reminder SET handledAt = modifiedAt WHERE state <> 'pending';
                    DROP INDEX reminder_pending_at;
                    ALTER TABLE reminder DROP COLUMN attempts;
                    ALTER TABLE reminder DROP COLUMN nextTryAt;
                    ALTER TABLE reminder DROP COLUMN claim;
                    CREATE INDEX reminder_open ON reminder (dueAt) WHERE handledAt IS NULL AND state <> 'cancelled';
                    """),
            // The bytes of `ReminderTasks` as clients wrote them, and what the reminder said then.
            .init(
                "3-journal",
                sql: """
                    ALTER TABLE reminder ADD COLUMN completedAt REAL;
                    CREATE TABLE reminder_task (
                        reminder TEXT NOT NULL PRIMARY KEY REFERENCES reminder (id) ON DELETE CASCADE,
                        title TEXT NOT NULL, body TEXT NOT NULL, dueAt REAL NOT NULL, completedAt REAL,
                        sequence INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
                    \(journal.schema(tracking: "reminder", removedIf: isNoTask))
                    """),
            // The same triggers with faster statements.
            .init("4-triggers", sql: journal.triggers(tracking: "reminder", removedIf: isNoTask)),
        ])

    private static let isNoTask = "NOT \(ReminderRows.isTask(of: "new"))"
}
