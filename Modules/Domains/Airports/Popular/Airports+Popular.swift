public import Foundation
import GRDB
import SwitchboardStorage
import Synchronization

// MARK: - The popular list

extension Airports {
    /// The most popular airports, the most used first: those of the snapshot that was loaded last, else the 1,500 of the
    /// catalogue.
    ///
    /// - Parameter limit: How many at most; 0 is all.
    /// - Throws: `AirportsError.negativeLimit`, and `StorageError`.
    public func popular(limit: Int = 0) throws -> [Airport] {
        guard limit >= 0 else { throw AirportsError.negativeLimit(limit) }
        let airports = try popularList().airports
        return limit == 0 ? airports : Array(airports.prefix(limit))
    }

    /// Replaces the popular list by that of a snapshot, in one transaction.
    ///
    /// The snapshot is read and checked whole first: one that is torn or says what cannot be changes nothing.
    ///
    /// - Parameters:
    ///   - data: The snapshot as `snapshot()` and a server give it.
    ///   - address: Where it was fetched from; nil if it was not. It is kept with the list.
    ///   - entityTag: What the server knows this version by.
    /// - Returns: How many airports the list has now.
    /// - Throws: `AirportsError.malformedSnapshot`, `.noStorage`, and `StorageError`; the old list stays.
    @discardableResult
    public func update(
        snapshot data: Data, from address: String? = nil, entityTag: String? = nil
    ) throws -> Int {
        if let shared { return try shared.update(snapshot: data, from: address, entityTag: entityTag) }
        let storage = try openStorage()
        let snapshot = try PopularSnapshot(gzip: data)
        try storage.write(changing: Airports.module) { db in
            try db.execute(sql: "DELETE FROM airports_popular")
            try db.execute(
                sql: "INSERT OR REPLACE INTO airports_popularMade (id, generatedAt) VALUES (1, ?)",
                arguments: [snapshot.generatedAt.formatted(.iso8601)])
            let insert = try db.makeStatement(
                sql: """
                    INSERT INTO airports_popular (position, code, icao, name, city, cityCode, country, region, latitude,
                        longitude, timeZone, popularity, cityNames, airportNames)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """)
            for (position, airport) in snapshot.airports.enumerated() {
                try insert.execute(arguments: [
                    position, airport.code, airport.icao, airport.name, airport.city, airport.cityCode, airport.country,
                    airport.region, airport.latitude, airport.longitude, airport.timeZone, airport.popularity,
                    airport.cityNames.text, airport.names.text,
                ])
            }
            try PopularOrigin(address: address, entityTag: entityTag, checkedAt: now()).store(in: db)
            try Storage.bump(Airports.popularGeneration, in: db)
        }
        return snapshot.airports.count
    }

    /// The popular list in use as a snapshot: gzip of JSON, for `update(snapshot:)` of another program.
    ///
    /// - Throws: `StorageError`.
    public func snapshot() throws -> Data {
        try PopularSnapshot(generatedAt: now(), airports: popularList().airports).gzip()
    }

    /// The list in use, whole.
    func popularList() throws -> PopularList {
        if let shared { return try shared.popularList() }
        if let loaded = try loadedList() { return loaded }
        return shippedPopular {
            PopularList(generation: 0, airports: catalogue.popularRecords.compactMap(catalogue.airport(at:)))
        }
    }

    /// The list that was loaded from a snapshot, by this process or another one, if there is one.
    ///
    /// One small query tells whether the list in memory is still the one in the storage.
    func loadedList() throws -> PopularList? {
        if let shared { return try shared.loadedList() }
        guard let storage else { return nil }
        let known = loadedPopular.withLock { $0 }
        let now = try storage.generation(of: Airports.popularGeneration)
        if now == known?.generation ?? 0 { return known }
        let list = try storage.read { db -> PopularList? in
            let generation = try Storage.generation(of: Airports.popularGeneration, in: db)
            guard generation != 0 else { return nil }
            let airports = try Airport.fetchPopular(db)
            return airports.isEmpty ? nil : PopularList(generation: generation, airports: airports)
        }
        loadedPopular.withLock { $0 = list }
        return list
    }
}

extension Airport {
    fileprivate static func fetchPopular(_ db: Database) throws -> [Airport] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT code, icao, name, city, cityCode, country, region, latitude, longitude, timeZone, popularity,
                    cityNames, airportNames
                FROM airports_popular ORDER BY position
                """)
        var airports: [Airport] = []
        while let row = try rows.next() {
            try airports.append(
                Airport(
                    code: row.value(0), icao: row.value(1), name: row.value(2), city: row.value(3),
                    cityCode: row.value(4), country: row.value(5), region: row.value(6), latitude: row.value(7),
                    longitude: row.value(8), timeZone: row.value(9), popularity: row.value(10),
                    names: Names(text: row.value(12)), cityNames: Names(text: row.value(11))))
        }
        return airports
    }
}
