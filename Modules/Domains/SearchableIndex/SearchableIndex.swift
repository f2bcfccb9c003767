public import Foundation
public import SwitchboardStorage

/// A searchable index of app content: apps add items with attributes, and users search them and open the exact place.
///
/// This is the counterpart of Core Spotlight. An index is stored in a `Storage` whose migrations include
/// ``migrations``; a storage can contain several named indexes. When a method that changes the index returns, the
/// change is durable and searchable.
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
/// let hits = try ItemSearch(index: index).search("braking").hits
/// try index.deleteItems(inDomains: ["tv-shows"])
/// ```
///
/// Unless documented otherwise, methods throw ``SearchableIndexError`` for errors that the caller can correct, and
/// `StorageError` for all others.
public struct SearchableIndex: Sendable {
    /// The name of the default index.
    public static let defaultName = "default"
    /// The default lifetime of an item: 30 days.
    public static let defaultLifetime: TimeInterval = 30 * 86_400
    /// The maximum size of a client state in bytes.
    public static let maximumClientStateSize = 250

    /// The storage of the items.
    public let storage: Storage
    /// The name of the index in the storage.
    public let name: String

    let clock: @Sendable () -> Date

    /// Creates access to an index in a storage. An index without items needs no creation.
    ///
    /// - Parameters:
    ///   - storage: A storage opened with the migrations of this module.
    public init(
        storage: Storage, name: String = SearchableIndex.defaultName,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        storage.register(Self.migrations)
        self.storage = storage
        self.name = name
        self.clock = clock
    }
}
