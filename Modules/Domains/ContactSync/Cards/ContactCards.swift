import Foundation
import GRDB
import SwitchboardAlgorithms
public import SwitchboardContacts
public import SwitchboardStorage
import SwitchboardVCard

/// The contacts of a book as vCard files, for clients that synchronize with a server.
///
/// A card that a client wrote is kept byte for byte. A change made elsewhere changes only the properties that it
/// touches, as in a linked folder. The card of a contact that no client has written is written once and then stays the
/// same. Group cards are no contacts: whoever they list belongs to the group.
///
/// For example:
///
/// ```swift
/// let cards = ContactCards(book: book)
/// let stored = try cards.write(bytes, as: "ana.vcf") { tag in tag == nil }
/// let changes = try cards.changes(since: token)
/// ```
public struct ContactCards: Sendable {
    /// The maximum size of a card in bytes.
    public static let largestCard = 16 << 20

    private let book: ContactBook

    /// Creates the cards of a book.
    public init(book: ContactBook) {
        self.book = book
    }
}

// MARK: - Versions

extension ContactCards {
    /// Returns the version that a card declares, such as "4.0"; nil if it declares none.
    public static func version(of card: [UInt8]) -> String? {
        // The version is the second line, or at least before long values.
        for line in card.prefix(1_024).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let text = String(decoding: line, as: UTF8.self)
            if text.uppercased().hasPrefix("VERSION:") { return String(text.dropFirst(8)).trimmingWhitespace }
        }
        return nil
    }

    /// Returns a card in version 3.0 or 4.0, with all its properties; nil if it has that version, or is none that can be
    /// converted.
    public static func converted(_ card: [UInt8], to version: String) -> [UInt8]? {
        guard let version = VCardWriter.Version(rawValue: version), Self.version(of: card) != version.rawValue,
            let file = try? CardFile(card, region: nil)
        else { return nil }
        if file.card.isGroup { return GroupCardPatch.bytes(of: file, in: version) }
        return file.contact.card(version, identifier: file.identifier)
    }
}

// MARK: - Reading

extension ContactCards {
    /// Returns the token of the present state.
    public func token() throws -> ChangeToken {
        try book.storage.read { db in try ContactBook.journal.token(in: db) }
    }

    /// Returns all cards.
    public func list() throws -> [StoredResource] {
        try current(nil) { db in try CardRow.all(in: db).map(\.resource) } ?? []
    }

    /// Returns the cards that changed after a token, or all cards without one.
    ///
    /// - Parameters:
    ///   - token: A token of an earlier call.
    ///   - limit: The maximum number of cards and removals.
    /// - Returns: nil if the token is unknown or too old.
    public func changes(since token: ChangeToken?, limit: Int = .max) throws -> ResourceChanges? {
        guard let token, token.listedTo == nil else { return try firstListing(token, limit: limit) }
        let journal = ContactBook.journal
        let objects = try book.storage.read { db in
            try journal.changes(since: token, limit: limit, in: db)?.entries.map(\.object)
        }
        guard let objects else { return nil }
        return try current(objects) { db in
            guard let found = try journal.changes(since: token, limit: limit, in: db) else { return nil }
            var changes = ResourceChanges(token: found.token)
            changes.isComplete = found.isComplete
            for entry in found.entries {
                guard let row = try CardRow.find(contact: entry.object, in: db) else { continue }
                if entry.isRemoved { changes.removed.append(row.name) } else { changes.changed.append(row.resource) }
            }
            return changes
        }
    }

    /// Lists all cards in the order of their keys, from the key of the token on.
    private func firstListing(_ token: ChangeToken?, limit: Int) throws -> ResourceChanges? {
        try current(nil) { db in
            try ContactBook.journal.listing(continuing: token, limit: limit, in: db) { key, limit in
                try CardRow.all(after: key, limit: limit, in: db).map { ($0.key, $0.resource) }
            }.map { ResourceChanges(listing: $0) }
        }
    }

    /// Returns a card with its bytes; nil if there is none.
    public func card(_ name: String) throws -> (resource: StoredResource, bytes: [UInt8])? {
        let object = try book.storage.read { db in try CardRow.object(named: name, in: db) }
        guard let object else { return nil }
        return try current([object]) { db in
            guard let row = try CardRow.existing(name, in: db) else { return nil }
            return (row.resource, try row.bytes(in: db))
        }
    }

    /// Calls a closure with all cards and their bytes, until it returns `false`.
    public func forEach(_ body: (StoredResource, [UInt8]) throws -> Bool) throws {
        try current(nil) { db in try CardRow.forEach(in: db) { try body($0.resource, $1) } }
    }

