public import Foundation
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
/// let near = try airports.nearest(to: Coordinate.parse("59.93,30.33"))
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
    let location: LocationSource
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
    ///   - location: The source of this machine's location if the user has set none.
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
