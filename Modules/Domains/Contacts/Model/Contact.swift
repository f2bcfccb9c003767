public import Foundation
import SwitchboardAlgorithms
import SwitchboardVCard

/// A person or an organization.
///
/// Missing texts are empty. vCard properties without a field are preserved in ``otherProperties`` and written on
/// export.
public struct Contact: Hashable, Sendable, Identifiable {
    /// The stable identifier; empty until the contact is stored.
    public var id: String
    /// The components of the name.
    public var name: PersonName
    /// The formatted name (`FN`); empty if it equals the composed name.
    public var formattedName: String
    /// The nicknames, separated by commas.
    public var nickname = ""
    /// The pronunciation of the given name, in kana or Latin letters.
    public var phoneticGivenName = ""
    /// The pronunciation of the family name.
    public var phoneticFamilyName = ""
    /// The name of the organization.
    public var organization = ""
    /// The organizational units, separated by "; ".
    public var department = ""
    /// The job title.
    public var title = ""
    /// The pronouns, such as "she/her".
    public var pronouns = ""
    /// The other parameters of the vCard properties of the name and of text fields.
    var textParameters = PropertyParameters()
    /// The phone numbers in order of preference.
    public var phones: [Phone] = []
    /// The e-mail addresses in order of preference.
    public var emails: [Email] = []
    /// The postal addresses.
    public var addresses: [PostalAddress] = []
    /// The web addresses.
    public var urls: [WebAddress] = []
    /// The names of the contact's groups ("Family"), in the order of the source.
    public var groups: [String] = []
    /// The photo, if any.
    public var photo: ContactPhoto?
    /// The note.
    public var note = ""
    /// The birthday as `1980-04-15`, `--04-15` without a year, or the text of the source; empty if unknown.
    public var birthday = ""
    /// `true` if the contact is a favorite. Favorites are listed first.
    public var isFavourite = false
    /// The number of times the contact was chosen.
    public var callCount = 0
    /// The time when the contact was last chosen.
    public var lastCalledAt: Date?
    /// The time when the contact was created.
    public var createdAt: Date?
    /// The time when the contact was last changed. Choosing a contact is not a change.
    public var modifiedAt: Date?
    /// The `UID` of the vCard that the contact came from, without "urn:uuid:".
    public var sourceUID = ""
    /// The other vCard properties as unfolded content lines, such as `IMPP;X-LABEL=Jabber:xmpp:ana@example.org`.
    ///
    /// The label of a group (`X-ABLabel`) is stored as the parameter `X-LABEL`, a group of several properties as
    /// `X-GROUP`, embedded media in the form of version 3.0.
    public var otherProperties: [String] = []

    /// Creates a contact with a name only.
    public init(id: String = "", name: PersonName = PersonName(), formattedName: String = "") {
        self.id = id
        self.name = name
        self.formattedName = formattedName
    }
}

// MARK: - Names

extension Contact {
    /// The name for lists: the full name, or else the nickname, organization, first e-mail address or first number.
    public var displayName: String {
        let whole = fullName
        if !whole.isEmpty { return whole }
        if !nickname.isEmpty { return nickname }
        if !organization.isEmpty { return organization }
        if let address = emails.first?.address { return address }
        return phones.first?.number.text ?? ""
    }

    /// The preferred number, or else the first one; nil if there is none.
    public var preferredPhone: Phone? { phones.first(where: \.isPreferred) ?? phones.first }

    /// The formatted name, or else the composed name; empty if neither exists.
    public var fullName: String {
        formattedName.isEmpty ? name.composed : formattedName
    }

    /// The pronunciation of the name, given name first; empty if unknown.
    public var phoneticName: String {
        if phoneticGivenName.isEmpty || phoneticFamilyName.isEmpty { return phoneticGivenName + phoneticFamilyName }
        return phoneticGivenName + " " + phoneticFamilyName
    }

    /// The organization and its units, empty if it has neither; see RFC 6350, section 6.6.4.
    var organizationComponents: [String] {
        get {
            if organization.isEmpty, department.isEmpty { return [] }
            return [organization] + (department.isEmpty ? [] : department.components(splitBy: "; "))
        }
        set {
            organization = newValue.first ?? ""
            department = newValue.dropFirst().joined(separator: "; ")
        }
    }

    /// `true` if the contact has a ``displayName``.
    public var isNameable: Bool { displayName.contains { !$0.isWhitespace } }

    /// Replaces the name with a full name, split by ``PersonName/init(splitting:)``.
    public mutating func setWholeName(_ wholeName: String) {
        let whole = wholeName.trimmingWhitespace
        name = PersonName(splitting: whole)
        // "Diaz, Carmen" is a sorting form and not displayed.
        formattedName = name.composed == whole || whole.contains(",") ? "" : whole
    }
}

