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
/// methods throw ``ContactBookError`` for errors that the caller can correct, and `StorageError` for all others.
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
        storage.register(Self.migrations)
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

    /// Returns the number of contacts in a group.
    ///
    /// - Throws: ``ContactBookError/unknownGroup(_:)``.
    public func count(inGroup group: String) throws -> Int {
        try storage.read { db in
            let members = try ContactBook.keys(ofGroup: group, in: db)
            return try Int.fetchOne(db, sql: "SELECT count(*) FROM contact WHERE key IN (\(members))") ?? 0
        }
    }

    /// Returns the first letters of the folded names with their contact counts, in list order.
    package func letters() throws -> [(letter: String, count: Int)] {
        try storage.read { db in try db.letters(of: "contact") }
    }

    package func count(in db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM contact") ?? 0
    }

    /// Returns contacts without the bytes of their photos.
    ///
    /// - Parameters:
    ///   - group: The group to list, ignoring case and accents; nil for all contacts.
    ///   - favourites: `true` to list only favorites.
    ///   - order: The sort order. Names are folded.
    ///   - limit: The maximum number of contacts; nil for all.
    ///   - offset: The number of contacts to skip.
    public func list(
        group: String? = nil, favourites: Bool = false, sortedBy order: ContactSortOrder = .name, limit: Int? = nil,
        offset: Int = 0
    ) throws -> [Contact] {
        try storage.read { db in
            let keys = try ContactBook.keys(
                db, group: group, favourites: favourites, sortedBy: order, limit: limit, offset: offset)
            let contacts = try ContactFetching.contacts(keys, withPhotos: false, in: db)
            return keys.compactMap { contacts[$0] }
        }
    }

    /// Returns a page of contacts, by name and without photo bytes, optionally limited to a group, to favorites, or to
    /// both.
    package func page(
        group: String? = nil, favourites: Bool = false, at cursor: ListCursor, limit: Int
    ) throws -> ListPage<Contact> {
        try storage.read { db in
            let condition = try ContactBook.condition(group: group, favourites: favourites, in: db)
            let page = try db.page(of: "contact", where: condition, sortedBy: "sortKey", at: cursor, limit: limit)
            let contacts = try ContactFetching.contacts(page.rows, withPhotos: false, in: db)
            return page.compactMap { contacts[$0] }
        }
    }

    /// Calls a closure with each contact. Contacts are read in batches.
    ///
    /// - Parameters:
    ///   - group: The group to read; nil for all contacts.
    ///   - order: The sort order. Names are folded.
    ///   - withPhotos: `true` to read the bytes of photos, in smaller batches.
    ///   - body: Receives each contact. An error ends the iteration and is rethrown.
    public func forEach(
        group: String? = nil, sortedBy order: ContactSortOrder = .name, withPhotos: Bool = false,
        _ body: (Contact) throws -> Void
    ) throws {
        try storage.read { db in
            try ContactBook.forEach(in: db, group: group, sortedBy: order, withPhotos: withPhotos, body)
        }
    }

    static func forEach(
        in db: Database, group: String? = nil, sortedBy order: ContactSortOrder = .name, withPhotos: Bool,
        _ body: (Contact) throws -> Void
    ) throws {
        let keys = try keys(db, group: group, sortedBy: order, limit: nil, offset: 0)
        try keys.forEachBatch(of: withPhotos ? 16 : 500) { batch in
            let contacts = try ContactFetching.contacts(Array(batch), withPhotos: withPhotos, in: db)
            for key in batch { try contacts[key].map(body) }
        }
    }

    private static func condition(group: String?, favourites: Bool, in db: Database) throws -> String {
        var conditions = try group.map { ["key IN (\(try keys(ofGroup: $0, in: db)))"] } ?? []
        if favourites { conditions.append("isFavourite") }
        return conditions.isEmpty ? "1" : conditions.joined(separator: " AND ")
    }

    private static func keys(
        _ db: Database, group: String? = nil, favourites: Bool = false, sortedBy order: ContactSortOrder, limit: Int?,
        offset: Int
    ) throws -> [Int64] {
        let condition = try condition(group: group, favourites: favourites, in: db)
        return try order.keys(where: "WHERE " + condition, limit: max(limit ?? -1, -1), offset: max(offset, 0), in: db)
    }
}
