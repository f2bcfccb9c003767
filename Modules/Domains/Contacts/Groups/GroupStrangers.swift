import GRDB
import SwitchboardStorage
import SwitchboardVCard

/// The members of groups who are not in the book, as the cards of the groups name them.
///
/// They are written back when the book is exported, and become members as soon as they are in it.
enum GroupStrangers {
    static let schema = """
        CREATE TABLE contact_stranger (
            name TEXT NOT NULL, member TEXT NOT NULL, PRIMARY KEY (name, member)) WITHOUT ROWID;
        """

    /// Remembers whom a group names; whether somebody is new.
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

    /// The groups in order of their names, and whom each names.
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

    /// The card of a group, with those of its members who are in no card of their own.
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
    /// Forgets the members of groups who are not in the book.
    ///
    /// - Returns: how many there were.
    @discardableResult
    public func forgetUnknownMembers() throws -> Int {
        try writing { db in
            try db.execute(sql: "DELETE FROM contact_stranger")
            return db.changesCount
        }
    }
}
