import Foundation
import GRDB
import SwitchboardStorage

// MARK: - The last ones chosen

extension Airports {
    /// How many choices are remembered.
    public static let recentLimit = 5

    /// Remembers that an airport, or a city with all its airports, was chosen; only the last five are kept, each once.
    ///
    /// - Parameter code: As in `airport(code:)`.
    /// - Returns: What was chosen.
    /// - Throws: `AirportsError.unknownCode`, `.noStorage`, and `StorageError`; nothing is remembered then.
    @discardableResult
    public func choose(_ code: String) throws -> Airport {
        let storage = try openStorage()
        let airport = try airport(code: code)
        let time = now().formatted(.iso8601)
        try storage.write(changing: Airports.module) { db in
            try db.execute(
                sql: """
                    INSERT INTO airports_recent (code, turn, chosenAt)
                    VALUES (?, (SELECT max(ifnull(max(turn), 0), 0) + 1 FROM airports_recent WHERE turn < \(Int64.max)), ?)
                    ON CONFLICT (code) DO UPDATE SET turn = excluded.turn, chosenAt = excluded.chosenAt
                    """, arguments: [airport.code, time])
            try db.execute(
                sql: """
                    DELETE FROM airports_recent
                    WHERE code NOT IN (SELECT code FROM airports_recent ORDER BY turn DESC LIMIT ?)
                    """, arguments: [Airports.recentLimit])
        }
        return airport
    }

    /// The last five chosen, the newest first; none without a storage.
    ///
    /// One that no list knows any more is left out.
    ///
    /// - Throws: `StorageError`.
    public func recent() throws -> [Airport] {
        guard let storage else { return [] }
        let codes = try storage.read { db in
            try String.fetchAll(db, sql: "SELECT code FROM airports_recent ORDER BY turn DESC")
        }
        return try codes.compactMap(find)
    }
}
