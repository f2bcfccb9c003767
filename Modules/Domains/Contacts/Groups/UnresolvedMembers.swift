import GRDB
import SwitchboardStorage
import SwitchboardVCard

/// Group members from group cards that match no contact.
///
/// They are written on export and become members when a matching contact is imported.
enum UnresolvedMembers {
    /// Stores unresolved members of a group. Returns `true` if one is new.
    static func add(_ members: [String], to group: String, in db: Database) throws -> Bool {
        let statement = try db.cachedStatement(sql: "INSERT OR IGNORE INTO contact_stranger VALUES (?, ?)")
        let before = db.totalChangesCount
        for member in members { try statement.execute(arguments: [group, member]) }
        return db.totalChangesCount > before
    }

    static func remove(_ member: String, of group: String, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM contact_stranger WHERE name = ? AND member = ?")
            .execute(arguments: [group, member])
    }

    /// Returns the groups with unresolved members, sorted by name.
    static func all(in db: Database) throws -> [(group: String, members: [String])] {
        var groups: [(group: String, members: [String])] = []
        let rows = try Row.fetchCursor(db, sql: "SELECT name, member FROM contact_stranger ORDER BY name, member")
        while let row = try rows.next() {
            let name: String = try row.value(0)
            if groups.last?.group != name { groups.append((name, [])) }
            try groups[groups.endIndex - 1].members.append(row.value(1))
        }
        return groups
    }

    static func card(_ group: String, _ members: [String], version: VCardWriter.Version) -> String {
        var lines = VCardLines()
        lines.add("BEGIN:VCARD")
        lines.add("VERSION:" + version.rawValue)
        lines.add(version == .version4 ? "KIND:group" : "X-ADDRESSBOOKSERVER-KIND:group")
        lines.add("FN:" + VCardText.escaped(group))
        if version == .version3 { lines.add("N:" + VCardText.escaped(group) + ";;;;") }
        for member in members {
            let name = version == .version4 ? "MEMBER:" : "X-ADDRESSBOOKSERVER-MEMBER:"
            lines.add(name + VCardText.escaped(member.contains(":") ? member : "urn:uuid:" + member))
        }
        lines.add("END:VCARD")
        return lines.text
    }
}

extension ContactBook {
    /// Removes group members that match no contact.
    ///
    /// - Returns: The number of removed members.
    @discardableResult
    public func forgetUnknownMembers() throws -> Int {
        try writing { db in
            try db.execute(sql: "DELETE FROM contact_stranger")
            return db.changesCount
        }
    }
}
