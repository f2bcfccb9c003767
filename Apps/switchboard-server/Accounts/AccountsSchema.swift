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
            .init(
                "4-sessions",
                sql: """
                    -- Shown in lists, in which a browser can be signed out.
                    ALTER TABLE person_session ADD COLUMN id TEXT NOT NULL DEFAULT '';
                    ALTER TABLE person_session ADD COLUMN device TEXT NOT NULL DEFAULT '';
                    ALTER TABLE person_session ADD COLUMN createdAt REAL;
                    UPDATE person_session SET id = lower(hex(randomblob(6)));
                    """),
        ])

    /// The migrations that create the same tables in PostgreSQL.
    package static let clusterMigrations = [
        SQLMigration(
            "People/1-accounts",
            sql: """
                CREATE TABLE person (
                    id text PRIMARY KEY,
                    -- The order of names is that of SQLite.
                    name text COLLATE "C" NOT NULL UNIQUE,
                    createdAt double precision NOT NULL
                );

                CREATE TABLE person_token (
                    id text PRIMARY KEY,
                    person text NOT NULL REFERENCES person (id) ON DELETE CASCADE,
                    hash bytea UNIQUE,
                    scopes text NOT NULL,
                    label text NOT NULL,
                    createdAt double precision NOT NULL,
                    usedAt double precision,
                    expiresAt double precision,
                    calendarVersion bigint NOT NULL DEFAULT 1
                );
                CREATE INDEX person_token_person ON person_token (person);

                CREATE TABLE person_session (
                    hash bytea PRIMARY KEY,
                    token text NOT NULL REFERENCES person_token (id) ON DELETE CASCADE,
                    expiresAt double precision NOT NULL
                );
                CREATE INDEX person_session_token ON person_session (token);
                CREATE INDEX person_session_expiresAt ON person_session (expiresAt);

                CREATE TABLE person_code (
                    hash bytea PRIMARY KEY,
                    person text NOT NULL REFERENCES person (id) ON DELETE CASCADE,
                    scopes text NOT NULL,
                    expiresAt double precision NOT NULL
                );
                CREATE INDEX person_code_person ON person_code (person);

                CREATE TABLE person_key (
                    name text PRIMARY KEY,
                    value bytea NOT NULL
                );

                CREATE TABLE person_calendar (
                    hash bytea PRIMARY KEY,
                    token text NOT NULL REFERENCES person_token (id) ON DELETE CASCADE
                );
                CREATE INDEX person_calendar_token ON person_calendar (token);

                CREATE TABLE person_push (
                    id text PRIMARY KEY,
                    token text NOT NULL REFERENCES person_token (id) ON DELETE CASCADE,
                    session bytea REFERENCES person_session (hash) ON DELETE CASCADE,
                    endpoint text NOT NULL UNIQUE,
                    publicKey bytea NOT NULL,
                    authenticationSecret bytea NOT NULL,
                    createdAt double precision NOT NULL
                );
                CREATE INDEX person_push_token ON person_push (token);
                CREATE INDEX person_push_session ON person_push (session);
                """),
        SQLMigration(
            "People/2-sessions",
            sql: """
                ALTER TABLE person_session ADD COLUMN id text NOT NULL DEFAULT '';
                ALTER TABLE person_session ADD COLUMN device text NOT NULL DEFAULT '';
                ALTER TABLE person_session ADD COLUMN createdAt double precision;
                UPDATE person_session SET id = substr(md5(random()::text), 1, 12);
                """),
    ]

    /// The tables in an order that satisfies foreign keys on insertion.
    package static let tables = [
        SQLTable("person", [.text("id"), .text("name"), .real("createdAt")]),
        SQLTable(
            "person_token",
            [
                .text("id"), .text("person"), .data("hash"), .text("scopes"), .text("label"), .real("createdAt"),
                .real("usedAt"), .real("expiresAt"), .integer("calendarVersion"),
            ]),
        SQLTable(
            "person_session",
            [
                .data("hash"), .text("token"), .real("expiresAt"), .text("id"), .text("device"), .real("createdAt"),
            ]),
        SQLTable("person_code", [.data("hash"), .text("person"), .text("scopes"), .real("expiresAt")]),
        SQLTable("person_key", [.text("name"), .data("value")]),
        SQLTable("person_calendar", [.data("hash"), .text("token")]),
        SQLTable(
            "person_push",
            [
                .text("id"), .text("token"), .data("session"), .text("endpoint"), .data("publicKey"),
                .data("authenticationSecret"), .real("createdAt"),
            ]),
    ]
}
