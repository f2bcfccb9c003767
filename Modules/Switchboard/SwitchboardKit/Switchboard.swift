public import SwitchboardAirports
public import SwitchboardContacts
import SwitchboardKeypadLearning
public import SwitchboardProspects
public import SwitchboardReminders
public import SwitchboardSearchableIndex
public import SwitchboardStorage
import Synchronization

/// Everything behind the front ends: opens the storage, composes the domains, and finds across all of them.
///
/// A command line, a terminal or a server makes one of these and asks it. Nothing is opened before it is needed: looking for a
/// contact never reads the airports, and turning text into keys opens no file at all. For example:
///
/// ```swift
/// let switchboard = Switchboard(Settings(database: "/home/ana/people.sqlite", region: "TR"))
/// let answer = try switchboard.dialContacts("5646")
/// print(answer.results.first?.title ?? "nobody")
/// ```
///
/// It may be used from several tasks at once. It prints nothing and knows no terminal.
///
/// ## What there is
///
/// - The domains: ``contacts``, ``contactSearch``, ``airports``, ``airportSearch``, ``prospects``,
///   ``prospectSearch``, ``reminders``, ``items(_:)``, ``itemSearch(_:)``
/// - Answers: ``find(_:kinds:keypad:limit:isCancelled:)``, ``SearchResponse``, ``SearchResult``, ``ResultList``, ``OrderedJSON``
/// - Airports of a server: ``AirportServer``, ``completing(_:keypad:limit:stage:language:from:isCancelled:)``,
///   ``refreshPopular(from:onlyIfDue:isCancelled:)``
/// - Where and for whom: ``Settings``, ``ProcessEnvironment``
/// - Errors: ``Fault``, ``ExitStatus``
public final class Switchboard: Sendable {
    /// The version of all programs that are built of these modules (https://semver.org).
    public static let version = "0.1.0"

    /// What every module of this program needs in the file.
    public static let migrations: [ModuleMigrations] = [
        ContactBook.migrations, Airports.migrations, Prospects.migrations, Reminders.migrations,
        SearchableIndex.migrations, KeypadLearning.migrations,
    ]

    /// Which file, for whom.
    public let settings: Settings

    private struct Opened {
        var storage: Storage?
        var contactSearch: ContactSearch?
        var airportSearch: AirportSearch?
        var prospectSearch: ProspectSearch?
        var itemSearches: [String: ItemSearch] = [:]
    }

    private let opened = Mutex(Opened())

    /// Where the airports are looked up, if not in the file of the settings.
    private let sharedAirports: Switchboard?

    /// A switchboard over the file of the settings, which is opened when first needed.
    ///
    /// - Parameters:
    ///   - settings: which file, and for whom.
    ///   - shared: the switchboard whose list of airports and indexes of them are used, so that many people need them only
    ///     once; which airports a person has chosen stays in the file of the settings.
    public init(_ settings: Settings, sharingAirportsOf shared: Switchboard? = nil) {
        self.settings = settings
        sharedAirports = shared
    }

    /// The storage, opened and up to date.
    ///
    /// - Throws: `StorageError`.
    public var storage: Storage {
        get throws { try opened.withLock { try storage(&$0) } }
    }

    /// Whether the storage is open.
    var isOpen: Bool { opened.withLock { $0.storage != nil } }

    /// The people.
    ///
    /// - Throws: `StorageError`.
    public var contacts: ContactBook {
        get throws { try contactSearch.book }
    }

    /// The search for people.
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

    /// Closes the file, for a program that is about to end: what is asked afterwards fails.
    public func close() {
        opened.withLock { $0.storage?.closeAtExit() }
    }

    /// Does what searches would sooner or later need, after something was changed; usually it is nothing.
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

    /// The people met.
    ///
    /// - Throws: `StorageError`.
    public var prospects: Prospects {
        get throws { try prospectSearch.prospects }
    }

    /// The search for people met.
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

    /// An index of items.
    ///
    /// - Throws: `StorageError`.
    public func items(_ name: String = SearchableIndex.defaultName) throws -> SearchableIndex {
        try itemSearch(name).index
    }

    /// The search of an index of items.
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
