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

    /// The names in JSON of the fields that errors name in other words; nil for the whole contact.
    static let members: [String: String?] = [
        "phonetic given name": "phoneticGivenName", "phonetic family name": "phoneticFamilyName", "phone": "phones",
        "email": "emails", "address": "addresses", "url": "urls", "group": "groups", "related name": "relatedNames",
        "identifier": "id", "source identifier": "uid", "other property": "otherProperties", "contact": nil,
    ]

    /// The first list with too many entries, or the first field that is too long; nil if there is none.
    package var excess: ContactBookError? {
        let lists: [(field: String, count: Int)] = [
            ("phone", phones.count), ("email", emails.count), ("address", addresses.count), ("url", urls.count),
            ("group", groups.count), ("other property", otherProperties.count),
        ]
        for (field, count) in lists where count > Contact.largestList {
            return .tooMany(field: field, limit: Contact.largestList)
        }
        var total = 0
        func exceeds(_ text: String, _ limit: Int) -> Bool {
            total += text.utf8.count
            return text.utf8.count > limit
        }
        let short: [(field: String, texts: [String])] = [
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
        for (field, texts) in short where texts.contains(where: { exceeds($0, Contact.largestName) }) {
            return .tooLong(field: field, limit: Contact.largestName)
        }
        if urls.contains(where: { exceeds($0.url, Contact.largestURL) }) {
            return .tooLong(field: "url", limit: Contact.largestURL)
        }
        if exceeds(note, Contact.largestNote) { return .tooLong(field: "note", limit: Contact.largestNote) }
        total += (phones.map(\.parameters) + emails.map(\.parameters) + otherProperties).reduce(0) {
            $0 + $1.utf8.count
        }
        total += photo?.parameters.utf8.count ?? 0
        return total > Contact.largestContact ? .tooLong(field: "contact", limit: Contact.largestContact) : nil
    }

    /// `true` if the contact exceeds a limit that each further property of a card could exceed by more. O(1).
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

    /// Checks the sizes of all fields.
    ///
    /// - Throws: ``ContactBookError/tooLong(field:limit:)``, ``ContactBookError/tooMany(field:limit:)``.
    func checkSizes() throws(ContactBookError) {
        if let excess { throw excess }
    }

    /// Checks the sizes of all fields and of the photo of an imported contact.
    func checkSizes(line: Int) throws(MalformedInput) {
        let excess = excess ?? photo?.data.flatMap { ContactPhoto.excess(of: $0) }.map { .notAPicture(reason: $0) }
        if let excess { throw MalformedInput(line: line, reason: excess.message) }
    }
}
