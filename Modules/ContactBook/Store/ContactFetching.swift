import Foundation
import GRDB
import VCardFormat

/// Reads contacts by their keys, one query a table for many at once.
enum ContactFetching {
    /// As many as one statement asks for.
    private static let largestBatch = 500

    /// The contacts of the keys; those that are no more are missing. Ten take some 100 µs.
    ///
    /// - Parameter withPhotos: whether the bytes of photographs are read; whoever stores the contact again needs them.
    static func contacts(_ keys: [Int64], withPhotos: Bool = true, in db: Database) throws -> [Int64: Contact] {
        var contacts: [Int64: Contact] = [:]
        contacts.reserveCapacity(keys.count)
        var start = 0
        while start < keys.count {
            let end = min(start + largestBatch, keys.count)
            try fetch(Array(keys[start..<end]), withPhotos: withPhotos, in: db, into: &contacts)
            start = end
        }
        return contacts
    }

    private static func fetch(
        _ keys: [Int64], withPhotos: Bool, in db: Database, into contacts: inout [Int64: Contact]
    ) throws {
        // Few different statements, so that they stay prepared: the list is filled up with the last key.
        let width = keys.count <= 1 ? 1 : keys.count <= 16 ? 16 : largestBatch
        guard let last = keys.last else { return }
        let arguments = StatementArguments(keys + Array(repeating: last, count: width - keys.count))
        let list = "(" + String(repeating: "?,", count: width - 1) + "?)"

        func rows(_ sql: String, _ body: (Row) throws -> Void) throws {
            let cursor = try Row.fetchCursor(
                try db.cachedStatement(sql: sql + list + order(of: sql)), arguments: arguments)
            while let row = try cursor.next() { try body(row) }
        }

        // Filled in place: a contact in a dictionary would be copied for each number.
        var found: [Contact] = []
        var places: [Int64: Int] = [:]
        found.reserveCapacity(keys.count)
        places.reserveCapacity(keys.count)
        try rows(
            """
            SELECT key, id, prefix, given, middle, family, suffix, formatted, nickname, phoneticGiven, phoneticFamily,
                organization, department, title, note, birthday, isFavourite, callCount, lastCalledAt, createdAt, modifiedAt,
                sourceUID FROM contact WHERE key IN
            """
        ) { row in
            places[row[0]] = found.count
            found.append(contact(of: row))
        }
        try rows(
            """
            SELECT contact, label, number, e164, national, trunk, extension, isPreferred, parameters FROM contact_phone
            WHERE contact IN
            """
        ) { row in
            guard let place = places[row[0]] else { return }
            let number = PhoneNumber(
                text: row[2], e164: row[3], nationalNumber: row[4], trunkNumber: row[5], extensionNumber: row[6])
            var phone = Phone(label: row[1], number: number, isPreferred: row[7])
            phone.parameters = row[8]
            found[place].phones.append(phone)
        }
        try rows("SELECT contact, label, address, isPreferred, parameters FROM contact_email WHERE contact IN") { row in
            guard let place = places[row[0]] else { return }
            var email = Email(label: row[1], address: row[2], isPreferred: row[3])
            email.parameters = row[4]
            found[place].emails.append(email)
        }
        // SQLite knows the length of a photograph without reading it.
        let value =
            withPhotos ? "value" : "CASE kind WHEN \(DetailKind.photo.rawValue) THEN length(value) ELSE value END"
        try rows("SELECT contact, kind, label, \(value) FROM contact_detail WHERE contact IN") { row in
            guard let place = places[row[0]] else { return }
            let kind = DetailKind(rawValue: row[1])
            if kind == .photo {
                found[place].photo =
                    withPhotos
                    ? (row[3] as Data?).map { ContactPhoto($0, label: row[2]) }
                    : ContactPhoto(label: row[2], size: row[3])
                return
            }
            let value: String = row[3]
            switch kind {
            case .address:
                let parts = VCardText.split(value, at: ";").map { VCardText.unescaped($0, isVersion21: false) }
                found[place].addresses.append(PostalAddress(label: row[2], parts: parts))
            case .url: found[place].urls.append(WebAddress(label: row[2], url: value))
            case .property: found[place].otherProperties.append(value)
            case .group: found[place].groups.append(value)
            case .finerName:
                let parts = VCardText.split(value, at: ";").map { VCardText.unescaped($0, isVersion21: false) }
                found[place].name.secondFamily = parts.first ?? ""
                found[place].name.generation = parts.dropFirst().first ?? ""
            case .photo, nil: break
            }
        }
        for (key, place) in places { contacts[key] = found[place] }
    }

    private static func order(of sql: String) -> String {
        sql.hasSuffix("WHERE key IN") ? "" : " ORDER BY contact, position"
    }

    private static func contact(of row: Row) -> Contact {
        var contact = Contact(
            id: row[1],
            name: PersonName(prefix: row[2], given: row[3], middle: row[4], family: row[5], suffix: row[6]),
            formattedName: row[7])
        contact.nickname = row[8]
        contact.phoneticGivenName = row[9]
        contact.phoneticFamilyName = row[10]
        contact.organization = row[11]
        contact.department = row[12]
        contact.title = row[13]
        contact.note = row[14]
        contact.birthday = row[15]
        contact.isFavourite = row[16]
        contact.callCount = row[17]
        contact.lastCalledAt = (row[18] as Double?).map { Date(timeIntervalSince1970: $0) }
        contact.createdAt = (row[19] as Double?).map { Date(timeIntervalSince1970: $0) }
        contact.modifiedAt = (row[20] as Double?).map { Date(timeIntervalSince1970: $0) }
        contact.sourceUID = (row[21] as String?) ?? ""
        return contact
    }

    /// The key of an identifier.
    ///
    /// - Throws: ``ContactBookError/notFound(id:)``.
    static func key(of id: String, in db: Database) throws -> Int64 {
        let statement = try db.cachedStatement(sql: "SELECT key FROM contact WHERE id = ?")
        guard let key = try Int64.fetchOne(statement, arguments: [id]) else { throw ContactBookError.notFound(id: id) }
        return key
    }

    /// The contact of an identifier, and its key.
    ///
    /// - Throws: ``ContactBookError/notFound(id:)``.
    static func contact(_ id: String, in db: Database) throws -> (key: Int64, contact: Contact) {
        let key = try key(of: id, in: db)
        guard let contact = try contacts([key], in: db)[key] else { throw ContactBookError.notFound(id: id) }
        return (key, contact)
    }
}
