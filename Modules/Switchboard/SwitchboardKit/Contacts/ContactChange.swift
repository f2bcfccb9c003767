public import SwitchboardContacts

/// A change to a contact by field: nil leaves a field unchanged, an empty value removes it.
///
/// Used for new and existing contacts in all front ends.
public struct ContactChange: Sendable {
    /// The whole name, split by the usual rules; ``given`` and ``family`` take precedence.
    public var name: String?
    /// The given name.
    public var given: String?
    /// The family name.
    public var family: String?
    /// The nickname.
    public var nickname: String?
    /// The company.
    public var organization: String?
    /// All phone numbers, as `number` or `label:number`; an empty list removes them.
    public var phones: [String]?
    /// All e-mail addresses, as `address` or `label:address`; an empty list removes them.
    public var emails: [String]?
    /// All groups; an empty list removes them.
    public var groups: [String]?
    /// The note.
    public var note: String?
    /// `true` if the contact is a favourite.
    public var isFavourite: Bool?

    /// Creates an empty change.
    public init() {}

    /// `true` if the change is empty.
    public var isEmpty: Bool {
        name == nil && given == nil && family == nil && nickname == nil && organization == nil && phones == nil
            && emails == nil && groups == nil && note == nil && isFavourite == nil
    }

    /// Applies the change.
    ///
    /// - Parameters:
    ///   - contact: The contact to change.
    ///   - region: The region of phone numbers without a country code.
    /// - Throws: ``SwitchboardError`` for a phone number without digits or an e-mail address without @; the contact may
    ///   then be partially changed.
    public func apply(to contact: inout Contact, region: String?) throws(SwitchboardError) {
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
                    throw .usage("the phone number “\(text)” has no digits; use digits, such as +44 20 7946 0018")
                }
                contact.phones.append(phone)
            }
        }
        if let emails {
            contact.emails = []
            for text in emails where !text.isEmpty {
                let email = Email(typed: text)
                guard email.address.contains("@") else {
                    throw .usage("the e-mail address “\(text)” has no @; use name@example.org")
                }
                contact.emails.append(email)
            }
        }
    }

    private func applyName(to contact: inout Contact) {
        if let name {
            contact.name = PersonName(splitting: name)
            // Display a name with a comma in its usual order, any other as it was typed.
            contact.formattedName = name.contains(",") || name == contact.name.composed ? "" : name
        }
        let before = contact.name
        if let given { contact.name.given = given }
        if let family { contact.name.family = family }
        if contact.name != before { contact.formattedName = "" }
    }
}
