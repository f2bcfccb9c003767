import GRDB
public import SwitchboardStorage

extension Accounts {
    /// The name of this module in the storage.
    public static let module = "People"

    /// The migrations that create the tables of this module.
    public static let migrations = ModuleMigrations(
        module: module,
        [
            .init(
                "1-people",
                sql: """
                    CREATE TABLE person (
                        id TEXT PRIMARY KEY NOT NULL,
                        name TEXT NOT NULL UNIQUE,
                        createdAt REAL NOT NULL,
                        -- Moves on when the address of the calendar is renewed.
                        calendarVersion INTEGER NOT NULL DEFAULT 1,
                        calendarHash BLOB UNIQUE
                    ) STRICT, WITHOUT ROWID;

                    CREATE TABLE person_token (
                        id TEXT PRIMARY KEY NOT NULL,
                        person TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
                        -- SHA-256 of the secret; null where only sessions stand for the token.
                        hash BLOB UNIQUE,
                        scopes TEXT NOT NULL,
                        label TEXT NOT NULL,
                        createdAt REAL NOT NULL,
                        usedAt REAL
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX person_token_person ON person_token (person);

                    CREATE TABLE person_session (
                        hash BLOB PRIMARY KEY NOT NULL,
                        token TEXT NOT NULL REFERENCES person_token (id) ON DELETE CASCADE,
                        expiresAt REAL NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX person_session_token ON person_session (token);

                    CREATE TABLE person_code (
                        hash BLOB PRIMARY KEY NOT NULL,
                        person TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
                        scopes TEXT NOT NULL,
                        expiresAt REAL NOT NULL
                    ) STRICT, WITHOUT ROWID;

                    CREATE TABLE person_key (
                        name TEXT PRIMARY KEY NOT NULL,
                        value BLOB NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    """),
            .init(
                "2-calendars",
                sql: """
                    -- The address of a calendar ends with its token.
                    CREATE TABLE person_calendar (
                        hash BLOB PRIMARY KEY NOT NULL,
                        token TEXT NOT NULL REFERENCES person_token (id) ON DELETE CASCADE
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX person_calendar_token ON person_calendar (token);
                    ALTER TABLE person_token ADD COLUMN calendarVersion INTEGER NOT NULL DEFAULT 1;
                    ALTER TABLE person_token ADD COLUMN expiresAt REAL;
                    -- Addresses in use go to the newest token of their person.
                    INSERT INTO person_calendar (hash, token)
                    SELECT calendarHash, (
                        SELECT id FROM person_token WHERE person = person.id ORDER BY createdAt DESC, id LIMIT 1) AS newest
                    FROM person WHERE calendarHash IS NOT NULL AND newest IS NOT NULL;
                    UPDATE person SET calendarHash = NULL;
                    """),
            .init(
                "3-push",
                sql: """
                    -- A browser that is sent reminders, until its session or token ends.
                    CREATE TABLE person_push (
                        id TEXT PRIMARY KEY NOT NULL,
                        token TEXT NOT NULL REFERENCES person_token (id) ON DELETE CASCADE,
                        session BLOB REFERENCES person_session (hash) ON DELETE CASCADE,
                        endpoint TEXT NOT NULL UNIQUE,
                        publicKey BLOB NOT NULL,
                        authenticationSecret BLOB NOT NULL,
                        createdAt REAL NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX person_push_token ON person_push (token);
                    CREATE INDEX person_push_session ON person_push (session);
                    """),
        ])
}
