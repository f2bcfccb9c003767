public import Foundation
package import GRDB
import SwitchboardAlgorithms
public import SwitchboardStorage
import SwitchboardTextNormalization

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
/// let report = try book.importContacts(from: [.file("people.vcf")])
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
    public init(storage: Storage, region: String?, clock: @escaping @Sendable () -> Date = { Date() }) {
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

    /// Returns the contacts whose identifiers begin with an ASCII text, by name and without photo bytes.
    package func contacts(identifiedFrom start: String) throws -> [Contact] {
        try storage.read { db in
            let keys = try db.keys(of: "contact", identifiedFrom: start)
            let contacts = try ContactFetching.contacts(keys, withPhotos: false, in: db)
            return keys.compactMap { contacts[$0] }
        }
    }

    /// Returns contacts whose names begin with a text, folded, by name and without photo bytes.
    ///
    /// - Complexity: O(`limit` · log *n*).
    package func contacts(beginningWith text: String, limit: Int) throws -> [Contact] {
        let start = NameKey(text).sortText
        if start.isEmpty { return [] }
        return try storage.read { db in
            let keys = try Int64.fetchAll(
                db, sql: "SELECT key FROM contact WHERE sortKey >= ? AND sortKey < ? ORDER BY sortKey, key LIMIT ?",
                arguments: [start, start + "\u{10FFFF}", limit])
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

    /// Calls a closure with each contact, by name, that has a scalar in its displayed name or in any text, and possibly
    /// with others.
    package func forEach(
        containing scalar: Unicode.Scalar, inName: Bool, group: String?, _ body: (Contact) throws -> Void
    ) throws {
        func contains(_ columns: [String]) -> String {
            "instr(\(columns.joined(separator: " || ")), char(\(scalar.value)))"
        }
        let names = ["prefix", "given", "middle", "family", "suffix", "formatted", "nickname", "organization"]
        let condition =
            inName
            // A contact without a name is displayed as its address or number.
            ? "(\(contains(names)) OR \(names.joined(separator: " || ")) = '')"
            : """
            key IN (
                SELECT key FROM contact WHERE \(contains(ContactTextField.all.map(\.column) + ["formatted"]))
                UNION SELECT contact FROM contact_phone WHERE \(contains(["number"]))
                UNION SELECT contact FROM contact_email WHERE \(contains(["address"]))
                UNION SELECT contact FROM contact_detail WHERE \(contains(["value"])))
            """
        try storage.read { db in
            let isMember = try ContactBook.condition(group: group, favourites: false, in: db)
            let keys = try ContactSortOrder.name.keys(
                where: "WHERE \(isMember) AND \(condition)", limit: -1, offset: 0, in: db)
            try ContactBook.forEach(keys, withPhotos: false, in: db, body)
        }
    }

    static func forEach(
        in db: Database, group: String? = nil, sortedBy order: ContactSortOrder = .name, withPhotos: Bool,
        _ body: (Contact) throws -> Void
    ) throws {
        let keys = try keys(db, group: group, sortedBy: order, limit: nil, offset: 0)
        try forEach(keys, withPhotos: withPhotos, in: db, body)
    }

    private static func forEach(
        _ keys: [Int64], withPhotos: Bool, in db: Database, _ body: (Contact) throws -> Void
    ) throws {
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

// MARK: - Changing

extension ContactBook {
    /// Adds a contact, with a new identifier if it has none and without duplicate numbers and addresses.
    ///
    /// - Returns: The stored contact.
    /// - Throws: ``ContactBookError/nameless``, ``ContactBookError/tooLong(field:limit:)``,
    ///   ``ContactBookError/tooMany(field:limit:)``, ``ContactBookError/nulText(field:)``,
    ///   ``ContactBookError/notAPicture(reason:)``, ``ContactBookError/duplicateID(_:)``.
    @discardableResult
    public func add(_ contact: Contact) throws -> Contact {
        // Comparing all elements of a list takes quadratic time, so the sizes are checked first.
        try contact.checkSizes()
        if let excess = contact.photo?.data.flatMap({ ContactPhoto.excess(of: $0) }) {
            throw ContactBookError.notAPicture(reason: excess)
        }
        var contact = contact.deduplicated
        guard contact.isNameable else { throw ContactBookError.nameless }
        let now = clock()
        contact.createdAt = contact.createdAt ?? now
        contact.modifiedAt = now
        if contact.id.isEmpty { contact.id = Storage.newIdentifier() }
        let prepared = PreparedContact(contact)
        return try writing { db in
            if try ContactFetching.key(ifAny: contact.id, in: db) != nil {
                throw ContactBookError.duplicateID(contact.id)
            }
            _ = try ContactRows(db).insert(prepared)
            return prepared.contact
        }
    }

    /// Changes a contact.
    ///
    /// If the components of the name change and the formatted name does not, the formatted name is recomposed. The
    /// identifier and the times cannot be changed.
    ///
    /// - Parameters:
    ///   - id: The identifier of the contact.
    ///   - change: Modifies the contact. If it throws, nothing is changed.
    /// - Returns: The stored contact.
    /// - Throws: ``ContactBookError/notFound(id:)``, ``ContactBookError/nameless``,
    ///   ``ContactBookError/tooLong(field:limit:)``, ``ContactBookError/tooMany(field:limit:)``,
    ///   ``ContactBookError/nulText(field:)``, ``ContactBookError/notAPicture(reason:)``.
    @discardableResult
    public func edit(_ id: String, _ change: (inout Contact) throws -> Void) throws -> Contact {
        try edit(id, adoptsVendorData: true, change)
    }

    /// Changes a contact.
    ///
    /// - Parameter adoptsVendorData: `true` to keep what other programs wrote about values that stay, which forms and
    ///   requests do not contain.
    func edit(
        _ id: String, adoptsVendorData: Bool, _ change: (inout Contact) throws -> Void
    ) throws -> Contact {
        try writing { db in
            let (key, old) = try ContactFetching.contact(id, in: db)
            var new = old
            try change(&new)
            if adoptsVendorData { new = new.adoptingVendorData(of: old) }
            // A contact from a list has a photo without bytes.
            if let photo = new.photo, photo.data == nil { new.photo = old.photo }
            if new.name != old.name, new.formattedName == old.formattedName { new.formattedName = "" }
            if new.name.family != old.name.family, new.name.secondFamily == old.name.secondFamily {
                new.name.secondFamily = ""
            }
            if new.name.suffix != old.name.suffix, new.name.generation == old.name.generation {
                new.name.generation = ""
            }
            new.id = old.id
            new.createdAt = old.createdAt
            new.modifiedAt = old.modifiedAt
            try new.checkTexts()
            // A contact that was too large before can still be changed.
            if let excess = new.excess, old.excess == nil { throw excess }
            if new.photo != old.photo, let excess = new.photo?.data.flatMap({ ContactPhoto.excess(of: $0) }) {
                throw ContactBookError.notAPicture(reason: excess)
            }
            new = new.deduplicated
            guard new.isNameable else { throw ContactBookError.nameless }
            guard new != old else { return old }
            new.modifiedAt = clock()
            try ContactRows(db).replace(key: key, by: PreparedContact(new))
            return new
        }
    }

    /// The number of days for which a removed contact can be restored. Later, the next removal deletes it permanently.
    public static let daysToRestore = 30

    /// Removes contacts in one transaction, or none if an identifier is unknown. ``restore(_:)`` undoes the removal.
    ///
    /// - Throws: ``ContactBookError/notFound(id:)``.
    public func remove(_ ids: [String]) throws {
        let now = clock().timeIntervalSince1970
        try writing { db in
            for id in ids.uniqued {
                let key = try ContactFetching.key(of: id, in: db)
                try db.execute(
                    sql: "INSERT OR REPLACE INTO contact_removed (id, removedAt, rows) VALUES (?, ?, ?)",
                    arguments: [id, now, try JSONEncoder().encode(StoredRows(of: key, in: db))])
                try ContactRows.delete(key, in: db)
            }
            try db.execute(
                sql: "DELETE FROM contact_removed WHERE removedAt < ?",
                arguments: [now - Double(ContactBook.daysToRestore) * 86_400])
        }
    }

    /// Returns the number of phone numbers that are long enough for a country code but have none, because the region of
    /// the import was unknown. They are found only as they are stored.
    public func numbersWithoutCountry() throws -> Int {
        try storage.read { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT count(*) FROM contact_phone WHERE e164 IS NULL AND length(national) BETWEEN 7 AND 15")
            return try row?.value(0) ?? 0
        }
    }

    /// Returns the contacts that ``restore(_:)`` can restore, the latest removal first.
    public func removed() throws -> [RemovedContact] {
        let oldest = clock().timeIntervalSince1970 - Double(ContactBook.daysToRestore) * 86_400
        return try storage.read { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT rows, removedAt FROM contact_removed WHERE removedAt >= ? ORDER BY removedAt DESC, id",
                arguments: [oldest])
            return try rows.compactMap { row in
                let json: Data = try row.value(0)
                guard let contact = (try? JSONDecoder().decode(StoredRows.self, from: json))?.contact else {
                    return nil
                }
                return RemovedContact(
                    contact: contact, removedAt: Date(timeIntervalSince1970: try row.value(1) as Double))
            }
        }
    }

    /// Restores removed contacts exactly, or none if one cannot be restored. Their merges can no longer be undone.
    ///
    /// - Returns: The contacts in the order of the identifiers.
    /// - Throws: ``ContactBookError/notRemoved(id:)``, ``ContactBookError/duplicateID(_:)``.
    @discardableResult
    public func restore(_ ids: [String]) throws -> [Contact] {
        try writing { db in
            try ids.uniqued.map { id in
                if try ContactFetching.key(ifAny: id, in: db) != nil { throw ContactBookError.duplicateID(id) }
                let row = try Row.fetchOne(
                    db, sql: "SELECT rows FROM contact_removed WHERE id = ?", arguments: [id])
                guard let row else { throw ContactBookError.notRemoved(id: id) }
                let json: Data = try row.value(0)
                guard let rows = try? JSONDecoder().decode(StoredRows.self, from: json) else {
                    throw ContactBookError.notRemoved(id: id)
                }
                try rows.restore(in: db)
                try db.execute(sql: "DELETE FROM contact_removed WHERE id = ?", arguments: [id])
                return try ContactFetching.contact(id, in: db).contact
            }
        }
    }

    /// Sets or clears the favorite flag of a contact.
    ///
    /// - Returns: The stored contact.
    /// - Throws: ``ContactBookError/notFound(id:)``.
    @discardableResult
    public func setFavourite(_ id: String, to isFavourite: Bool = true) throws -> Contact {
        try writing { db in
            let key = try ContactFetching.key(of: id, in: db)
            try db.execute(
                sql: "UPDATE contact SET isFavourite = ?1, modifiedAt = ?2 WHERE key = ?3 AND isFavourite <> ?1",
                arguments: [isFavourite, clock().timeIntervalSince1970, key])
            return try ContactFetching.contact(id, in: db).contact
        }
    }

    /// Takes back the last ``recordCall(_:)`` of a contact.
    ///
    /// - Parameters:
    ///   - id: The identifier of the contact.
    ///   - time: The time of the call before; nil if it is unknown, and for the first one.
    /// - Returns: The stored contact.
    /// - Throws: ``ContactBookError/notFound(id:)``, ``ContactBookError/notCalled(id:)``.
    @discardableResult
    public func undoCall(_ id: String, lastCalledAt time: Date? = nil) throws -> Contact {
        try writing { db in
            let key = try ContactFetching.key(of: id, in: db)
            try db.execute(
                sql: """
                    UPDATE contact SET callCount = callCount - 1,
                        lastCalledAt = CASE WHEN callCount = 1 THEN NULL ELSE coalesce(?, lastCalledAt) END
                    WHERE key = ? AND callCount > 0
                    """,
                arguments: [time?.timeIntervalSince1970, key])
            guard db.changesCount > 0 else { throw ContactBookError.notCalled(id: id) }
            return try ContactFetching.contact(id, in: db).contact
        }
    }

    /// Records that a contact was chosen, with the current time.
    ///
    /// - Returns: The stored contact.
    /// - Throws: ``ContactBookError/notFound(id:)``.
    @discardableResult
    public func recordCall(_ id: String) throws -> Contact {
        try writing { db in
            let key = try ContactFetching.key(of: id, in: db)
            try db.execute(
                sql: "UPDATE contact SET callCount = callCount + 1, lastCalledAt = ? WHERE key = ?",
                arguments: [clock().timeIntervalSince1970, key])
            return try ContactFetching.contact(id, in: db).contact
        }
    }
}

/// A contact that was removed and can be restored.
public struct RemovedContact: Sendable {
    /// The contact with its texts, numbers and e-mail addresses.
    public let contact: Contact
    /// The time of the removal.
    public let removedAt: Date
}

// MARK: - Photos

extension ContactBook {
    /// Returns the photo of a contact; nil without one.
    ///
    /// - Throws: ``ContactBookError/notFound(id:)``.
    public func photo(of id: String) throws -> ContactPhoto? {
        try storage.read { db in
            let key = try ContactFetching.key(of: id, in: db)
            let row = try Row.fetchOne(
                db, sql: "SELECT label, value FROM contact_detail WHERE contact = ? AND kind = ?",
                arguments: [key, DetailKind.photo.rawValue])
            return try row.map { try ContactPhoto($0.value(1) as Data, label: $0.value(0)) }
        }
    }

    /// Replaces the photo of a contact, or removes it if nil.
    ///
    /// ``ContactPhoto/init(picture:)`` creates a photo from the bytes of a file.
    ///
    /// - Returns: The stored contact.
    /// - Throws: ``ContactBookError/notFound(id:)``; ``ContactBookError/noPhoto(id:)`` if there is no photo to remove.
    @discardableResult
    public func setPhoto(_ photo: ContactPhoto?, of id: String) throws -> Contact {
        try edit(id) { contact in
            if photo == nil, contact.photo == nil { throw ContactBookError.noPhoto(id: id) }
            contact.photo = photo
        }
    }
}
