import GRDB
import SwitchboardAccounts
import SwitchboardKit
import SwitchboardStorage
import Testing

/// SQLite's session extension records changes of tables with a primary key only, and of rows without NULL in it. A
/// change of another table would be missing on the other servers of a cluster.
@Suite("Primary keys") struct PrimaryKeyTests {
    @Test("Every table has a primary key without NULL")
    func tables() throws {
        let storage = try Storage.inMemory(migrations: Switchboard.migrations + [Accounts.migrations])
        let tables = try storage.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT name, type, wr FROM pragma_table_list
                    WHERE schema = 'main' AND type IN ('table', 'shadow') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                    """)
        }
        #expect(tables.contains { $0["name"] == "contact" } && tables.contains { $0["name"] == "person_token" })
        #expect(tables.contains { $0["name"] == "item_body_data" && $0["type"] == "shadow" })
        for table in tables {
            let name: String = table["name"]
            let keys = try storage.read { db in
                try Row.fetchAll(
                    db, sql: "SELECT name, type, \"notnull\" FROM pragma_table_info(?) WHERE pk > 0", arguments: [name])
            }
            #expect(!keys.isEmpty, "\(name) has no primary key; its changes are not recorded")
            // These never contain NULL, whatever their declaration.
            let isWithoutRowID: Bool = table["wr"]
            if isWithoutRowID || (keys.count == 1 && keys[0]["type"] == "INTEGER") { continue }
            for key in keys {
                #expect(key["notnull"] == 1, "\(name).\(key["name"] as String) may be NULL; such rows are not recorded")
            }
        }
    }
}
