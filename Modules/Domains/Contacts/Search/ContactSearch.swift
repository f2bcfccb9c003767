import Foundation
import GRDB
public import SwitchboardIncrementalIndex
public import SwitchboardKeypad
@_exported public import SwitchboardPeopleSearch
import SwitchboardSearchEngine
import SwitchboardStorage
import SwitchboardTextNormalization
import SwitchboardVCard

/// A search for contacts by text and by keypad. Among equal matches, favorites and the most used contacts come first.
///
/// Highlights have the keys `name`, `phoneticName`, `phones.0`, `emails.0`, `addresses.0.locality` and the other
/// components, `urls.0`, `groups.0`, `relatedNames.0`, `socialProfiles.0`, `otherProperties.0`, and the keys of text
/// fields (``ContactTextField``), but `jobTitle` for `title`, which is already the title of a search result.
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

    /// Returns the best matches among the members of a group.
    ///
    /// - Parameters:
    ///   - input: The typed text, or the digits of a keypad.
    ///   - group: The name of the group; nil for all contacts.
    ///   - limit: The maximum number of hits; 0 for all.
    ///   - isCancelled: Called repeatedly; the search ends with `CancellationError` when it returns `true`.
    /// - Throws: ``ContactBookError/unknownGroup(_:)``, `StorageError`.
    public func search(
        _ input: SearchInput, group: String?, limit: Int = 10, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> SearchResults<PersonHit<Contact>> {
        try search(input, limit: limit, among: group.map(Self.members), isCancelled: isCancelled)
    }

    /// Returns the number of all matches among the members of a group; see ``search(_:group:limit:isCancelled:)``.
    ///
    /// - Complexity: O(*n*) in the matches, a fraction of a microsecond each.
    public func count(
        _ input: SearchInput, group: String, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> Int {
        try count(input, among: Self.members(ofGroup: group), isCancelled: isCancelled)
    }

    private static func members(ofGroup group: String) -> (Database) throws -> [Int64] {
        { db in try Int64.fetchAll(db, sql: ContactBook.keys(ofGroup: group, in: db)) }
    }
}

/// A searchable field of a contact: names, then details, in order of weight. Phone numbers are indexed separately.
///
/// The numbers are stored with the folded texts. Those that are not named here belong to a ``ContactTextField``.
struct ContactField: PersonTextField, Hashable {
    static let displayName = ContactField(0)
    static let phoneticName = ContactField(2)
    static let email = ContactField(4)
    static let city = ContactField(8)
    static let group = ContactField(9)
    static let url = ContactField(19)
    /// The values of ``Contact/otherProperties`` that belong to no list.
    static let other = ContactField(20)
    /// A birthday that is no date, such as `circa 1800`. Dates are found by reading the query as a date.
    static let birthday = ContactField(21)
    /// The components of addresses with their keys in JSON. The city is one of them.
    private static let addressParts: [(field: ContactField, key: String, part: @Sendable (PostalAddress) -> String)] = [
        (city, "locality", \.locality), (ContactField(13), "street", \.street),
        (ContactField(14), "postalCode", \.postalCode), (ContactField(15), "region", \.region),
        (ContactField(16), "country", \.country), (ContactField(17), "extended", \.extended),
        (ContactField(18), "box", \.box),
    ]
    /// What the earlier ``city`` did not cover.
    static let addressesAndURLs = addressParts.dropFirst().map(\.field) + [url]

    static let hasPositions = true
    /// All fields in the order in which their texts are stored.
    static let all =
        (ContactTextField.all.compactMap(\.search) + [displayName, phoneticName, email, city, group]
        + addressesAndURLs + [other] + ContactListField.all.map(\.search))
        .sorted { $0.rawValue < $1.rawValue }
    /// For each field by its number, the position in ``ContactTextField/all``. Searches look it up for each row.
    private static let positions = (0...maximum).map { number in
        ContactTextField.all.firstIndex { $0.search?.rawValue == number }
    }
    private static let maximum = all.last?.rawValue ?? 0

    /// The position of the text field in ``ContactTextField/all``; nil for the display name, the phonetic name and lists.
    var textPosition: Int? { Self.positions[Int(rawValue)] }
    /// The text field; nil for the display name, the phonetic name and lists.
    var text: ContactTextField? { textPosition.map { ContactTextField.all[$0] } }

    /// The list whose values are searched; nil for any other field.
    var list: ContactListField? { ContactListField.all.first { $0.search == self } }

    let rawValue: UInt8

    init(_ rawValue: UInt8) { self.rawValue = rawValue }

    init?(rawValue: UInt8) {
        guard rawValue <= Self.maximum else { return nil }
        self.rawValue = rawValue
    }

    var isName: Bool { rawValue < Self.email.rawValue }

    /// The component of an address; nil for any other field.
    var addressPart: (key: String, part: @Sendable (PostalAddress) -> String)? {
        Self.addressParts.first { $0.field == self }.map { ($0.key, $0.part) }
    }

    /// The fields by which people are found when their names are unknown.
    static let secondary = all.filter { $0.rawValue > 5 }

    func key(at position: Int) -> String {
        switch self {
        case .displayName: "name"
        case .phoneticName: "phoneticName"
        case .email: "emails.\(position)"
        case .group: "groups.\(position)"
        case .url: "urls.\(position)"
        case .other: "otherProperties.\(position)"
        default:
            text?.highlight ?? list.map { "\($0.key).\(position)" }
                ?? addressPart.map { "addresses.\(position).\($0.key)" } ?? ""
        }
    }
}

extension Contact {
    /// Returns `true` for a key in highlights whose field describes many people, such as the job title, city, group or related
    /// name.
    package static func isSecondaryField(_ key: String) -> Bool {
        secondaryFields.contains(key) || secondaryLists.contains(where: key.hasPrefix)
    }

    /// Returns the texts with these keys in highlights, except for the name and the numbers, in order of weight.
    package func matchedTexts(_ keys: some Sequence<String>) -> [(key: String, text: String)] {
        let keys = Set(keys)
        return texts(in: ContactField.all.filter { $0 != .displayName }).compactMap { field, position, text in
            let key = field.key(at: position)
            guard keys.contains(key) else { return nil }
            return switch field {
            case .other: (key, otherProperties[position])
            // A date is searched as one.
            case .birthday: (key, birthday)
            default: (key, text)
            }
        }
    }

    /// Returns the text with a key in highlights as it is shown and, for a number, its identity.
    func shownTexts(_ key: String) -> [String] {
        if key == "name" { return [displayName] }
        if key.hasPrefix("phones."), let position = Int(key.dropFirst("phones.".count)),
            phones.indices.contains(position)
        {
            return [phones[position].number.text, phones[position].number.identity]
        }
        // Only the value of another property is searched.
        return searchedTexts.filter { $0.key == key }.map(\.text.trimmingWhitespace)
    }

    private static let secondaryFields = Set(ContactField.secondary.compactMap(\.text?.highlight))
    private static let secondaryLists =
        ["addresses.", "groups.", "urls.", "otherProperties."] + ContactListField.all.map { $0.key + "." }

    /// The folded texts for the column `contact_search.tokens`; empty if folding them again needs no ICU, which is as fast as
    /// reading them.
    var searchTexts: Data {
        let texts = texts
        return texts.allSatisfy { FoldedText.isFoldedWithoutICU($0.text) } ? Data() : PersonTexts.serialized(texts)
    }

    /// The texts that are searched, except for numbers, with their keys in highlights.
    package var searchedTexts: [(key: String, text: String)] {
        texts.map { field, position, text in (field.key(at: position), text) }
    }

    /// The texts that are searched.
    var texts: [PersonTexts.Text<ContactField>] { texts(in: ContactField.all) }

    /// Returns the texts in fields.
    func texts(in fields: [ContactField]) -> [PersonTexts.Text<ContactField>] {
        fields.flatMap { field in values(of: field).enumerated().map { (field, $0.offset, $0.element) } }
    }

    /// Returns the texts in a field, in order.
    func values(of field: ContactField) -> [String] {
        switch field {
        case .displayName: [displayName]
        case .phoneticName: [phoneticName]
        case .email: emails.map(\.address)
        case .group: groups
        case .url: urls.map(\.url)
        case .other: searchedProperties
        case .birthday: [Birthday(birthday) == nil ? birthday : ""]
        default:
            if let text = field.text {
                [self[text]]
            } else if let list = field.list {
                self[list].map(\.text)
            } else if let address = field.addressPart {
                addresses.map(address.part)
            } else {
                []
            }
        }
    }
}

struct ContactSource: PersonSource {
    let storage: Storage
    let fileName = "contacts"
    let schemaVersion: UInt64 = 16
    let fields = PersonField.allCases.map(\.options)
    let changes = ContactBook.changes

    static func isPreferred(_ key: ContactOrder) -> Bool { key.isPreferred }

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
        try builder.add {
            try contacts.next().map { try ContactRecord($0, &lists) }
        } rank: {
            ranks[$0] ?? .max
        } preparing: {
            try $0.document
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

    func shownTexts(_ key: String, of contact: Contact) -> [String] { contact.shownTexts(key) }

    func number(at position: Int, of contact: Contact) -> ShownNumber {
        let number = contact.phones[position].number
        return ShownNumber(
            key: "phones.\(position)", text: number.text, extensionDigits: number.extensionNumber?.utf8.count ?? 0)
    }
}

extension PersonTexts {
    /// Creates the texts of a contact from the column `contact_search.tokens`, or from the contact if they are not stored,
    /// outdated or corrupt.
    init(_ tokens: Data, of contact: Contact) {
        let numbers: @Sendable () -> [[String]] = { contact.phones.map(\.number.searchFormats) }
        if let stored = PersonTexts(tokens, of: ContactField.self, numbers: numbers()) {
            self = stored
            return
        }
        self.init(of: ContactField.self, numbers: numbers())
        for (field, position, text) in contact.texts { append(Array(text.utf8)[...], field, position) }
    }
}
