import Foundation
package import GRDB
import SwitchboardStorage

/// Finds, for a batch of contacts to import, those in the book that may be the same persons.
///
/// Only those who may be the same are fetched whole, all of a batch at once. What the batch itself adds is looked up in memory.
package struct KnownContacts {
    /// More than these of one number or one name are not looked at: nobody is listed a hundred times, a switchboard's number is.
    private static let mostCandidates = 64

    private let db: Database
    private var contacts: [Int64: (contact: Contact, nameKey: NameKey)] = [:]
    private var candidates: [[Int64]] = []
    private var addedByFact: [String: [Int64]] = [:]

    private let bySource: KeyStatement
    private let byID: KeyStatement
    private let byPhone: KeyStatement
    private let byEmail: KeyStatement
    private let byName: KeyStatement

    package init(_ db: Database) throws {
        self.db = db
        let most = KnownContacts.mostCandidates
        bySource = try KeyStatement(db, "SELECT key FROM contact WHERE sourceUID = ?")
        byID = try KeyStatement(db, "SELECT key FROM contact WHERE id = ?")
        byPhone = try KeyStatement(db, "SELECT contact FROM contact_phone WHERE identity = ? LIMIT \(most)")
        byEmail = try KeyStatement(db, "SELECT contact FROM contact_email WHERE identity = ? LIMIT \(most)")
        byName = try KeyStatement(db, "SELECT key FROM contact WHERE nameKey = ? LIMIT 1")
    }

    /// Looks for those who may be the contacts of a batch.
    package mutating func prepare(for batch: [PreparedContact]) throws {
        contacts.removeAll(keepingCapacity: true)
        addedByFact.removeAll(keepingCapacity: true)
        candidates = Array(repeating: [], count: batch.count)
        for (index, prepared) in batch.enumerated() {
            try find(prepared, index)
            if candidates[index].isEmpty { try findByName(prepared, index) }
        }
        let keys = Set(candidates.joined())
        for (key, contact) in try ContactFetching.contacts(Array(keys), in: db) {
            contacts[key] = (contact, NameKey(contact.fullName))
        }
    }

    /// The contact in the book that is the same person as one of the batch.
    package func match(_ index: Int, _ prepared: PreparedContact) -> (key: Int64, contact: Contact)? {
        var keys = index < candidates.count ? candidates[index] : []
        for fact in prepared.facts { keys += addedByFact[fact] ?? [] }
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
    package mutating func remember(_ prepared: PreparedContact, key: Int64) {
        contacts[key] = (prepared.contact, prepared.nameKey)
        for fact in prepared.facts {
            addedByFact[fact, default: []].append(key, upTo: KnownContacts.mostCandidates)
        }
    }

    /// The keys of those in the book whom a group names, in its order, and the names of the others.
    func members(of group: GroupCard) throws -> (keys: [Int64], strangers: [String]) {
        var keys: [Int64] = []
        var strangers: [String] = []
        for member in group.members {
            let found = try self.keys(ofMember: member)
            if found.isEmpty { strangers.append(member) }
            keys += found
        }
        var seen: Set<Int64> = []
        return (keys.filter { seen.insert($0).inserted }, strangers)
    }

    /// The keys of whom a group names by an identifier, or by "mailto:" and an address.
    func keys(ofMember member: String) throws -> [Int64] {
        let address = GroupCard.address(ofMember: member)
        let statement = try db.cachedStatement(
            sql: address == nil
                ? "SELECT key FROM contact WHERE sourceUID = ?1 UNION SELECT key FROM contact WHERE id = ?1"
                : "SELECT contact FROM contact_email WHERE identity = ?1")
        return try Int64.fetchAll(statement, arguments: [address ?? member])
    }

    /// A contact of the book as it is now.
    func contact(_ key: Int64) throws -> Contact? {
        try ContactFetching.contacts([key], in: db)[key]
    }
}

// MARK: - Queries

extension KnownContacts {
    /// Adds the contacts with the same identifier, and those with a number or an e-mail address of a contact whose names are compatible.
    private mutating func find(_ prepared: PreparedContact, _ index: Int) throws {
        let contact = prepared.contact
        var same: [Int64] = []
        if !contact.sourceUID.isEmpty {
            try bySource.append(contact.sourceUID, to: &same)
            // A card that this book has exported bears the identifier of the contact, unless it had one already.
            try byID.append(contact.sourceUID, to: &same)
            same.sort()
        }
        var sharing: [Int64] = []
        for phone in contact.phones { try byPhone.append(phone.number.identity, to: &sharing) }
        for email in contact.emails { try byEmail.append(email.identity, to: &sharing) }
        for key in sharing where !same.contains(key) {
            if try mayBe(key, prepared) { same.append(key) }
        }
        var seen: Set<Int64> = []
        candidates[index] = same.count > 1 ? same.filter { seen.insert($0).inserted } : same
    }

    /// Whether the names of a contact in the book say nothing against its being the same person.
    private func mayBe(_ key: Int64, _ prepared: PreparedContact) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT nameKey, nickname FROM contact WHERE key = ?")
        guard let row = try Row.fetchOne(statement, arguments: [key]) else { return false }
        let nameKey: String = try row.value(0)
        let nickname: String = try row.value(1)
        return !nickname.isEmpty || !prepared.contact.nickname.isEmpty
            || NameKey(sorted: nameKey).isCompatible(with: prepared.nameKey)
    }

    /// Adds the contacts of the same whole name that share a fact no index has, for one that nothing else has found.
    private mutating func findByName(_ prepared: PreparedContact, _ index: Int) throws {
        let contact = prepared.contact
        let name = prepared.nameKey.text
        if !name.isEmpty {
            // Most names are new, and asking that much takes a microsecond.
            var namesake: [Int64] = []
            try byName.append(name, to: &namesake)
            if namesake.isEmpty { return }
        }
        // Numbers typed without a country code may be there with one, and pages and addresses are in no index.
        let mustLook =
            !contact.addresses.isEmpty || !contact.urls.isEmpty || contact.phones.contains { $0.number.e164 == nil }
            || (contact.phones.isEmpty && contact.emails.isEmpty)
        let sql = """
            SELECT key FROM (
                SELECT key, organization, birthday, note FROM contact
                WHERE nameKey = ? AND (nameKey <> '' OR sortKey = ?) LIMIT \(KnownContacts.mostCandidates))
            WHERE ? OR (organization <> '' AND organization = ?) OR (birthday <> '' AND birthday = ?)
                OR (note <> '' AND note = ?)
            """
        let rows = try Row.fetchCursor(
            try db.cachedStatement(sql: sql),
            arguments: [name, prepared.sortKey, mustLook, contact.organization, contact.birthday, contact.note])
        while let row = try rows.next() { try candidates[index].append(row.value(0)) }
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
