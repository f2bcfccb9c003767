import Foundation
import GRDB
import SwitchboardStorage
import SwitchboardVCard

extension ContactRows {
    /// Moves photos and groups from the other properties to rows of their own kinds.
    ///
    /// No change is recorded because the searchable texts stay the same.
    static func extractPhotosAndGroups(in db: Database) throws {
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
        // An existing photo stays.
        var contactsWithPhoto = Set(
            try Int64.fetchAll(
                db, sql: "SELECT contact FROM contact_detail WHERE kind = ?", arguments: [DetailKind.photo.rawValue]))
        for change in changes {
            guard let property = try? VCardProperty(unfolded: change.line) else { continue }
            var contact = Contact()
            if property.name == "CATEGORIES" {
                for group in property.list { contact.addGroup(group) }
            } else if property.name == "PHOTO", !contactsWithPhoto.contains(change.contact) {
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
                contactsWithPhoto.insert(change.contact)
                try db.execute(
                    sql: insert,
                    arguments: [change.contact, change.position, DetailKind.photo.rawValue, photo.mediaType, data])
            }
            if contact.isFavourite {
                try db.execute(sql: "UPDATE contact SET isFavourite = 1 WHERE key = ?", arguments: [change.contact])
            }
        }
    }
}
