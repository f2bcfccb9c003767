import Foundation
public import SwitchboardContacts
public import SwitchboardJSON

extension Switchboard {
    /// Adds a contact.
    ///
    /// - Throws: ``SwitchboardError`` for an invalid field, `ContactBookError`, `StorageError`.
    public func addContact(_ change: ContactChange) throws -> Contact {
        var contact = Contact()
        try change.apply(to: &contact, region: settings.region)
        return try contacts.add(contact)
    }

    /// Changes a contact.
    ///
    /// - Throws: ``SwitchboardError`` for an invalid field, `ContactBookError`, `StorageError`.
    public func editContact(_ id: String, _ change: ContactChange) throws -> Contact {
        let region = settings.region
        return try contacts.edit(id) { contact in try change.apply(to: &contact, region: region) }
    }

    /// Changes a contact that was read before, and keeps changes made elsewhere since then.
    ///
    /// - Throws: ``EditConflict``, and the errors of ``editContact(_:_:)``.
    func editContact(
        _ id: String, _ change: ContactChange, since base: Contact, _ answer: EditConflictAnswer?
    ) throws -> Contact {
        var mine = base
        try change.apply(to: &mine, region: settings.region)
        return try contacts.edit(id) { try $0.merge(mine, since: base, answer) }
    }
}

/// A change to the fields of a contact: nil leaves a field unchanged, an empty value removes it.
///
/// Used for new and existing contacts in all front ends.
public struct ContactChange: Hashable, Sendable {
    /// The whole name, split by the usual rules; the parts of the name in ``texts`` take precedence.
    public var name: String?
    /// The text fields. The birthday is typed as `1980-04-15`, `--04-15` without the year, or in one of Outlook's date
    /// formats.
    public var texts: [ContactTextField: String] = [:]
    /// All phone numbers, as `number` or `label:number`; an empty list removes them.
    public var phones: [String]?
    /// Phone numbers to add.
    public var addedPhones: [String] = []
    /// Phone numbers to remove, in any form.
    public var removedPhones: [String] = []
    /// All e-mail addresses, as `address` or `label:address`; an empty list removes them.
    public var emails: [String]?
    /// E-mail addresses to add.
    public var addedEmails: [String] = []
    /// E-mail addresses to remove.
    public var removedEmails: [String] = []
    /// All postal addresses, as `street;city;region;postal code;country` with an optional label; an empty list removes
    /// them.
    public var addresses: [String]?
    /// All web addresses, as `https://…` or `label:https://…`; an empty list removes them.
    public var urls: [String]?
    /// All groups; an empty list removes them.
    public var groups: [String]?
    /// All values of other lists, as `ContactListField.Value` reads them; an empty list removes them.
    public var lists: [ContactListField: [String]] = [:]
    /// `true` to make the contact a favorite, `false` to remove it from the favorites.
    public var isFavourite: Bool?

    /// Creates an empty change.
    public init() {}

    /// The new text of a field; nil to leave it unchanged.
    public subscript(field: ContactTextField) -> String? {
        get { texts[field] }
        set { texts[field] = newValue }
    }

    /// `true` if the change is empty.
    public var isEmpty: Bool { self == ContactChange() }

    /// Applies the change.
    ///
    /// - Parameters:
    ///   - contact: The contact to change.
    ///   - region: The region of phone numbers without a country code.
    /// - Throws: ``SwitchboardError`` for a phone number without digits, an e-mail address without @, an invalid
    ///   birthday, or a number or address to remove that the contact does not have; the contact may then be partially
    ///   changed.
    public func apply(to contact: inout Contact, region: String?) throws(SwitchboardError) {
        applyName(to: &contact)
        for (field, text) in texts where field != .birthday { contact[field] = text }
        if let birthday = self[.birthday], !contact.setBirthday(typed: birthday, region: region) {
            throw .usage(
                "cannot read the birthday “\(birthday)”; use 15 April 1980 or 1980-04-15, or 15 April without the year")
        }
        if self[.birthday] != nil, let day = CalendarDay(contact.birthday), day.text > CalendarDay(Date()).text {
            throw .usage("the birthday \(contact.birthdayInWords ?? day.text) is in the future; correct the year")
        }
        if let groups { contact.groups = groups }
        if let isFavourite { contact.isFavourite = isFavourite }
        try applyPhones(to: &contact, region: region)
        try applyEmails(to: &contact)
        if let addresses { contact.addresses = addresses.filter { !$0.isEmpty }.map(PostalAddress.init(typed:)) }
        if let urls { contact.urls = urls.filter { !$0.isEmpty }.map(WebAddress.init(typed:)) }
        for (list, texts) in lists {
            do { try contact.set(list, toTyped: texts) } catch { throw SwitchboardError(error) }
        }
    }

