import Foundation
import GRDB
public import SwitchboardIncrementalIndex
@_exported public import SwitchboardPeopleSearch
import SwitchboardSearchEngine
import SwitchboardStorage

/// A search for contacts by text and by keypad. Among equal matches, favorites and the most used contacts come first.
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
        // `title` is already the title of a search result.
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
        secondaryFields.contains(key) || secondaryLists.contains(where: key.hasPrefix)
    }

    private static let secondaryFields = ["jobTitle", "department"]
    private static let secondaryLists = ["addresses.", "groups.", "relatedNames."]

    /// The folded texts for the column `contact_search.tokens`.
    var searchTexts: Data { PersonTexts.serialized(texts) }

    /// The texts that are searched.
    var texts: [PersonTexts.Text<ContactField>] {
        [
            (.displayName, 0, displayName), (.nickname, 0, nickname), (.phoneticName, 0, phoneticName),
            (.organization, 0, organization),
        ] + emails.enumerated().map { (.email, $0.offset, $0.element.address) } + [(.note, 0, note)] + secondaryTexts
    }

    /// The texts of the fields by which people are found when their names are unknown.
    var secondaryTexts: [PersonTexts.Text<ContactField>] {
        [(.jobTitle, 0, title), (.department, 0, department)] + detailTexts
    }

    /// The texts of lists other than numbers and e-mail addresses: cities, groups and related names.
    var detailTexts: [PersonTexts.Text<ContactField>] {
        let cities = addresses.enumerated().map { (ContactField.city, $0.offset, $0.element.locality) }
        let groups = groups.enumerated().map { (ContactField.group, $0.offset, $0.element) }
        let related = relatedNames.enumerated().map { (ContactField.relatedName, $0.offset, $0.element) }
        return cities + groups + related
    }
}

struct ContactSource: PersonSource {
    let storage: Storage
    let fileName = "contacts"
    let schemaVersion: UInt64 = 7
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
        var lists = try ContactTable.allCases.map { try ContactListCursor($0, where: list, in: db) }
        while let row = try contacts.next() {
            let contact = try ContactRecord(row, &lists)
            let texts = PersonTexts(contact.tokens, of: contact.contact)
            builder.beginDocument(id: contact.key, rank: ranks[contact.key] ?? .max)
            if let texts { builder.add(texts) }
            builder.store(contact.bytes)
        }
    }

    func stored(_ bytes: [UInt8]) -> (any StoredPerson)? { StoredContact(bytes) }

    static func person(of stored: any StoredPerson) -> Contact { (stored as? StoredContact)?.contact ?? Contact() }

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

    func number(at position: Int, of contact: Contact) -> ShownNumber {
        let number = contact.phones[position].number
        return ShownNumber(
            key: "phones.\(position)", text: number.text, extensionDigits: number.extensionNumber?.utf8.count ?? 0)
    }
}

extension PersonTexts {
    /// Creates the texts of a contact from the column `contact_search.tokens`.
    init?(_ tokens: Data, of contact: Contact) {
        self.init(stored: tokens, of: ContactField.self, numbers: contact.phones.map(\.number.searchReadings)) {
            contact.searchTexts
        }
    }
}
