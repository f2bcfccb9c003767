public import Foundation
import GRDB
@_exported public import SwitchboardErrors
public import SwitchboardStorage
import Synchronization

/// The airports: nearest, recently chosen, most popular, or by code.
///
/// The catalogue of all airports is embedded in the program. The storage holds the user's choices, the location they
/// set, and a popular list if one was loaded.
///
/// For example:
///
/// ```swift
/// let storage = try Storage(at: path, migrations: [Airports.migrations])
/// let airports = Airports(storage: storage)
/// let near = try airports.nearest(to: Coordinate(parsing: "59.93,30.33"))
/// try airports.choose("LED")
/// ```
///
/// Without storage, the catalogue alone is used: there are no recent choices, the popular list is the embedded one, and
/// methods that must store something throw `AirportsError.noStorage`.
///
/// All methods are safe to call from several tasks, even while the popular list is replaced: each call sees either the
/// old list or the new one.
public final class Airports: Sendable {
    /// The name of this module in the storage. Its generation increases with every change.
    public static let module = "Airports"
    /// The name of the generation that counts popular lists only, for data derived from them.
    public static let popularGeneration = "Airports.popular"

    /// The embedded catalogue of all airports.
    public let catalogue: Catalogue

    let storage: Storage?
    let shared: Airports?
    private let location: LocationSource
    let now: @Sendable () -> Date
    let shippedPopular = Once<PopularList>()
    let loadedPopular = Mutex(LoadedPopular())

    /// The popular list read from the storage.
    struct LoadedPopular: Sendable {
        /// The list; nil if none was loaded.
        var list: PopularList?
        /// The time of the last comparison with the storage; nil if the list must be compared again.
        var checkedAt: ContinuousClock.Instant?
        /// The number of updates by this process. A comparison that began before an update does not count.
        var updates = 0
    }

