import Foundation
package import GRDB
import GRDBSQLite
import SwitchboardTextNormalization
import SwitchboardVCard

/// A contact with the values that are derived before it is stored, on any thread and without the database.
package struct PreparedContact: Sendable {
    package var contact: Contact
    /// The sorted folded words of the full name, or a name of symbols as typed; empty without a name.
    let nameKey: String
    let sortKey: String
    let tokens: Data
    /// The keys for matching other contacts: numbers, addresses, source identifier, name.
    let matchKeys: [String]

    package init(_ contact: Contact) {
        self.contact = contact
        let name = NameKey(contact.fullName)
        nameKey = contact.nameKey(of: name)
        sortKey = contact.fullName.isEmpty ? NameKey(contact.displayName).sortText : contact.sortKey(of: name)
        tokens = contact.searchTexts
        var matchKeys = contact.phones.map(\.number.identity) + contact.emails.map(\.identity)
        if !contact.sourceUID.isEmpty { matchKeys.append("uid " + contact.sourceUID) }
        matchKeys.append("name " + (nameKey.isEmpty ? sortKey : nameKey))
        self.matchKeys = matchKeys
    }
}

/// Writes the rows of contacts within one transaction with prepared statements.
package struct ContactRows {
    private let db: Database
    private let insertContact: RowStatement
    private let updateContact: RowStatement
    private let insertPhone: RowStatement
    private let insertEmail: RowStatement
    private let insertDetail: RowStatement
    private let insertTokens: RowStatement
    /// `true` if group cards are kept, which contacts join and leave. Few books have any.
    private let hasGroupCards: Bool

    /// The columns of `contact` except for the key.
    static let columns = ContactFetching.storedColumns + ", nameKey, sortKey"

    package init(_ db: Database) throws {
        self.db = db
        // A failure rolls back the whole transaction, so OR FAIL can skip the statement journal. That saves a third of
        // the time.
        let (columns, places) = (
            ContactRows.columns, databaseQuestionMarks(count: ContactFetching.Column.count + 1)
        )
        insertContact = try RowStatement(db, "INSERT OR FAIL INTO contact (\(columns), key) VALUES (\(places), ?)")
        updateContact = try RowStatement(db, "UPDATE contact SET (\(columns)) = (\(places)) WHERE key = ?")
        insertPhone = try RowStatement(db, "INSERT INTO contact_phone VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        insertEmail = try RowStatement(db, "INSERT INTO contact_email VALUES (?, ?, ?, ?, ?, ?, ?)")
        insertDetail = try RowStatement(db, "INSERT INTO contact_detail VALUES (?, ?, ?, ?, ?)")
        insertTokens = try RowStatement(db, "INSERT OR REPLACE INTO contact_search VALUES (?, ?)")
        hasGroupCards = try GroupCards.exist(in: db)
    }

    /// Stores a new contact, also in the groups of cards that list it. Returns its key.
    package func insert(_ prepared: PreparedContact) throws -> Int64 {
        let joined = try hasGroupCards ? GroupCards.withListedGroups(prepared.contact, in: db) : prepared.contact
        let prepared = joined.groups == prepared.contact.groups ? prepared : PreparedContact(joined)
        try write(prepared, with: insertContact, key: nil)
        let key = db.lastInsertedRowID
        try insertLists(of: prepared, key: key)
        if hasGroupCards { try GroupCards.update(for: prepared.contact, in: db) }
        return key
    }

    package func replace(key: Int64, by prepared: PreparedContact) throws {
        try write(prepared, with: updateContact, key: key)
        for table in ["contact_phone", "contact_email", "contact_detail"] {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE contact = ?").execute(arguments: [key])
        }
        try insertLists(of: prepared, key: key)
        if hasGroupCards { try GroupCards.update(for: prepared.contact, in: db) }
    }

    /// Removes a contact and the records of its merges, which can no longer be undone.
    package static func delete(_ key: Int64, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM contact WHERE key = ?").execute(arguments: [key])
        try db.cachedStatement(sql: "DELETE FROM contact_merge WHERE contact = ?").execute(arguments: [key])
    }

    /// Binds all columns of `contact`, the key last. A new contact gets its key from SQLite.
    private func write(_ prepared: PreparedContact, with statement: RowStatement, key: Int64?) throws {
        let contact = prepared.contact
        let created = contact.createdAt?.timeIntervalSince1970 ?? 0
        try statement.execute(
            texts: [contact.id] + ContactTextField.all.map { contact[$0] }, contact.formattedName, contact.isFavourite,
            contact.callCount, contact.lastCalledAt?.timeIntervalSince1970, created,
            contact.modifiedAt?.timeIntervalSince1970 ?? created,
            contact.sourceUID.isEmpty ? nil : contact.sourceUID, prepared.nameKey, prepared.sortKey, key)
    }

    private func insertLists(of prepared: PreparedContact, key: Int64) throws {
        let contact = prepared.contact
        for (position, phone) in contact.phones.enumerated() {
            let number = phone.number
            try insertPhone.execute(
                key, position, phone.label, number.text, number.e164, number.nationalNumber, number.trunkNumber,
                number.extensionNumber, phone.isPreferred, number.identity, phone.parameters)
        }
        for (position, email) in contact.emails.enumerated() {
            try insertEmail.execute(
                key, position, email.label, email.address, email.isPreferred, email.identity, email.parameters)
        }
        var position = 0
        func addDetail(_ kind: DetailKind, _ label: String, _ value: some StatementBinding) throws {
            try insertDetail.execute(key, position, kind.rawValue, label, value)
            position += 1
        }
        for address in contact.addresses {
            try addDetail(.address, address.label, VCardText.structured(address.allComponents))
        }
        for url in contact.urls { try addDetail(.url, url.label, url.url) }
        for property in contact.otherProperties { try addDetail(.property, "", property) }
        for group in contact.groups { try addDetail(.group, "", group) }
        let extendedName = [contact.name.secondFamily, contact.name.generation]
        if extendedName != ["", ""] {
            try addDetail(.extendedName, "", VCardText.structured(extendedName))
        }
        for property in contact.textParameters.properties {
            try addDetail(.parameters, property, contact.textParameters[property] ?? "")
        }
        for (index, address) in contact.addresses.enumerated() where !address.parameters.isEmpty {
            try addDetail(.addressParameters, String(index), address.parameters)
        }
        for (index, url) in contact.urls.enumerated() where !url.parameters.isEmpty {
            try addDetail(.urlParameters, String(index), url.parameters)
        }
        if let photo = contact.photo, let data = photo.data {
            try addDetail(.photo, photo.mediaType + photo.parameters, data)
        }
        try insertTokens.execute(key, prepared.tokens)
    }
}

extension Contact {
    func nameKey(of name: NameKey) -> String { name.words.isEmpty ? NameAsTyped(fullName).text : name.text }

    /// Returns the words of the name in order, without prefixes such as "Dr.", which do not affect the order.
    func sortKey(of name: NameKey) -> String {
        let prefix = NameKey(self.name.prefix).words
        guard !prefix.isEmpty, name.words.count > prefix.count, name.words.starts(with: prefix) else {
            return name.sortText
        }
        return NameKey(words: Array(name.words.dropFirst(prefix.count))).sortText
    }
}

/// A prepared statement whose values are bound without boxing them.
///
/// Binding the forty values of a contact through GRDB's `StatementArguments` takes as long as storing them. The
/// statement must be used within the database access that prepared it.
struct RowStatement {
    // Each `unsafe` is safe because the caller keeps to the database access that prepared the statement, which GRDB keeps
    // until then, and because SQLite accepts any position of a value or column.
    private let db: Database
    private let statement: Statement

    init(_ db: Database, _ sql: String) throws {
        self.db = db
        statement = try db.cachedStatement(sql: sql)
    }

    /// Binds texts and then values in order, and executes the statement.
    ///
    /// - Parameter readKey: Called with the first column of each row that the statement returns.
    func execute<each Value: StatementBinding>(
        texts: [String] = [], _ value: repeat each Value, readKey: (Int64) -> Void = { _ in }
    ) throws(DatabaseError) {
        let handle = unsafe statement.sqliteStatement
        var position: CInt = 0
        var code = SQLITE_OK
        for text in texts {
            position += 1
            if code == SQLITE_OK { code = unsafe text.bind(to: handle, at: position) }
        }
        for value in repeat each value {
            position += 1
            if code == SQLITE_OK { code = unsafe value.bind(to: handle, at: position) }
        }
        if code == SQLITE_OK { code = unsafe sqlite3_step(handle) }
        while code == SQLITE_ROW {
            readKey(unsafe sqlite3_column_int64(handle, 0))
            code = unsafe sqlite3_step(handle)
        }
        // Reset repeats the error of the last step.
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
        if code == SQLITE_DONE { return }
        throw DatabaseError(
            resultCode: ResultCode(rawValue: code),
            message: unsafe db.sqliteConnection.map { unsafe String(cString: sqlite3_errmsg($0)) }, sql: statement.sql)
    }

    /// Appends the first column of the rows for a text. A query without results takes about a microsecond.
    func append(_ text: String, to keys: inout [Int64]) throws(DatabaseError) {
        if text.isEmpty { return }
        try execute(text) { keys.append($0) }
    }
}

// MARK: - Copies of rows

/// A copy of a contact's rows that can be restored exactly.
///
/// Columns are stored by name: a column that was added later gets its default value.
struct StoredRows: Codable {
    private struct Table: Codable {
        let name: String
        let columns: [String]
        let rows: [[StoredValue]]
    }

    let key: Int64
    private let tables: [Table]

    /// The tables with the column of the contact's key, the referenced table first.
    private static let sources = [
        ("contact", "key"), ("contact_phone", "contact"), ("contact_email", "contact"), ("contact_detail", "contact"),
        ("contact_search", "contact"),
    ]

    var identifier: String? {
        guard let table = tables.first, let column = table.columns.firstIndex(of: "id"), let row = table.rows.first,
            row.indices.contains(column)
        else { return nil }
        return row[column].text
    }

    /// The contact of the rows with its texts, numbers and e-mail addresses.
    var contact: Contact? {
        func texts(_ table: Table, _ column: String) -> [String] {
            guard let index = table.columns.firstIndex(of: column) else { return [] }
            return table.rows.compactMap { $0.indices.contains(index) ? $0[index].text : nil }
        }
        guard let table = tables.first, let identifier else { return nil }
        var contact = Contact(id: identifier)
        contact.formattedName = texts(table, "formatted").first ?? ""
        for field in ContactTextField.all { contact[field] = texts(table, field.column).first ?? "" }
        for table in tables {
            if table.name == "contact_phone" {
                contact.phones = texts(table, "number").map { Phone(label: "", number: PhoneNumber($0)) }
            } else if table.name == "contact_email" {
                contact.emails = texts(table, "address").map { Email(typed: $0) }
            }
        }
        return contact
    }

    init(of key: Int64, in db: Database) throws {
        self.key = key
        tables = try StoredRows.sources.map { name, column in
            let rows = try Row.fetchAll(db, sql: "SELECT * FROM \(name) WHERE \(column) = ?", arguments: [key])
            return Table(
                name: name, columns: rows.first.map { Array($0.columnNames) } ?? [],
                rows: rows.map { $0.databaseValues.map(StoredValue.init) })
        }
    }

    /// Inserts the rows. The contact must have none.
    func restore(in db: Database) throws {
        for table in tables where StoredRows.sources.contains(where: { $0.0 == table.name }) {
            let columns = table.columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
            let places = table.columns.map { _ in "?" }.joined(separator: ", ")
            // In copies from before the primary key of details, groups may share a position.
            let position = table.name == "contact_detail" ? table.columns.firstIndex(of: "position") : nil
            for (place, row) in table.rows.enumerated() {
                var values = row.map(\.databaseValue)
                if let position, values.indices.contains(position) { values[position] = place.databaseValue }
                try db.cachedStatement(sql: "INSERT INTO \(table.name) (\(columns)) VALUES (\(places))")
                    .execute(arguments: StatementArguments(values))
            }
        }
        // The copy may predate the identities of numbers and the searched fields.
        try ContactRows.updateNumbers(where: "contact = ?", arguments: [key], in: db)
        guard let contact = try ContactFetching.contacts([key], withPhotos: false, in: db)[key] else { return }
        try db.execute(
            sql: "UPDATE contact_search SET tokens = ? WHERE contact = ?", arguments: [contact.searchTexts, key])
        try GroupCards.update(for: contact, in: db)
    }
}

/// An exact SQLite value.
private struct StoredValue: Codable {
    private var integer: Int64?
    // The bit pattern: JSON cannot represent every double.
    private var real: UInt64?
    private(set) var text: String?
    private var blob: Data?

    private enum CodingKeys: String, CodingKey { case integer = "i", real = "r", text = "t", blob = "b" }

    init(_ value: DatabaseValue) {
        switch value.storage {
        case .null: break
        case .int64(let integer): self.integer = integer
        case .double(let real): self.real = real.bitPattern
        case .string(let text): self.text = text
        case .blob(let blob): self.blob = blob
        }
    }

    var databaseValue: DatabaseValue {
        if let integer { return integer.databaseValue }
        if let real { return Double(bitPattern: real).databaseValue }
        if let text { return text.databaseValue }
        if let blob { return blob.databaseValue }
        return .null
    }
}
