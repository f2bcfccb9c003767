public import SwitchboardStorage

extension SearchChoices {
    /// The migrations for `Storage`.
    public static let migrations = ModuleMigrations(
        module: module,
        [
            .init(
                "1-choices",
                sql: """
                    CREATE TABLE search_learning (
                        id INTEGER PRIMARY KEY CHECK (id = 1),
                        isOn INTEGER NOT NULL DEFAULT 1
                    ) STRICT;
                    INSERT INTO search_learning (id) VALUES (1);

                    CREATE TABLE search_choice (
                        kind TEXT NOT NULL,
                        query TEXT NOT NULL,
                        object TEXT NOT NULL,
                        count INTEGER NOT NULL,
                        chosenAt REAL NOT NULL,
                        PRIMARY KEY (kind, query, object)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX search_choice_time ON search_choice (chosenAt);
                    """)
        ])
}