    /// Creates airports over a storage that was opened with ``migrations``.
    ///
    /// - Parameters:
    ///   - storage: The storage for the user's choices; nil for the catalogue alone.
    ///   - catalogue: The airports.
    ///   - location: The source of this machine's location if the user has set none.
    ///   - now: Returns the current time.
    public init(
        storage: Storage?, catalogue: Catalogue = Catalogue(), location: LocationSource = .geoClue(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        storage?.register(Self.migrations)
        self.storage = storage
        shared = nil
        self.catalogue = catalogue
        self.location = location
        self.now = now
    }

    /// Creates the airports of one user of many: the catalogue and the popular list are shared, the choices are stored
    /// separately.
    public init(storage: Storage, sharing shared: Airports) {
        storage.register(Self.migrations)
        self.storage = storage
        self.shared = shared
        catalogue = shared.catalogue
        location = shared.location
        now = shared.now
    }

    /// Returns the airport with an IATA code, else the city with a metropolitan code, else the airport with an ICAO
    /// code. Codes ignore case.
    ///
    /// An airport of the popular list in use takes precedence over the catalogue.
    ///
    /// - Throws: `AirportsError.unknownCode`, and `StorageError`.
    public func airport(code: String) throws -> Airport {
        guard let airport = try find(code) else { throw AirportsError.unknownCode(code) }
        return airport
    }

    func find(_ code: String) throws -> Airport? {
        try loadedList()?.airport(code: code) ?? catalogue.airport(code: code) ?? catalogue.cityRow(code: code)
            ?? catalogue.airport(icao: code)
    }

    /// Returns the airports near a place with their distances; see ``Catalogue/nearest(to:radius:order:limit:)``.
    ///
    /// Searches the catalogue only: a loaded popular list does not move airports.
    public func nearest(
        to place: Coordinate, radius: Double = Catalogue.defaultRadius, order: NearestOrder = .relevance,
        limit: Int = 10
    ) throws(AirportsError) -> [Airport] {
        try catalogue.nearest(to: place, radius: radius, order: order, limit: limit)
    }

    func openStorage() throws(AirportsError) -> Storage {
        guard let storage else { throw .noStorage }
        return storage
    }
}

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

// MARK: - Migrations

extension Airports {
    /// The migrations of this module.
    public static let migrations = ModuleMigrations(
        module: module,
        [
            // `turn` orders the choices, since the clock may go backwards.
            .init(
                "1-airports",
                sql: """
                    CREATE TABLE airports_recent (
                        code TEXT PRIMARY KEY,
                        turn INTEGER NOT NULL UNIQUE,
                        chosenAt TEXT NOT NULL
                    ) STRICT, WITHOUT ROWID;

                    CREATE TABLE airports_place (
                        id INTEGER PRIMARY KEY CHECK (id = 1),
                        latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
                        longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
                        setAt TEXT NOT NULL
                    ) STRICT;

                    CREATE TABLE airports_popular (
                        position INTEGER PRIMARY KEY,
                        code TEXT NOT NULL UNIQUE,
                        icao TEXT,
                        name TEXT NOT NULL,
                        city TEXT NOT NULL,
                        cityCode TEXT NOT NULL,
                        country TEXT NOT NULL,
                        region TEXT,
                        latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
                        longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
                        timeZone TEXT NOT NULL,
                        popularity REAL NOT NULL,
                        cityNames TEXT NOT NULL,
                        airportNames TEXT NOT NULL
                    ) STRICT;

                    CREATE TABLE airports_popularMade (
                        id INTEGER PRIMARY KEY CHECK (id = 1),
                        generatedAt TEXT NOT NULL
                    ) STRICT;
                    """),
            .init(
                "2-origin",
                sql: """
                    CREATE TABLE airports_origin (
                        id INTEGER PRIMARY KEY CHECK (id = 1),
                        address TEXT,
                        entityTag TEXT,
                        checkedAt TEXT,
                        attemptedAt TEXT
                    ) STRICT;
                    """),
        ])
}

// MARK: - Errors

/// An error of the airports module.
public enum AirportsError: CodedError, Equatable {
    /// A text that is not `LATITUDE,LONGITUDE` in decimal degrees.
    case notACoordinate(String)
    /// A latitude outside −90…90 degrees, as given.
    case latitudeOutOfRange(String)
    /// A longitude outside −180…180 degrees, as given.
    case longitudeOutOfRange(String)
    /// A radius that is negative or not finite, in kilometers.
    case radiusOutOfRange(String)
    /// A negative limit.
    case negativeLimit(Int)
    /// No airport or city has this code.
    case unknownCode(String)
    /// An unusable popular list, and the reason. The list in use is unchanged.
    case malformedSnapshot(String)
    /// The location service is unreachable or timed out, and the reason.
    case locationUnreachable(String)
    /// The location service denied access, and the reason.
    case locationRefused(String)
    /// The airports were created without storage.
    case noStorage

    /// The code, the category and the message.
    public var details: ErrorDetails {
        switch self {
        case .notACoordinate(let text):
            .init(
                "notACoordinate", .usage,
                "cannot read the place “\(text)”; use latitude,longitude in degrees, such as 59.93,30.33, or the name or code of a "
                    + "city or airport")
        case .latitudeOutOfRange(let value):
            .init("latitudeOutOfRange", .usage, "latitude \(value) is not between -90 and 90 degrees")
        case .longitudeOutOfRange(let value):
            .init("longitudeOutOfRange", .usage, "longitude \(value) is not between -180 and 180 degrees")
        case .radiusOutOfRange(let value):
            .init("radiusOutOfRange", .usage, "radius \(value) is out of range; use 0 or more kilometres")
        case .negativeLimit(let limit):
            .init("negativeLimit", .usage, "limit \(limit) is negative; use 0 for all")
        case .unknownCode(let code):
            .init("unknownCode", .notFound, "no airport or city has the code “\(code)”")
        case .malformedSnapshot(let reason):
            .init(
                "malformedInput", .malformed,
                "cannot use the snapshot of popular airports (\(reason)); the list in use is unchanged")
        case .locationUnreachable(let reason):
            .init("locationUnreachable", .unavailable, "cannot reach the location service (\(reason))")
        case .locationRefused(let reason):
            .init("locationRefused", .access, "the location service denied access (\(reason)); allow it there")
        case .noStorage: .init("noStorage", .missing, "no database is open; open one to store choices")
        }
    }
}
