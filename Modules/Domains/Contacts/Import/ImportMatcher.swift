package import GRDB
import SwitchboardAlgorithms
import SwitchboardStorage
import SwitchboardTextNormalization

/// Matches a batch of contacts with contacts of the book that may be the same person.
///
/// The candidates of a batch are fetched together. Contacts added by the batch itself are matched in memory.
package struct ImportMatcher {
    /// The maximum number of candidates per number or name, which limits the cost of a company's main number.
    private static let maximumCandidates = 64

    private let db: Database
    private var contacts: [Int64: (contact: Contact, nameKey: NameKey)] = [:]
    private var candidates: [[Int64]] = []
    private var addedByKey: [String: [Int64]] = [:]

    private let bySource: RowStatement
    private let byID: RowStatement
    private let byPhone: RowStatement
    private let byEmail: RowStatement
    private let byName: RowStatement

    package init(_ db: Database) throws {
        self.db = db
        let limit = ImportMatcher.maximumCandidates
        bySource = try RowStatement(db, "SELECT key FROM contact WHERE sourceUID = ?")
        byID = try RowStatement(db, "SELECT key FROM contact WHERE id = ?")
        byPhone = try RowStatement(db, "SELECT contact FROM contact_phone WHERE identity = ? LIMIT \(limit)")
        byEmail = try RowStatement(db, "SELECT contact FROM contact_email WHERE identity = ? LIMIT \(limit)")
        byName = try RowStatement(db, "SELECT key FROM contact WHERE nameKey = ? LIMIT 1")
    }

    package mutating func prepare(for batch: [PreparedContact]) throws {
        contacts.removeAll(keepingCapacity: true)
        addedByKey.removeAll(keepingCapacity: true)
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

    /// Returns the existing contact of the same person as a contact of the batch.
    package func match(_ index: Int, _ prepared: PreparedContact) -> (key: Int64, contact: Contact)? {
        var keys = index < candidates.count ? candidates[index] : []
        for key in prepared.matchKeys { keys += addedByKey[key] ?? [] }
        for key in keys {
            guard let known = contacts[key] else { continue }
            if prepared.contact.isSamePerson(as: known.contact, nameKey: prepared.nameKey, otherNameKey: known.nameKey)
            {
                return (key, known.contact)
            }
        }
        return nil
    }

    /// Makes an added or changed contact available to later matches.
    package mutating func remember(_ prepared: PreparedContact, key: Int64) {
        contacts[key] = (prepared.contact, prepared.nameKey)
        for matchKey in prepared.matchKeys {
            addedByKey[matchKey, default: []].append(key, upTo: ImportMatcher.maximumCandidates)
        }
    }

    /// Returns the keys of a group's members in order, and the members that match no contact.
    func members(of group: GroupCard) throws -> (keys: [Int64], unresolved: [String]) {
        var keys: [Int64] = []
        var unresolved: [String] = []
        for member in group.members {
            let found = try self.keys(ofMember: member)
            if found.isEmpty { unresolved.append(member) }
            keys += found
        }
        return (keys.uniqued, unresolved)
    }

    /// Returns the keys of contacts with an identifier or a "mailto:" address.
    func keys(ofMember member: String) throws -> [Int64] {
        let address = member.hasPrefix("mailto:") ? String(member.dropFirst(7)) : nil
        let statement = try db.cachedStatement(
            sql: address == nil
                ? "SELECT key FROM contact WHERE sourceUID = ?1 UNION SELECT key FROM contact WHERE id = ?1"
                : "SELECT contact FROM contact_email WHERE identity = ?1")
        return try Int64.fetchAll(statement, arguments: [address ?? member])
    }

    func contact(_ key: Int64) throws -> Contact? {
        try ContactFetching.contacts([key], in: db)[key]
    }
}

// MARK: - Queries

extension ImportMatcher {
    /// Adds contacts with the same identifier, and contacts with a shared number or e-mail address and a compatible
    /// name.
    private mutating func find(_ prepared: PreparedContact, _ index: Int) throws {
        let contact = prepared.contact
        var same: [Int64] = []
        if !contact.sourceUID.isEmpty {
            try bySource.append(contact.sourceUID, to: &same)
            // The UID of an exported card is the contact's identifier if it had no source UID.
            try byID.append(contact.sourceUID, to: &same)
            same.sort()
        }
        var sharing: [Int64] = []
        for phone in contact.phones { try byPhone.append(phone.number.identity, to: &sharing) }
        for email in contact.emails { try byEmail.append(email.identity, to: &sharing) }
        for key in sharing where !same.contains(key) {
            if try isCompatible(key, prepared) { same.append(key) }
        }
        candidates[index] = same.uniqued
    }

    private func isCompatible(_ key: Int64, _ prepared: PreparedContact) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT nameKey, nickname FROM contact WHERE key = ?")
        guard let row = try Row.fetchOne(statement, arguments: [key]) else { return false }
        let nameKey: String = try row.value(0)
        let nickname: String = try row.value(1)
        return !nickname.isEmpty || !prepared.contact.nickname.isEmpty
            || NameKey(words: nameKey.split(separator: " ").map(String.init)).isCompatible(with: prepared.nameKey)
    }

    /// Adds contacts with the same full name that share a fact without an index.
    private mutating func findByName(_ prepared: PreparedContact, _ index: Int) throws {
        let contact = prepared.contact
        let name = prepared.nameKey.text
        if !name.isEmpty {
            // Most names are new, which this query finds in a microsecond.
            var namesake: [Int64] = []
            try byName.append(name, to: &namesake)
            if namesake.isEmpty { return }
        }
        // Numbers without a country code may be stored with one; postal and web addresses have no index.
        let includesAll =
            !contact.addresses.isEmpty || !contact.urls.isEmpty || contact.phones.contains { $0.number.e164 == nil }
            || (contact.phones.isEmpty && contact.emails.isEmpty)
        let sql = """
            SELECT key FROM (
                SELECT key, organization, birthday, note FROM contact
                WHERE nameKey = ? AND (nameKey <> '' OR sortKey = ?) LIMIT \(ImportMatcher.maximumCandidates))
            WHERE ? OR (organization <> '' AND organization = ?) OR (birthday <> '' AND birthday = ?)
                OR (note <> '' AND note = ?)
            """
        let rows = try Row.fetchCursor(
            try db.cachedStatement(sql: sql),
            arguments: [name, prepared.sortKey, includesAll, contact.organization, contact.birthday, contact.note])
        while let row = try rows.next() { try candidates[index].append(row.value(0)) }
    }
}

extension [Int64] {
    fileprivate mutating func append(_ key: Int64, upTo limit: Int) {
        if count < limit { append(key) }
    }
}
