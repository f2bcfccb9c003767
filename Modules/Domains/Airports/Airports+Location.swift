import Foundation
import GRDB
import SwitchboardStorage

// MARK: - The location of this machine

extension Airports {
    /// Returns the location of this machine, rounded to about three kilometers: the stored location, or else the one
    /// that the location service reports.
    ///
    /// - Throws: `StorageError.accessNotGranted` without the location grant, `AirportsError.locationUnreachable` and
    ///   `.locationRefused` from the service, `.noStorage` without storage, which holds the grants.
    public func currentLocation() async throws -> Coordinate {
        try openStorage().requireAccess(.location)
        if let stored = try storedLocation() { return stored }
        return try await location.locate().rounded
    }

    /// Returns the stored location if access to the location is granted. Never asks the location service.
    ///
    /// - Throws: `StorageError`.
    public func knownLocation() throws -> Coordinate? {
        guard let storage, try storage.status(of: .location) == .authorized else { return nil }
        return try storedLocation()
    }

    /// Stores the location of this machine, rounded to about three kilometers. Needs no grant.
    ///
    /// - Returns: The rounded location.
    ///
    /// - Throws: `AirportsError.noStorage`, and `StorageError`.
    @discardableResult
    public func setLocation(_ place: Coordinate) throws -> Coordinate {
        let rounded = place.rounded
        let time = now().formatted(.iso8601)
        try openStorage().write(changing: Airports.module) { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO airports_place (id, latitude, longitude, setAt) VALUES (1, ?, ?, ?)",
                arguments: [rounded.latitude, rounded.longitude, time])
        }
        return rounded
    }

    /// Removes the stored location.
    ///
    /// - Throws: `AirportsError.noStorage`, and `StorageError`.
    public func clearLocation() throws {
        try openStorage().write(changing: Airports.module) { db in
            try db.execute(sql: "DELETE FROM airports_place")
        }
    }

    private func storedLocation() throws -> Coordinate? {
        guard let storage else { return nil }
        return try storage.read { db in
            guard let row = try Row.fetchOne(db, sql: "SELECT latitude, longitude FROM airports_place") else {
                return nil
            }
            let (latitude, longitude): (Double, Double) = try (row.value(0), row.value(1))
            return try? Coordinate(latitude: latitude, longitude: longitude)
        }
    }
}
