public import Foundation
package import GRDB
public import SwitchboardStorage

/// A contact book in a database.
///
/// The book needs a `Storage` whose migrations include ``migrations``. It imports vCards (2.1, 3.0, 4.0) and CSV files
/// of Google and Outlook. When it stores a contact, it converts phone numbers to E.164 and folds the texts for the
/// search index.
///
/// For example:
///
/// ```swift
/// let storage = try Storage(at: "people.sqlite", migrations: [ContactBook.migrations])
/// let book = ContactBook(storage: storage, region: "TR")
/// let report = try book.importing([.file("people.vcf")])
/// let ayse = try book.add(Contact(name: PersonName(splitting: "Ayşe Öztürk")))
/// try book.recordCall(ayse.id)
/// ```
///
/// Every change increments the storage's generation of ``module`` in the same transaction. Unless noted otherwise,
/// methods throw ``ContactBookError`` for errors of the caller and `StorageError` for all others.
public struct ContactBook: Sendable {
    /// The storage of the contacts.
    public let storage: Storage
    /// The ISO 3166 code for numbers without a country code; nil if unknown.
    public let region: String?

    package let clock: @Sendable () -> Date

    /// Creates a book.
    ///
    /// - Parameters:
    ///   - storage: A storage opened with ``migrations``.
    ///   - region: The ISO 3166 code ("TR") for numbers without a country code; nil keeps such numbers as typed.
    ///   - clock: Returns the current time.
    public init(storage: Storage, region: String? = nil, clock: @escaping @Sendable () -> Date = { Date() }) {
        self.storage = storage
        self.region = region
        self.clock = clock
    }
}

// MARK: - Reading

extension ContactBook {
    /// Returns the contact with an identifier.
    ///
    /// - Throws: ``ContactBookError/notFound(id:)``.
    public func contact(_ id: String) throws -> Contact {
        try storage.read { db in try ContactFetching.contact(id, in: db).contact }
    }

    /// Returns the number of contacts.
    public func count() throws -> Int {
        try storage.read(count(in:))
    }

    package func count(in db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM contact") ?? 0
    }

    /// Returns contacts sorted by folded name, without the bytes of photos.
    ///
    /// - Parameters:
    ///   - group: The group to list, ignoring case and accents; nil for all contacts.
    ///   - favourites: `true` to list only favourites.
    ///   - limit: The maximum number of contacts; nil for all.
    ///   - offset: The number of contacts to skip.
    public func list(
        group: String? = nil, favourites: Bool = false, limit: Int? = nil, offset: Int = 0
    ) throws -> [Contact] {
        try storage.read { db in
            let keys = try ContactBook.keysByName(
                db, group: group, favourites: favourites, limit: limit, offset: offset)
            let contacts = try ContactFetching.contacts(keys, withPhotos: false, in: db)
            return keys.compactMap { contacts[$0] }
        }
    }

    /// Calls a closure with each contact, sorted by folded name. Contacts are read in batches.
    ///
    /// - Parameters:
    ///   - group: The group to read; nil for all contacts.
    ///   - withPhotos: `true` to read the bytes of photos, in smaller batches.
    ///   - body: Receives each contact. An error ends the iteration and is rethrown.
    public func forEach(group: String? = nil, withPhotos: Bool = false, _ body: (Contact) throws -> Void) throws {
        try storage.read { db in try ContactBook.forEach(in: db, group: group, withPhotos: withPhotos, body) }
    }

    static func forEach(
        in db: Database, group: String? = nil, withPhotos: Bool, _ body: (Contact) throws -> Void
    ) throws {
        let keys = try keysByName(db, group: group, limit: nil, offset: 0)
        try keys.forEachBatch(of: withPhotos ? 16 : 500) { batch in
            let contacts = try ContactFetching.contacts(Array(batch), withPhotos: withPhotos, in: db)
            for key in batch { try contacts[key].map(body) }
        }
    }

    private static func keysByName(
        _ db: Database, group: String? = nil, favourites: Bool = false, limit: Int?, offset: Int
    ) throws -> [Int64] {
        var conditions = try group.map { ["key IN (\(try keys(ofGroup: $0, in: db)))"] } ?? []
        if favourites { conditions.append("isFavourite") }
        let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        return try Int64.fetchAll(
            db, sql: "SELECT key FROM contact \(condition) ORDER BY sortKey, key LIMIT ? OFFSET ?",
            arguments: [max(limit ?? -1, -1), max(offset, 0)])
    }
}
