import Foundation
import GRDB
import SwitchboardAlgorithms
import SwitchboardStorage
import SwitchboardTextNormalization

/// Contacts that are probably the same person, with the reasons.
public struct DuplicateGroup: Hashable, Sendable {
    /// Two or more contacts, starting with the most complete one, into which to merge the others.
    public let contacts: [Contact]
    /// The shared facts, strongest first. Each contact shares one of them with another.
    public let facts: [SharedFact]
    /// The facts that speak against it.
    public let contradictions: [Contradiction]
}

/// A fact in which contacts differ although it would be equal if they were one person.
public struct Contradiction: Hashable, Sendable, Encodable {
    /// The kind of fact.
    public enum Kind: String, Sendable, Encodable {
        /// The names, or their suffixes such as Jr., are those of different people.
        case name
        /// The birthdays differ.
        case birthday
        /// The organizations differ.
        case organization
    }

    /// The kind of fact.
    public let kind: Kind
    /// The different values.
    public let values: [String]

    private enum CodingKeys: String, CodingKey { case kind = "reason", values }
}

/// A fact that makes two contacts duplicates.
public struct SharedFact: Hashable, Sendable, Encodable {
    /// The kind of fact, strongest first.
    public enum Kind: String, Sendable, CaseIterable, Encodable {
        /// The full name, ignoring case, accents and word order, and another fact.
        case name
        /// An e-mail address.
        case email
        /// A phone number in any notation.
        case phone
    }

    /// The fact that two contacts share in addition to the name.
    public enum Companion: String, Sendable, CaseIterable, Encodable {
        /// The organization.
        case organization
        /// The nickname.
        case nickname
        /// The birthday.
        case birthday
        /// A postal address.
        case address
        /// A web address.
        case url
    }

    /// The kind of fact.
    public let kind: Kind
    /// The fact shared in addition to the name; nil unless ``kind`` is ``Kind/name``.
    public let companion: Companion?
    /// The number in E.164 form, the lowercase address, or the value of ``companion``.
    public let value: String

    private enum CodingKeys: String, CodingKey { case kind = "reason", companion = "with", value }

    init(_ kind: Kind, _ value: String, beside companion: Companion? = nil) {
        self.kind = kind
        self.value = value
        self.companion = companion
    }
}

extension ContactBook {
    /// Calls a closure with each group of contacts that are probably the same person, sorted by name and read in
    /// batches.
    ///
    /// Contacts are duplicates if they have
    ///
    /// - the same full name (folded, in any order) and the same organization, nickname, birthday, postal or web
    ///   address, or
    /// - the same e-mail address, or
    /// - the same number, with or without trunk prefix and country code.
    ///
    /// A number or address with more than three different names belongs to an organization or a family and only joins
    /// contacts of the same name or, in a family, of names that may be short for one another. No group has more than three names, so a chain of shared facts cannot join an
    /// organization either. Groups that were marked with ``markAsDifferent(_:_:)`` are left out.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of groups; nil for all.
    ///   - body: Receives each group. An error ends the iteration and is rethrown.
    /// - Complexity: O(*n* log *n*) for *n* contacts.
    public func forEachDuplicateGroup(limit: Int? = nil, _ body: (DuplicateGroup) throws -> Void) throws {
        try storage.read { db in
            let different = try DifferentPeople(in: db)
            let found = try DuplicateFinder.groups(in: db).filter { !different.includesAllPairs(of: $0.keys) }
            let groups = found.prefix(max(limit ?? found.count, 0))
            try groups.forEachBatch(of: 100) { page in
                let contacts = try ContactFetching.contacts(page.flatMap(\.keys), withPhotos: false, in: db)
                for group in page {
                    let members = group.keys.compactMap { contacts[$0] }.sorted { $0.isBefore($1) }
                    let against = Contact.contradictions(among: members)
                    try body(DuplicateGroup(contacts: members, facts: group.facts, contradictions: against))
                }
            }
        }
    }

    /// Returns the groups of contacts that are probably the same person; see ``forEachDuplicateGroup(limit:_:)``.
    public func duplicates(limit: Int? = nil) throws -> [DuplicateGroup] {
        var groups: [DuplicateGroup] = []
        try forEachDuplicateGroup(limit: limit) { groups.append($0) }
        return groups
    }
}

// MARK: - Contacts that are not duplicates

extension ContactBook {
    /// Remembers that contacts are different people, so that they are no longer reported as duplicates of each other.
    ///
    /// - Parameters:
    ///   - ids: At least two identifiers.
    ///   - isDifferent: `false` to forget it.
    /// - Throws: ``ContactBookError/notFound(id:)``, ``ContactBookError/nothingToMerge``.
    public func markAsDifferent(_ ids: [String], _ isDifferent: Bool = true) throws {
        let ids = ids.uniqued.sorted()
        guard ids.count > 1 else { throw ContactBookError.nothingToMerge }
        try storage.write { db in
            for id in ids { _ = try ContactFetching.key(of: id, in: db) }
            let statement = try db.cachedStatement(
                sql: isDifferent
                    ? "INSERT OR IGNORE INTO contact_different (first, second) VALUES (?, ?)"
                    : "DELETE FROM contact_different WHERE first = ? AND second = ?")
            for (index, first) in ids.enumerated() {
                for second in ids[(index + 1)...] { try statement.execute(arguments: [first, second]) }
            }
        }
    }
}

