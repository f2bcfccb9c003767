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
            let person = try PersonTexts(row.value(1), of: numbers) { try people([key], in: db)[key] }
            if let person { builder.add(person) }
        }
    }

    func people(_ keys: [Int64], in db: Database) throws -> [Int64: Contact] {
        try ContactFetching.contacts(keys, withPhotos: false, in: db)
    }

    func texts(of people: [Int64: Contact], in db: Database) throws -> [Int64: PersonTexts] {
        var texts: [Int64: PersonTexts] = [:]
        try db.forEachRow("SELECT contact, tokens FROM contact_search WHERE contact IN", Array(people.keys)) { row in
            let key: Int64 = try row.value(0)
            guard let contact = people[key] else { return }
            texts[key] = try PersonTexts(row.value(1), of: contact.phones.map(\.number)) { contact }
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
    fileprivate init?(_ data: Data, of numbers: [PhoneNumber], contact: () throws -> Contact?) rethrows {
        try self.init(stored: data, of: ContactField.self, numbers: numbers.map(\.searchReadings)) {
            try contact()?.searchTexts
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