    private func applyPhones(to contact: inout Contact, region: String?) throws(SwitchboardError) {
        let old = phones == nil ? [] : contact.phones
        if phones != nil { contact.phones = [] }
        for text in removedPhones {
            let number = Phone(typed: text, region: region).number
            guard let index = contact.phones.firstIndex(where: { $0.number.isSame(as: number) }) else {
                throw .usage("the contact has no phone number “\(text)”; remove one that it has")
            }
            contact.phones.remove(at: index)
        }
        for text in (phones ?? []) + addedPhones where !text.isEmpty {
            var phone = try Phone(typed: text, region: region).checked()
            // An existing number keeps its properties that cannot be typed.
            if var known = old.first(where: { $0.number.text == phone.number.text }) {
                (known.label, known.number) = (phone.label, phone.number)
                phone = known
            }
            contact.phones.append(phone)
        }
    }

    private func applyEmails(to contact: inout Contact) throws(SwitchboardError) {
        let old = emails == nil ? [] : contact.emails
        if emails != nil { contact.emails = [] }
        for text in removedEmails {
            let identity = Email(typed: text).identity
            guard let index = contact.emails.firstIndex(where: { $0.identity == identity }) else {
                throw .usage("the contact has no e-mail address “\(text)”; remove one that it has")
            }
            contact.emails.remove(at: index)
        }
        for text in (emails ?? []) + addedEmails where !text.isEmpty {
            var email = try Email(typed: text).checked()
            if var known = old.first(where: { $0.address == email.address }) {
                known.label = email.label
                email = known
            }
            contact.emails.append(email)
        }
    }

    private func applyName(to contact: inout Contact) {
        if let name = name?.trimmingCharacters(in: .whitespacesAndNewlines) {
            contact.name = PersonName(splitting: name)
            // Display a name with a comma in its usual order, and any other name as typed.
            contact.formattedName = name.contains(",") || name == contact.name.composed ? "" : name
        }
        let before = contact.name
        for (field, text) in texts where field.isNamePart { contact[field] = text }
        if contact.name != before { contact.formattedName = "" }
    }
}

extension Contact {
    /// Replaces the phone numbers. A number whose text is unchanged keeps its country, whatever the region is now.
    ///
    /// - Parameter new: The numbers; a lazy collection parses them only if there are not too many.
    /// - Throws: ``SwitchboardError`` for a number without digits or too many numbers; the contact is then unchanged.
    package mutating func replacePhones(with new: some Collection<Phone>) throws(SwitchboardError) {
        try SwitchboardError.converting { () throws(ContactBookError) in try Contact.checkCount(new.count, of: "phone")
        }
        var checked: [Phone] = []
        for var phone in new where !phone.number.text.isEmpty {
            phone.number = phones.first { $0.number.text == phone.number.text }?.number ?? phone.number
            checked.append(try phone.checked())
        }
        phones = checked
    }

    /// Replaces the e-mail addresses.
    ///
    /// - Throws: ``SwitchboardError`` for an address without @ or too many addresses; the contact is then unchanged.
    package mutating func replaceEmails(with new: some Collection<Email>) throws(SwitchboardError) {
        try SwitchboardError.converting { () throws(ContactBookError) in try Contact.checkCount(new.count, of: "email")
        }
        var checked: [Email] = []
        for email in new where !email.address.isEmpty { checked.append(try email.checked()) }
        emails = checked
    }
}

extension SwitchboardError {
    /// Performs a check of the address book and converts its error.
    fileprivate static func converting(
        _ check: () throws(ContactBookError) -> Void
    ) throws(SwitchboardError) {
        do throws(ContactBookError) { try check() } catch { throw SwitchboardError(error) }
    }
}

