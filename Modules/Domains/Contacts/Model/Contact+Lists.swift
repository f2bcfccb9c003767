import SwitchboardVCard

extension Contact {
    /// The contact without duplicate numbers, addresses and groups. The first label stays.
    package var deduplicated: Contact {
        var contact = self
        contact.phones = []
        for phone in phones { _ = contact.add(phone) }
        contact.emails = []
        for email in emails { _ = contact.add(email) }
        contact.addresses = addresses.uniqued
        contact.urls = urls.uniqued
        contact.otherProperties = otherProperties.uniqued
        contact.groups = []
        for group in groups { contact.addGroup(group) }
        return contact
    }

    /// Adds a number, or completes an equal one. Returns `false` if nothing changed.
    mutating func add(_ phone: Phone) -> Bool {
        guard let index = phones.firstIndex(where: { $0.number.isSame(as: phone.number) }) else {
            phones.append(phone)
            return true
        }
        let old = phones[index]
        // Prefers the number with an E.164 form.
        if old.number.e164 == nil, phone.number.e164 != nil { phones[index].number = phone.number }
        if old.label.isEmpty { phones[index].label = phone.label }
        if phone.isPreferred { phones[index].isPreferred = true }
        if old.parameters.isEmpty { phones[index].parameters = phone.parameters }
        return phones[index] != old
    }

    /// Adds an address, or completes an equal one. Returns `false` if nothing changed.
    mutating func add(_ email: Email) -> Bool {
        guard let index = emails.firstIndex(where: { $0.identity == email.identity }) else {
            emails.append(email)
            return true
        }
        let old = emails[index]
        if old.label.isEmpty { emails[index].label = email.label }
        if email.isPreferred { emails[index].isPreferred = true }
        if old.parameters.isEmpty { emails[index].parameters = email.parameters }
        return emails[index] != old
    }

    /// Replaces the name with a full name, split by ``PersonName/init(splitting:)``.
    public mutating func setWholeName(_ wholeName: String) {
        let whole = wholeName.trimmingWhitespace
        name = PersonName(splitting: whole)
        // "Diaz, Carmen" is a sorting form and not displayed.
        formattedName = name.composed == whole || whole.contains(",") ? "" : whole
    }
}

extension PhoneNumber {
    /// Returns `true` for the same E.164 form, or if a number without one equals a search form of the other.
    func isSame(as other: PhoneNumber) -> Bool {
        if identity == other.identity { return true }
        guard extensionNumber == other.extensionNumber else { return false }
        if e164 != nil, other.e164 != nil { return false }
        let digits = e164 == nil ? nationalNumber : other.nationalNumber
        guard digits.utf8.count > 5 else { return false }
        return (e164 == nil ? other : self).searchReadings.contains { $0 == digits || $0 == "+" + digits }
    }
}

extension Array where Element: Hashable {
    /// The elements without duplicates, in order of first occurrence.
    fileprivate var uniqued: [Element] {
        guard count > 1 else { return self }
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
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

/// Splits a text at the first colon into a label of the model and the rest.
private func splitLabel(_ text: String) -> (label: String, rest: String) {
    guard let colon = text.firstIndex(of: ":") else { return ("", text.trimmingWhitespace) }
    let rest = String(text[text.index(after: colon)...]).trimmingWhitespace
    let label = String(text[..<colon]).trimmingWhitespace
    // The schemes of tel:+90… and mailto:a@example.org are not labels.
    if ["tel", "mailto"].contains(label.lowercased()) { return ("", rest) }
    return (Labels.label(ofWords: label), rest)
}