/// The pairs of contacts that are known to be different people.
private struct DifferentPeople {
    private struct Pair: Hashable {
        let first: Int64
        let second: Int64
    }

    private let pairs: Set<Pair>

    init(in db: Database) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT one.key, two.key FROM contact_different
                JOIN contact AS one ON one.id = first JOIN contact AS two ON two.id = second
                """)
        pairs = Set(
            try rows.map { row in
                let (one, two): (Int64, Int64) = try (row.value(0), row.value(1))
                return Pair(first: min(one, two), second: max(one, two))
            })
    }

    func includesAllPairs(of keys: [Int64]) -> Bool {
        let keys = keys.sorted()
        return !pairs.isEmpty
            && keys.indices.allSatisfy { index in
                keys[(index + 1)...].allSatisfy { pairs.contains(Pair(first: keys[index], second: $0)) }
            }
    }
}

extension Contact {
    private var completeness: Int {
        ContactTextField.all.count { !self[$0].isEmpty } + phones.count + emails.count + addresses.count + urls.count
            + otherProperties.count + groups.count + (photo == nil ? 0 : 1)
    }

    /// Returns `true` if this contact precedes another in its group: more complete, favorite, more calls, older, by
    /// name.
    fileprivate func isBefore(_ other: Contact) -> Bool {
        let (mine, theirs) = (completeness, other.completeness)
        if mine != theirs { return mine > theirs }
        if isFavourite != other.isFavourite { return isFavourite }
        if callCount != other.callCount { return callCount > other.callCount }
        if createdAt != other.createdAt { return (createdAt ?? .distantFuture) < (other.createdAt ?? .distantFuture) }
        return (displayName, id) < (other.displayName, other.id)
    }
}

// MARK: - Finding duplicates

/// Finds contacts that are probably the same person, in one pass per kind of fact.
///
/// Names are processed first, then e-mail addresses, then numbers: the most certain facts join first, before a group
/// reaches its limit of names (``DuplicateForest``). SQLite sorts the shared facts, so only contacts that share one are
/// compared.
private struct DuplicateFinder {
    private let db: Database
    private var groups = DuplicateForest()

    /// The minimum number of digits. Shorter numbers are short codes, which anyone can have.
    private static let minimumDigits = 6

    /// Returns the groups of duplicates.
    ///
    /// - Complexity: O(*n* log *n*) for *n* contacts; memory for contacts with shared facts.
    static func groups(in db: Database) throws -> [DuplicateForest.Group] {
        var finder = DuplicateFinder(db: db)
        try finder.joinNamesakes()
        try finder.joinBareNames()
        try finder.join(.email, "contact_email", where: "identity <> ''")
        try finder.join(.phone, "contact_phone", where: "e164 IS NOT NULL OR length(national) >= \(minimumDigits)")
        try finder.joinBareNumbers()
        return finder.groups.finished()
    }
}

// MARK: - Names

extension DuplicateFinder {
    private static let sharedNames =
        "nameKey IN (SELECT nameKey FROM contact WHERE nameKey <> '' GROUP BY nameKey HAVING count(*) > 1)"

    private struct Namesakes {
        struct Fact: Hashable {
            let companion: SharedFact.Companion
            let text: String
        }

        var name = ""
        var first: [Fact: DuplicateForest.Member] = [:]
    }

    private mutating func add(
        _ companion: SharedFact.Companion, _ value: String, folded: String, of member: DuplicateForest.Member,
        among namesakes: inout Namesakes
    ) {
        if folded.isEmpty { return }
        if namesakes.name != member.name { namesakes = Namesakes(name: member.name) }
        let fact = Namesakes.Fact(companion: companion, text: folded)
        if let other = namesakes.first[fact] {
            groups.join(other, member, for: SharedFact(.name, value, beside: companion))
        } else {
            namesakes.first[fact] = member
        }
    }

    /// Joins contacts with the same name and another equal fact.
    private mutating func joinNamesakes() throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT key, nameKey, sortKey, organization, nickname, birthday FROM contact
                WHERE \(DuplicateFinder.sharedNames) ORDER BY nameKey, key
                """)
        var namesakes = Namesakes()
        while let row = try rows.next() {
            let member = try DuplicateForest.Member(row)
            let organization: String = try row.value(3)
            let nickname: String = try row.value(4)
            let birthday: String = try row.value(5)
            add(.organization, organization, folded: NameKey(organization).sortText, of: member, among: &namesakes)
            add(.nickname, nickname, folded: NameKey(nickname).text, of: member, among: &namesakes)
            add(.birthday, birthday, folded: birthday, of: member, among: &namesakes)
        }
        let details = try Row.fetchCursor(
            db,
            sql: """
                SELECT key, nameKey, sortKey, kind, value FROM contact JOIN contact_detail ON contact = key
                WHERE \(DuplicateFinder.sharedNames) AND kind IN (\(DetailKind.address.rawValue), \(DetailKind.url.rawValue))
                ORDER BY nameKey, key, position
                """)
        namesakes = Namesakes()
        while let row = try details.next() {
            let value: String = try row.value(4)
            let companion: SharedFact.Companion = try row.value(3) == DetailKind.url.rawValue ? .url : .address
            try add(companion, value, folded: value.lowercased(), of: .init(row), among: &namesakes)
        }
    }
}