    /// Calls `body` in a transaction in which the cards of some objects, or of all, describe their contacts.
    private func current<T>(_ objects: [String]?, _ body: (Database) throws -> T?) throws -> T? {
        for _ in 0..<Self.maximumReadings {
            var outdated: [String] = []
            let value = try book.storage.read { db in
                outdated = try CardRow.outdated(objects, in: db)
                return try outdated.isEmpty ? body(db) : nil
            }
            // Usually, nothing has changed since the last request.
            if outdated.isEmpty { return value }
            if objects == nil { try book.storage.write { db in try CardRow.deleteForgotten(in: db) } }
            // All contacts are outdated after an import. Others can write between the parts.
            try outdated.forEachBatch(of: Self.writtenTogether) { part in
                try book.storage.write { db in try refresh(part, in: db) }
            }
        }
        return try book.storage.write { db in
            try refresh(CardRow.outdated(objects, in: db), in: db)
            return try body(db)
        }
    }

    /// The number of times that the cards are written without preventing others from changing contacts meanwhile.
    private static let maximumReadings = 3
    /// The number of cards that are written in a transaction.
    private static let writtenTogether = 1_000
    /// The number of contacts that are read at a time, with their photos.
    private static let readTogether = 16

    /// Writes the cards of contacts that have none, or have changed since it was written.
    private func refresh(_ outdated: some Collection<String>, in db: Database) throws {
        let now = book.clock()
        try Array(outdated).forEachBatch(of: Self.readTogether) { part in
            let keys = try part.compactMap { try ContactFetching.key(ifAny: $0, in: db) }
            let contacts = try ContactFetching.contacts(keys, in: db)
            for id in part where id.hasPrefix(CardRow.groupPrefix) { try refreshGroup(id, at: now, in: db) }
            for key in keys { if let contact = contacts[key] { try refresh(contact, at: now, in: db) } }
        }
    }

    private func refresh(_ contact: Contact, at now: Date, in db: Database) throws {
        let modifiedAt = contact.modifiedAt ?? now
        guard let row = try CardRow.find(contact: contact.id, in: db) else {
            let uid = contact.sourceUID.isEmpty ? contact.id : contact.sourceUID
            let bytes = contact.card(.version3, identifier: uid)
            return try CardRow.save(bytes, as: contact.id + ".vcf", of: contact.id, uid: uid, at: modifiedAt, in: db)
        }
        let file = try CardFile(row.bytes(in: db), region: book.region)
        let described = try GroupCards.withoutListedGroups(contact, except: file.contact.groups, in: db)
        let bytes = try CardPatch.bytes(of: file, describing: described, now: modifiedAt, region: book.region)
        let time = bytes == file.bytes ? row.resource.modifiedAt : modifiedAt
        try CardRow.save(bytes, as: row.name, of: contact.id, uid: row.uid, at: time, in: db)
    }
}

extension ContactCards {
    /// Writes the card of a group whose members have changed.
    private func refreshGroup(_ card: String, at now: Date, in db: Database) throws {
        guard let row = try CardRow.find(contact: card, in: db) else { return }
        let file = try CardFile(row.bytes(in: db), region: book.region)
        let bytes = GroupCardPatch.bytes(of: file, listing: try GroupCards.members(of: card, in: db), now: now)
        let time = bytes == file.bytes ? row.resource.modifiedAt : now
        try CardRow.save(bytes, as: row.name, of: card, uid: row.uid, at: time, in: db)
    }
}

// MARK: - Writing

/// An error of ``ContactCards``.
public enum ContactCardsError: CodedError, Equatable {
    /// No card has this name.
    case noCard(String)
    /// The card is not valid.
    case invalidCard(reason: String)
    /// Another card has the same UID, or the card had another one.
    case uidConflict(name: String)
    /// The card was changed since the client read it.
    case cardChanged(String)

    /// The code, the category and the message.
    public var details: ErrorDetails {
        switch self {
        case .noCard(let name): .init("noCard", .notFound, "there is no card “\(name)”")
        case .invalidCard(let reason): .init("invalidCard", .malformed, "the card is not valid: \(reason)")
        case .uidConflict(let name):
            .init("uidConflict", .usage, "the UID belongs to the card “\(name)”; change that one")
        case .cardChanged(let name):
            .init("cardChanged", .usage, "the card “\(name)” has changed; read it and try again")
        }
    }
}

