import Foundation
import GRDB
public import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import SwitchboardStorage
import SwitchboardTextNormalization

/// A search for contacts by text and by keypad. Among equal matches, favourites and the most used contacts come first.
///
/// Highlights have the keys `name`, `nickname`, `phoneticName`, `organization`, `phones.0`, `emails.0`, `note`,
/// `jobTitle`, `department`, `addresses.0.locality`, `groups.0` and `relatedNames.0`.
public typealias ContactSearch = PersonSearch<Contact>

extension PersonSearch<Contact> {
    /// Creates a search of a contact book. Nothing is read before the first query.
    ///
    /// - Parameters:
    ///   - book: The book to search.
    ///   - rebuildsInBackground: `true` if the index may be rebuilt on another thread after many changes. A short-lived
    ///     program calls `compact()` instead.
    ///   - mergePolicy: The limits for segments and rebuilds of the index.
    public convenience init(
        book: ContactBook, rebuildsInBackground: Bool = true, mergePolicy: MergePolicy = MergePolicy()
    ) {
        self.init(
            of: ContactSource(storage: book.storage), rebuildsInBackground: rebuildsInBackground,
            mergePolicy: mergePolicy)
    }
}

/// The searchable fields of a contact in order of weight. Phone numbers are indexed separately.
enum ContactField: UInt8, PersonTextField {
    case displayName, nickname, phoneticName, organization, email, note, jobTitle, department, city, group, relatedName

    static let hasPositions = true

    var isName: Bool { rawValue < ContactField.email.rawValue }

    func key(at position: Int) -> String {
        switch self {
        case .displayName: "name"
        case .nickname: "nickname"
        case .phoneticName: "phoneticName"
        case .organization: "organization"
        case .email: "emails.\(position)"
        case .note: "note"
        // `title` is the title of a row.
        case .jobTitle: "jobTitle"
        case .department: "department"
        case .city: "addresses.\(position).locality"
        case .group: "groups.\(position)"
        case .relatedName: "relatedNames.\(position)"
        }
    }
}

extension Contact {
    /// Returns `true` for a key in highlights whose field describes many people: title, department, city, group, related
    /// name.
    package static func isSecondaryField(_ key: String) -> Bool {
        let field = key.prefix { $0 != "." }
        return ["jobTitle", "department", "addresses", "groups", "relatedNames"].contains(field)
    }

    /// The folded texts for the column `contact_search.tokens`.
    var searchTexts: Data { PersonTexts.serialized(texts) }

    /// The texts that are searched.
    fileprivate var texts: [PersonTexts.Text<ContactField>] {
        [
            (.displayName, 0, displayName), (.nickname, 0, nickname), (.phoneticName, 0, phoneticName),
            (.organization, 0, organization),
        ] + emails.enumerated().map { (.email, $0.offset, $0.element.address) } + [(.note, 0, note)] + secondaryTexts
    }

    /// The texts of the fields by which people are found when their names are unknown.
    var secondaryTexts: [PersonTexts.Text<ContactField>] {
        let cities = addresses.enumerated().map { (ContactField.city, $0.offset, $0.element.locality) }
        let groups = groups.enumerated().map { (ContactField.group, $0.offset, $0.element) }
        let related = relatedNames.enumerated().map { (ContactField.relatedName, $0.offset, $0.element) }
        return [(.jobTitle, 0, title), (.department, 0, department)] + cities + groups + related
    }
}

struct ContactSource: PersonSource {
    let storage: Storage
    let fileName = "contacts"
    let schemaVersion: UInt64 = 6
    let fields = PersonField.allCases.map(\.options)
    let changes = ContactBook.changes

    func sortKeys(of keys: [Int64], in db: Database) throws -> [Int64: ContactOrder] {
        try ContactOrder.orders(of: keys, in: db)
    }

    func add(_ keys: [Int64]?, ranks: [Int64: UInt64], to builder: inout IndexBuilder, in db: Database) throws {
        let ranks = keys == nil ? try ContactOrder.ranks(in: db) : ranks
        let list = keys.map { " WHERE contact IN (" + Set($0).map { String($0) }.joined(separator: ",") + ")" } ?? ""
        let contacts = try Row.fetchCursor(
            db,
            sql: """
                SELECT \(ContactFetching.columns), tokens FROM contact_search JOIN contact ON key = contact\(list)
                ORDER BY contact
                """)
        var lists = try ContactTable.allCases.map { try ListCursor($0, where: list, in: db) }
        while let row = try contacts.next() {
            let contact = try StoredContact(row, &lists)
            let texts = PersonTexts(contact.tokens, of: contact.contact)
            builder.beginDocument(id: contact.key, rank: ranks[contact.key] ?? .max)
            if let texts { builder.add(texts) }
            builder.store(contact.bytes)
        }
    }

