public import SwitchboardContacts

/// What a person says about a contact, field by field: what is nil stays as it is, what is empty is removed.
///
/// The same for a new contact and for one that is changed, whichever front end it comes from.
public struct ContactChange: Sendable {
    /// A whole name, split by the usual rules; ``given`` and ``family`` go before it.
    public var name: String?
    /// The given name.
    public var given: String?
    /// The family name.
    public var family: String?
    /// What friends say.
    public var nickname: String?
    /// The company.
    public var organization: String?
    /// All phone numbers, as `number` or `label:number`; an empty list removes them.
    public var phones: [String]?
    /// All e-mail addresses, as `address` or `label:address`; an empty list removes them.
    public var emails: [String]?
    /// All groups; an empty list removes them.
    public var groups: [String]?
    /// Anything else.
    public var note: String?
    /// Whether the contact is a favourite.
    public var isFavourite: Bool?

    /// A change of nothing.
    public init() {}

    /// Whether nothing would change.
    public var isEmpty: Bool {
        name == nil && given == nil && family == nil && nickname == nil && organization == nil && phones == nil
            && emails == nil && groups == nil && note == nil && isFavourite == nil
    }

    /// Makes the change.
    ///
    /// - Parameters:
    ///   - contact: whom it is made to.
    ///   - region: the territory of numbers without a country code.
    /// - Throws: a ``Fault`` for a number without digits and an address without an @; the contact may be half changed then.
    public func apply(to contact: inout Contact, region: String?) throws(Fault) {
        applyName(to: &contact)
        if let nickname { contact.nickname = nickname }
        if let organization { contact.organization = organization }
        if let note { contact.note = note }
        if let groups { contact.groups = groups }
        if let isFavourite { contact.isFavourite = isFavourite }
        if let phones {
            contact.phones = []
            for text in phones where !text.isEmpty {
                let phone = Phone(typed: text, region: region)
                guard !phone.number.nationalNumber.isEmpty else {
                    throw .usage("“\(text)” is no phone number: it has no digits")
                }
                contact.phones.append(phone)
            }
        }
        if let emails {
            contact.emails = []
            for text in emails where !text.isEmpty {
                let email = Email(typed: text)
                guard email.address.contains("@") else { throw .usage("“\(text)” is no e-mail address: it has no @") }
                contact.emails.append(email)
            }
        }
    }

    private func applyName(to contact: inout Contact) {
        if let name {
            contact.name = PersonName(splitting: name)
            // A name with a comma is turned round for showing; any other is shown as it was typed.
            contact.formattedName = name.contains(",") || name == contact.name.composed ? "" : name
        }
        let before = contact.name
        if let given { contact.name.given = given }
        if let family { contact.name.family = family }
        if contact.name != before { contact.formattedName = "" }
    }
}
