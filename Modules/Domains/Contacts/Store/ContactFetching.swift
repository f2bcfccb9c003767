import Foundation
package import GRDB
import SwitchboardStorage
import SwitchboardVCard

/// Fetches contacts by key in batches, with one query per table.
package enum ContactFetching {
    /// Returns the contacts with some keys. Contacts that no longer exist are missing. Ten take some 100 µs.
    ///
    /// - Parameter withPhotos: `true` to read the bytes of photos, which are needed to store the contact again.
    static func contacts(_ keys: [Int64], withPhotos: Bool = true, in db: Database) throws -> [Int64: Contact] {
        // An array is modified in place; a contact in a dictionary would be copied for each number.
        var found: [Contact] = []
        var positions: [Int64: Int] = [:]
        let order = "contact, position"
        found.reserveCapacity(keys.count)
        positions.reserveCapacity(keys.count)
        try db.forEachRow("SELECT key, \(ContactRows.columns) FROM contact WHERE key IN", keys) { row in
            try positions[row.value(0)] = found.count
            try found.append(contact(of: row))
        }
        try db.forEachRow(
            """
            SELECT contact, label, number, e164, national, trunk, extension, isPreferred, parameters FROM contact_phone
            WHERE contact IN
            """, keys, orderedBy: order
        ) { row in
            guard let position = positions[try row.value(0)] else { return }
            var phone = try Phone(label: row.value(1), number: PhoneNumber(row, at: 2), isPreferred: row.value(7))
            phone.parameters = try row.value(8)
            found[position].phones.append(phone)
        }
        let emails = "SELECT contact, label, address, isPreferred, parameters FROM contact_email WHERE contact IN"
        try db.forEachRow(emails, keys, orderedBy: order) { row in
            guard let position = positions[try row.value(0)] else { return }
            var email = try Email(label: row.value(1), address: row.value(2), isPreferred: row.value(3))
            email.parameters = try row.value(4)
            found[position].emails.append(email)
        }
        // SQLite computes the length of a blob without reading it.
        let value =
            withPhotos ? "value" : "CASE kind WHEN \(DetailKind.photo.rawValue) THEN length(value) ELSE value END"
        let details = "SELECT contact, kind, label, \(value) FROM contact_detail WHERE contact IN"
        try db.forEachRow(details, keys, orderedBy: order) { row in
            guard let position = positions[try row.value(0)] else { return }
            let kind = DetailKind(rawValue: try row.value(1))
            if kind == .photo {
                let label: String = try row.value(2)
                found[position].photo =
                    withPhotos
                    ? ContactPhoto(try row.value(3) as Data, label: label)
                    : ContactPhoto(label: label, size: try row.value(3))
                return
            }
            let value: String = try row.value(3)
            switch kind {
            case .address:
                let address = try PostalAddress(label: row.value(2), components: VCardText.components(of: value))
                found[position].addresses.append(address)
            case .url: try found[position].urls.append(WebAddress(label: row.value(2), url: value))
            case .property: found[position].otherProperties.append(value)
            case .group: found[position].groups.append(value)
            case .extendedName:
                let parts = VCardText.components(of: value)
                found[position].name.secondFamily = parts.first ?? ""
                found[position].name.generation = parts.dropFirst().first ?? ""
            case .photo, nil: break
            }
        }
        return positions.mapValues { found[$0] }
    }

    private static func contact(of row: Row) throws -> Contact {
        var contact = try Contact(
            id: row.value(1),
            name: PersonName(
                prefix: row.value(2), given: row.value(3), middle: row.value(4), family: row.value(5),
                suffix: row.value(6)),
            formattedName: row.value(7))
        contact.nickname = try row.value(8)
        contact.phoneticGivenName = try row.value(9)
        contact.phoneticFamilyName = try row.value(10)
        contact.organization = try row.value(11)
        contact.department = try row.value(12)
        contact.title = try row.value(13)
        contact.note = try row.value(14)
        contact.birthday = try row.value(15)
        contact.isFavourite = try row.value(16)
        contact.callCount = try row.value(17)
        contact.lastCalledAt = try row.value(18)
        contact.createdAt = try row.value(19) as Date
        contact.modifiedAt = try row.value(20) as Date
        contact.sourceUID = try row.value(21) ?? ""
        return contact
    }

    /// Returns the key of a contact; nil if it does not exist.
    package static func key(ifAny id: String, in db: Database) throws -> Int64? {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT key FROM contact WHERE id = ?"), arguments: [id])
    }

    /// Returns the key of a contact.
    ///
    /// - Throws: ``ContactBookError/notFound(id:)``.
    static func key(of id: String, in db: Database) throws -> Int64 {
        guard let key = try key(ifAny: id, in: db) else { throw ContactBookError.notFound(id: id) }
        return key
    }

    /// Returns a contact and its key.
    ///
    /// - Throws: ``ContactBookError/notFound(id:)``.
    package static func contact(_ id: String, in db: Database) throws -> (key: Int64, contact: Contact) {
        let key = try key(of: id, in: db)
        guard let contact = try contacts([key], in: db)[key] else { throw ContactBookError.notFound(id: id) }
        return (key, contact)
    }
}
