import Foundation
import SwitchboardStorage

// MARK: - Databases of people

extension Accounts {
    private static let databasesKey = "databases"

    /// Returns `true` once every person has a database. Earlier versions created it on the first request.
    package func everyoneHasDatabase() throws -> Bool {
        try database.reading { db in
            try db.row("SELECT name FROM person_key WHERE name = ?1", [Accounts.databasesKey]) != nil
        }
    }

    /// Records that every person has a database from now on.
    package func recordDatabases() throws { _ = try key(Accounts.databasesKey) { Data() } }

    /// Returns the identifiers of the people who have used a token with a scope other than metrics.
    package func activePeople() throws -> Set<String> {
        try database.reading { db in
            let sql = "SELECT DISTINCT person FROM person_token WHERE usedAt IS NOT NULL AND scopes <> ?1"
            return Set(try db.rows(sql, ["metrics"]).map { try $0.text(0) })
        }
    }
}
