import Foundation
import GRDB
public import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import SwitchboardStorage

/// A search for contacts by text and by keypad. Among equal matches, favourites and the most used contacts come first.
///
/// Highlights have the keys `name`, `nickname`, `phoneticName`, `organization`, `phones.0`, `emails.0` and `note`.
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
    case displayName, nickname, phoneticName, organization, email, note

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
        }
    }
}

extension Contact {
    /// The folded texts for the column `contact_search.tokens`.
    var searchTexts: Data {
        let texts: [PersonTexts.Text<ContactField>] =
            [
                (.displayName, 0, displayName), (.nickname, 0, nickname), (.phoneticName, 0, phoneticName),
                (.organization, 0, organization),
            ] + emails.enumerated().map { (.email, $0.offset, $0.element.address) } + [(.note, 0, note)]
        return PersonTexts.serialized(texts)
    }
}

/// The contacts of a database.
struct ContactSource: PersonSource {
    let storage: Storage
    let cacheCapacity = 512
    let fileName = "contacts"
    let schemaVersion: UInt64 = 4
    let fields = PersonField.allCases.map(\.options)
    let changes = ContactBook.changes

    func sortKeys(of keys: [Int64], in db: Database) throws -> [Int64: ContactOrder] {
        try ContactOrder.orders(of: keys, in: db)
    }

    func add(_ keys: [Int64]?, ranks: [Int64: UInt64], to builder: inout IndexBuilder, in db: Database) throws {
        let ranks = keys == nil ? try ContactOrder.ranks(in: db) : ranks
        let list = keys.map { " WHERE contact IN (" + Set($0).map { String($0) }.joined(separator: ",") + ")" } ?? ""
        let texts = try Row.fetchCursor(db, sql: "SELECT contact, tokens FROM contact_search\(list) ORDER BY contact")
        let phones = try Row.fetchCursor(
            db,
            sql: """
                SELECT contact, number, e164, national, trunk, extension FROM contact_phone\(list)
                ORDER BY contact, position
                """)
        var phone = try phones.next()
        while let row = try texts.next() {
            let key: Int64 = try row.value(0)
            var numbers: [PhoneNumber] = []
            while let next = phone {
                let owner: Int64 = try next.value(0)
                guard owner <= key else { break }
                if owner == key { try numbers.append(PhoneNumber(next, at: 1)) }
                phone = try phones.next()
            }
            builder.beginDocument(id: key, rank: ranks[key] ?? .max)
            let person = try PersonTexts(row.value(1), of: numbers) {
                try ContactFetching.contacts([key], withPhotos: false, in: db)[key]
            }
            if let person { builder.add(person) }
        }
    }

    func people(_ keys: [Int64], withTexts: Bool, in db: Database) throws -> [Int64: LoadedPerson<Contact>] {
        let contacts = try ContactFetching.contacts(keys, withPhotos: false, in: db)
        var people = contacts.mapValues { LoadedPerson($0, texts: nil) }
        guard withTexts else { return people }
        try db.forEachRow("SELECT contact, tokens FROM contact_search WHERE contact IN", keys) { row in
            let key: Int64 = try row.value(0)
            guard let contact = contacts[key] else { return }
            let texts = try PersonTexts(row.value(1), of: contact.phones.map(\.number)) { contact }
            people[key] = LoadedPerson(contact, texts: texts)
        }
        return people
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
    /// Parses the column `contact_search.tokens`, or folds the contact again if the texts are outdated or corrupt.
    fileprivate init?(_ data: Data, of numbers: [PhoneNumber], contact: () throws -> Contact?) rethrows {
        let numbers = numbers.map(\.searchReadings)
        if let texts = PersonTexts(data, of: ContactField.self, numbers: numbers) {
            self = texts
        } else {
            guard let data = try contact()?.searchTexts else { return nil }
            self.init(data, of: ContactField.self, numbers: numbers)
        }
    }
}

extension PhoneNumber {
    /// Creates a number from five columns: text, E.164 form, national number, trunk number and extension.
    init(_ row: Row, at column: Int) throws {
        try self.init(
            text: row.value(column), e164: row.value(column + 1), nationalNumber: row.value(column + 2),
            trunkNumber: row.value(column + 3), extensionNumber: row.value(column + 4))
    }
}
