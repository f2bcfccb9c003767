import Foundation
package import SwitchboardVCard

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
    package init(_ card: VCard, region: String?) throws {
        self.init()
        var labels: [String: String] = [:]
        for property in card.properties where property.name == "X-ABLABEL" && !property.group.isEmpty {
            labels[property.group.lowercased()] = property.text
        }
        var understood = UnderstoodCard(labels: labels, region: region)
        for property in card.properties {
            if !understood.read(property, into: &self) { otherProperties.append(property.keptLine(labels: labels)) }
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
    /// How the name is sorted, unless that says how it sounds, and its place among the other properties.
    private var sorting: (property: VCardProperty, place: Int)?

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

    /// The parameters of a number or an address that the model has a place for, or that say how it was written.
    private static let parameters: Set<String> = ["TYPE", "PREF", "VALUE", "ENCODING", "CHARSET", "X-LABEL"]

    /// Takes a property in; false if the model has no place for it.
    mutating func read(_ property: VCardProperty, into contact: inout Contact) -> Bool {
        switch property.name {
        case "FN": return take(property.text, as: \.formattedName, of: &contact)
        case "N": return readName(property, into: &contact)
        case "NICKNAME":
            readNicknames(property.list, into: &contact)
            return true
        case "X-ANDROID-CUSTOM": return readAndroid(property, into: &contact)
        case "X-PHONETIC-FIRST-NAME": return take(property.text, as: \.phoneticGivenName, of: &contact)
        case "X-PHONETIC-LAST-NAME": return take(property.text, as: \.phoneticFamilyName, of: &contact)
        case "SORT-STRING":
            guard sorting == nil else { return false }
            sorting = (property, contact.otherProperties.count)
            return true
        case "ORG": return readOrganization(property, into: &contact)
        case "TITLE": return take(property.text, as: \.title, of: &contact)
        case "TEL": return readPhone(property, into: &contact)
        case "EMAIL":
            var address = property.text.trimmingWhitespace
            if address.lowercased().hasPrefix("mailto:") { address = String(address.dropFirst(7)).trimmingWhitespace }
            guard !address.isEmpty else { return true }
            var email = Email(label: label(of: property), address: address, isPreferred: property.isPreferred)
            email.parameters = property.otherParameters(than: UnderstoodCard.parameters)
            contact.emails.append(email)
            return true
        case "ADR":
            readAddress(property, into: &contact)
            return true
        case "URL":
            let url = property.text.trimmingWhitespace
            if !url.isEmpty { contact.urls.append(WebAddress(label: label(of: property), url: url)) }
            return true
        case "NOTE":
            let text = property.text
            contact.note = [contact.note, text].filter { !$0.isEmpty }.joined(separator: "\n\n")
            return true
        case "BDAY": return readBirthday(property, into: &contact)
        case "UID": return take(CardIdentifier.plain(property.text), as: \.sourceUID, of: &contact)
        case "X-SWITCHBOARD-FAVOURITE", "X-ANDROID-STARRED", "X-FAVORITE":
            contact.isFavourite = property.value.trimmingWhitespace == "1" || property.value.uppercased() == "TRUE"
            return true
        case "CATEGORIES":
            for group in property.list { contact.addGroup(group) }
            return true
        case "PHOTO":
            guard contact.photo == nil, let photo = ContactPhoto(property) else { return false }
            contact.photo = photo
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
        let text = text.trimmingWhitespace
        if text.isEmpty || contact[keyPath: place] == text { return true }
        guard contact[keyPath: place].isEmpty else { return false }
        contact[keyPath: place] = text
        return true
    }

    private mutating func readName(_ property: VCardProperty, into contact: inout Contact) -> Bool {
        let parts = property.components
        func part(_ index: Int) -> String { index < parts.count ? parts[index].trimmingWhitespace : "" }
        var name = PersonName(prefix: part(3), given: part(1), middle: part(2), family: part(0), suffix: part(4))
        (name.secondFamily, name.generation) = (part(5), part(6))
        // A second one is the name in other letters (ALTID).
        guard contact.name.isEmpty else { return name == contact.name }
        contact.name = name
        let sortAs = property.values(of: "SORT-AS").filter { !$0.isEmpty }
        if !name.isEmpty, !sortAs.isEmpty, sorting == nil {
            let value = sortAs.map(VCardText.escaped).joined(separator: ";")
            let property = try? VCardProperty(unfolded: "SORT-STRING:" + value)
            sorting = property.map { ($0, contact.otherProperties.count) }
        }
        return true
    }

    private func readNicknames(_ names: [String], into contact: inout Contact) {
        var known = contact.nickname.isEmpty ? [] : contact.nickname.components(splitBy: ", ")
        // One that has a comma in it is two in the model.
        for name in names.flatMap({ $0.components(splitBy: ", ") }).map(\.trimmingWhitespace) where !name.isEmpty {
            if !known.contains(name) { known.append(name) }
        }
        contact.nickname = known.joined(separator: ", ")
    }

    private func readOrganization(_ property: VCardProperty, into contact: inout Contact) -> Bool {
        guard contact.organization.isEmpty, contact.department.isEmpty else { return false }
        let parts = property.components
        contact.organization = parts.first?.trimmingWhitespace ?? ""
        // Deeper parts are told apart by "; ", also those that say it themselves.
        let departments = parts.dropFirst().flatMap { $0.split(separator: ";") }.map { String($0).trimmingWhitespace }
        contact.department = departments.filter { !$0.isEmpty }.joined(separator: "; ")
        for text in property.values(of: "SORT-AS").prefix(1) where !text.isEmpty {
            contact.keep("X-PHONETIC-ORG", text)
        }
        return true
    }

    private func readAddress(_ property: VCardProperty, into contact: inout Contact) {
        var address = PostalAddress(label: label(of: property), parts: property.components)
        if let written = property.values(of: "LABEL").first?.trimmingWhitespace, !written.isEmpty {
            if address.isEmpty {
                address.street = written
            } else {
                let types = Labels.types(of: address.label).map {
                    $0.isEmpty ? "" : ";TYPE=" + $0.joined(separator: ",")
                }
                let line = "LABEL" + (types ?? "") + ":" + VCardText.escaped(written)
                if !contact.otherProperties.contains(line) { contact.otherProperties.append(line) }
            }
        }
        if !address.isEmpty { contact.addresses.append(address) }
    }

    private func readPhone(_ property: VCardProperty, into contact: inout Contact) -> Bool {
        let text = TelephoneURI.text(property.text.trimmingWhitespace)
        guard !text.isEmpty else { return true }
        let number = PhoneNumber(text, region: region)
        // A handle of a messenger under TEL is no number; it is kept as it stands.
        guard !number.nationalNumber.isEmpty else { return false }
        var phone = Phone(label: label(of: property), number: number, isPreferred: property.isPreferred)
        phone.parameters = property.otherParameters(than: UnderstoodCard.parameters)
        contact.phones.append(phone)
        return true
    }

    private func readBirthday(_ property: VCardProperty, into contact: inout Contact) -> Bool {
        var text = Birthday.normalised(property.text)
        // Apple writes a birthday without a year as one in 1604.
        if let year = property.values(of: "X-APPLE-OMIT-YEAR").first, text.hasPrefix(year + "-"), text.count == 10 {
            text = "--" + text.dropFirst(year.count + 1)
        }
        return take(text, as: \.birthday, of: &contact)
    }

    private func readAndroid(_ property: VCardProperty, into contact: inout Contact) -> Bool {
        let parts = property.components
        guard parts.count > 1, parts[0] == "vnd.android.cursor.item/nickname" else { return false }
        return take(parts[1], as: \.nickname, of: &contact)
    }

    /// Settles what name parts and whole name say together.
    func finishName(of contact: inout Contact) {
        if contact.name.isEmpty, !contact.formattedName.isEmpty {
            let shown = contact.formattedName
            contact.formattedName = ""
            // A company, or one that is named by what it has: FN says no more than that.
            let isCompany = contact.otherProperties.contains { ["KIND:org", "X-ABSHOWAS:COMPANY"].contains($0) }
            if isCompany, contact.organization.isEmpty, contact.displayName != shown { contact.organization = shown }
            if contact.organization != shown, contact.displayName != shown {
                contact.formattedName = shown
                let finer = (contact.name.secondFamily, contact.name.generation)
                contact.name = PersonName(splitting: shown)
                (contact.name.secondFamily, contact.name.generation) = finer
            }
        }
        if contact.formattedName == contact.name.composed { contact.formattedName = "" }
        finishSound(of: &contact)
    }

    /// Takes how a name is sorted for how it sounds where it is written in other letters, as the kana of a Japanese name.
    private func finishSound(of contact: inout Contact) {
        guard let sorting else { return }
        let parts = sorting.property.components.flatMap { $0.split(separator: ",") }.map { String($0).trimmingWhitespace }
        let isSilent = contact.phoneticGivenName.isEmpty && contact.phoneticFamilyName.isEmpty
        let words = Set(NameKey(parts.joined(separator: " ")).words)
        if isSilent, words.isDisjoint(with: NameKey(contact.fullName).words), !words.isEmpty {
            contact.phoneticFamilyName = parts.first ?? ""
            contact.phoneticGivenName = parts.dropFirst().joined(separator: " ")
        } else {
            let place = min(sorting.place, contact.otherProperties.endIndex)
            contact.otherProperties.insert(sorting.property.unfolded, at: place)
        }
    }
}

/// The identifier of a card in the book it came from.
enum CardIdentifier {
    /// Without "urn:uuid:", which some programs write and others do not.
    static func plain(_ text: String) -> String {
        let text = text.trimmingWhitespace
        return text.lowercased().hasPrefix("urn:uuid:") ? String(text.dropFirst(9)) : text
    }
}

/// Numbers as addresses of the web (RFC 3966).
enum TelephoneURI {
    /// `tel:+1-212-555-0100;ext=12` as `+1-212-555-0100 ext. 12`; a text of another kind as it is.
    static func text(_ text: String) -> String {
        guard let text = withoutScheme(text)?.replacingPercentEscapes.trimmingWhitespace else { return text }
        let sections = text.split(separator: ";").map(String.init)
        guard let number = sections.first?.trimmingWhitespace, sections.count > 1 else {
            return withoutScheme(text) ?? text
        }
        var result = (withoutScheme(number) ?? number).trimmingWhitespace
        for section in sections.dropFirst() {
            let parts = section.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            switch parts[0].lowercased() {
            // A number of a company's exchange: with the exchange before it, it is one of the world.
            case "phone-context" where parts[1].hasPrefix("+") && !result.hasPrefix("+"): result = parts[1] + result
            case "ext": result += " ext. " + parts[1]
            default: continue
            }
        }
        return result.trimmingWhitespace
    }

    /// Without the `tel:` at the beginning, written as often as it may be, so that what is left has none; nil if there is none.
    private static func withoutScheme(_ text: String) -> String? {
        var rest = text[...]
        while rest.prefix(4).lowercased() == "tel:" {
            rest = rest.dropFirst(4)
            rest = rest.drop(while: \.isWhitespace)
        }
        return rest.startIndex == text.startIndex ? nil : String(rest)
    }
}

extension String {
    /// `%20` and the like undone; unchanged if they are no UTF-8.
    fileprivate var replacingPercentEscapes: String { removingPercentEncoding ?? self }
}