    func stored(_ bytes: [UInt8]) throws -> (person: Contact, texts: PersonTexts)? {
        guard let (contact, tokens) = try StoredContact.read(bytes) else { return nil }
        if !tokens.isEmpty, let texts = PersonTexts(tokens, of: contact) { return (contact, texts) }
        return (contact, PersonTexts(contact.texts, numbers: contact.phones.map(\.number.searchReadings)))
    }

    func people(_ keys: [Int64], in db: Database) throws -> [Int64: Contact] {
        try ContactFetching.contacts(keys, withPhotos: false, in: db)
    }

    func texts(of people: [Int64: Contact], in db: Database) throws -> [Int64: PersonTexts] {
        var texts: [Int64: PersonTexts] = [:]
        try db.forEachRow("SELECT contact, tokens FROM contact_search WHERE contact IN", Array(people.keys)) { row in
            let key: Int64 = try row.value(0)
            guard let contact = people[key] else { return }
            texts[key] = try PersonTexts(row.value(1), of: contact)
        }
        return texts
    }

    func showNumber(at position: Int, of contact: inout Contact) -> ShownNumber {
        let phone = contact.phones.remove(at: position)
        contact.phones.insert(phone, at: 0)
        return ShownNumber(
            key: "phones.0", text: phone.number.text,
            extensionDigits: phone.number.extensionNumber?.utf8.count ?? 0)
    }
}

extension PersonTexts {
    /// Creates the texts of a contact from the column `contact_search.tokens`.
    fileprivate init?(_ tokens: Data, of contact: Contact) {
        self.init(stored: tokens, of: ContactField.self, numbers: contact.phones.map(\.number.searchReadings)) {
            contact.searchTexts
        }
    }
}

/// A contact as the index stores it, so that a search result needs no database.
private struct StoredContact {
    /// Larger contacts are read from the database.
    private static let maxLength = 1_024
    /// The columns of ``ContactFetching/columns``.
    private static let columnCount = 22

    let key: Int64
    private(set) var contact: Contact
    let tokens: Data
    /// Empty for a large contact.
    let bytes: [UInt8]

    /// Reads a contact and its lists.
    init(_ row: Row, _ lists: inout [ListCursor]) throws {
        key = try row.value(0)
        tokens = try row.value(Self.columnCount)
        contact = try ContactFetching.contact(of: row)
        var writer = RowWriter()
        try writer.write(row, columns: Self.columnCount)
        for number in lists.indices {
            try lists[number].addRows(of: key, to: &contact, &writer)
        }
        // Only texts whose folding would load ICU are stored folded, too.
        let needsTokens = !contact.texts.allSatisfy { FoldedText.isFoldedWithoutICU($0.text) }
        writer.write(needsTokens ? tokens : Data())
        bytes = writer.bytes.count > Self.maxLength ? [] : writer.bytes
    }

    /// Returns a stored contact and its folded texts, if these are stored; nil for a large contact.
    static func read(_ bytes: [UInt8]) throws -> (contact: Contact, tokens: Data)? {
        var reader = RowReader(bytes)
        guard let row = reader.row(columns: columnCount) else { return nil }
        var contact = try ContactFetching.contact(of: row)
        for table in ContactTable.allCases {
            guard let count = reader.count() else { return nil }
            for _ in 0..<count {
                guard let row = reader.row(columns: table.columnCount) else { return nil }
                try table.add(row, withPhotos: false, to: &contact)
            }
        }
        return reader.data().map { (contact, Data($0)) }
    }
}

/// Reads the rows of a list beside their contacts, both in order of key.
private struct ListCursor {
    private let table: ContactTable
    private let cursor: RowCursor
    private var next: Row?

    init(_ table: ContactTable, where list: String, in db: Database) throws {
        self.table = table
        let sql = "SELECT \(table.columns(withPhotos: false)) FROM \(table.rawValue)\(list) ORDER BY contact, position"
        cursor = try Row.fetchCursor(db, sql: sql)
        next = try cursor.next()
    }

    /// Adds the rows of a contact to it, and their number and columns to a writer.
    mutating func addRows(of key: Int64, to contact: inout Contact, _ writer: inout RowWriter) throws {
        var rows = RowWriter()
        var count = 0
        while let row = next {
            // A corrupt row may belong to no contact; such rows come first.
            let owner: Int64? = try row.value(0)
            if let owner, owner > key { break }
            if owner == key {
                try table.add(row, withPhotos: false, to: &contact)
                try rows.write(row, columns: table.columnCount)
                count += 1
            }
            next = try cursor.next()
        }
        writer.write(count: count)
        writer.append(rows)
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
