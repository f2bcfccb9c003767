public import SwitchboardStorage

extension Reminders {
    /// The module name for the storage's generation of reminders.
    public static let module = "Reminders"

    /// The table of reminders.
    ///
    /// `claim` is the token of the process that delivers the reminder; it expires at `nextTryAt`.
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
                    """)
        ])
}
