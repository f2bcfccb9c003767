import Foundation
import GRDB
import SwitchboardIncrementalIndex
package import SwitchboardJSON
package import SwitchboardPeopleSearch
import SwitchboardStorage
import SwitchboardTextNormalization
import Synchronization

/// A contact as the index stores it: its rows, so search results need neither the database nor a ``Contact``.
///
/// Reading takes about 0.5 µs, writing JSON 1 to 2 µs, and decoding the contact about 7 µs. The contact is decoded at
/// most once.
package final class StoredContact: StoredPerson {
    /// The number of columns of ``ContactFetching/columns``.
    static let columnCount = ContactFetching.Column.count

    private let row: StoredRow
    private let phones: [StoredRow]
    private let emails: [StoredRow]
    private let details: [StoredRow]
    private let storedName: ArraySlice<UInt8>
    private let tokens: ArraySlice<UInt8>
    private let decoded = Mutex<Contact?>(nil)

    /// Reads the bytes of a ``ContactRecord``; nil if they are empty or malformed.
    init?(_ bytes: [UInt8]) {
        if bytes.isEmpty { return nil }
        var reader = RowReader(bytes)
        guard let row = reader.rows(1, columns: Self.columnCount),
            let phoneCount = reader.count(),
            let phone = reader.rows(phoneCount, columns: ContactTable.phones.columnCount),
            let emailCount = reader.count(),
            let email = reader.rows(emailCount, columns: ContactTable.emails.columnCount),
            let detailCount = reader.count(),
            let detail = reader.rows(detailCount, columns: ContactTable.details.columnCount),
            let storedName = reader.data(), let tokens = reader.data()
        else { return nil }
        let read = reader
        func list(_ count: Int, _ table: ContactTable, from first: Int) -> [StoredRow] {
            (0..<count).map { read.row(at: first + $0 * table.columnCount, columns: table.columnCount) }
        }
        self.row = read.row(at: row, columns: Self.columnCount)
        phones = list(phoneCount, .phones, from: phone)
        emails = list(emailCount, .emails, from: email)
        details = list(detailCount, .details, from: detail)
        self.storedName = storedName
        self.tokens = tokens
    }

    package var id: String { String(decoding: row.utf8(1), as: UTF8.self) }

    /// The name for lists; see ``Contact/displayName``.
    package var displayName: String { String(decoding: storedDisplayName, as: UTF8.self) }

    /// The number at a position, or else the preferred or first one; nil if there is none.
    package func number(_ position: Int?) -> PhoneNumber? {
        let position = position ?? phones.firstIndex { (try? $0.flag(7)) ?? false } ?? 0
        return phones.indices.contains(position) ? try? PhoneNumber(phones[position], at: 2) : nil
    }

    /// The first of organization, number and e-mail address that is not the name; empty if none.
    ///
    /// - Parameter position: The position of the number that matched.
    package func firstDetail(number position: Int?) -> String {
        let name = storedDisplayName
        func ifDetail(_ text: ArraySlice<UInt8>?) -> String? {
            guard let text, !text.isEmpty, text != name else { return nil }
            return String(decoding: text, as: UTF8.self)
        }
        if let organization = ifDetail(row.utf8(ContactFetching.Column.organization)) { return organization }
        if let number = number(position)?.text, !number.isEmpty, number != displayName { return number }
        return ifDetail(emails.first?.utf8(2)) ?? ""
    }

    /// The contact. Values that are corrupt despite their checksum are missing.
    package var contact: Contact {
        decoded.withLock { decoded in
            if let decoded { return decoded }
            var contact = (try? ContactFetching.contact(of: row)) ?? Contact(id: id)
            for (table, row) in listRows { try? table.add(row, withPhotos: false, to: &contact) }
            decoded = contact
            return contact
        }
    }

    /// The rows of the lists.
    private var listRows: [(table: ContactTable, row: StoredRow)] {
        [(ContactTable.phones, phones), (.emails, emails), (.details, details)].flatMap { table, rows in
            rows.map { (table, $0) }
        }
    }

    /// Returns the contact.
    ///
    /// - Throws: `StorageError` for a corrupt value.
    func strictlyDecoded() throws -> Contact {
        var contact = try ContactFetching.contact(of: row)
        for (table, row) in listRows { try table.add(row, withPhotos: false, to: &contact) }
        return contact
    }

    package func texts(includingDetails: Bool) -> PersonTexts {
        if !tokens.isEmpty { return PersonTexts(Data(tokens), of: contact) }
        let phones = phones
        var texts = PersonTexts(
            of: ContactField.self, numbers: phones.map { (try? PhoneNumber($0, at: 2))?.searchFormats ?? [] })
        for field in ContactField.all where field.isName || includingDetails {
            switch field {
            case .displayName: texts.append(storedDisplayName, field)
            case .phoneticName: texts.append(storedPhoneticName, field)
            case .email:
                for (position, email) in emails.enumerated() { texts.append(email.utf8(2), field, position) }
            default:
                if let position = field.textPosition {
                    let text = text(at: position)
                    if field == .birthday, Birthday(String(decoding: text, as: UTF8.self)) != nil { continue }
                    texts.append(text, field)
                } else {
                    for (position, text) in (contactWithDetails?.values(of: field) ?? []).enumerated() {
                        texts.append(Array(text.utf8)[...], field, position)
                    }
                }
            }
        }
        return texts
    }

    package func shownTexts(_ key: String) -> [String] {
        if key == "name" { return [displayName] }
        guard let position = ContactTextField.all.firstIndex(where: { $0.highlight == key }) else {
            return contact.shownTexts(key)
        }
        return [String(decoding: text(at: position), as: UTF8.self)]
    }

    package func number(at position: Int) -> ShownNumber {
        guard phones.indices.contains(position) else { return ShownNumber(key: "phones.\(position)", text: "") }
        let phone = phones[position]
        return ShownNumber(
            key: "phones.\(position)", text: String(decoding: phone.utf8(2), as: UTF8.self),
            extensionDigits: phone.utf8(6).count)
    }
}

