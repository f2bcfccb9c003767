import SwitchboardIncrementalIndex
public import SwitchboardStorage

extension SearchableIndex {
    /// The name of the module for migrations and change counters.
    public static let module = "SearchableIndex"

    /// Returns the change log of an index, which its search index follows.
    static func changes(ofIndex key: Int64) -> DocumentChanges {
        DocumentChanges(
            table: "item_change", column: "item", generationOf: "SearchableIndex.items", scope: ("indexKey", key))
    }

    /// The tables of the searchable index.
    ///
    /// `item.key` is the key for joins and the search index; `item.id` is the app's identifier. Attributes are encoded
    /// (`AttributeCoder`); those used in SQL are columns too. Full texts have a separate table (`item_text`) and their
    /// terms (`BodyTerms`) an FTS5 index (`item_terms`). `item_body`, FTS5's index of the texts themselves, is empty
    /// but for those in `item_unfolded`. `item_engagement` counts how often an item was chosen for a query.
    public static let migrations = ModuleMigrations(
        module: module,
        [
            .init(
                "1-items",
                sql: """
                    CREATE TABLE item_index (
                        key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, clientState TEXT);
                    CREATE TABLE item (
                        key INTEGER PRIMARY KEY, indexKey INTEGER NOT NULL REFERENCES item_index (key),
                        id TEXT NOT NULL, domain TEXT, contentType TEXT, expiresAt REAL,
                        rankingHint REAL NOT NULL, useCount INTEGER NOT NULL, usedAt REAL,
                        attributes BLOB NOT NULL, UNIQUE (indexKey, id));
                    CREATE INDEX item_on_domain ON item (indexKey, domain) WHERE domain IS NOT NULL;
                    CREATE INDEX item_on_contentType ON item (indexKey, contentType)
                        WHERE contentType IS NOT NULL;
                    CREATE INDEX item_on_expiresAt ON item (indexKey, expiresAt) WHERE expiresAt IS NOT NULL;
                    CREATE TABLE item_text (
                        item INTEGER PRIMARY KEY REFERENCES item (key) ON DELETE CASCADE, text TEXT NOT NULL);
                    CREATE VIRTUAL TABLE item_body USING fts5 (
                        text, content='item_text', content_rowid='item',
                        tokenize="unicode61 remove_diacritics 2");
                    CREATE VIRTUAL TABLE item_vocabulary USING fts5vocab (item_body, 'row');
                    CREATE TRIGGER item_text_is_searched_on_insert AFTER INSERT ON item_text BEGIN
                        INSERT INTO item_body (rowid, text) VALUES (new.item, new.text);
                    END;
                    CREATE TRIGGER item_text_is_searched_on_delete AFTER DELETE ON item_text BEGIN
                        INSERT INTO item_body (item_body, rowid, text) VALUES ('delete', old.item, old.text);
                    END;
                    CREATE TRIGGER item_text_is_searched_on_update AFTER UPDATE ON item_text BEGIN
                        INSERT INTO item_body (item_body, rowid, text) VALUES ('delete', old.item, old.text);
                        INSERT INTO item_body (rowid, text) VALUES (new.item, new.text);
                    END;
                    CREATE TABLE item_engagement (
                        item INTEGER NOT NULL REFERENCES item (key) ON DELETE CASCADE, query TEXT NOT NULL,
                        count INTEGER NOT NULL, engagedAt REAL NOT NULL, PRIMARY KEY (item, query))
                        WITHOUT ROWID;
                    CREATE INDEX item_engagement_on_query ON item_engagement (query);
                    CREATE TABLE item_attribute (
                        indexKey INTEGER NOT NULL REFERENCES item_index (key), key TEXT NOT NULL,
                        type TEXT NOT NULL, isSearchable INTEGER NOT NULL, PRIMARY KEY (indexKey, key))
                        WITHOUT ROWID;
                    CREATE TABLE activity (
                        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, beganAt REAL NOT NULL, endedAt REAL,
                        isCurrent INTEGER NOT NULL, isInvalidated INTEGER NOT NULL, expiresAt REAL NOT NULL,
                        related TEXT, json TEXT NOT NULL);
                    CREATE INDEX activity_on_beganAt ON activity (beganAt);
                    CREATE TABLE public_vote (
                        target TEXT NOT NULL, voter BLOB NOT NULL, expiresAt REAL NOT NULL,
                        PRIMARY KEY (target, voter)) WITHOUT ROWID;
                    CREATE TABLE public_withdrawal (target TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID;
                    CREATE TABLE item_expired (
                        indexKey INTEGER NOT NULL, id TEXT NOT NULL, domain TEXT, title TEXT,
                        expiredAt REAL NOT NULL);
                    CREATE INDEX item_expired_on_expiredAt ON item_expired (indexKey, expiredAt);

                    """
                        + changes(ofIndex: 0).schema(tracking: "item")),
            .init(
                "2-owners",
                sql: """
                    CREATE TABLE item_owner (
                        indexKey INTEGER NOT NULL REFERENCES item_index (key), domain TEXT NOT NULL,
                        application TEXT NOT NULL, urlTemplate TEXT, action TEXT, PRIMARY KEY (indexKey, domain))
                        WITHOUT ROWID;
                    """),
            // SQLite's session extension records only changes of tables with a primary key.
            .init(
                "3-expired-keys",
                sql: """
                    CREATE TABLE item_keyedExpired (
                        key INTEGER PRIMARY KEY, indexKey INTEGER NOT NULL, id TEXT NOT NULL, domain TEXT, title TEXT,
                        expiredAt REAL NOT NULL);
                    INSERT INTO item_keyedExpired
                        SELECT rowid, indexKey, id, domain, title, expiredAt FROM item_expired;
                    DROP TABLE item_expired;
                    ALTER TABLE item_keyedExpired RENAME TO item_expired;
                    CREATE INDEX item_expired_on_expiredAt ON item_expired (indexKey, expiredAt);
                    """),
            // The terms of existing texts are stored later (`BodyRefolding`), because that takes long.
            .init(
                "4-terms",
                sql: """
                    CREATE VIRTUAL TABLE item_terms USING fts5 (terms, tokenize=ascii);
                    CREATE VIRTUAL TABLE item_dictionary USING fts5vocab (item_terms, 'row');
                    CREATE TABLE item_unfolded (item INTEGER PRIMARY KEY);
                    INSERT INTO item_unfolded SELECT item FROM item_text;
                    DROP TABLE item_vocabulary;
                    DROP TRIGGER item_text_is_searched_on_insert;
                    DROP TRIGGER item_text_is_searched_on_delete;
                    DROP TRIGGER item_text_is_searched_on_update;
                    CREATE TRIGGER item_text_is_forgotten_on_delete AFTER DELETE ON item_text BEGIN
                        DELETE FROM item_terms WHERE rowid = old.item;
                        DELETE FROM item_unfolded WHERE item = old.item;
                    END;
                    """),
            // Synonyms, and the values of attributes that have an index of their own (`IndexedValues`).
            .init(
                "5-search",
                sql: """
                    CREATE TABLE item_synonym (
                        key INTEGER PRIMARY KEY, indexKey INTEGER NOT NULL REFERENCES item_index (key),
                        number INTEGER NOT NULL, term TEXT NOT NULL, folded TEXT NOT NULL);
                    CREATE INDEX item_synonym_on_number ON item_synonym (indexKey, number);
                    CREATE INDEX item_synonym_on_folded ON item_synonym (indexKey, folded);
                    CREATE TABLE item_indexed (
                        indexKey INTEGER NOT NULL REFERENCES item_index (key), attribute TEXT NOT NULL,
                        PRIMARY KEY (indexKey, attribute)) WITHOUT ROWID;
                    CREATE TABLE item_value (
                        key INTEGER PRIMARY KEY, item INTEGER NOT NULL REFERENCES item (key) ON DELETE CASCADE,
                        attribute TEXT NOT NULL, value REAL NOT NULL);
                    CREATE INDEX item_value_on_item ON item_value (item, attribute);
                    CREATE INDEX item_value_on_value ON item_value (attribute, value, item);
                    """),
            // The same triggers with faster statements.
            .init("6-triggers", sql: changes(ofIndex: 0).triggers(tracking: "item")),
        ])

    /// The migrations that create the tables of ``PublicIndex`` in PostgreSQL.
    package static let clusterMigrations = [
        SQLMigration(
            "SearchableIndex/1-votes",
            sql: """
                CREATE TABLE public_vote (
                    target text NOT NULL, voter bytea NOT NULL, expiresAt double precision NOT NULL,
                    PRIMARY KEY (target, voter));
                CREATE INDEX public_vote_expiresAt ON public_vote (expiresAt);
                CREATE TABLE public_withdrawal (target text PRIMARY KEY);
                """)
    ]

    /// The tables of ``PublicIndex`` besides its items.
    package static let voteTables = [
        SQLTable("public_vote", [.text("target"), .data("voter"), .real("expiresAt")]),
        SQLTable("public_withdrawal", [.text("target")]),
    ]
}
