import Foundation
public import SwitchboardAirports
public import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardKeypadLearning
import SwitchboardPeopleSearch
public import SwitchboardProspects
public import SwitchboardReminders
public import SwitchboardSearchChoices
public import SwitchboardSearchableIndex
public import SwitchboardStorage
import Synchronization

/// The entry point for front ends: opens the storage, composes the modules, and searches across all domains.
///
/// Everything is opened on first use: searching contacts never reads the airports, and converting text to keys opens no
/// file. A switchboard is safe to use from several tasks. It prints nothing and does not depend on a terminal. Throwing
/// members throw `StorageError` unless they document other errors.
///
/// For example:
///
/// ```swift
/// let switchboard = Switchboard(Settings(database: "/home/ana/people.sqlite", region: "TR"))
/// let answer = try switchboard.searchContacts(SearchInput(keys: "5646"))
/// print(answer.results.first?.title ?? "no match")
/// ```
///
/// ## Where things are
///
/// - Domains: ``contacts``, ``contactSearch``, ``airports``, ``airportSearch``, ``prospects``, ``prospectSearch``,
///   ``reminders``, ``items(_:)``, ``itemSearch(_:)``
/// - Responses: ``search(_:kinds:limit:isCancelled:)``, ``SearchResponse``, ``SearchResult``, ``ListResponse``,
///   `OrderedJSON`
/// - Remote airports: ``AirportServer``, ``completing(_:limit:stage:language:from:isCancelled:)``,
///   ``refreshPopular(from:onlyIfDue:isCancelled:)``
/// - Configuration: ``Settings``, ``ProcessEnvironment``
/// - Errors: ``SwitchboardError``, ``ExitStatus``
public final class Switchboard: Sendable {
    /// The version of all programs built from these modules (https://semver.org).
    public static let version = "0.2.0"

    /// The migrations of all modules.
    public static let migrations: [ModuleMigrations] = [
        ContactBook.migrations, Airports.migrations, Prospects.migrations, Reminders.migrations,
        SearchableIndex.migrations, KeypadLearning.migrations, SearchChoices.migrations,
    ]

    /// The settings.
    public var settings: Settings { current.withLock(\.self) }

    private let current: Mutex<Settings>

    private struct Opened {
        var storage: Storage?
        var contactSearch: ContactSearch?
        var airportSearch: AirportSearch?
        var prospectSearch: ProspectSearch?
        var itemSearches: [String: ItemSearch] = [:]
        var choices: SearchChoices?
    }

    private let opened = Mutex(Opened())

    private let sharedAirports: Switchboard?

    /// Creates a switchboard for the database in the settings, which is opened on first use.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - shared: A switchboard whose airports and airport indexes are shared; a server then loads them once for all
    ///     users. Chosen airports are still stored in this switchboard's own database.
    public init(_ settings: Settings, sharingAirportsOf shared: Switchboard? = nil) {
        current = Mutex(settings)
        sharedAirports = shared
    }

    /// Sets the region of phone numbers without a country code, an ISO 3166 code, for later changes.
    public func setRegion(_ region: String) { current.withLock { $0.region = region } }

    /// The storage, migrated to the current version.
    public var storage: Storage {
        get throws { try opened.withLock { try storage(&$0) } }
    }

    var isOpen: Bool { opened.withLock { $0.storage != nil } }

    /// The address book.
    public var contacts: ContactBook {
        get throws {
            // The index follows changes.
            _ = try contactSearch
            return ContactBook(storage: try storage, region: settings.region)
        }
    }

    /// The search for contacts.
    public var contactSearch: ContactSearch {
        get throws {
            try opened(\.contactSearch) { storage in
                ContactSearch(
                    book: ContactBook(storage: storage, region: settings.region),
                    rebuildsInBackground: !settings.isShortLived)
            }
        }
    }

    /// Closes the database before the program exits; later accesses fail.
    public func close() {
        opened.withLock { $0.storage?.close() }
    }

    /// Performs pending maintenance of the search indexes after changes, usually none.
    public func compact() throws {
        try contactSearch.compact()
        try prospectSearch.compact()
        for search in opened.withLock({ Array($0.itemSearches.values) }) { try search.compact() }
    }

    /// Opens or builds the search index of the contacts, so the first search after an import is fast.
    public func warmUpContactSearch() throws { try contactSearch.warmUp() }

    /// The airports.
    public var airports: Airports {
        get throws { try airportSearch.airports }
    }

    /// The search for airports.
    public var airportSearch: AirportSearch {
        get throws {
            try opened(\.airportSearch) { storage in
                AirportSearch(storage: storage, sharing: try sharedAirports?.airportSearch)
            }
        }
    }

    /// The objects that the user chose, by query.
    public var choices: SearchChoices {
        get throws { try opened(\.choices) { SearchChoices(storage: $0) } }
    }

    /// The prospects.
    public var prospects: Prospects {
        get throws { Prospects(storage: try storage, region: settings.region) }
    }

    /// The search for prospects.
    public var prospectSearch: ProspectSearch {
        get throws {
            try opened(\.prospectSearch) { storage in
                ProspectSearch(
                    prospects: Prospects(storage: storage, region: settings.region),
                    rebuildsInBackground: !settings.isShortLived)
            }
        }
    }

    /// Returns the item index with the given name.
    public func items(_ name: String = SearchableIndex.defaultName) throws -> SearchableIndex {
        try itemSearch(name).index
    }

    /// Returns the search for the item index with the given name.
    public func itemSearch(_ name: String = SearchableIndex.defaultName) throws -> ItemSearch {
        // This avoids creating a key path with the name on each call.
        try opened.withLock { opened in
            if let search = opened.itemSearches[name] { return search }
            let index = SearchableIndex(storage: try storage(&opened), name: name)
            let search = ItemSearch(index: index, rebuildsInBackground: !settings.isShortLived)
            opened.itemSearches[name] = search
            return search
        }
    }

    /// The reminders.
    public var reminders: Reminders {
        get throws { Reminders(storage: try storage) }
    }

    /// Returns the value at a key path, created if missing.
    private func opened<Value: Sendable>(
        _ path: WritableKeyPath<Opened, Value?>, _ make: (Storage) throws -> Value
    ) throws -> Value {
        try opened.withLock { opened in
            if let value = opened[keyPath: path] { return value }
            let value = try make(try storage(&opened))
            opened[keyPath: path] = value
            return value
        }
    }

    private func storage(_ opened: inout Opened) throws(StorageError) -> Storage {
        if let storage = opened.storage { return storage }
        let isMissing = settings.missingFileIsEmpty && !FileManager.default.fileExists(atPath: settings.database)
        let storage =
            try isMissing
            ? Storage.inMemory(migrations: Self.migrations)
            : Storage(at: settings.database, migrations: Self.migrations, options: settings.storageOptions)
        opened.storage = storage
        return storage
    }
}
