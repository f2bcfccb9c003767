import Foundation
import SwitchboardVCard

extension Contact {
    /// The maximum size of a name and of all other short fields.
    public static let largestName = SizeLimit.name
    /// The maximum size of a web address.
    public static let largestURL = SizeLimit.url
    /// The maximum size of the note.
    public static let largestNote = SizeLimit.note
    /// The maximum size of the whole contact without its photo.
    public static let largestContact = SizeLimit.object
    /// The maximum number of phone numbers, e-mail addresses and entries of every other list.
    public static let largestList = SizeLimit.elements

    /// The JSON names of fields that errors call by another name; nil for the whole contact.
    static let members: [String: String?] = [
        "phonetic given name": "phoneticGivenName", "phonetic family name": "phoneticFamilyName", "phone": "phones",
        "email": "emails", "address": "addresses", "url": "urls", "group": "groups", "related name": "relatedNames",
        "identifier": "id", "source identifier": "uid", "other property": "otherProperties", "contact": nil,
    ]

    /// The first list with too many entries, or the first field that is too long or contains U+0000; nil if none.
    package var excess: ContactBookError? {
        let lists: [(field: String, count: Int)] = [
            ("phone", phones.count), ("email", emails.count), ("address", addresses.count), ("url", urls.count),
            ("group", groups.count), ("other property", otherProperties.count),
        ]
        for (field, count) in lists where count > Contact.largestList {
            return .tooMany(field: field, limit: Contact.largestList)
        }
        var (total, hasNUL) = (0, false)
        func exceeds(_ text: String, _ limit: Int) -> Bool {
            total += text.utf8.count
            if text.utf8.count > limit { return true }
            if text.utf8.contains(0) { hasNUL = true }
            return false
        }
        let short = shortTexts
        for (field, texts) in short where texts.contains(where: { exceeds($0, Contact.largestName) }) {
            return .tooLong(field: field, limit: Contact.largestName)
        }
        if urls.contains(where: { exceeds($0.url, Contact.largestURL) }) {
            return .tooLong(field: "url", limit: Contact.largestURL)
        }
        if exceeds(note, Contact.largestNote) { return .tooLong(field: "note", limit: Contact.largestNote) }
        if properties.contains(where: { exceeds($0, .max) }) || total > Contact.largestContact {
            return .tooLong(field: "contact", limit: Contact.largestContact)
        }
        return hasNUL ? Self.fieldWithNUL(in: short + longTexts).map { .nulText(field: $0) } : nil
    }

    private var shortTexts: [(field: String, texts: [String])] {
        [
            (
                "name",
                [
                    name.prefix, name.given, name.middle, name.family, name.suffix, name.secondFamily,
                    name.generation, fullName,
                ]
            ),
            ("nickname", [nickname]), ("phonetic given name", [phoneticGivenName]),
            ("phonetic family name", [phoneticFamilyName]), ("organization", [organization]),
            ("department", [department]), ("title", [title]), ("birthday", [birthday]),
            ("phone", phones.flatMap { [$0.number.text, $0.label] }),
            ("email", emails.flatMap { [$0.address, $0.label] }),
            ("address", addresses.flatMap { $0.allComponents + [$0.label] }), ("group", groups),
            ("url", urls.map(\.label)), ("identifier", [id]), ("source identifier", [sourceUID]),
        ]
    }

    private var longTexts: [(field: String, texts: [String])] {
        [("url", urls.map(\.url)), ("note", [note]), ("other property", properties)]
    }

    /// The parameters of vCard properties, and the properties without a field.
    private var properties: [String] {
        phones.map(\.parameters) + emails.map(\.parameters) + otherProperties + (photo.map { [$0.parameters] } ?? [])
    }

    private static func fieldWithNUL(in texts: [(field: String, texts: [String])]) -> String? {
        texts.first { $0.texts.contains { $0.utf8.contains(0) } }?.field
    }

    /// Checks that no text contains U+0000.
    ///
    /// - Throws: ``ContactBookError/nulText(field:)``.
    func checkTexts() throws(ContactBookError) {
        if let field = Self.fieldWithNUL(in: shortTexts + longTexts) { throw .nulText(field: field) }
    }

    /// `true` if the contact exceeds a limit that further properties of a card can only exceed by more. O(1).
    var isExcessive: Bool {
        let most = Contact.largestList
        if phones.count > most || emails.count > most || addresses.count > most { return true }
        if urls.count > most || groups.count > most || otherProperties.count > most { return true }
        return note.utf8.count > Contact.largestNote || nickname.utf8.count > Contact.largestName
    }

    /// Checks the number of entries of a list that has not been interpreted yet.
    ///
    /// - Throws: ``ContactBookError/tooMany(field:limit:)``.
    package static func checkCount(_ count: Int, of field: String) throws(ContactBookError) {
        if count > largestList { throw .tooMany(field: field, limit: largestList) }
    }

    /// Checks the size of a short text.
    ///
    /// - Throws: ``ContactBookError/tooLong(field:limit:)``.
    package static func checkSize(of text: String, in field: String) throws(ContactBookError) {
        if text.utf8.count > largestName { throw .tooLong(field: field, limit: largestName) }
    }

    /// Checks the sizes of all fields, and their texts as ``checkTexts()``.
    ///
    /// - Throws: ``ContactBookError/tooLong(field:limit:)``, ``ContactBookError/tooMany(field:limit:)``,
    ///   ``ContactBookError/nulText(field:)``.
    func checkSizes() throws(ContactBookError) {
        if let excess { throw excess }
    }

    /// Checks the sizes of all fields and of the photo of an imported contact.
    func checkSizes(line: Int) throws(MalformedInput) {
        let excess = excess ?? photo?.data.flatMap { ContactPhoto.excess(of: $0) }.map { .notAPicture(reason: $0) }
        if let excess { throw MalformedInput(line: line, reason: excess.message) }
    }
}
