import Foundation
import GRDB
import SwitchboardStorage
import SwitchboardVCard

/// A group of contacts and how many are in it.
public struct ContactGroup: Hashable, Sendable, Codable {
    /// As it is written most often.
    public let name: String
    /// How many contacts are in it.
    public let count: Int
    /// How many more its card names who are not in the book; nil if there are none.
    public let unknown: Int?

    init(name: String, count: Int, unknown: Int? = nil) {
        (self.name, self.count, self.unknown) = (name, count, unknown)
    }
}

extension ContactBook {
    /// The groups that contacts are in, by name; writings that differ in case and accents alone are one group.
    ///
    /// - Complexity: O(memberships); one pass over an index.
    public func groups() throws -> [ContactGroup] {
        try storage.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT value, count(DISTINCT contact) FROM contact_detail WHERE kind = \(DetailKind.group.rawValue)
                    GROUP BY value ORDER BY count(DISTINCT contact) DESC, value
                    """)
            var writings: [String: [String]] = [:]
            var counts: [String: Int] = [:]
            for row in rows {
                let name: String = try row.value(0)
                let key = ContactBook.groupKey(name)
                writings[key, default: []].append(name)
                counts[key, default: 0] += try row.value(1) as Int
            }
            var strangers: [String: Set<String>] = [:]
            for (name, members) in try GroupStrangers.all(in: db) {
                let key = ContactBook.groupKey(name)
                if writings[key] == nil { writings[key] = [name] }
                strangers[key, default: []].formUnion(members)
            }
            return try writings.keys.sorted().compactMap { key in
                guard let names = writings[key], let name = names.first else { return nil }
                // Who is in two writings of it is in it once.
                let count = names.count == 1 ? counts[key] ?? 0 : try members(of: names, in: db)
                return ContactGroup(name: name, count: count, unknown: strangers[key]?.count)
            }
        }
    }

    /// What the writings of one group have in common; a symbol has no letters to fold.
    private static func groupKey(_ name: String) -> String {
        let folded = NameKey(name).sortText
        return folded.isEmpty ? name : folded
    }

    private func members(of names: [String], in db: Database) throws -> Int {
        let list = names.map(\.quotedText).joined(separator: ",")
        return try Int.fetchOne(
            db,
            sql: """
                SELECT count(DISTINCT contact) FROM contact_detail
                WHERE kind = \(DetailKind.group.rawValue) AND value IN (\(list))
                """) ?? 0
    }

    /// A subquery for the keys of the members of a group.
    ///
    /// - Throws: ``ContactBookError/unknownGroup(_:)``.
    static func keys(ofGroup name: String, in db: Database) throws -> String {
        let wanted = groupKey(name)
        let names = try String.fetchAll(
            db,
            sql: """
                SELECT value FROM contact_detail WHERE kind = \(DetailKind.group.rawValue)
                UNION SELECT name FROM contact_stranger
                """)
        let same = names.filter { groupKey($0) == wanted }
        guard !same.isEmpty else { throw ContactBookError.unknownGroup(name) }
        return """
            SELECT contact FROM contact_detail WHERE kind = \(DetailKind.group.rawValue) \
            AND value IN (\(same.map(\.quotedText).joined(separator: ",")))
            """
    }
}

extension String {
    /// The text as it stands in a statement.
    fileprivate var quotedText: String { "'" + components(splitBy: "'").joined(separator: "''") + "'" }
}
