import GRDB
import SwitchboardStorage

/// Tables with what makes replicas difficult: full-text search, triggers, cascades, composite keys.
let library = ModuleMigrations(
    module: "Library",
    [
        .init(
            "1-pages",
            sql: """
                CREATE TABLE folder (key INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE);
                CREATE TABLE page (
                    key INTEGER PRIMARY KEY, folder INTEGER NOT NULL REFERENCES folder (key) ON DELETE CASCADE,
                    text TEXT NOT NULL);
                CREATE VIRTUAL TABLE page_body USING fts5 (text, content='page', content_rowid='key');
                CREATE TRIGGER page_on_insert AFTER INSERT ON page BEGIN
                    INSERT INTO page_body (rowid, text) VALUES (new.key, new.text);
                    INSERT INTO page_note SELECT new.folder, new.text, 0
                        WHERE NOT EXISTS (SELECT 1 FROM page_note WHERE (folder, text) = (new.folder, new.text));
                    UPDATE page_note SET count = count + 1 WHERE (folder, text) = (new.folder, new.text);
                END;
                CREATE TRIGGER page_on_delete AFTER DELETE ON page BEGIN
                    INSERT INTO page_body (page_body, rowid, text) VALUES ('delete', old.key, old.text);
                END;
                CREATE TRIGGER page_on_update AFTER UPDATE ON page BEGIN
                    INSERT INTO page_body (page_body, rowid, text) VALUES ('delete', old.key, old.text);
                    INSERT INTO page_body (rowid, text) VALUES (new.key, new.text);
                END;
                CREATE TABLE page_note (
                    folder INTEGER NOT NULL, text TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (folder, text));
                CREATE TABLE link (
                    key INTEGER PRIMARY KEY,
                    folder INTEGER NOT NULL REFERENCES folder (key) DEFERRABLE INITIALLY DEFERRED);
                """)
    ])

extension Storage {
    /// Returns the keys of pages with a word, from full-text search.
    func pages(with word: String) throws -> [Int64] {
        try read { db in
            try Int64.fetchAll(
                db, sql: "SELECT rowid FROM page_body WHERE page_body MATCH ? ORDER BY rowid", arguments: [word])
        }
    }

    /// Writes, again after a conflict.
    func writeRetrying(_ body: (Database) throws -> Void) throws {
        while true {
            do {
                return try write(body)
            } catch StorageError.locked {
                continue
            }
        }
    }
}