extension StoredContact: ContactFields, JSONObjectEncodable {
    /// Encodes the object that responses contain under `contact`.
    package func encode(to members: inout JSONMembers) throws { try encodeFields(to: &members) }

    var storedID: ArraySlice<UInt8> { row.utf8(1) }
    var storedDisplayName: ArraySlice<UInt8> {
        storedName.isEmpty ? row.utf8(ContactFetching.Column.formatted) : storedName
    }
    var storedUID: ArraySlice<UInt8> { row.utf8(ContactFetching.Column.sourceUID) }

    func text(at position: Int) -> ArraySlice<UInt8> { row.utf8(ContactFetching.Column.firstText + position) }

    var storedPhoneticName: ArraySlice<UInt8> {
        let given = row.utf8(ContactFetching.Column.phoneticGivenName)
        let family = row.utf8(ContactFetching.Column.phoneticFamilyName)
        if given.isEmpty { return family }
        return family.isEmpty ? given : given + [UInt8(ascii: " ")] + family
    }

    func addLists(to members: inout JSONMembers) throws {
        try members.add("phones", phones.map(StoredPhone.init))
        try members.add("emails", emails.map(StoredEmail.init))
    }

    package var isFavourite: Bool { (try? row.flag(ContactFetching.Column.isFavourite)) ?? false }
    var callCount: Int { (try? row.integer(ContactFetching.Column.callCount)) ?? 0 }
    var lastCalledAt: Date? { try? row.optionalTime(ContactFetching.Column.lastCalledAt) }
    var createdAt: Date? { try? row.optionalTime(ContactFetching.Column.createdAt) }
    var modifiedAt: Date? { try? row.optionalTime(ContactFetching.Column.modifiedAt) }
    var contactWithDetails: Contact? { details.isEmpty ? nil : contact }
}

private struct StoredPhone: JSONObjectEncodable {
    let row: StoredRow

    func encode(to members: inout JSONMembers) throws {
        try encodePhone(
            label: row.utf8(1), number: row.utf8(2), e164: row.optionalUTF8(3),
            isPreferred: (try? row.flag(7)) ?? false,
            to: &members)
    }
}

private struct StoredEmail: JSONObjectEncodable {
    let row: StoredRow

    func encode(to members: inout JSONMembers) throws {
        try encodeEmail(
            label: row.utf8(1), address: row.utf8(2), isPreferred: (try? row.flag(3)) ?? false, to: &members)
    }
}

// MARK: - Writing the stored bytes

/// The rows of a contact to index.
struct ContactRecord {
    /// Larger contacts are read from the database.
    private static let maxLength = 1_024

    private let key: Int64
    private let tokens: Data
    private var rows = RowWriter()

    /// Reads a contact and its lists.
    init(_ row: Row, _ lists: inout [ContactListCursor]) throws {
        key = try row.value(0)
        tokens = try row.value(StoredContact.columnCount)
        try rows.write(row, columns: StoredContact.columnCount)
        for number in lists.indices { try lists[number].addRows(of: key, to: &rows) }
    }

    /// The contact's values, and the bytes to store for ``StoredContact``; nil if they cannot be read.
    var document: IndexedDocument? {
        get throws {
            func bytes(name: String, tokens: Data) -> [UInt8] {
                var writer = rows
                writer.write(Array(name.utf8))
                writer.write(tokens)
                return writer.bytes
            }
            guard let contact = try StoredContact(bytes(name: "", tokens: Data()))?.strictlyDecoded() else {
                return nil
            }
            // Earlier versions stored all texts.
            let needsTokens = !tokens.isEmpty && !contact.searchTexts.isEmpty
            // Composing a name takes longer than reading it.
            let name = contact.displayName
            let stored = bytes(
                name: name == contact.formattedName ? "" : name, tokens: needsTokens ? tokens : Data())
            return IndexedDocument(
                id: key, values: PersonTexts(tokens, of: contact).values,
                // A large contact is empty.
                stored: stored.count > Self.maxLength ? [] : stored)
        }
    }
}

/// Reads the rows of a list in step with their contacts, both sorted by key.
struct ContactListCursor {
    private let table: ContactTable
    private let cursor: RowCursor
    private var next: Row?

    init(_ table: ContactTable, where list: String, in db: Database) throws {
        self.table = table
        let sql = "SELECT \(table.columns(withPhotos: false)) FROM \(table.rawValue)\(list) ORDER BY contact, position"
        cursor = try Row.fetchCursor(db, sql: sql)
        next = try cursor.next()
    }

    /// Writes the number of rows of a contact, and their columns.
    mutating func addRows(of key: Int64, to writer: inout RowWriter) throws {
        var rows = RowWriter()
        var count = 0
        while let row = next {
            // Skips corrupt rows without a contact, which come first.
            let owner: Int64? = try row.value(0)
            if let owner, owner > key { break }
            if owner == key {
                try rows.write(row, columns: table.columnCount)
                count += 1
            }
            next = try cursor.next()
        }
        writer.write(count: count)
        writer.append(rows)
    }
}
