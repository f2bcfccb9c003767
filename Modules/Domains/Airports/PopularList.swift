public import Foundation
import GRDB
import SwitchboardSearchEngine
import SwitchboardStorage
import Synchronization

/// The popular airports in use, most used first, with a lookup by code.
struct PopularList: Sendable {
    /// The storage generation it was read from; 0 for the embedded list.
    let generation: Int64
    let airports: [Airport]
    private let positions: [String: Int]

    init(generation: Int64, airports: [Airport]) {
        self.generation = generation
        self.airports = airports
        positions = Dictionary(airports.enumerated().map { ($0.element.code, $0.offset) }) { first, _ in first }
    }

    func airport(code: String) -> Airport? {
        positions[code.uppercased()].map { airports[$0] }
    }

    var fingerprint: UInt64 {
        var hash = ByteHash()
        for airport in airports {
            for text in [
                airport.code, airport.icao ?? "", airport.name, airport.city, airport.cityCode, airport.country,
                airport.region ?? "", "\(airport.popularity)", airport.names.text, airport.cityNames.text,
            ] {
                hash.add(text)
            }
        }
        return hash.value
    }
}

// MARK: - The popular list

extension Airports {
    /// Returns the most popular airports, most used first: from the last loaded snapshot, or else the 1,500 in the
    /// catalogue.
    ///
    /// - Parameter limit: The maximum number of airports; 0 for all.
    /// - Throws: `AirportsError.negativeLimit`, and `StorageError`.
    public func popular(limit: Int = 0) throws -> [Airport] {
        guard limit >= 0 else { throw AirportsError.negativeLimit(limit) }
        let airports = try popularList().airports
        return limit == 0 ? airports : Array(airports.prefix(limit))
    }

    /// Replaces the popular list with the list in a snapshot, in one transaction.
    ///
    /// The whole snapshot is validated first: a truncated or invalid one changes nothing.
    ///
    /// - Parameters:
    ///   - data: The snapshot, as ``snapshot()`` or a server returns it.
    ///   - address: The address it was fetched from, which is stored with the list; nil if there is none.
    ///   - entityTag: The server's ETag for this version.
    /// - Returns: The number of airports in the new list.
    /// - Throws: `AirportsError.malformedSnapshot`, `.noStorage`, and `StorageError`; the old list is kept.
    @discardableResult
    public func update(snapshot data: Data, from address: String? = nil, entityTag: String? = nil) throws -> Int {
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
        loadedPopular.withLock { loaded in
            loaded.checkedAt = nil
            loaded.updates += 1
        }
        return snapshot.airports.count
    }

    /// Returns the popular list in use as a snapshot, gzipped JSON for ``update(snapshot:from:entityTag:)`` of another
    /// program.
    ///
    /// - Throws: `StorageError`.
    public func snapshot() throws -> Data {
        try PopularSnapshot(generatedAt: now(), airports: popularList().airports).gzip()
    }

    private func popularList() throws -> PopularList {
        if let shared { return try shared.popularList() }
        if let loaded = try loadedList() { return loaded }
        return shippedPopular {
            PopularList(generation: 0, airports: catalogue.popularRecords.compactMap(catalogue.airport(at:)))
        }
    }

    /// Returns the list that this or another process has loaded from a snapshot, if any.
    ///
    /// One small query checks whether the list in memory is current.
    func loadedList() throws -> PopularList? {
        if let shared { return try shared.loadedList() }
        guard let storage else { return nil }
        let known = loadedPopular.withLock { $0 }
        let start = ContinuousClock.now
        let now = try storage.generation(of: Airports.popularGeneration)
        if now == known.list?.generation ?? 0 {
            loadedPopular.withLock { loaded in
                if loaded.updates == known.updates, loaded.list?.generation == known.list?.generation {
                    loaded.checkedAt = start
                }
            }
            return known.list
        }
        let list = try storage.read { db -> PopularList? in
            let generation = try Storage.generation(of: Airports.popularGeneration, in: db)
            guard generation != 0 else { return nil }
            let airports = try Airport.fetchPopular(db)
            return airports.isEmpty ? nil : PopularList(generation: generation, airports: airports)
        }
        loadedPopular.withLock { loaded in
            loaded.list = list
            loaded.checkedAt = loaded.updates == known.updates ? start : nil
        }
        return list
    }