extension Phone {
    fileprivate func checked() throws(SwitchboardError) -> Phone {
        try SwitchboardError.converting { () throws(ContactBookError) in
            try Contact.checkSize(of: number.text, in: "phone")
        }
        let parts = number.text.split(separator: "+")
        if parts.count > 1, !number.text.contains(where: { "*#".contains($0) }),
            parts.allSatisfy({ $0.count(where: \.isNumber) >= 6 })
        {
            throw .usage("“\(number.text)” contains two numbers; add each of them")
        }
        guard !number.nationalNumber.isEmpty else {
            throw .usage("the phone number “\(number.text)” has no digits; use digits, such as +44 20 7946 0018")
        }
        return self
    }
}

extension Email {
    fileprivate func checked() throws(SwitchboardError) -> Email {
        try SwitchboardError.converting { () throws(ContactBookError) in try Contact.checkSize(of: address, in: "email")
        }
        guard address.contains("@") else {
            throw .usage("the e-mail address “\(address)” has no @; use name@example.org")
        }
        return self
    }
}

/// The row of a contact with an upcoming birthday.
public struct BirthdayRow: JSONObjectEncodable, Sendable {
    /// The contact as a search result.
    public let row: SearchResult
    /// The upcoming birthday.
    public let birthday: UpcomingBirthday

    /// Creates the row for a birthday.
    public init(_ birthday: UpcomingBirthday) {
        row = SearchResult(birthday.contact)
        self.birthday = birthday
    }

    /// The time left: "today", "tomorrow" or "in 12 days".
    public var distance: String {
        switch birthday.daysLeft {
        case 0: "today"
        case 1: "tomorrow"
        default: "in \(birthday.daysLeft) days"
        }
    }

    /// Encodes the row of the contact and `"birthday": {"date", "daysLeft", "age"}`, where the age requires a known
    /// year of birth.
    public func encode(to members: inout JSONMembers) throws {
        try row.encode(to: &members)
        try members.add("birthday", birthday)
    }
}

/// The row of a group of probable duplicates: the most complete contact, with all contacts and the reasons.
///
/// It can be read like any other contact row. The other contacts are listed below it, like the airports of a city.
public struct DuplicateRow: JSONObjectEncodable, Sendable {
    /// The rows of the contacts, the most complete first.
    public let rows: [SearchResult]
    private let group: DuplicateGroup

    /// Creates the row for a group.
    public init(_ group: DuplicateGroup) {
        self.group = group
        rows = group.contacts.map { SearchResult($0) }
    }

    /// The reasons in words, such as `same name and organisation “Initech”, same number +905321234567`.
    public var reason: String {
        group.facts.map { fact in
            switch fact.kind {
            case .name where fact.companion == nil: "same name “\(fact.value)”, and nothing else is known"
            case .name: "same name and \(DuplicateRow.name(of: fact.companion)) “\(fact.value)”"
            case .email: "same e-mail address \(fact.value)"
            case .phone: "same number \(fact.value)"
            }
        }.joined(separator: ", ")
    }

    /// What speaks against it in words, such as `different birthdays: 1950-01-02, 1980-03-04`; empty if nothing does.
    public var objection: String {
        group.contradictions.map { contradiction in
            let what =
                switch contradiction.kind {
                case .name: "names"
                case .birthday: "birthdays"
                case .organization: "organizations"
                }
            return "different \(what): " + contradiction.values.joined(separator: ", ")
        }.joined(separator: "; ")
    }

    private static func name(of companion: SharedFact.Companion?) -> String {
        switch companion {
        case .organization: "organisation"
        case .nickname: "nickname"
        case .birthday: "birthday"
        case .address: "postal address"
        case .url: "page"
        case nil: "facts"
        }
    }

    /// Encodes the row of the most complete contact and `"contacts": […], "reasons": [{"reason", "with", "value"}],
    /// "against": [{"reason", "values"}]`, where only names have `with`.
    public func encode(to members: inout JSONMembers) throws {
        try rows.first?.encode(to: &members)
        try members.add("contacts", group.contacts)
        try members.add("reasons", group.facts)
        try members.add("against", group.contradictions)
    }
}
