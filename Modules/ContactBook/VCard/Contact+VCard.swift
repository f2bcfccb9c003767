import Foundation
import VCardFormat

extension Contact {
    /// Understands a card.
    ///
    /// What has no place in the model is kept in ``otherProperties``. A card without FN and N is named by its nickname,
    /// organisation, e-mail address or number.
    ///
    /// - Parameters:
    ///   - card: the card as its lines say it.
    ///   - region: the territory of numbers without a country code.
    /// - Throws: ``MalformedInput`` if nothing in the card names a contact.
    init(_ card: VCard, region: String?) throws {
        self.init()
        var labels: [String: String] = [:]
        for property in card.properties where property.name == "X-ABLABEL" && !property.group.isEmpty {
            labels[property.group.lowercased()] = property.text
        }
        var understood = UnderstoodCard(labels: labels, region: region)
        for property in card.properties {
            if !understood.read(property, into: &self) { otherProperties.append(property.line(withLabel: labels)) }
        }
        understood.finishName(of: &self)
        guard isNameable else {
            throw MalformedInput(
                line: card.line, reason: "the card has neither a name nor an organisation, e-mail address or number")
        }
    }
}

/// What must be remembered while the properties of a card are read.
private struct UnderstoodCard {
    let labels: [String: String]
    let region: String?
    private var hasParts = false
    private var omittedYear: String?

    init(labels: [String: String], region: String?) {
        self.labels = labels
        self.region = region
    }

    private func label(of property: VCardProperty) -> String {
        if !property.group.isEmpty, let own = labels[property.group.lowercased()], !own.isEmpty {
            return Labels.label(ofWords: own)
        }
        return Labels.label(ofTypes: property.types)
    }

    /// Takes a property in; false if the model has no place for it.
    mutating func read(_ property: VCardProperty, into contact: inout Contact) -> Bool {
        switch property.name {
        case "FN": return take(property.text, as: \.formattedName, of: &contact)
        case "N":
            guard !hasParts else { return false }
            hasParts = true
            let parts = property.components
            func part(_ index: Int) -> String { index < parts.count ? parts[index].trimmedOfSpaces : "" }
            contact.name = PersonName(
                prefix: part(3), given: part(1), middle: part(2), family: part(0), suffix: part(4))
            return true
        case "NICKNAME":
            return take(
                property.list.map(\.trimmedOfSpaces).filter { !$0.isEmpty }.joined(separator: ", "), as: \.nickname,
                of: &contact)
        case "X-ANDROID-CUSTOM": return readAndroid(property, into: &contact)
        case "X-PHONETIC-FIRST-NAME": return take(property.text, as: \.phoneticGivenName, of: &contact)
        case "X-PHONETIC-LAST-NAME": return take(property.text, as: \.phoneticFamilyName, of: &contact)
        case "ORG":
            guard contact.organization.isEmpty else { return false }
            let parts = property.components.map(\.trimmedOfSpaces)
            contact.organization = parts.first ?? ""
            contact.department = parts.dropFirst().filter { !$0.isEmpty }.joined(separator: "; ")
            return true
        case "TITLE": return take(property.text, as: \.title, of: &contact)
        case "TEL": return readPhone(property, into: &contact)
        case "EMAIL":
            let address = property.text.trimmedOfSpaces
            guard !address.isEmpty else { return true }
            contact.emails.append(
                Email(label: label(of: property), address: address, isPreferred: property.isPreferred))
            return true
        case "ADR":
            let address = PostalAddress(label: label(of: property), parts: property.components)
            if !address.isEmpty { contact.addresses.append(address) }
            return true
        case "URL":
            let url = property.text.trimmedOfSpaces
            if !url.isEmpty { contact.urls.append(WebAddress(label: label(of: property), url: url)) }
            return true
        case "NOTE":
            let text = property.text
            contact.note = [contact.note, text].filter { !$0.isEmpty }.joined(separator: "\n\n")
            return true
        case "BDAY": return readBirthday(property, into: &contact)
        case "UID": return take(CardIdentifier.plain(property.text), as: \.sourceUID, of: &contact)
        case "X-SWITCHBOARD-FAVOURITE", "X-ANDROID-STARRED", "X-FAVORITE":
            contact.isFavourite = property.value.trimmedOfSpaces == "1" || property.value.uppercased() == "TRUE"
            return true
        case "X-ABLABEL":
            // It belongs to the property of its group, which has taken it already.
            return true
        case "REV", "PRODID":
            // They tell of the export, not of the person, and differ in each.
            return true
        default: return property.value.isEmpty
        }
    }

