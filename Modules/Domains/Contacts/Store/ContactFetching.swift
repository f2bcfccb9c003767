import Foundation
package import GRDB
import SwitchboardStorage
import SwitchboardVCard

/// Fetches contacts by key in batches, with one query per table.
package enum ContactFetching {
    /// Returns the contacts with the given keys. Contacts that no longer exist are missing. Ten take about 100 µs.
    ///
    /// - Parameter withPhotos: `true` to read the bytes of photos, which are needed to store the contact again.
    package static func contacts(_ keys: [Int64], withPhotos: Bool = true, in db: Database) throws -> [Int64: Contact] {
        // An array is modified in place; a contact in a dictionary would be copied for each number.
        var found: [Contact] = []
        var positions: [Int64: Int] = [:]
        let order = "contact, position"
        found.reserveCapacity(keys.count)
        positions.reserveCapacity(keys.count)
        try db.forEachRow("SELECT \(columns) FROM contact WHERE key IN", keys) { row in
            try positions[row.value(0)] = found.count
            try found.append(contact(of: row))
        }
        for table in ContactTable.allCases {
            let select = "SELECT \(table.columns(withPhotos: withPhotos)) FROM \(table.rawValue) WHERE contact IN"
            try db.forEachRow(select, keys, orderedBy: order) { row in
                guard let position = positions[try row.value(0)] else { return }
                try table.add(row, withPhotos: withPhotos, to: &found[position])
            }
        }
        return positions.mapValues { found[$0] }
    }

    /// The positions of columns in ``columns``.
    enum Column {
        static let firstText = 2
        static let formatted = firstText + ContactTextField.all.count
        static let isFavourite = formatted + 1
        static let callCount = formatted + 2
        static let lastCalledAt = formatted + 3
        static let createdAt = formatted + 4
        static let modifiedAt = formatted + 5
        static let sourceUID = formatted + 6
        static let count = formatted + 7
        static let texts = ContactTextField.all.enumerated().map { (firstText + $0, $1) }
        static let organization = of(.organization)
        static let phoneticGivenName = of(.phoneticGivenName)
        static let phoneticFamilyName = of(.phoneticFamilyName)

        private static func of(_ field: ContactTextField) -> Int { texts.first { $0.1 == field }?.0 ?? 0 }
    }

    /// The columns of `contact` that ``contact(of:)`` reads.
    static let columns = "key, " + storedColumns
    static let storedColumns =
        (["id"] + ContactTextField.all.map(\.column)
        + ["formatted", "isFavourite", "callCount", "lastCalledAt", "createdAt", "modifiedAt", "sourceUID"])
        .joined(separator: ", ")

    /// Returns the contact of a row, without its lists.
    static func contact(of row: some ColumnRow) throws -> Contact {
        var contact = try Contact(id: row.text(1), formattedName: row.text(Column.formatted))
        for (column, field) in Column.texts {
            let text = try row.text(column)
            if !text.isEmpty { contact[field] = text }
        }
        contact.isFavourite = try row.flag(Column.isFavourite)
        contact.callCount = try row.integer(Column.callCount)
        contact.lastCalledAt = try row.optionalTime(Column.lastCalledAt)
        contact.createdAt = try row.time(Column.createdAt)
        contact.modifiedAt = try row.time(Column.modifiedAt)
        contact.sourceUID = try row.optionalText(Column.sourceUID) ?? ""
        return contact
    }

    /// Returns the key of a contact; nil if it does not exist.
    package static func key(ifAny id: String, in db: Database) throws -> Int64? {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT key FROM contact WHERE id = ?"), arguments: [id])
    }

    /// Returns the keys of the contacts with an identifier, a UID or a "mailto:" address.
    static func keys(ofMember member: String, in db: Database) throws -> [Int64] {
        let address = member.hasPrefix("mailto:") ? String(member.dropFirst(7)) : nil
        let statement = try db.cachedStatement(
            sql: address == nil
                ? "SELECT key FROM contact WHERE sourceUID = ?1 UNION SELECT key FROM contact WHERE id = ?1"
                : "SELECT contact FROM contact_email WHERE identity = ?1")
        return try Int64.fetchAll(statement, arguments: [address ?? member])
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

/// The tables of the lists of a contact.
enum ContactTable: String, CaseIterable {
    case phones = "contact_phone"
    case emails = "contact_email"
    case details = "contact_detail"

    /// The columns that ``add(_:withPhotos:to:)`` reads.
    ///
    /// - Parameter withPhotos: `true` for the bytes of photos. Otherwise their size, which SQLite knows without reading
    ///   them.
    func columns(withPhotos: Bool) -> String {
        switch self {
        case .phones: "contact, label, number, e164, national, trunk, extension, isPreferred, parameters"
        case .emails: "contact, label, address, isPreferred, parameters"
        case .details where withPhotos: "contact, kind, label, value"
        case .details:
            "contact, kind, label, CASE kind WHEN \(DetailKind.photo.rawValue) THEN length(value) ELSE value END"
        }
    }

    var columnCount: Int {
        switch self {
        case .phones: 9
        case .emails: 5
        case .details: 4
        }
    }

    /// Adds a row to the lists of its contact.
    func add(_ row: some ColumnRow, withPhotos: Bool, to contact: inout Contact) throws {
        switch self {
        case .phones:
            var phone = try Phone(label: row.text(1), number: PhoneNumber(row, at: 2), isPreferred: row.flag(7))
            phone.parameters = try row.text(8)
            contact.phones.append(phone)
        case .emails:
            var email = try Email(label: row.text(1), address: row.text(2), isPreferred: row.flag(3))
            email.parameters = try row.text(4)
            contact.emails.append(email)
        case .details: try addDetail(row, withPhotos: withPhotos, to: &contact)
        }
    }

    private func addDetail(_ row: some ColumnRow, withPhotos: Bool, to contact: inout Contact) throws {
        let kind = DetailKind(rawValue: try row.integer(1))
        if kind == .photo {
            let label = try row.text(2)
            // The bytes are read from the database only.
            contact.photo =
                if withPhotos, let row = row as? Row {
                    ContactPhoto(try row.value(3) as Data, label: label)
                } else {
                    ContactPhoto(label: label, size: try row.integer(3))
                }
            return
        }
        let value = try row.text(3)
        switch kind {
        case .address:
            let address = try PostalAddress(label: row.text(2), components: VCardText.components(of: value))
            contact.addresses.append(address)
        case .url: try contact.urls.append(WebAddress(label: row.text(2), url: value))
        case .property: contact.otherProperties.append(value)
        case .group: contact.groups.append(value)
        case .extendedName:
            let parts = VCardText.components(of: value)
            contact.name.secondFamily = parts.first ?? ""
            contact.name.generation = parts.dropFirst().first ?? ""
        case .parameters:
            let key = try row.text(2)
            let field = ContactTextField.all.first { $0.key == key }
            contact.textParameters[field?.ownProperty ?? key] = value
        case .addressParameters:
            let index = try Int(row.text(2)) ?? -1
            if contact.addresses.indices.contains(index) { contact.addresses[index].parameters = value }
        case .urlParameters:
            let index = try Int(row.text(2)) ?? -1
            if contact.urls.indices.contains(index) { contact.urls[index].parameters = value }
        case .photo, nil: break
        }
    }
}

extension PhoneNumber {
    /// Creates a number from five columns: text, E.164 form, national number, trunk number and extension.
    init(_ row: some ColumnRow, at column: Int) throws {
        try self.init(
            text: row.text(column), e164: row.optionalText(column + 1), nationalNumber: row.text(column + 2),
            trunkNumber: row.optionalText(column + 3), extensionNumber: row.optionalText(column + 4))
    }
}