extension ContactCards {
    /// Stores a card as it is, and the contact that it describes.
    ///
    /// - Parameters:
    ///   - bytes: One card with a UID.
    ///   - name: The name of a new or known card.
    ///   - keepsReplaced: `true` if the client has not said which version it replaces. A copy of a contact that had
    ///     something that the card lacks is then among the removed contacts, where it can be restored.
    ///   - permits: Returns `true` if the card with a tag may be replaced; nil if there is none.
    /// - Returns: The stored card, and `true` if it is new.
    /// - Throws: ``ContactCardsError``.
    public func write(
        _ bytes: [UInt8], as name: String, keepingReplaced keepsReplaced: Bool = false,
        if permits: (_ tag: String?) -> Bool
    ) throws -> (resource: StoredResource, isNew: Bool) {
        let card: VCard
        do {
            card = try VCard(onlyOneIn: bytes)
        } catch let error as MalformedInput {
            throw ContactCardsError.invalidCard(reason: error.reason)
        }
        let uid = card.properties.first { $0.name == "UID" }?.text.trimmingWhitespace ?? ""
        guard !uid.isEmpty else { throw ContactCardsError.invalidCard(reason: "it has no UID") }
        guard card.properties.contains(where: { $0.name == "FN" || $0.name == "N" }) else {
            throw ContactCardsError.invalidCard(reason: "it has no FN")
        }
        // Parsed before the transaction begins.
        let group = try group(of: card)
        let contact = group == nil ? try contact(of: card) : nil
        return try book.writing { db in
            if let object = try CardRow.object(named: name, in: db) {
                try refresh(CardRow.outdated([object], in: db), in: db)
            }
            let old = try CardRow.existing(name, in: db)
            guard permits(old?.resource.tag) else { throw ContactCardsError.cardChanged(name) }
            if let other = try CardRow.name(ofUID: uid, except: name, in: db) {
                throw ContactCardsError.uidConflict(name: other)
            }
            if let old, old.uid != uid { throw ContactCardsError.uidConflict(name: name) }
            if let contact {
                let id = try store(contact, over: old, keepingReplaced: keepsReplaced, in: db)
                try CardRow.save(bytes, as: name, of: id, uid: uid, at: book.clock(), in: db)
            } else {
                let (id, listsMore) = try store(group, over: old, in: db)
                try CardRow.save(bytes, as: name, of: id, uid: uid, at: book.clock(), in: db)
                if listsMore { try ContactBook.journal.record(id, isRemoved: false, in: db) }
            }
            guard let row = try CardRow.existing(name, in: db) else { throw ContactCardsError.noCard(name) }
            return (row.resource, old == nil)
        }
    }

    private func group(of card: VCard) throws -> GroupCard? {
        do {
            return try GroupCard(card)
        } catch {
            throw ContactCardsError.invalidCard(reason: error.reason)
        }
    }

    private func contact(of card: VCard) throws -> Contact {
        do {
            let contact = try Contact(card, region: book.region).deduplicated
            guard contact.isNameable else { throw ContactBookError.nameless }
            if let excess = contact.excess { throw excess }
            return contact
        } catch let error as any CodedError {
            throw ContactCardsError.invalidCard(reason: error.message)
        }
    }

    /// Stores a group, and returns the identifier of its card, and `true` if the card must list more than it does.
    private func store(
        _ group: GroupCard?, over old: CardRow?, in db: Database
    ) throws -> (card: String, listsMore: Bool) {
        let card = old.flatMap { $0.isGroup ? $0.contact : nil } ?? CardRow.groupPrefix + Storage.newIdentifier()
        if let old, !old.isGroup { try book.remove([old.contact]) }
        let listsMore = try GroupCards.replace(card, by: group, at: book.clock(), in: db).listsMore
        try ContactBook.journal.record(card, isRemoved: false, in: db)
        return (card, listsMore)
    }

    private func removeGroup(_ card: String, in db: Database) throws {
        try GroupCards.replace(card, by: nil, at: book.clock(), in: db)
        try ContactBook.journal.record(card, isRemoved: true, in: db)
    }

    /// Stores the contact of a card, and returns its identifier.
    private func store(
        _ contact: Contact, over old: CardRow?, keepingReplaced keepsReplaced: Bool, in db: Database
    ) throws -> String {
        var contact = contact
        if let old, !old.isGroup, let (key, ours) = try FolderSync.find(old.contact, in: db) {
            contact = try joining(contact.continuing(ours), over: old, in: db)
            contact.modifiedAt = book.clock()
            if keepsReplaced { try keepReplaced(ours, by: contact, in: db) }
            try ContactRows(db).replace(key: key, by: PreparedContact(contact))
            return contact.id
        }
        if let old, old.isGroup { try removeGroup(old.contact, in: db) }
        contact.id = Storage.newIdentifier()
        contact.createdAt = book.clock()
        contact.modifiedAt = contact.createdAt
        _ = try ContactRows(db).insert(PreparedContact(contact))
        return contact.id
    }

