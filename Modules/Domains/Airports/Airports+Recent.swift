import Foundation
import GRDB
import SwitchboardStorage

// MARK: - Recent choices

extension Airports {
    /// The number of recent choices that are kept.
    public static let recentLimit = 5

    /// Records the choice of an airport, or of a city with all its airports. Only the last five are kept, each once.
    ///
    /// - Parameter code: A code as for ``airport(code:)``.
    /// - Returns: The chosen airport or city.
    /// - Throws: `AirportsError.unknownCode`, `.noStorage`, and `StorageError`.
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

    /// Returns the last five choices, newest first. Empty without storage.
    ///
    /// Codes that no longer exist are skipped.
    ///
    /// - Throws: `StorageError`.
    public func recent() throws -> [Airport] {
        guard let storage else { return [] }
        let codes = try storage.read { db in
            try String.fetchAll(db, sql: "SELECT code FROM airports_recent ORDER BY turn DESC")
        }
        return try codes.compactMap(find)
    }

    // MARK: - Suggestions

    /// Returns the airports to suggest for an empty query: the nearest, then the last five choices, then the most
    /// popular, each once.
    ///
    /// - Parameters:
    ///   - place: The user's location; nil for the stored location, if any.
    ///   - limit: The maximum number of airports; 0 for all.
    /// - Throws: `AirportsError.negativeLimit`, and `StorageError`.
    public func suggestions(near place: Coordinate? = nil, limit: Int = 10) throws -> [Airport] {
        guard limit >= 0 else { throw AirportsError.negativeLimit(limit) }
        var seen: Set<String> = []
        let place = try place ?? knownLocation()
        let near = try place.map { try nearest(to: $0, limit: 3) } ?? []
        let all = try (near + recent() + popular()).filter { seen.insert($0.code).inserted }
        return limit == 0 ? all : Array(all.prefix(limit))
    }
}
