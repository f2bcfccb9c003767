import Foundation
import SwitchboardStorage
import SwitchboardTestFixtures
import Testing

@testable import SwitchboardCluster

// In the suite of journals, because some of the tests change the server.
extension PostgresJournalTests {
    /// Creates a table with a counter, and returns access to it.
    private func counter() throws -> (database: PostgresDatabase, table: String) {
        let table = "counter_" + name.lowercased().filter { $0 != "-" }
        try postgres.sql("CREATE TABLE switchboard.\(table) (value bigint)")
        try postgres.sql("INSERT INTO switchboard.\(table) VALUES (0)")
        return (PostgresDatabase(pool), table)
    }

    @Test("Transactions that conflict are repeated, so that each has its effect")
    func conflictingTransactions() async throws {
        let (database, table) = try counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await blocking {
                        for _ in 0..<10 {
                            _ = try database.writing(changing: "Counter") { db in
                                let value = try db.row("SELECT value FROM \(table)", [])?.integer(0) ?? 0
                                return try db.execute("UPDATE \(table) SET value = ?1", [value + 1])
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try postgres.sql("SELECT value::text FROM switchboard.\(table)") == "40")
        #expect(try database.generation(of: "Counter") == 40)
    }

    @Test("An error rolls a transaction back, and a transaction without changes leaves the generation")
    func rollback() throws {
        let (database, table) = try counter()
        #expect(throws: CancellationError.self) {
            try database.writing(changing: "Rollback") { db in
                try db.execute("UPDATE \(table) SET value = 7", [])
                throw CancellationError()
            }
        }
        _ = try database.writing(changing: "Rollback") { db in
            try db.execute("DELETE FROM \(table) WHERE value = 7", [])
        }
        #expect(try postgres.sql("SELECT value::text FROM switchboard.\(table)") == "0")
        #expect(try database.generation(of: "Rollback") == 0)
        #expect {
            try database.reading { db in try db.rows("SELECT missing FROM \(table)", []) }
        } throws: {
            if case .journalUnavailable? = $0 as? StorageError { true } else { false }
        }
    }

    @Test("Values come back as they were stored, and a text with NUL is refused instead of shortened")
    func values() throws {
        let (database, table) = try counter()
        let row = try #require(
            try database.reading { db in
                try db.row(
                    """
                    SELECT CAST(?1 AS text), CAST(?2 AS bytea), CAST(?3 AS double precision), CAST(?4 AS bigint), ?5::text,
                        2 > 1, count(*) FROM \(table)
                    """, ["a?b ü", Data([0, 255]), 1_800_000_000.123456, -5, nil])
            })
        #expect(try row.text(0) == "a?b ü" && row.data(1) == Data([0, 255]) && row.integer(3) == -5)
        #expect(try row.optionalReal(2) == 1_800_000_000.123456 && row.optionalText(4) == nil)
        #expect(try row.flag(5) && row.integer(6) == 1)
        #expect(throws: StorageError.self) {
            try database.reading { db in try db.row("SELECT CAST(?1 AS text)", ["a\u{0}b"]) }
        }
    }

    @Test("A transaction whose connection is lost during its commit is found, and not repeated")
    func lostCommit() async throws {
        let (database, table) = try counter()
        let calls = Shared(0)
        try await waitForMissingStandby()
        try await withThrowingTaskGroup(of: Int.self) { group in
            defer { try? setStandby("") }
            group.addTask {
                try await blocking {
                    try database.writing(changing: nil) { db in
                        calls.change { $0 += 1 }
                        return try db.execute("UPDATE \(table) SET value = value + 1", [])
                    }
                }
            }
            let waiting = try await waitingConnection(for: "IPCSyncRep")
            try postgres.sql("SELECT pg_terminate_backend(\(waiting))::text")
            // The next attempt finds the transaction, and waits for the standby.
            _ = try await wait(
                for: "SELECT 'yes' FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND pid <> \(waiting) LIMIT 1")
            try setStandby("")
            for try await count in group { #expect(count == 1) }
        }
        #expect(calls.value == 1)
        #expect(try postgres.sql("SELECT value::text FROM switchboard.\(table)") == "1")
    }
}