    /// Returns a contact with the groups of the cards that list it, except for those that its own card named and no longer
    /// names.
    private func joining(_ contact: Contact, over old: CardRow, in db: Database) throws -> Contact {
        var joined = try GroupCards.withListedGroups(contact, in: db)
        if joined.groups == contact.groups { return contact }
        let named = try CardFile(old.bytes(in: db), region: book.region).contact.groups
        joined.groups.removeAll { named.contains($0) && !contact.groups.contains($0) }
        return joined
    }

    /// Keeps a copy of a contact among the removed ones if it has something that its replacement lacks.
    private func keepReplaced(_ contact: Contact, by replacement: Contact, in db: Database) throws {
        var copy = contact
        // The program that wrote a card is no value of a person.
        copy.otherProperties.removeAll { $0.hasPrefix("PRODID") }
        guard replacement.merging(copy) != replacement else { return }
        copy.id = Storage.newIdentifier()
        copy.sourceUID = ""
        // A copy that nobody has restored is in no list.
        copy.groups = try GroupCards.withoutListedGroups(contact, except: [], in: db).groups
        _ = try ContactRows(db).insert(PreparedContact(copy))
        try book.remove([copy.id])
    }

    /// Removes a card and its contact, which can be restored as any removed contact.
    ///
    /// - Parameters:
    ///   - name: The name of the card.
    ///   - permits: Returns `true` if the card with a tag may be removed.
    /// - Throws: ``ContactCardsError``.
    public func remove(_ name: String, if permits: (_ tag: String) -> Bool) throws {
        try book.writing { db in
            guard let object = try CardRow.object(named: name, in: db) else { throw ContactCardsError.noCard(name) }
            try refresh(CardRow.outdated([object], in: db), in: db)
            guard let row = try CardRow.existing(name, in: db) else { throw ContactCardsError.noCard(name) }
            guard permits(row.resource.tag) else { throw ContactCardsError.cardChanged(name) }
            if row.isGroup {
                try removeGroup(row.contact, in: db)
            } else {
                try book.remove([row.contact])
            }
        }
    }
}

// MARK: - Rows

/// A row of `contact_card`: the card of a contact or of a group.
///
/// The row of a removed contact stays until its removal is forgotten, because clients know the card by its name and a
/// restored contact gets it back.
private struct CardRow {
    static let groupPrefix = ContactBook.groupCardPrefix

    let key: Int64
    let name: String
    /// The identifier of the contact, or of the group with ``groupPrefix``.
    let contact: String
    let uid: String
    let resource: StoredResource

    var isGroup: Bool { contact.hasPrefix(CardRow.groupPrefix) }

    private static let columns = "card.key, card.name, card.contact, card.uid, card.tag, card.size, card.modifiedAt"
    private static let change = "storage_change.module = '\(ContactBook.module)' AND storage_change.object"
    private static let exists = """
        (EXISTS (SELECT 1 FROM contact WHERE contact.id = card.contact) OR (card.contact LIKE '\(groupPrefix)%'
            AND EXISTS (SELECT 1 FROM storage_change WHERE \(change) = card.contact AND NOT isRemoved)))
        """

    private static let ofExisting =
        "FROM contact_card AS card WHERE card.key > ? AND \(exists) ORDER BY card.key LIMIT ?"

    private init(_ row: Row) throws {
        key = try row.value(0)
        name = try row.value(1)
        contact = try row.value(2)
        uid = try row.value(3)
        resource = try StoredResource(
            name: name, tag: row.value(4), size: row.value(5),
            modifiedAt: Date(timeIntervalSince1970: row.value(6) as Double))
    }

    func bytes(in db: Database) throws -> [UInt8] {
        let statement = try db.cachedStatement(sql: "SELECT bytes FROM contact_card WHERE key = ?")
        guard let row = try Row.fetchOne(statement, arguments: [key]) else { return [] }
        return try [UInt8](row.value(0) as Data)
    }

    static func all(after key: Int64 = 0, limit: Int = .max, in db: Database) throws -> [CardRow] {
        let statement = try db.cachedStatement(sql: "SELECT \(columns) \(ofExisting)")
        return try Row.fetchAll(statement, arguments: [key, limit]).map { try CardRow($0) }
    }

    static func forEach(in db: Database, _ body: (CardRow, [UInt8]) throws -> Bool) throws {
        let rows = try Row.fetchCursor(db, sql: "SELECT \(columns), bytes \(ofExisting)", arguments: [0, Int.max])
        while let row = try rows.next(), try body(CardRow(row), [UInt8](row.value(7) as Data)) {}
    }

