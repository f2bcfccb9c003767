import SwitchboardAlgorithms
import SwitchboardVCard

extension Contact {
    /// The contact without duplicate numbers, addresses and groups. The first label stays.
    package var deduplicated: Contact {
        var contact = self
        contact.phones = []
        for phone in phones { contact.add(phone) }
        contact.emails = []
        for email in emails { contact.add(email) }
        contact.addresses = addresses.uniqued
        contact.urls = urls.uniqued
        contact.otherProperties = otherProperties.uniqued
        contact.groups = []
        for group in groups { contact.addGroup(group) }
        return contact
    }

    /// Adds a number, or completes an equal one.
    mutating func add(_ phone: Phone) {
        guard let index = phones.firstIndex(where: { $0.number.isSame(as: phone.number) }) else {
            return phones.append(phone)
        }
        // Prefers the number with an E.164 form.
        if phones[index].number.e164 == nil, phone.number.e164 != nil { phones[index].number = phone.number }
        phones[index].complete(from: phone)
    }

    /// Adds an address, or completes an equal one.
    mutating func add(_ email: Email) {
        guard let index = emails.firstIndex(where: { $0.identity == email.identity }) else {
            return emails.append(email)
        }
        emails[index].complete(from: email)
    }

    /// Replaces the name with a full name, split by ``PersonName/init(splitting:)``.
    public mutating func setWholeName(_ wholeName: String) {
        let whole = wholeName.trimmingWhitespace
        name = PersonName(splitting: whole)
        // "Diaz, Carmen" is a sorting form and not displayed.
        formattedName = name.composed == whole || whole.contains(",") ? "" : whole
    }
}

protocol LabelledValue {
    var label: String { get set }
    var isPreferred: Bool { get set }
    var parameters: String { get set }
}

extension Phone: LabelledValue {}
extension Email: LabelledValue {}

extension LabelledValue {
    /// Fills in what this value lacks from an equal one.
    fileprivate mutating func complete(from other: Self) {
        if label.isEmpty { label = other.label }
        if other.isPreferred { isPreferred = true }
        if parameters.isEmpty { parameters = other.parameters }
    }
}

extension PhoneNumber {
    /// Returns `true` for the same identity, or if a number without an E.164 form equals a search form of the other.
    package func isSame(as other: PhoneNumber) -> Bool {
        if let e164, let theirs = other.e164, e164 != theirs { return false }
        let (identity, otherIdentity) = (identity, other.identity)
        if identity == otherIdentity { return true }
        if e164 != nil, other.e164 != nil { return false }
        let (bare, whole) = e164 == nil ? (identity, other) : (otherIdentity, self)
        // A number with a code, an extension or a pause differs from its digits.
        guard let digits = PhoneNumber.digits(of: bare) else { return false }
        guard whole.e164 != nil else { return digits == PhoneNumber.digits(of: otherIdentity) }
        guard whole.e164 == (e164 == nil ? otherIdentity : identity) else { return false }
        return whole.searchReadings.contains { $0 == digits || $0 == "+" + digits }
    }

    /// Returns the digits of an identity that consists of six or more digits after an optional plus sign; otherwise
    /// nil.
    private static func digits(of identity: String) -> Substring? {
        let digits = identity.hasPrefix("+") ? identity.dropFirst() : identity[...]
        return digits.utf8.count > 5 && digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? digits : nil
    }
}

// MARK: - Typed numbers and addresses

extension Phone {
    /// Parses a number with an optional label: "0532 123 45 67", "work: 0212 555 01 00".
    public init(typed text: String, region: String?) {
        let (label, rest) = splitLabel(text)
        self.init(label: label, number: PhoneNumber(rest, region: region))
    }
}

extension Email {
    /// Parses an address with an optional label: "a@example.org", "home:a@example.org".
    public init(typed text: String) {
        let (label, rest) = splitLabel(text)
        self.init(label: label, address: rest)
    }
}

extension PostalAddress {
    /// Parses up to five parts in the order of a vCard, with an optional label: "home:Rua Nova 3;Porto;;4000-002;Portugal".
    public init(typed text: String) {
        let (label, rest) = splitLabel(text)
        let parts = rest.split(separator: ";", maxSplits: 4, omittingEmptySubsequences: false)
        self.init(label: label, components: ["", ""] + parts.map { String($0).trimmingWhitespace })
    }
}

extension WebAddress {
    /// Parses an address with an optional label: "https://example.org", "blog:https://example.org".
    public init(typed text: String) {
        let scheme = text.split(separator: "://", maxSplits: 1).first ?? ""
        let (label, rest) = scheme.contains(":") ? splitLabel(text) : ("", text.trimmingWhitespace)
        self.init(label: label, url: rest)
    }
}

extension Contact {
    /// Sets the birthday to a typed date, or removes it if the text is empty.
    ///
    /// - Parameters:
    ///   - text: `1980-04-15`, `--04-15` without the year, or a date in an Outlook format, such as `14.03.1975`.
    ///   - region: The ISO 3166 code that determines the order of `3/4/1975`.
    /// - Returns: `false` if the text is not a date; the contact is then unchanged.
    public mutating func setBirthday(typed text: String, region: String?) -> Bool {
        let date = Birthday.ofTable(text, region: region)
        guard text.trimmingWhitespace.isEmpty || Birthday(date) != nil else { return false }
        birthday = date
        return true
    }
}

/// Splits a text at the first colon into a model label and the rest.
private func splitLabel(_ text: String) -> (label: String, rest: String) {
    guard let colon = text.firstIndex(of: ":") else { return ("", text.trimmingWhitespace) }
    let rest = String(text[text.index(after: colon)...]).trimmingWhitespace
    let label = String(text[..<colon]).trimmingWhitespace
    // The schemes of tel:+90… and mailto:a@example.org are not labels.
    if ["tel", "mailto"].contains(label.lowercased()) { return ("", rest) }
    return (Labels.label(ofWords: label), rest)
}
