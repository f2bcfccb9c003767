import GRDB
import SwitchboardStorage
import SwitchboardTextNormalization
import SwitchboardVCard

/// A group of contacts.
public struct ContactGroup: Hashable, Sendable, Codable {
    /// The most frequent spelling of the name.
    public let name: String
    /// The number of contacts in the group.
    public let count: Int
    /// The number of members in group cards that match no contact; nil if none.
    public let unknown: Int?
}

extension ContactBook {
    /// Returns the groups sorted by name. Spellings that differ only in case and accents are one group.
    ///
    /// - Complexity: O(*memberships*).
    public func groups() throws -> [ContactGroup] {
        try storage.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT value, count(DISTINCT contact) FROM contact_detail WHERE kind = \(DetailKind.group.rawValue)
                    GROUP BY value ORDER BY count(DISTINCT contact) DESC, value
                    """)
            var spellings: [String: [String]] = [:]
            var counts: [String: Int] = [:]
            for row in rows {
                let name: String = try row.value(0)
                let key = ContactBook.groupKey(name)
                spellings[key, default: []].append(name)
                counts[key, default: 0] += try row.value(1) as Int
            }
            var unresolved: [String: Set<String>] = [:]
            for (name, members) in try UnresolvedMembers.all(in: db) {
                let key = ContactBook.groupKey(name)
                if spellings[key] == nil { spellings[key] = [name] }
                unresolved[key, default: []].formUnion(members)
            }
            return try spellings.keys.sorted().compactMap { key in
                guard let names = spellings[key], let name = names.first else { return nil }
                // Counts a contact once even if it uses several spellings.
                let count = names.count == 1 ? counts[key] ?? 0 : try members(of: names, in: db)
                return ContactGroup(name: name, count: count, unknown: unresolved[key]?.count)
            }
        }
    }

    /// Returns a key that is equal for all spellings of a group. Symbols are not folded.
    private static func groupKey(_ name: String) -> String {
        let folded = NameKey(name).sortText
        return folded.isEmpty ? name : folded
    }

    private func members(of names: [String], in db: Database) throws -> Int {
        let list = names.map(\.sqlLiteral).joined(separator: ",")
        return try Int.fetchOne(
            db,
            sql: """
                SELECT count(DISTINCT contact) FROM contact_detail
                WHERE kind = \(DetailKind.group.rawValue) AND value IN (\(list))
                """) ?? 0
    }

    /// Returns a subquery for the keys of a group's members.
    ///
    /// - Throws: ``ContactBookError/unknownGroup(_:)``.
    static func keys(ofGroup name: String, in db: Database) throws -> String {
        let key = groupKey(name)
        let names = try String.fetchAll(
            db,
            sql: """
                SELECT value FROM contact_detail WHERE kind = \(DetailKind.group.rawValue)
                UNION SELECT name FROM contact_stranger
                """)
        let same = names.filter { groupKey($0) == key }
        guard !same.isEmpty else { throw ContactBookError.unknownGroup(name) }
        return """
            SELECT contact FROM contact_detail WHERE kind = \(DetailKind.group.rawValue) \
            AND value IN (\(same.map(\.sqlLiteral).joined(separator: ",")))
            """
    }
}

extension String {
    fileprivate var sqlLiteral: String { "'" + components(splitBy: "'").joined(separator: "''") + "'" }
}
