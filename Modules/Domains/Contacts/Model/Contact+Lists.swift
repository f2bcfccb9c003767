import SwitchboardVCard

extension Contact {
    /// The same contact with each number, address and page once; the first label that says something stays.
    package var withoutRepeats: Contact {
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

    /// Adds a number unless it is there; fills in what the one that is there lacks. False if nothing changed.
    mutating func add(_ phone: Phone) -> Bool {
        guard let index = phones.firstIndex(where: { $0.number.isSame(as: phone.number) }) else {
            phones.append(phone)
            return true
        }
        let old = phones[index]
        // The one with an international writing tells more.
        if old.number.e164 == nil, phone.number.e164 != nil { phones[index].number = phone.number }
        if old.label.isEmpty { phones[index].label = phone.label }
        if phone.isPreferred { phones[index].isPreferred = true }
        if old.parameters.isEmpty { phones[index].parameters = phone.parameters }
        return phones[index] != old
    }

    /// Adds an address unless it is there; fills in what the one that is there lacks. False if nothing changed.
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

    /// Replaces the name by a whole name, split by the usual rules of ``PersonName/init(splitting:)``.
    public mutating func setWholeName(_ wholeName: String) {
        let whole = wholeName.trimmingWhitespace
        name = PersonName(splitting: whole)
        // "Diaz, Carmen" is how one files a name, not how it is shown.
        formattedName = name.composed == whole || whole.contains(",") ? "" : whole
    }
}

extension PhoneNumber {
    /// Whether both are one number: the same international writing, or one typed without it that reads as the other.
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
    /// Each element once, in the order of its first place.
    fileprivate var uniqued: [Element] {
        guard count > 1 else { return self }
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

// MARK: - As typed on a command line

extension Phone {
    /// A number as typed with or without a label: "0532 123 45 67", "work: 0212 555 01 00".
    public init(typed text: String, region: String?) {
        let (label, rest) = splitLabel(text)
        self.init(label: label, number: PhoneNumber(rest, region: region))
    }
}

extension Email {
    /// An address as typed with or without a label: "a@example.org", "home:a@example.org".
    public init(typed text: String) {
        let (label, rest) = splitLabel(text)
        self.init(label: label, address: rest)
    }
}

/// The label before the first colon, in the words of the model, and what follows it.
private func splitLabel(_ text: String) -> (label: String, rest: String) {
    guard let colon = text.firstIndex(of: ":") else { return ("", text.trimmingWhitespace) }
    let rest = String(text[text.index(after: colon)...]).trimmingWhitespace
    let label = String(text[..<colon]).trimmingWhitespace
    // tel:+90… and mailto:a@example.org are addresses of the web, not labels.
    if ["tel", "mailto"].contains(label.lowercased()) { return ("", rest) }
    return (Labels.label(ofWords: label), rest)
}