    /// Takes a text where there is none yet; a second, different one is kept aside.
    private func take(_ text: String, as place: WritableKeyPath<Contact, String>, of contact: inout Contact) -> Bool {
        let text = text.trimmedOfSpaces
        if text.isEmpty || contact[keyPath: place] == text { return true }
        guard contact[keyPath: place].isEmpty else { return false }
        contact[keyPath: place] = text
        return true
    }

    private func readPhone(_ property: VCardProperty, into contact: inout Contact) -> Bool {
        var text = property.text.trimmedOfSpaces
        if text.lowercased().hasPrefix("tel:") {
            // RFC 3966: tel:+1-212-555-0100;ext=12
            text = String(text.dropFirst(4)).replacingPercentEscapes
            if let parameter = text.range(ofASCII: ";ext=") { text.replaceSubrange(parameter, with: " ext. ") }
        }
        guard !text.isEmpty else { return true }
        let number = PhoneNumber(text, region: region)
        // A handle of a messenger under TEL is no number; it is kept as it stands.
        guard !number.nationalNumber.isEmpty else { return false }
        contact.phones.append(Phone(label: label(of: property), number: number, isPreferred: property.isPreferred))
        return true
    }

    private func readBirthday(_ property: VCardProperty, into contact: inout Contact) -> Bool {
        var text = property.text
        // Apple writes a birthday without a year as one in 1604.
        if let year = property.values(of: "X-APPLE-OMIT-YEAR").first, text.hasPrefix(year + "-") {
            text = "--" + text.dropFirst(year.count + 1)
        }
        return take(Birthday.normalised(text), as: \.birthday, of: &contact)
    }

    private func readAndroid(_ property: VCardProperty, into contact: inout Contact) -> Bool {
        let parts = property.components
        guard parts.count > 1, parts[0] == "vnd.android.cursor.item/nickname" else { return false }
        return take(parts[1], as: \.nickname, of: &contact)
    }

    /// Settles what name parts and whole name say together.
    func finishName(of contact: inout Contact) {
        if contact.name.isEmpty, !contact.formattedName.isEmpty {
            if contact.formattedName == contact.organization {
                contact.formattedName = ""
            } else {
                contact.name = PersonName(splitting: contact.formattedName)
            }
        }
        if contact.formattedName == contact.name.composed { contact.formattedName = "" }
        if contact.name.isEmpty, contact.formattedName == contact.nickname { contact.formattedName = "" }
    }
}

/// The identifier of a card in the book it came from.
enum CardIdentifier {
    /// Without "urn:uuid:", which some programs write and others do not.
    static func plain(_ text: String) -> String {
        let text = text.trimmedOfSpaces
        return text.lowercased().hasPrefix("urn:uuid:") ? String(text.dropFirst(9)) : text
    }
}

/// Birthdays in the forms that cards and tables have them.
enum Birthday {
    /// `19800415`, `1980-04-15T00:00:00Z` and `1980-04-15` as `1980-04-15`; `--0415` as `--04-15`; others as they are.
    static func normalised(_ text: String) -> String {
        let text = text.trimmedOfSpaces
        let day = text.split(separator: "T", maxSplits: 1).first.map(String.init) ?? text
        let digits = day.filter { $0 != "-" }
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return text }
        if day.hasPrefix("--"), digits.count == 4 { return "--" + digits.prefix(2) + "-" + digits.suffix(2) }
        guard digits.count == 8, !day.hasPrefix("-") else { return text }
        return digits.prefix(4) + "-" + digits.dropFirst(4).prefix(2) + "-" + digits.suffix(2)
    }
}

extension String {
    /// `%20` and the like undone; unchanged if they are no UTF-8.
    fileprivate var replacingPercentEscapes: String { removingPercentEncoding ?? self }

    fileprivate func range(ofASCII needle: String) -> Range<String.Index>? {
        range(of: needle, options: .caseInsensitive)
    }
}
