import SwitchboardContacts
import SwitchboardKit

/// The changes to a contact in a request body.
struct ContactBody: Sendable {
    private static let changedTexts: [(name: String, path: any WritableKeyPath<ContactChange, String?> & Sendable)] = [
        ("name", \.name), ("givenName", \.given), ("familyName", \.family), ("nickname", \.nickname),
        ("organization", \.organization), ("note", \.note),
    ]
    private static let otherTexts: [(name: String, path: any WritableKeyPath<Contact, String> & Sendable)] = [
        ("namePrefix", \.name.prefix), ("middleName", \.name.middle), ("nameSuffix", \.name.suffix),
        ("phoneticGivenName", \.phoneticGivenName), ("phoneticFamilyName", \.phoneticFamilyName),
        ("department", \.department), ("title", \.title), ("birthday", \.birthday),
    ]
    private static let addressParts: [(name: String, path: any WritableKeyPath<PostalAddress, String> & Sendable)] = [
        ("box", \.box), ("extended", \.extended), ("street", \.street), ("locality", \.locality),
        ("region", \.region), ("postalCode", \.postalCode), ("country", \.country),
    ]
    /// The members that a body may have. The read-only members of responses are allowed, but ignored.
    static let members = Set(changedTexts.map(\.name) + otherTexts.map(\.name)).union([
        "favourite", "phones", "emails", "addresses", "urls", "relatedNames", "groups", "id", "phoneticName",
        "callCount", "lastCalledAt", "createdAt", "modifiedAt", "uid", "otherProperties", "photo",
    ])

    private var change = ContactChange()
    private let texts: [(path: any WritableKeyPath<Contact, String> & Sendable, text: String)]
    private let phones: [LabelledText]?
    private let emails: [LabelledText]?
    private let addresses: [PostalAddress]?
    private let urls: [WebAddress]?
    private let relatedNames: [String]?

    /// - Throws: A ``Problem`` that names a member of the wrong type.
    init(_ object: JSONObject) throws {
        texts = try Self.otherTexts.compactMap { field in try object.text(field.name).map { (field.path, $0) } }
        phones = try object.entries("phones", known: ["label", "number", "e164", "preferred"])?
            .map { try LabelledText($0, "number", of: "phones") }
        emails = try object.entries("emails", known: ["label", "address", "preferred"])?
            .map { try LabelledText($0, "address", of: "emails") }
        urls = try object.entries("urls", known: ["label", "url"])?.map { entry in
            let url = try LabelledText(entry, "url", of: "urls")
            return url.label.map { WebAddress(label: $0, url: url.text) } ?? WebAddress(typed: url.text)
        }
        addresses = try object.entries("addresses", known: Set(Self.addressParts.map(\.name)).union(["label"]))?
            .map(Self.address)
        relatedNames = try object.texts("relatedNames")
        try object.copy(Self.changedTexts, to: &change)
        change.isFavourite = try object.flag("favourite")
        change.groups = try object.texts("groups")
    }

    private static func address(_ entry: JSONObject.Entry) throws -> PostalAddress {
        switch entry {
        case .text(let text): return PostalAddress(typed: text)
        case .object(let object):
            var address = PostalAddress(label: Labels.label(ofWords: try object.text("label") ?? ""))
            for (name, path) in addressParts { address[keyPath: path] = try object.text(name) ?? "" }
            return address
        }
    }

    /// Adds a contact with the values of the body.
    func add(to switchboard: Switchboard) throws -> Contact {
        var contact = Contact()
        try apply(to: &contact, region: switchboard.settings.region)
        return try switchboard.contacts.add(contact)
    }

    /// Applies the body to a contact.
    func change(_ id: String, in switchboard: Switchboard) throws -> Contact {
        let region = switchboard.settings.region
        return try switchboard.contacts.edit(id) { try apply(to: &$0, region: region) }
    }

    private func apply(to contact: inout Contact, region: String?) throws {
        let before = contact
        try change.apply(to: &contact, region: region)
        for (path, text) in texts { contact[keyPath: path] = text }
        if let phones { try contact.replacePhones(with: phones.lazy.map { $0.phone(region: region) }) }
        if let emails { try contact.replaceEmails(with: emails.map(\.email)) }
        if let addresses { contact.addresses = addresses.filter { !$0.isEmpty } }
        if let urls { contact.urls = urls.filter { !$0.url.isEmpty } }
        if let relatedNames { try contact.setRelatedNames(relatedNames) }
        contact = contact.adoptingVendorData(of: before)
    }
}

/// A phone number, email address or web address with its label.
private struct LabelledText: Sendable {
    /// The label; nil if the text is as a person types it and may begin with a label.
    let label: String?
    let text: String
    let isPreferred: Bool

    /// - Parameters:
    ///   - entry: A string, or an object with the text in a member.
    ///   - member: The name of the member.
    ///   - list: The name of the list.
    init(_ entry: JSONObject.Entry, _ member: String, of list: String) throws {
        switch entry {
        case .text(let text): (label, self.text, isPreferred) = (nil, text, false)
        case .object(let object):
            guard object.has(member) else {
                throw Problem.malformed("\(list): must be a list of strings, or of objects with “\(member)”")
            }
            label = try object.text("label").map { Labels.label(ofWords: $0) }
            text = try object.text(member) ?? ""
            isPreferred = try object.flag("preferred") ?? false
        }
    }

    func phone(region: String?) -> Phone {
        var phone =
            label.map { Phone(label: $0, number: PhoneNumber(text, region: region)) }
            ?? Phone(typed: text, region: region)
        phone.isPreferred = isPreferred
        return phone
    }

    var email: Email {
        var email = label.map { Email(label: $0, address: text) } ?? Email(typed: text)
        email.isPreferred = isPreferred
        return email
    }
}
