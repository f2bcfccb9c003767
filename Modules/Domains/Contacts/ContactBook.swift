public import Foundation
package import GRDB
public import SwitchboardStorage

/// The people someone knows: stored, imported, exported, changed, counted.
///
/// The book stands on a `Storage` whose migrations include ``migrations``. It reads vCards (2.1, 3.0, 4.0) and the tables
/// of Google and Outlook, brings phone numbers into the international form when storing them, and keeps beside each contact
/// its folded texts, from which the search index is made.
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
/// Every change moves the storage's generation of ``module`` on, in the same transaction. Unless said otherwise the methods
/// throw ``ContactBookError`` for what the caller can mend, and `StorageError` for the rest.
public struct ContactBook: Sendable {
    /// Where the contacts are kept.
    public let storage: Storage
    /// The territory of numbers without a country code, an ISO 3166 code; nil if unknown.
    public let region: String?

    package let clock: @Sendable () -> Date

    /// A book on a storage that has the book's tables.
    ///
    /// - Parameters:
    ///   - storage: opened with the book's migrations.
    ///   - region: the territory of numbers without a country code ("TR"); nil leaves such numbers as typed.
    ///   - clock: what tells the time.
    public init(storage: Storage, region: String? = nil, clock: @escaping @Sendable () -> Date = { Date() }) {
        self.storage = storage
        self.region = region
        self.clock = clock
    }
}

// MARK: - Reading

extension ContactBook {
    /// The contact of an identifier.
    ///
    /// - Throws: ``ContactBookError/notFound(id:)``.
    public func contact(_ id: String) throws -> Contact {
        try storage.read { db in try ContactFetching.contact(id, in: db).contact }
    }

    /// How many contacts there are.
    public func count() throws -> Int {
        try storage.read(count(in:))
    }

    package func count(in db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM contact") ?? 0
    }

    /// The contacts in order of their folded names, without the bytes of photographs.
    ///
    /// - Parameters:
    ///   - group: only those of this group, in any case and with any accents; nil for all.
    ///   - limit: how many at most; nil for all.
    ///   - offset: how many to leave out first.
    public func list(group: String? = nil, limit: Int? = nil, offset: Int = 0) throws -> [Contact] {
        try storage.read { db in
            let keys = try ContactBook.keysByName(db, group: group, limit: limit, offset: offset)
            let contacts = try ContactFetching.contacts(keys, withPhotos: false, in: db)
            return keys.compactMap { contacts[$0] }
        }
    }

    /// Calls `body` with each contact in order of the folded names, holding some hundred at a time in memory.
    ///
    /// - Parameters:
    ///   - group: only those of this group; nil for all.
    ///   - withPhotos: whether the bytes of photographs are read; then fewer are held at a time.
    ///   - body: what is done with each; what it throws ends the reading.
    public func forEach(
        group: String? = nil, withPhotos: Bool = false, _ body: (Contact) throws -> Void
    ) throws {
        try storage.read { db in try ContactBook.forEach(in: db, group: group, withPhotos: withPhotos, body) }
    }

    static func forEach(
        in db: Database, group: String? = nil, withPhotos: Bool, _ body: (Contact) throws -> Void
    ) throws {
        let keys = try keysByName(db, group: group, limit: nil, offset: 0)
        let size = withPhotos ? 16 : 500
        var start = 0
        while start < keys.count {
            let batch = Array(keys[start..<min(start + size, keys.count)])
            let contacts = try ContactFetching.contacts(batch, withPhotos: withPhotos, in: db)
            for key in batch {
                if let contact = contacts[key] { try body(contact) }
            }
            start += batch.count
        }
    }

    private static func keysByName(
        _ db: Database, group: String? = nil, limit: Int?, offset: Int
    ) throws -> [Int64] {
        let condition = try group.map { "WHERE key IN (\(try keys(ofGroup: $0, in: db)))" } ?? ""
        return try Int64.fetchAll(
            db, sql: "SELECT key FROM contact \(condition) ORDER BY sortKey, key LIMIT ? OFFSET ?",
            arguments: [max(limit ?? -1, -1), max(offset, 0)])
    }
}
