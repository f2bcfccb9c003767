public import Foundation
public import SwitchboardStorage

/// What apps hold, made findable: items with attributes are put in, people search them and are taken back to the exact place.
///
/// The job of Core Spotlight. An index stands on a `Storage` whose migrations include ``migrations``; several, told apart by their
/// names, may stand in one file. When a call that changes something returns, the change is durable and will be found.
///
/// For example:
///
/// ```swift
/// let storage = try Storage(at: "people.sqlite", migrations: [SearchableIndex.migrations])
/// let index = SearchableIndex(storage: storage)
/// var attributes = SearchableItemAttributeSet()
/// attributes.title = "Breaking Dunes"
/// attributes.keywords = ["drama", "desert"]
/// try index.put([SearchableItem(uniqueIdentifier: "show-1", domainIdentifier: "tv-shows", attributeSet: attributes)])
/// let hits = try ItemSearch(index: index).answer(finding: "braking").hits
/// try index.deleteItems(inDomains: ["tv-shows"])
/// ```
///
/// Unless said otherwise the methods throw ``SearchableIndexError`` for what the caller can mend, and `StorageError` for the
/// rest.
public struct SearchableIndex: Sendable {
    /// The name of the index that is meant when none is named.
    public static let defaultName = "default"
    /// How long an item is kept unless it says otherwise: a month.
    public static let usualLifetime: TimeInterval = 30 * 86_400
    /// The most bytes of a client state.
    public static let longestClientState = 250

    /// Where the items are kept.
    public let storage: Storage
    /// Which of the indexes in the storage it is.
    public let name: String

    let clock: @Sendable () -> Date

    /// An index in a storage that has the tables of this module. An index that was never put anything into is empty.
    ///
    /// - Parameters:
    ///   - storage: opened with the migrations of this module.
    ///   - name: which index; there may be several in a storage.
    ///   - clock: what tells the time.
    public init(
        storage: Storage, name: String = SearchableIndex.defaultName,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.storage = storage
        self.name = name
        self.clock = clock
    }
}
