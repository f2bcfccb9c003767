public import SwitchboardStorage

extension KeypadLearning {
    /// The database migrations of this module.
    public static let migrations = ModuleMigrations(
        module: module,
        [
            // `turn` is a counter, since a clock may go back. `keys` excludes the key of apostrophes.
            .init(
                "1-words",
                sql: """
                    CREATE TABLE keypad_learning (
                        id INTEGER PRIMARY KEY CHECK (id = 1),
                        isOn INTEGER NOT NULL DEFAULT 1,
                        turn INTEGER NOT NULL DEFAULT 0
                    ) STRICT;
                    INSERT INTO keypad_learning (id) VALUES (1);

                    CREATE TABLE keypad_word (
                        language TEXT NOT NULL,
                        text TEXT NOT NULL,
                        keys TEXT NOT NULL,
                        uses INTEGER NOT NULL,
                        turn INTEGER NOT NULL,
                        PRIMARY KEY (language, text)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX keypad_word_keys ON keypad_word (language, keys);

                    CREATE TABLE keypad_pair (
                        language TEXT NOT NULL,
                        previous TEXT NOT NULL,
                        text TEXT NOT NULL,
                        keys TEXT NOT NULL,
                        uses INTEGER NOT NULL,
                        turn INTEGER NOT NULL,
                        PRIMARY KEY (language, previous, text)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX keypad_pair_turn ON keypad_pair (turn);
                    CREATE INDEX keypad_pair_text ON keypad_pair (language, text);
                    """)
        ])
}
