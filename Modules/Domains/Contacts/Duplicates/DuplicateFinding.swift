import GRDB
import SwitchboardStorage

/// Finds the contacts that are probably one person, in one pass over each kind of fact.
///
/// Names go first, then addresses, then numbers: where a group would get too many names (``NamedGroups``), what is more certain has
/// been joined already. SQLite sorts the facts that two or more contacts have, so no pair is compared that shares nothing.
struct DuplicateFinding {
    private let db: Database
    private var groups = NamedGroups()

    /// Fewer digits than these are a short code, which says nothing about who has it.
    private static let leastDigits = 6

    /// - Complexity: O(*n* log *n*) for *n* contacts; memory for those that share something.
    static func groups(in db: Database) throws -> [NamedGroups.Group] {
        var finding = DuplicateFinding(db: db)
        try finding.joinNamesakes()
        try finding.joinNamesakesByDetails()
        try finding.join(.email, "contact_email", where: "identity <> ''")
        try finding.join(.phone, "contact_phone", where: "length(identity) >= \(leastDigits)")
        try finding.joinBareNumbers()
        return finding.groups.finished()
    }

    private init(db: Database) {
        self.db = db
    }
}

// MARK: - Names

extension DuplicateFinding {
    /// The names that several contacts have.
    private static let sharedNames =
        "nameKey IN (SELECT nameKey FROM contact WHERE nameKey <> '' GROUP BY nameKey HAVING count(*) > 1)"

    /// What the contacts of one name have said so far.
    private struct Namesakes {
        struct Fact: Hashable {
            let companion: SharedFact.Companion
            let text: String
        }

        var name = ""
        var first: [Fact: NamedGroups.Member] = [:]
    }

    private mutating func note(
        _ companion: SharedFact.Companion, _ value: String, folded: String, of member: NamedGroups.Member,
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

    private mutating func joinNamesakes() throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT key, nameKey, sortKey, organization, nickname, birthday FROM contact
                WHERE \(DuplicateFinding.sharedNames) ORDER BY nameKey, key
                """)
        var namesakes = Namesakes()
        while let row = try rows.next() {
            let member = try NamedGroups.Member(key: row.value(0), nameKey: row.value(1), sortKey: row.value(2))
            let organization: String = try row.value(3)
            let nickname: String = try row.value(4)
            let birthday: String = try row.value(5)
            note(
                .organization, organization, folded: NameKey(organization).sortText, of: member, among: &namesakes)
            note(.nickname, nickname, folded: NameKey(nickname).text, of: member, among: &namesakes)
            note(.birthday, birthday, folded: birthday, of: member, among: &namesakes)
        }
    }

    private mutating func joinNamesakesByDetails() throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT key, nameKey, sortKey, kind, value FROM contact JOIN contact_detail ON contact = key
                WHERE \(DuplicateFinding.sharedNames) AND kind IN (\(DetailKind.address.rawValue), \(DetailKind.url.rawValue))
                ORDER BY nameKey, key, position
                """)
        var namesakes = Namesakes()
        while let row = try rows.next() {
            let member = try NamedGroups.Member(key: row.value(0), nameKey: row.value(1), sortKey: row.value(2))
            let value: String = try row.value(4)
            let companion: SharedFact.Companion = try row.value(3) == DetailKind.url.rawValue ? .url : .address
            note(companion, value, folded: value.lowercased(), of: member, among: &namesakes)
        }
    }
}

// MARK: - Numbers and addresses

extension DuplicateFinding {
    /// Joins those who have the same number or e-mail address.
    private mutating func join(_ kind: SharedFact.Kind, _ table: String, where condition: String) throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT identity, key, nameKey, sortKey FROM \(table) JOIN contact ON key = contact
                WHERE \(condition)
                    AND identity IN (SELECT identity FROM \(table) GROUP BY identity HAVING count(*) > 1)
                ORDER BY identity, key
                """)
        var identity = ""
        var members: [NamedGroups.Member] = []
        while let row = try rows.next() {
            let next: String = try row.value(0)
            if next != identity {
                groups.join(members, for: SharedFact(kind, identity))
                identity = next
                members = []
            }
            try members.append(NamedGroups.Member(key: row.value(1), nameKey: row.value(2), sortKey: row.value(3)))
        }
        groups.join(members, for: SharedFact(kind, identity))
    }

    /// Joins numbers that were typed without a country code to the one international number that they are a writing of.
    private mutating func joinBareNumbers() throws {
        /// The international numbers that a bare one may be, and who has either.
        struct Readings {
            var identities: Set<String> = []
            var members: [NamedGroups.Member] = []
        }
        struct Writing: Hashable {
            let digits: String
            let extensionNumber: String?
        }
        let columns = "key, nameKey, sortKey, national, trunk, e164, extension, identity"
        let from = "FROM contact_phone JOIN contact ON key = contact"
        var bare: [Writing: Readings] = [:]
        var rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT \(columns) \(from) WHERE e164 IS NULL AND length(national) >= \(DuplicateFinding.leastDigits)
                ORDER BY key
                """)
        while let row = try rows.next() {
            let member = try NamedGroups.Member(key: row.value(0), nameKey: row.value(1), sortKey: row.value(2))
            let writing = try Writing(digits: row.value(3), extensionNumber: row.value(6))
            bare[writing, default: Readings()].members.append(member)
        }
        if bare.isEmpty { return }
        rows = try Row.fetchCursor(db, sql: "SELECT \(columns) \(from) WHERE e164 IS NOT NULL ORDER BY key")
        while let row = try rows.next() {
            let national: String = try row.value(3)
            let trunk: String? = try row.value(4)
            let e164: String = try row.value(5)
            let extensionNumber: String? = try row.value(6)
            for digits in Set([national, trunk ?? national, String(e164.dropFirst())]) {
                let writing = Writing(digits: digits, extensionNumber: extensionNumber)
                guard let index = bare.index(forKey: writing) else { continue }
                try bare.values[index].identities.insert(row.value(7))
                try bare.values[index].members.append(
                    NamedGroups.Member(key: row.value(0), nameKey: row.value(1), sortKey: row.value(2)))
            }
        }
        // In order, so that the same book gives the same groups.
        for (_, readings) in bare.sorted(by: { $0.key.digits < $1.key.digits }) {
            // Digits that are numbers of two countries tell of neither.
            guard let identity = readings.identities.first, readings.identities.count == 1 else { continue }
            groups.join(readings.members, for: SharedFact(.phone, identity))
        }
    }
}