    static func find(contact: String, in db: Database) throws -> CardRow? {
        let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM contact_card AS card WHERE contact = ?")
        return try Row.fetchOne(statement, arguments: [contact]).map { try CardRow($0) }
    }

    /// Returns the card with a name unless it is removed.
    static func existing(_ name: String, in db: Database) throws -> CardRow? {
        let statement = try db.cachedStatement(
            sql: "SELECT \(columns) FROM contact_card AS card WHERE name = ? AND \(exists)")
        return try Row.fetchOne(statement, arguments: [name]).map { try CardRow($0) }
    }

    /// Returns the contact or group that a name belongs to, even if its card is not written yet.
    static func object(named name: String, in db: Database) throws -> String? {
        if let row = try existing(name, in: db) { return row.contact }
        guard name.hasSuffix(".vcf") else { return nil }
        let statement = try db.cachedStatement(
            sql: "SELECT id FROM contact WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM contact_card WHERE contact = ?1)")
        return try String.fetchOne(statement, arguments: [String(name.dropLast(4))])
    }

    /// Returns the name of another card with a UID.
    static func name(ofUID uid: String, except name: String, in db: Database) throws -> String? {
        let written = try db.cachedStatement(
            sql: "SELECT name FROM contact_card AS card WHERE uid = ? AND name <> ? AND \(exists)")
        if let other = try String.fetchOne(written, arguments: [uid, name]) { return other }
        let unwritten = try db.cachedStatement(
            sql: """
                SELECT id || '.vcf' FROM contact WHERE (sourceUID = ?1 OR (id = ?1 AND sourceUID IS NULL))
                    AND NOT EXISTS (SELECT 1 FROM contact_card WHERE contact = contact.id) AND id || '.vcf' <> ?2
                """)
        return try String.fetchOne(unwritten, arguments: [uid, name])
    }

    /// Returns the identifiers of contacts and groups without a card or with an older one, among some objects or all.
    static func outdated(_ objects: [String]?, in db: Database) throws -> [String] {
        let contacts = """
            SELECT contact.id FROM contact LEFT JOIN contact_card AS card ON card.contact = contact.id
            LEFT JOIN storage_change ON \(change) = contact.id
            WHERE (card.number IS NULL OR card.number < coalesce(storage_change.number, 0))
            """
        let groups = """
            SELECT card.contact FROM contact_group_card JOIN contact_card AS card ON card.contact = contact_group_card.card
            JOIN storage_change ON \(change) = card.contact WHERE card.number < storage_change.number
            """
        guard let objects else {
            return try String.fetchAll(db.cachedStatement(sql: contacts + " ORDER BY contact.key"))
                + String.fetchAll(db.cachedStatement(sql: groups + " ORDER BY card.contact"))
        }
        let contact = try db.cachedStatement(sql: contacts + " AND contact.id = ?")
        let group = try db.cachedStatement(sql: groups + " AND card.contact = ?")
        return try objects.compactMap { object in
            try String.fetchOne(object.hasPrefix(groupPrefix) ? group : contact, arguments: [object])
        }
    }

    static func save(
        _ bytes: [UInt8], as name: String, of contact: String, uid: String, at time: Date, in db: Database
    ) throws {
        let resource = StoredResource(name: name, bytes: bytes, modifiedAt: time)
        // A name that a removed contact had belongs to the new one from now on.
        try db.cachedStatement(sql: "DELETE FROM contact_card WHERE name = ? AND contact IS NOT ?")
            .execute(arguments: [name, contact])
        try db.cachedStatement(
            sql: """
                INSERT INTO contact_card (name, contact, uid, tag, size, modifiedAt, number, bytes)
                SELECT ?, ?, ?, ?, ?, ?, last, ? FROM storage_change_position WHERE module = ?
                ON CONFLICT (contact) DO UPDATE SET (name, uid, tag, size, modifiedAt, number, bytes)
                    = (excluded.name, excluded.uid, excluded.tag, excluded.size, excluded.modifiedAt,
                        excluded.number, excluded.bytes)
                """
        ).execute(
            arguments: [
                name, contact, uid, resource.tag, resource.size, time.timeIntervalSince1970, Data(bytes),
                ContactBook.module,
            ])
    }

    /// Deletes the cards of contacts and groups whose removal is forgotten.
    static func deleteForgotten(in db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM contact_card AS card WHERE NOT \(exists)
                    AND NOT EXISTS (SELECT 1 FROM storage_change WHERE \(change) = card.contact)
                """)
    }
}