extension DuplicateFinder {
    /// Joins contacts that have the same name and no other data.
    private mutating func joinBareNames() throws {
        let others = ContactTextField.all.filter { !$0.isNamePart && !$0.isPhonetic }
        let nothingElse = others.map { $0.column + " = ''" }.joined(separator: " AND ")
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT key, nameKey, sortKey, formatted, given, family FROM contact
                WHERE \(DuplicateFinder.sharedNames) AND \(nothingElse)
                    AND NOT EXISTS (SELECT 1 FROM contact_phone WHERE contact = key)
                    AND NOT EXISTS (SELECT 1 FROM contact_email WHERE contact = key)
                    AND NOT EXISTS (SELECT 1 FROM contact_detail WHERE contact = key)
                ORDER BY nameKey, key
                """)
        var first: DuplicateForest.Member?
        while let row = try rows.next() {
            let member = try DuplicateForest.Member(row)
            guard let other = first, other.name == member.name else {
                first = member
                continue
            }
            let name = try [row.value(4) as String, row.value(5) as String].filter { !$0.isEmpty }
            groups.join(other, member, for: SharedFact(.name, name.joined(separator: " ")))
        }
    }
}

// MARK: - Numbers and addresses

extension DuplicateFinder {
    /// Joins contacts with the same number or e-mail address.
    private mutating func join(_ kind: SharedFact.Kind, _ table: String, where condition: String) throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT key, nameKey, sortKey, identity FROM \(table) JOIN contact ON key = contact
                WHERE \(condition)
                    AND identity IN (SELECT identity FROM \(table) GROUP BY identity HAVING count(*) > 1)
                ORDER BY identity, key
                """)
        var identity = ""
        var members: [DuplicateForest.Member] = []
        while let row = try rows.next() {
            let next: String = try row.value(3)
            if next != identity {
                groups.join(members, for: SharedFact(kind, identity))
                identity = next
                members = []
            }
            try members.append(DuplicateForest.Member(row))
        }
        groups.join(members, for: SharedFact(kind, identity))
    }

    /// Joins numbers without a country code with the only international number that they can represent.
    private mutating func joinBareNumbers() throws {
        /// The international numbers that a national number can represent, and the contacts with any of them.
        struct Candidates {
            var identities: Set<String> = []
            var members: [DuplicateForest.Member] = []
        }
        struct NationalNumber: Hashable {
            let digits: String
            let extensionNumber: String?
        }
        let columns = "key, nameKey, sortKey, national, trunk, e164, extension, identity"
        let from = "FROM contact_phone JOIN contact ON key = contact"
        var bare: [NationalNumber: Candidates] = [:]
        var rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT \(columns) \(from) WHERE e164 IS NULL AND length(national) >= \(DuplicateFinder.minimumDigits)
                    AND identity IN (national, '+' || national)
                ORDER BY key
                """)
        while let row = try rows.next() {
            let number = try NationalNumber(digits: row.value(3), extensionNumber: row.value(6))
            try bare[number, default: Candidates()].members.append(DuplicateForest.Member(row))
        }
        if bare.isEmpty { return }
        rows = try Row.fetchCursor(db, sql: "SELECT \(columns) \(from) WHERE e164 IS NOT NULL ORDER BY key")
        while let row = try rows.next() {
            let national: String = try row.value(3)
            let trunk: String? = try row.value(4)
            let e164: String = try row.value(5)
            let extensionNumber: String? = try row.value(6)
            for digits in Set([national, trunk ?? national, String(e164.dropFirst())]) {
                let number = NationalNumber(digits: digits, extensionNumber: extensionNumber)
                guard let index = bare.index(forKey: number) else { continue }
                try bare.values[index].identities.insert(row.value(7))
                try bare.values[index].members.append(DuplicateForest.Member(row))
            }
        }
        // Sorted for a deterministic result.
        for (_, candidates) in bare.sorted(by: { $0.key.digits < $1.key.digits }) {
            // Digits that are valid in two countries are ambiguous.
            guard let identity = candidates.identities.first, candidates.identities.count == 1 else { continue }
            groups.join(candidates.members, for: SharedFact(.phone, identity))
        }
    }
}
