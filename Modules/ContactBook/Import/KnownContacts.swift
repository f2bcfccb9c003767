import Foundation
import GRDB

/// Finds, for a batch of contacts to import, those in the book that may be the same persons.
///
/// A handful of queries a batch, whatever its size; only those who may be the same are fetched whole. What the batch itself
/// adds is looked up in memory.
struct KnownContacts {
    /// More than these of one number or one name are not looked at: nobody is listed a hundred times, a switchboard's number is.
    private static let mostCandidates = 64

    private let db: Database
    private var contacts: [Int64: (contact: Contact, nameKey: NameKey)] = [:]
    private var candidates: [[Int64]] = []
    private var addedByFact: [String: [Int64]] = [:]

    init(_ db: Database) {
        self.db = db
    }

    /// Looks for those who may be the contacts of a batch.
    mutating func prepare(for batch: [PreparedContact]) throws {
        contacts.removeAll(keepingCapacity: true)
        addedByFact.removeAll(keepingCapacity: true)
        candidates = Array(repeating: [], count: batch.count)
        let indices = batch.indices
        try find(
            indices.compactMap { batch[$0].contact.sourceUID.isEmpty ? nil : ($0, batch[$0].contact.sourceUID) },
            // A card that this book has exported bears the identifier of the contact, unless it had one already.
            "SELECT key FROM contact WHERE sourceUID = value UNION ALL SELECT key FROM contact WHERE id = value")
        try find(
            indices.flatMap { index in batch[index].contact.phones.map { (index, $0.number.identity) } },
            "SELECT contact FROM contact_phone WHERE identity = value LIMIT \(KnownContacts.mostCandidates)",
            batch: batch)
        try find(
            indices.flatMap { index in batch[index].contact.emails.map { (index, $0.identity) } },
            "SELECT contact FROM contact_email WHERE identity = value LIMIT \(KnownContacts.mostCandidates)",
            batch: batch)
        try findByName(batch)
        let keys = Set(candidates.joined())
        for (key, contact) in try ContactFetching.contacts(Array(keys), in: db) {
            contacts[key] = (contact, NameKey(contact.fullName))
        }
    }

    /// The contact in the book that is the same person as one of the batch.
    func match(_ index: Int, _ prepared: PreparedContact) -> (key: Int64, contact: Contact)? {
        var keys = index < candidates.count ? candidates[index] : []
        for fact in KnownContacts.facts(of: prepared) { keys += addedByFact[fact] ?? [] }
        for key in keys {
            guard let known = contacts[key] else { continue }
            if prepared.contact.isSamePerson(as: known.contact, nameKey: prepared.nameKey, otherNameKey: known.nameKey)
            {
                return (key, known.contact)
            }
        }
        return nil
    }

    /// Remembers what the batch has added or changed.
    mutating func remember(_ prepared: PreparedContact, key: Int64) {
        contacts[key] = (prepared.contact, prepared.nameKey)
        for fact in KnownContacts.facts(of: prepared) {
            addedByFact[fact, default: []].append(key, upTo: KnownContacts.mostCandidates)
        }
    }

    /// The keys of those in the book whom a group names, in its order; the others it names are nobody's.
    func members(of group: GroupCard) throws -> [Int64] {
        let queries = [
            (
                group.identifiers,
                "SELECT key FROM contact WHERE sourceUID = ?1 UNION SELECT key FROM contact WHERE id = ?1"
            ),
            (group.addresses, "SELECT contact FROM contact_email WHERE identity = ?1"),
        ]
        var keys: [Int64] = []
        for (names, sql) in queries {
            let statement = try db.cachedStatement(sql: sql)
            for name in names { keys += try Int64.fetchAll(statement, arguments: [name]) }
        }
        var seen: Set<Int64> = []
        return keys.filter { seen.insert($0).inserted }
    }

    /// A contact of the book as it is now.
    func contact(_ key: Int64) throws -> Contact? {
        try ContactFetching.contacts([key], in: db)[key]
    }

    private static func facts(of prepared: PreparedContact) -> [String] {
        let contact = prepared.contact
        var facts = contact.phones.map(\.number.identity) + contact.emails.map(\.identity)
        if !contact.sourceUID.isEmpty { facts.append("uid " + contact.sourceUID) }
        facts.append("name " + prepared.sortKey)
        return facts
    }
}

// MARK: - Queries

extension KnownContacts {
    /// Adds the contacts whose keys a subquery gives for each value; with a batch, only those whose names are compatible.
    private mutating func find(_ values: [(index: Int, value: String)], _ keys: String, batch: [PreparedContact]? = nil)
        throws
    {
        guard !values.isEmpty else { return }
        let sql = """
            SELECT json.key, contact.key, contact.nameKey, contact.nickname FROM json_each(?) AS json
            JOIN contact ON contact.key IN (\(keys.replacingOccurrences(of: "value", with: "json.value")))
            """
        let json = JSONTexts.array(values.lazy.map(\.value))
        let rows = try Row.fetchCursor(try db.cachedStatement(sql: sql), arguments: [json])
        while let row = try rows.next() {
            let place: Int = row[0]
            guard values.indices.contains(place) else { continue }
            let index = values[place].index
            if let batch {
                let (nameKey, nickname): (String, String) = (row[2], row[3])
                let mayBe =
                    !nickname.isEmpty || !batch[index].contact.nickname.isEmpty
                    || NameKey(sorted: nameKey).isCompatible(with: batch[index].nameKey)
                guard mayBe else { continue }
            }
            if !candidates[index].contains(row[1]) { candidates[index].append(row[1]) }
        }
    }

    /// Adds the contacts of the same whole name that share a fact no index has, for those that nothing else has found.
    private mutating func findByName(_ batch: [PreparedContact]) throws {
        var places: [Int] = []
        var values: [[String]] = []
        for (index, prepared) in batch.enumerated() where candidates[index].isEmpty {
            let contact = prepared.contact
            // Numbers typed without a country code may be there with one, and pages and addresses are in no index.
            let mustLook =
                !contact.addresses.isEmpty || !contact.urls.isEmpty || contact.phones.contains { $0.number.e164 == nil }
                || (contact.phones.isEmpty && contact.emails.isEmpty)
            places.append(index)
            values.append([
                prepared.nameKey.text, prepared.sortKey, contact.organization, contact.birthday, contact.note,
                mustLook ? "1" : "",
            ])
        }
        guard !values.isEmpty else { return }
        let sql = """
            SELECT json.key, contact.key FROM json_each(?) AS json JOIN contact ON contact.key IN (
                SELECT key FROM contact WHERE nameKey = json.value ->> 0 AND (nameKey <> '' OR sortKey = json.value ->> 1)
                LIMIT \(KnownContacts.mostCandidates))
            WHERE json.value ->> 5 = '1' OR (organization <> '' AND organization = json.value ->> 2)
                OR (birthday <> '' AND birthday = json.value ->> 3) OR (note <> '' AND note = json.value ->> 4)
            """
        let json = JSONTexts.arrays(values)
        let rows = try Row.fetchCursor(try db.cachedStatement(sql: sql), arguments: [json])
        while let row = try rows.next() {
            let place: Int = row[0]
            guard places.indices.contains(place) else { continue }
            candidates[places[place]].append(row[1])
        }
    }
}

extension [Int64] {
    fileprivate mutating func append(_ key: Int64, upTo most: Int) {
        if count < most { append(key) }
    }
}

extension NameKey {
    /// The words of a stored key, whose order is lost.
    init(sorted text: String) {
        words = text.split(separator: " ").map(String.init)
    }
}
