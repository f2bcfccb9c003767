public import SwitchboardStorage

extension Reminders {
    /// The module name for the storage's generation of reminders.
    public static let module = "Reminders"

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
        ])
}
