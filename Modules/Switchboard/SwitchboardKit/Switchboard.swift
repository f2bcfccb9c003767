public import SwitchboardAirports
public import SwitchboardContacts
import SwitchboardKeypadLearning
public import SwitchboardProspects
public import SwitchboardReminders
public import SwitchboardSearchableIndex
public import SwitchboardStorage
import Synchronization

/// The composition of all modules behind a front end: opens the storage, composes the domains, and searches across
/// them.
///
/// Everything is opened on first use: searching contacts never reads the airports, and converting text to keys opens no
/// file. A switchboard is safe to use from several tasks. It prints nothing and does not depend on a terminal.
///
/// For example:
///
/// ```swift
/// let switchboard = Switchboard(Settings(database: "/home/ana/people.sqlite", region: "TR"))
/// let answer = try switchboard.dialContacts("5646")
/// print(answer.results.first?.title ?? "no match")
/// ```
///
/// ## Topics
///
/// - Domains: ``contacts``, ``contactSearch``, ``airports``, ``airportSearch``, ``prospects``, ``prospectSearch``,
///   ``reminders``, ``items(_:)``, ``itemSearch(_:)``
/// - Responses: ``find(_:kinds:keypad:limit:isCancelled:)``, ``SearchResponse``, ``SearchResult``, ``ListResponse``,
///   `OrderedJSON`
/// - Remote airports: ``AirportServer``, ``completing(_:keypad:limit:stage:language:from:isCancelled:)``,
///   ``refreshPopular(from:onlyIfDue:isCancelled:)``
/// - Configuration: ``Settings``, ``ProcessEnvironment``
/// - Errors: ``SwitchboardError``, ``ExitStatus``
public final class Switchboard: Sendable {
    /// The version of all programs built from these modules (https://semver.org).
    public static let version = "0.1.0"

    /// The migrations of all modules.
    public static let migrations: [ModuleMigrations] = [
        ContactBook.migrations, Airports.migrations, Prospects.migrations, Reminders.migrations,
        SearchableIndex.migrations, KeypadLearning.migrations,
    ]

    /// The settings.
    public let settings: Settings

    private struct Opened {
        var storage: Storage?
        var contactSearch: ContactSearch?
        var airportSearch: AirportSearch?
        var prospectSearch: ProspectSearch?
        var itemSearches: [String: ItemSearch] = [:]
    }

    private let opened = Mutex(Opened())

    private let sharedAirports: Switchboard?

    /// Creates a switchboard over the file of the settings, which is opened on first use.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - shared: A switchboard whose airports and airport indexes are shared, so that a server loads them once for
    ///     all users. Chosen airports are still stored in the file of the settings.
    public init(_ settings: Settings, sharingAirportsOf shared: Switchboard? = nil) {
        self.settings = settings
        sharedAirports = shared
    }

    /// The storage, migrated to the current version.
    ///
    /// - Throws: `StorageError`.
    public var storage: Storage {
        get throws { try opened.withLock { try storage(&$0) } }
    }

    var isOpen: Bool { opened.withLock { $0.storage != nil } }

    /// The address book.
    ///
    /// - Throws: `StorageError`.
    public var contacts: ContactBook {
        get throws { try contactSearch.book }
    }

    /// The search for contacts.
    ///
    /// - Throws: `StorageError`.
    public var contactSearch: ContactSearch {
        get throws {
            try opened.withLock { opened in
                if let search = opened.contactSearch { return search }
                let book = ContactBook(storage: try storage(&opened), region: settings.region)
                let search = ContactSearch(book: book, rebuildsInBackground: !settings.endsSoon)
                opened.contactSearch = search
                return search
            }
        }
    }

    /// Closes the file before the program exits; later accesses fail.
    public func close() {
        opened.withLock { $0.storage?.closeAtExit() }
    }

    /// Performs pending maintenance of the search indexes after changes; usually there is none.
    ///
    /// - Throws: `StorageError`.
    public func compact() throws {
        try contactSearch.compact()
        try prospectSearch.compact()
        for search in opened.withLock({ Array($0.itemSearches.values) }) { try search.compact() }
    }

    /// The airports.
    ///
    /// - Throws: `StorageError`.
    public var airports: Airports {
        get throws { try airportSearch.airports }
    }

    /// The search for airports.
    ///
    /// - Throws: `StorageError`.
    public var airportSearch: AirportSearch {
        get throws {
            try opened.withLock { opened in
                if let search = opened.airportSearch { return search }
                let search = AirportSearch(
                    storage: try storage(&opened), sharing: try sharedAirports?.airportSearch)
                opened.airportSearch = search
                return search
            }
        }
    }

    /// The prospects.
    ///
    /// - Throws: `StorageError`.
    public var prospects: Prospects {
        get throws { try prospectSearch.prospects }
    }

    /// The search for prospects.
    ///
    /// - Throws: `StorageError`.
    public var prospectSearch: ProspectSearch {
        get throws {
            try opened.withLock { opened in
                if let search = opened.prospectSearch { return search }
                let prospects = Prospects(storage: try storage(&opened), region: settings.region)
                let search = ProspectSearch(prospects: prospects, rebuildsInBackground: !settings.endsSoon)
                opened.prospectSearch = search
                return search
            }
        }
    }

    /// Returns the index of items with a name.
    ///
    /// - Throws: `StorageError`.
    public func items(_ name: String = SearchableIndex.defaultName) throws -> SearchableIndex {
        try itemSearch(name).index
    }

    /// Returns the search of an index of items.
    ///
    /// - Throws: `StorageError`.
    public func itemSearch(_ name: String = SearchableIndex.defaultName) throws -> ItemSearch {
        try opened.withLock { opened in
            if let search = opened.itemSearches[name] { return search }
            let index = SearchableIndex(storage: try storage(&opened), name: name)
            let search = ItemSearch(index: index, rebuildsInBackground: !settings.endsSoon)
            opened.itemSearches[name] = search
            return search
        }
    }

    /// The reminders.
    ///
    /// - Throws: `StorageError`.
    public var reminders: Reminders {
        get throws { Reminders(storage: try storage) }
    }

    private func storage(_ opened: inout Opened) throws(StorageError) -> Storage {
        if let storage = opened.storage { return storage }
        let storage = try Storage(
            at: settings.database, migrations: Self.migrations, options: settings.storageOptions)
        opened.storage = storage
        return storage
    }
}