    /// Returns the same list as ``loadedList()``, but checks at most ten times a second for one that another process
    /// has loaded, because a query takes as long as several searches.
    func recentlyLoadedList() throws -> PopularList? {
        if let shared { return try shared.recentlyLoadedList() }
        guard storage != nil else { return nil }
        let known = loadedPopular.withLock { $0 }
        if let checkedAt = known.checkedAt, ContinuousClock.now - checkedAt < Airports.listCheckInterval {
            return known.list
        }
        return try loadedList()
    }

    private static let listCheckInterval = Duration.milliseconds(100)
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

// MARK: - The origin of the popular list

extension Airports {
    /// Returns the origin of the popular list in use and the time of the last check.
    ///
    /// - Throws: `StorageError`.
    public func popularOrigin() throws -> PopularOrigin {
        if let shared { return try shared.popularOrigin() }
        guard let storage else { return PopularOrigin() }
        return try storage.read(PopularOrigin.fetch)
    }

    /// Records that the server has no newer list than the one in use. The list itself is unchanged.
    ///
    /// Does nothing if another list was loaded since.
    ///
    /// - Parameter origin: The origin that the server was queried for.
    /// - Throws: `AirportsError.noStorage`, and `StorageError`.
    public func confirmPopular(_ origin: PopularOrigin) throws {
        if let shared { return try shared.confirmPopular(origin) }
        try openStorage().write { db in
            let current = try PopularOrigin.fetch(db)
            guard current.address == origin.address, current.entityTag == origin.entityTag else { return }
            try PopularOrigin(address: origin.address, entityTag: origin.entityTag, checkedAt: now()).store(in: db)
        }
    }

    /// Claims a refresh if one is due: returns `true` to the caller that should perform it, and `false` to all others
    /// for an hour.
    ///
    /// - Throws: `AirportsError.noStorage`, and `StorageError`.
    public func claimRefresh() throws -> Bool {
        if let shared { return try shared.claimRefresh() }
        return try openStorage().write { db in
            var origin = try PopularOrigin.fetch(db)
            guard origin.isDue(at: now()) else { return false }
            origin.attemptedAt = now()
            try origin.store(in: db)
            return true
        }
    }
}

/// The origin of the popular list in use, and the time it was last checked for updates.
public struct PopularOrigin: Hashable, Sendable {
    /// The address it was fetched from; nil for a list loaded from a file, and for the embedded one.
    public var address: String?
    /// The server's ETag, for `If-None-Match`; nil if it sent none.
    public var entityTag: String?
    /// The time when the list was loaded or last confirmed to be current; nil for the embedded list.
    public var checkedAt: Date?
    /// The time when an automatic refresh was last started.
    public var attemptedAt: Date?

    /// The age in seconds after which a list is refreshed: one day.
    public static let lifetime: TimeInterval = 86_400
    /// The time in seconds after which a failed refresh is retried: one hour.
    public static let retryInterval: TimeInterval = 3_600

    /// Returns `true` if the list is older than a day and no refresh was attempted within the last hour.
    ///
    /// A time in the future counts by its distance too, so that a clock that was once wrong does not block refreshes
    /// for years.
    public func isDue(at now: Date) -> Bool {
        func isLongAgo(_ time: Date?, _ seconds: TimeInterval) -> Bool {
            time.map { abs(now.timeIntervalSince($0)) >= seconds } ?? true
        }
        return isLongAgo(checkedAt, Self.lifetime) && isLongAgo(attemptedAt, Self.retryInterval)
    }

    // MARK: - Database

    func store(in db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO airports_origin (id, address, entityTag, checkedAt, attemptedAt)
                VALUES (1, ?, ?, ?, ?)
                """,
            arguments: [address, entityTag, checkedAt?.formatted(.iso8601), attemptedAt?.formatted(.iso8601)])
    }

    static func fetch(_ db: Database) throws -> PopularOrigin {
        let row = try Row.fetchOne(
            db, sql: "SELECT address, entityTag, checkedAt, attemptedAt FROM airports_origin WHERE id = 1")
        guard let row else { return PopularOrigin() }
        func time(_ text: String?) -> Date? { text.flatMap { try? Date($0, strategy: .iso8601) } }
        return try PopularOrigin(
            address: row.value(0), entityTag: row.value(1), checkedAt: time(row.value(2)),
            attemptedAt: time(row.value(3)))
    }
}
