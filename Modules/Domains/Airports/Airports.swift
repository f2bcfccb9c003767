public import Foundation
public import SwitchboardStorage
import Synchronization

/// Choosing an airport: the nearest ones, the last five chosen, the most popular, and any by its code.
///
/// The catalogue of all airports is inside the program; what a person has chosen, the place they have set and a popular
/// list that was loaded are in the storage. For example:
///
/// ```swift
/// let storage = try Storage(at: path, migrations: [Airports.migrations])
/// let airports = Airports(storage: storage)
/// let near = try airports.nearest(to: Coordinate.parse("59.93,30.33"))
/// try airports.choose("LED")
/// ```
///
/// Without a storage the catalogue alone answers: nothing was chosen, the popular list is the one that ships, and what
/// would have to be kept throws `AirportsError.noStorage`.
///
/// Everything may be called from several tasks at once, also while the popular list is replaced: each call sees the old
/// list or the new one, whole.
public final class Airports: Sendable {
    /// The name of this module in the storage. Its generation moves on with everything that is stored here.
    public static let module = "Airports"
    /// The name under which the storage counts the popular lists alone: for what is derived from them.
    public static let popularGeneration = "Airports.popular"

    /// Every airport that ships.
    public let catalogue: Catalogue

    let storage: Storage?
    let shared: Airports?
    let location: LocationSource
    let now: @Sendable () -> Date
    let shippedPopular = Once<PopularList>()
    let loadedPopular = Mutex<PopularList?>(nil)

    /// Airports over a storage that was opened with `Airports.migrations`.
    ///
    /// - Parameters:
    ///   - storage: Where choices are kept; nil for the catalogue alone.
    ///   - catalogue: The airports there are; those inside the program unless given.
    ///   - location: What tells the place of this machine when nobody has set one.
    ///   - now: The clock.
    public init(
        storage: Storage?, catalogue: Catalogue = Catalogue(), location: LocationSource = .geoClue(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.storage = storage
        shared = nil
        self.catalogue = catalogue
        self.location = location
        self.now = now
    }

    /// Airports of one person among many: the lists are those of `shared`, what was chosen is in a storage of their own.
    ///
    /// - Parameters:
    ///   - storage: Where this person's choices are kept.
    ///   - shared: Whose catalogue and popular list are used.
    public init(storage: Storage, sharing shared: Airports) {
        self.storage = storage
        self.shared = shared
        catalogue = shared.catalogue
        location = shared.location
        now = shared.now
    }

    /// The airport of an IATA code, the row of a city for a metropolitan code, else the airport of an ICAO code, in any
    /// case.
    ///
    /// An airport of the popular list in use comes before that of the catalogue.
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

    /// The airports near a place, with their distance from it; see `Catalogue.nearest(to:radius:order:limit:)`.
    ///
    /// They are those of the catalogue: a popular list that was loaded does not move airports.
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
