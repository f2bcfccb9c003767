import Foundation
import GRDB
import SwitchboardStorage

// MARK: - The place of this machine

extension Airports {
    /// Where this machine is, to about three kilometres: the place that was set, else what the location service tells.
    ///
    /// - Throws: `StorageError.accessNotGranted` without the location grant, `AirportsError.locationUnreachable` and
    ///   `.locationRefused` from the service, `.noStorage` without a storage, since grants are kept there.
    public func here() async throws -> Coordinate {
        try openStorage().requireAccess(.location)
        if let place = try placeSet() { return place }
        return try await location.locate().rounded
    }

    /// The place that was set, if the location may be used: what can be told without asking a service.
    ///
    /// - Throws: `StorageError`.
    public func knownPlace() throws -> Coordinate? {
        guard let storage, try storage.status(of: .location) == .authorized else { return nil }
        return try placeSet()
    }

    /// Sets the place of this machine; it is stored to about three kilometres, as returned. Needs no grant.
    ///
    /// - Throws: `AirportsError.noStorage`, and `StorageError`.
    @discardableResult
    public func setHere(_ place: Coordinate) throws -> Coordinate {
        let rounded = place.rounded
        let time = now().formatted(.iso8601)
        try openStorage().write(changing: Airports.module) { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO airports_place (id, latitude, longitude, setAt) VALUES (1, ?, ?, ?)",
                arguments: [rounded.latitude, rounded.longitude, time])
        }
        return rounded
    }

    /// Forgets the place that was set.
    ///
    /// - Throws: `AirportsError.noStorage`, and `StorageError`.
    public func forgetHere() throws {
        try openStorage().write(changing: Airports.module) { db in
            try db.execute(sql: "DELETE FROM airports_place")
        }
    }

    private func placeSet() throws -> Coordinate? {
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
