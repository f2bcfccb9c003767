import Foundation
import GRDB
import Testing

@testable import SwitchboardStorage

@Suite("Changesets") struct ChangesetTests {
    let schema = """
        CREATE TABLE person (key INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE tag (person INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (person, name)) WITHOUT ROWID;
        CREATE TABLE position (key INTEGER PRIMARY KEY, number INTEGER NOT NULL);
        INSERT INTO person VALUES (1, 'Ana'), (2, 'Bob'), (3, 'Cleo');
        INSERT INTO tag VALUES (1, 'red'), (2, 'blue');
        INSERT INTO position VALUES (1, 10);
        """

    func database(_ sql: String) throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.inDatabase { db in try db.execute(sql: sql) }
        return queue
    }

    /// Returns the recorded changes of a transaction.
    func changes(of database: DatabaseQueue, _ sql: String) throws -> Data {
        try database.write { db in
            let recorder = try ChangesetRecorder(db, except: "position")
            try db.execute(sql: sql)
            return try recorder.changeset()
        }
    }

    /// Applies changes, or rolls back if they do not fit.
    func apply(_ changes: Data, to database: DatabaseQueue) throws -> Bool {
        try database.inDatabase { db in
            try Changeset.prepareToApply(db)
            var fits = false
            try db.inTransaction {
                fits = try Changeset.apply(changes, to: db)
                return fits ? .commit : .rollback
            }
            return fits
        }
    }

    func rows(_ database: DatabaseQueue) throws -> [String] {
        try database.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT group_concat(key || name) FROM (SELECT * FROM person ORDER BY key)
                    UNION ALL SELECT group_concat(person || name) FROM (SELECT * FROM tag ORDER BY person, name)
                    UNION ALL SELECT group_concat(key || ':' || number) FROM position
                    """)
        }
    }

    @Test("Insertions, updates and deletions fit a database in the former state, except for the excluded table")
    func roundTrip() throws {
        let (a, b) = try (database(schema), database(schema))
        let changes = try changes(
            of: a,
            """
            INSERT INTO person VALUES (4, 'Dana');
            UPDATE person SET name = 'Anna' WHERE key = 1;
            DELETE FROM person WHERE key = 2;
            DELETE FROM tag;
            INSERT INTO tag VALUES (4, 'green');
            UPDATE position SET number = 11;
            """)
        #expect(try apply(changes, to: b))
        #expect(try rows(b) == ["1Anna,3Cleo,4Dana", "4green", "1:10"])
        #expect(try rows(a) == ["1Anna,3Cleo,4Dana", "4green", "1:11"])
    }

    @Test("Changes that cancel each other are empty")
    func nothing() throws {
        let a = try database(schema)
        #expect(try changes(of: a, "INSERT INTO person VALUES (9, 'x'); DELETE FROM person WHERE key = 9").isEmpty)
        #expect(try changes(of: a, "UPDATE position SET number = 12").isEmpty)
    }

    @Test(
        "Changes do not fit a database in another state, which stays unchanged",
        arguments: [
            "UPDATE person SET name = 'other' WHERE key = 1", "DELETE FROM person WHERE key = 2",
            "INSERT INTO person VALUES (4, 'other')", "DROP TABLE tag",
        ])
    func conflicts(difference: String) throws {
        let (a, b) = try (database(schema), database(schema))
        let changes = try changes(
            of: a,
            """
            INSERT INTO tag VALUES (3, 'green');
            INSERT INTO person VALUES (4, 'Dana');
            UPDATE person SET name = 'Anna' WHERE key = 1;
            DELETE FROM person WHERE key = 2;
            """)
        try b.inDatabase { db in try db.execute(sql: difference) }
        let before = try b.read { db in try String.fetchAll(db, sql: "SELECT key || name FROM person ORDER BY key") }
        #expect(try apply(changes, to: b) == false)
        let after = try b.read { db in try String.fetchAll(db, sql: "SELECT key || name FROM person ORDER BY key") }
        #expect(before == after)
    }

    @Test("A changeset that is cut off is an error")
    func truncated() throws {
        let (a, b) = try (database(schema), database(schema))
        let changes = try changes(of: a, "INSERT INTO person VALUES (4, 'Dana'), (5, 'Eve')")
        #expect(throws: DatabaseError.self) { try apply(changes.dropLast(3), to: b) }
        #expect(try rows(b) == rows(database(schema)))
    }

    @Test("Rows from before a column was added are recorded with its default value", arguments: ["", "WITHOUT ROWID"])
    func addedColumn(kind: String) throws {
        let schema = """
            CREATE TABLE person (key INTEGER PRIMARY KEY, name TEXT NOT NULL) \(kind);
            INSERT INTO person VALUES (1, 'Ana'), (2, 'Bob'), (3, 'Cleo');
            ALTER TABLE person ADD COLUMN "the colour" TEXT NOT NULL DEFAULT 'white';
            CREATE TABLE position (key INTEGER PRIMARY KEY);
            CREATE TRIGGER person_on_update AFTER UPDATE ON person BEGIN SELECT RAISE(ABORT, 'not while preparing'); END;
            """
        let (a, b) = try (database(schema), database(schema))
        for database in [a, b] {
            try database.inDatabase { db in
                try Changeset.prepareToApply(db)
                try Changeset.prepareToRecord(db)
                try db.execute(sql: "DROP TRIGGER person_on_update")
            }
        }
        let changes = try changes(
            of: a,
            """
            DELETE FROM person WHERE key = 1;
            UPDATE person SET name = 'Bo' WHERE key = 2;
            UPDATE person SET "the colour" = 'red' WHERE key = 3;
            """)
        #expect(try apply(changes, to: b))
        let texts = try b.read { db in
            try String.fetchAll(db, sql: "SELECT key || name || \"the colour\" FROM person ORDER BY key")
        }
        #expect(texts == ["2Bowhite", "3Cleored"])
    }
}
