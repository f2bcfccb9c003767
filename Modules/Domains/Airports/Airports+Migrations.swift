import GRDB
public import SwitchboardStorage

extension Airports {
    /// The migrations of this module.
    public static let migrations = ModuleMigrations(
        module: module,
        [
            // `turn` orders the choices, since the clock may go backwards.
            .init(
                "1-airports",
                sql: """
                    CREATE TABLE airports_recent (
                        code TEXT PRIMARY KEY,
                        turn INTEGER NOT NULL UNIQUE,
                        chosenAt TEXT NOT NULL
                    ) STRICT, WITHOUT ROWID;

                    CREATE TABLE airports_place (
                        id INTEGER PRIMARY KEY CHECK (id = 1),
                        latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
                        longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
                        setAt TEXT NOT NULL
                    ) STRICT;

                    CREATE TABLE airports_popular (
                        position INTEGER PRIMARY KEY,
                        code TEXT NOT NULL UNIQUE,
                        icao TEXT,
                        name TEXT NOT NULL,
                        city TEXT NOT NULL,
                        cityCode TEXT NOT NULL,
                        country TEXT NOT NULL,
                        region TEXT,
                        latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
                        longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
                        timeZone TEXT NOT NULL,
                        popularity REAL NOT NULL,
                        cityNames TEXT NOT NULL,
                        airportNames TEXT NOT NULL
                    ) STRICT;

                    CREATE TABLE airports_popularMade (
                        id INTEGER PRIMARY KEY CHECK (id = 1),
                        generatedAt TEXT NOT NULL
                    ) STRICT;
                    """),
            .init(
                "2-origin",
                sql: """
                    CREATE TABLE airports_origin (
                        id INTEGER PRIMARY KEY CHECK (id = 1),
                        address TEXT,
                        entityTag TEXT,
                        checkedAt TEXT,
                        attemptedAt TEXT
                    ) STRICT;
                    """),
        ])
}