// MARK: - Limits

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
        "phone": "phones", "email": "emails", "address": "addresses", "url": "urls", "group": "groups",
        "identifier": "id", "source identifier": "uid", "other property": "otherProperties", "contact": nil,
    ].merging(
        ContactTextField.all.filter { !$0.isNamePart }.map { ($0.name, Optional($0.key)) }
            + ContactListField.all.map { ($0.name, Optional($0.key)) }
    ) { first, _ in first }

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
        let names: [(field: String, texts: [String])] = [("name", [name.secondFamily, name.generation, fullName])]
        let texts = ContactTextField.all.filter { $0 != .note }.map { (field: $0.name, texts: [self[$0]]) }
        let lists: [(field: String, texts: [String])] = [
            ("phone", phones.flatMap { [$0.number.text, $0.label] }),
            ("email", emails.flatMap { [$0.address, $0.label] }),
            ("address", addresses.flatMap { $0.allComponents + [$0.label] }), ("group", groups),
            ("url", urls.map(\.label)), ("identifier", [id]), ("source identifier", [sourceUID]),
        ]
        return names + texts + lists
    }

    private var longTexts: [(field: String, texts: [String])] {
        [("url", urls.map(\.url)), ("note", [note]), ("other property", properties)]
    }

    /// The parameters of vCard properties, and the properties without a field.
    private var properties: [String] {
        let lists = [phones.map(\.parameters), emails.map(\.parameters), addresses.map(\.parameters)]
        return lists.joined() + urls.map(\.parameters) + textParameters.values + otherProperties
            + (photo.map { [$0.parameters] } ?? [])
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

// MARK: - Vendor data

// Parameters and components of a card that are meant for a program or repeat other components. They are
// preserved, but two cards that differ only in them are equal.

extension Contact {
    package var withoutVendorData: Contact {
        var contact = self
        for index in phones.indices { contact.phones[index].parameters = "" }
        for index in emails.indices { contact.emails[index].parameters = "" }
        for index in addresses.indices { contact.addresses[index].parameters = "" }
        for index in addresses.indices where !addresses[index].components.allSatisfy(\.isEmpty) {
            contact.addresses[index].extendedComponents = []
        }
        for index in urls.indices { contact.urls[index].parameters = "" }
        contact.photo?.parameters = ""
        contact.textParameters = PropertyParameters()
        contact.otherProperties = otherProperties.map(GroupParameter.removed)
        (contact.name.secondFamily, contact.name.generation) = ("", "")
        return contact
    }

    /// Returns the contact with vendor data from another one, for equal values that have none of their own.
    package func adoptingVendorData(of other: Contact) -> Contact {
        var contact = self
        for index in phones.indices where phones[index].parameters.isEmpty {
            let same = other.phones.first { $0.number.text == phones[index].number.text }
            contact.phones[index].parameters = same?.parameters ?? ""
        }
        for index in emails.indices where emails[index].parameters.isEmpty {
            let same = other.emails.first { $0.address == emails[index].address }
            contact.emails[index].parameters = same?.parameters ?? ""
        }
        for index in addresses.indices {
            guard let same = other.addresses.first(where: { $0.components == addresses[index].components }) else {
                continue
            }
            if addresses[index].extendedComponents.isEmpty {
                contact.addresses[index].extendedComponents = same.extendedComponents
            }
            if addresses[index].parameters.isEmpty { contact.addresses[index].parameters = same.parameters }
        }
        for index in urls.indices where urls[index].parameters.isEmpty {
            let same = other.urls.first { $0.url == urls[index].url }
            contact.urls[index].parameters = same?.parameters ?? ""
        }
        for field in ContactTextField.all where !field.isNamePart && self[field] == other[field] {
            contact.textParameters[field] = textParameters[field] ?? other.textParameters[field]
        }
        for (property, isSame) in [("N", name == other.name), ("FN", fullName == other.fullName)] where isSame {
            contact.textParameters[property] = textParameters[property] ?? other.textParameters[property]
        }
        let grouped = Dictionary(
            grouping: other.otherProperties.filter { !otherProperties.contains($0) }, by: GroupParameter.removed)
        contact.otherProperties = otherProperties.flatMap { line in
            grouped[line] ?? [line]
        }
        if let photo, photo.parameters.isEmpty, let same = other.photo, same.data == photo.data {
            contact.photo?.parameters = same.parameters
        }
        if name.family == other.name.family, name.secondFamily.isEmpty {
            contact.name.secondFamily = other.name.secondFamily
        }
        if name.suffix == other.name.suffix, name.generation.isEmpty { contact.name.generation = other.name.generation }
        return contact
    }
}
