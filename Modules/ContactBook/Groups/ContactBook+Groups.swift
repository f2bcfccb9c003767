import Foundation
import GRDB
import Storage

/// A group of contacts and how many are in it.
public struct ContactGroup: Hashable, Sendable, Codable {
    /// As it is written most often.
    public let name: String
    /// How many contacts are in it.
    public let count: Int
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
                let name: String = row[0]
                let key = ContactBook.groupKey(name)
                writings[key, default: []].append(name)
                counts[key, default: 0] += row[1] as Int
            }
            return try writings.keys.sorted().compactMap { key in
                guard let names = writings[key], let name = names.first else { return nil }
                // Who is in two writings of it is in it once.
                let count = names.count == 1 ? counts[key] ?? 0 : try members(of: names, in: db)
                return ContactGroup(name: name, count: count)
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
            db, sql: "SELECT DISTINCT value FROM contact_detail WHERE kind = \(DetailKind.group.rawValue)")
        let same = names.filter { groupKey($0) == wanted }
        guard !same.isEmpty else { throw ContactBookError.unknownGroup(name) }
        return """
            SELECT contact FROM contact_detail WHERE kind = \(DetailKind.group.rawValue) \
            AND value IN (\(same.map(\.quotedText).joined(separator: ",")))
            """
    }

    /// The photograph of a contact; nil without one.
    ///
    /// - Throws: ``ContactBookError/notFound(id:)``.
    public func photo(of id: String) throws -> ContactPhoto? {
        try storage.read { db in
            let key = try ContactFetching.key(of: id, in: db)
            let row = try Row.fetchOne(
                db, sql: "SELECT label, value FROM contact_detail WHERE contact = ? AND kind = ?",
                arguments: [key, DetailKind.photo.rawValue])
            return row.map { ContactPhoto($0[1] as Data, declaredType: $0[0]) }
        }
    }
}

extension String {
    /// The text as it stands in a statement.
    fileprivate var quotedText: String { "'" + replacingOccurrences(of: "'", with: "''") + "'" }
}
