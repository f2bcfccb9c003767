import Foundation
import GRDB
import SwitchboardStorage
import SwitchboardVCard

extension ContactRows {
    /// Gives photographs and groups, which stood among the other properties, rows of their kinds.
    ///
    /// The change is noted for nobody: what is searched stays the same.
    static func takeOutPhotosAndGroups(in db: Database) throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT rowid, contact, position, value FROM contact_detail
                WHERE kind = ? AND (value LIKE 'PHOTO%' OR value LIKE 'CATEGORIES%') ORDER BY contact, position
                """, arguments: [DetailKind.property.rawValue])
        var changes: [(row: Int64, contact: Int64, position: Int, line: String)] = []
        while let row = try rows.next() {
            try changes.append((row.value(0), row.value(1), row.value(2), row.value(3)))
        }
        // Who has one already keeps it.
        var photographed = Set(
            try Int64.fetchAll(
                db, sql: "SELECT contact FROM contact_detail WHERE kind = ?", arguments: [DetailKind.photo.rawValue]))
        for change in changes {
            guard let property = try? VCardProperty(unfolded: change.line) else { continue }
            var contact = Contact()
            if property.name == "CATEGORIES" {
                for group in property.list { contact.addGroup(group) }
            } else if property.name == "PHOTO", !photographed.contains(change.contact) {
                contact.photo = ContactPhoto(property)
            }
            guard contact.photo != nil || property.name == "CATEGORIES" else { continue }
            try db.execute(sql: "DELETE FROM contact_detail WHERE rowid = ?", arguments: [change.row])
            let insert = "INSERT INTO contact_detail VALUES (?, ?, ?, ?, ?)"
            for group in contact.groups {
                try db.execute(
                    sql: insert,
                    arguments: [change.contact, change.position, DetailKind.group.rawValue, "", group])
            }
            if let photo = contact.photo, let data = photo.data {
                photographed.insert(change.contact)
                try db.execute(
                    sql: insert,
                    arguments: [
                        change.contact, change.position, DetailKind.photo.rawValue, photo.mediaType, data,
                    ])
            }
            if contact.isFavourite {
                try db.execute(sql: "UPDATE contact SET isFavourite = 1 WHERE key = ?", arguments: [change.contact])
            }
        }
    }
}
