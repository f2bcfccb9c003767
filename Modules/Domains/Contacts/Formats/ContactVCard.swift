import Foundation
import SwitchboardAlgorithms
import SwitchboardTextNormalization
package import SwitchboardVCard

extension Contact {
    /// Creates a contact from a card.
    ///
    /// Properties without a field are preserved in ``otherProperties``. A card without FN and N is displayed by its
    /// nickname, organization, e-mail address, number, or else by the first text that it has.
    ///
    /// - Parameters:
    ///   - card: The parsed card.
    ///   - region: The ISO 3166 code for numbers without a country code.
    /// - Throws: ``MalformedInput`` for a card that is empty or too large.
    package init(_ card: VCard, region: String?) throws(MalformedInput) {
        try self.init(interpreting: card, region: region)
        guard isNameable else { throw MalformedInput(line: card.line, reason: "the card is empty") }
    }

    /// Creates a contact from a card, which may be empty.
    init(interpreting card: VCard, region: String?) throws(MalformedInput) {
        self.init()
        var labels: [String: String] = [:]
        var members: [String: Int] = [:]
        for property in card.properties where !property.group.isEmpty {
            let group = property.group.lowercased()
            if property.name == "X-ABLABEL" { labels[group] = property.text } else { members[group, default: 0] += 1 }
        }
        var interpreter = CardInterpreter(labels: labels, region: region)
        for var property in card.properties {
            // A group of one property says nothing.
            if !property.group.isEmpty, members[property.group.lowercased(), default: 0] > 1 {
                property.addGroupParameter()
            }
            if !interpreter.read(property, into: &self) {
                otherProperties.append(property.preservedLine(labels: labels))
            }
            // The rest of a card that is too large is not interpreted.
            if isExcessive { try checkSizes(line: card.line) }
        }
        interpreter.finishName(of: &self)
        try checkSizes(line: card.line)
    }

    /// Returns notes about what differs between the contact's card and the contact that is kept of it.
    package func notes(on card: VCard, keptAs kept: Contact) -> [MalformedInput] {
        card.notes + repetitions(leftOutOf: kept, line: card.line)
            + [kept.photo?.note(line: card.line)].compactMap(\.self)
    }
}

/// The state while the properties of a card are interpreted.
private struct CardInterpreter {
    let labels: [String: String]
    let region: String?
    /// The sort name and its position among the other properties. It may turn out to be the phonetic name.
    var sorting: (property: VCardProperty, position: Int)?

    private func label(of property: VCardProperty) -> String {
        if !property.group.isEmpty, let custom = labels[property.group.lowercased()], !custom.isEmpty {
            return Labels.label(ofWords: custom)
        }
        return Labels.label(ofTypes: property.types)
    }

    /// The parameters that tell how a value is written.
    private static let encodings: Set = ["VALUE", "ENCODING", "CHARSET", "X-LABEL"]
    private static let encodingsAndType = encodings.union(["TYPE"])
    private static let encodingsAndPreference = encodings.union(["TYPE", "PREF"])
    private static let encodingsAndSorting = encodings.union(["SORT-AS"])
    private static let encodingsAndYear = encodings.union(["X-APPLE-OMIT-YEAR"])

    /// Returns the parameters of a number or an address that its label and its preference do not contain.
    private func parameters(of property: VCardProperty) -> String {
        if property.parameters.isEmpty { return "" }
        // PREF=1 marks the preferred value; other numbers have no field.
        let isFirst = property.values(of: "PREF").first == "1"
        return property.otherTypes
            + property.otherParameters(
                than: isFirst ? CardInterpreter.encodingsAndPreference : CardInterpreter.encodingsAndType)
    }

    /// Returns the parameters of an address that has no field for its preference.
    private func parametersWithPreference(of property: VCardProperty) -> String {
        (property.isPreferred ? ";PREF=1" : "") + parameters(of: property)
    }

    /// Keeps the parameters of a property that became the value of a field.
    private func keepParameters(
        of property: VCardProperty, without names: Set<String> = CardInterpreter.encodings, in contact: inout Contact
    ) {
        if property.parameters.isEmpty { return }
        let parameters = property.otherParameters(than: names)
        if !parameters.isEmpty { contact.textParameters[property.name] = parameters }
    }

    /// Interprets a property. Returns `false` if the model has no field for it.
    mutating func read(_ property: VCardProperty, into contact: inout Contact) -> Bool {
        switch property.name {
        case "FN": return set(property, as: \.formattedName, of: &contact)
        // Other names of FN and of alternatives in version 3.0, which has only one of each.
        case "X-OTHER-FN": return preserve(property, as: "FN", in: &contact)
        case "X-OTHER-N", "X-OTHER-BDAY":
            guard !property.values(of: "ALTID").isEmpty else { return false }
            return preserve(property, as: String(property.name.dropFirst("X-OTHER-".count)), in: &contact)
        case "N": return readName(property, into: &contact)
        case "NICKNAME":
            let isFirst = contact.nickname.isEmpty
            readNicknames(property.list, into: &contact)
            if isFirst, !contact.nickname.isEmpty { keepParameters(of: property, in: &contact) }
            return true
        case "X-ANDROID-CUSTOM": return readAndroid(property, into: &contact)
        case "SORT-STRING":
            guard sorting == nil else { return false }
            sorting = (property, contact.otherProperties.count)
            return true
        case "ORG": return readOrganization(property, into: &contact)
        case "TEL": return readPhone(property, into: &contact)
        case "EMAIL":
            let address = ContactValues.mailAddress(property.text.trimmingWhitespace)
            guard !address.isEmpty else { return true }
            var email = Email(label: label(of: property), address: address, isPreferred: property.isPreferred)
            email.parameters = parameters(of: property)
            contact.emails.append(email)
            return true
        case "ADR":
            readAddress(property, into: &contact)
            return true
        case "URL":
            var url = WebAddress(label: label(of: property), url: property.text.trimmingWhitespace)
            url.parameters = parametersWithPreference(of: property)
            if !url.url.isEmpty { contact.urls.append(url) }
            return true
        case "LABEL": return readLabel(property, into: &contact)
        case "NOTE": return readNote(property, into: &contact)
        case "BDAY": return readBirthday(property, into: &contact)
        case "UID":
            let isFirst = contact.sourceUID.isEmpty
            guard set(CardIdentifier.plain(property.text), as: \.sourceUID, of: &contact) else { return false }
            if isFirst, !contact.sourceUID.isEmpty { keepParameters(of: property, in: &contact) }
            return true
        case "X-SWITCHBOARD-FAVOURITE", "X-ANDROID-STARRED", "X-FAVORITE":
            contact.isFavourite = property.value.trimmingWhitespace == "1" || property.value.uppercased() == "TRUE"
            return true
        case "CATEGORIES":
            let isFirst = contact.groups.isEmpty
            for group in property.list where contact.groups.count <= Contact.largestList { contact.addGroup(group) }
            if isFirst, !contact.groups.isEmpty { keepParameters(of: property, in: &contact) }
            return true
        case "PHOTO":
            guard contact.photo == nil, let photo = ContactPhoto(property) else { return false }
            contact.photo = photo
            return true
        // The label is applied to the property of its group. The others differ in each export.
        case "X-ABLABEL", "REV", "PRODID": return true
        default:
            guard let field = ContactTextField.byProperty[property.name] else { return property.value.isEmpty }
            return set(property, as: field.path, of: &contact)
        }
    }

    /// Preserves a property under another name.
    private func preserve(_ property: VCardProperty, as name: String, in contact: inout Contact) -> Bool {
        var other = property
        other.name = name
        if !property.value.isEmpty { contact.otherProperties.append(other.preservedLine(labels: labels)) }
        return true
    }

    /// Sets an empty field and its parameters. Returns `false` if the field has another value.
    private func set(
        _ property: VCardProperty, as field: WritableKeyPath<Contact, String>, of contact: inout Contact
    ) -> Bool {
        let isFirst = contact[keyPath: field].isEmpty
        guard set(property.text, as: field, of: &contact) else { return false }
        if isFirst, !contact[keyPath: field].isEmpty { keepParameters(of: property, in: &contact) }
        return true
    }

    /// Sets an empty field. Returns `false` if the field has another value, which must be preserved.
    private func set(_ text: String, as field: WritableKeyPath<Contact, String>, of contact: inout Contact) -> Bool {
        let text = text.trimmingWhitespace
        if text.isEmpty || contact[keyPath: field] == text { return true }
        guard contact[keyPath: field].isEmpty else { return false }
        contact[keyPath: field] = text
        return true
    }

    private mutating func readName(_ property: VCardProperty, into contact: inout Contact) -> Bool {
        let parts = property.components
        func part(_ index: Int) -> String { index < parts.count ? parts[index].trimmingWhitespace : "" }
        var name = PersonName(prefix: part(3), given: part(1), middle: part(2), family: part(0), suffix: part(4))
        (name.secondFamily, name.generation) = (part(5), part(6))
        if !contact.name.isEmpty {
            if name.composed == contact.name.composed, name.componentCount <= contact.name.componentCount {
                return true
            }
            // The name in another script.
            if !property.values(of: "ALTID").isEmpty { return false }
            guard name.componentCount > contact.name.componentCount else {
                return preserve(property, as: "X-OTHER-N", in: &contact)
            }
            // The fuller name wins.
            if name.composed != contact.name.composed {
                let others = contact.textParameters["N"] ?? ""
                contact.otherProperties.append(
                    "X-OTHER-N" + others + ":" + VCardText.structured(contact.name.components))
            }
            contact.textParameters["N"] = nil
        }
        contact.name = name
        if !name.isEmpty { keepParameters(of: property, without: CardInterpreter.encodingsAndSorting, in: &contact) }
        let sortAs = property.values(of: "SORT-AS").filter { !$0.isEmpty }
        if !name.isEmpty, !sortAs.isEmpty, sorting == nil {
            let property = try? VCardProperty(unfolded: "SORT-STRING:" + VCardText.structured(sortAs))
            sorting = property.map { ($0, contact.otherProperties.count) }
        }
        return true
    }

    private func readNicknames(_ names: [String], into contact: inout Contact) {
        var known = contact.nickname.isEmpty ? [] : contact.nickname.components(splitBy: ", ")
        // A nickname with a comma becomes two.
        for name in names.flatMap({ $0.components(splitBy: ", ") }).map(\.trimmingWhitespace) where !name.isEmpty {
            if !known.contains(name) { known.append(name) }
        }
        contact.nickname = known.joined(separator: ", ")
    }

    private func readOrganization(_ property: VCardProperty, into contact: inout Contact) -> Bool {
        guard contact.organizationComponents.isEmpty else { return false }
        let parts = property.components
        // A semicolon within a unit also separates units.
        let units = parts.dropFirst().flatMap { $0.split(separator: ";") }.map { String($0).trimmingWhitespace }
        contact.organizationComponents = [parts.first?.trimmingWhitespace ?? ""] + units.filter { !$0.isEmpty }
        if !contact.organization.isEmpty {
            keepParameters(of: property, without: CardInterpreter.encodingsAndSorting, in: &contact)
        }
        for text in property.values(of: "SORT-AS").prefix(1) where !text.isEmpty {
            contact.preserve("X-PHONETIC-ORG", text)
        }
        return true
    }

    private func readAddress(_ property: VCardProperty, into contact: inout Contact) {
        // A CSV file has no white space around its fields either.
        var address = PostalAddress(
            label: label(of: property), components: property.components.map(\.trimmingWhitespace))
        var property = property
        let formatted = property.values(of: "LABEL").joined(separator: ",").trimmingWhitespace
        property.parameters.removeAll { $0.name == "LABEL" }
        if address.isEmpty {
            address.street = formatted
        } else if !formatted.isEmpty {
            property.parameters.append(.init(name: "LABEL", values: [formatted]))
        }
        address.parameters = parametersWithPreference(of: property)
        if !address.isEmpty { contact.addresses.append(address) }
    }

    /// Reads the LABEL of version 2.1 and 3.0, which is a parameter of ADR in version 4.0.
    private func readLabel(_ property: VCardProperty, into contact: inout Contact) -> Bool {
        let (text, label) = (property.text.trimmingWhitespace, label(of: property))
        let index = contact.addresses.lastIndex { $0.label == label && !$0.parameters.contains(";LABEL=") }
        guard let index, !text.isEmpty, parameters(of: property).isEmpty else { return text.isEmpty }
        contact.addresses[index].parameters += VCardProperty.Parameter(name: "LABEL", values: [text]).encoded
        return true
    }

    /// Joins notes with the same parameters, such as their language.
    private func readNote(_ property: VCardProperty, into contact: inout Contact) -> Bool {
        let text = property.text
        let parameters = property.otherParameters(than: CardInterpreter.encodings)
        if contact.note.isEmpty {
            contact.textParameters["NOTE"] = text.isEmpty ? nil : parameters
        } else if !text.isEmpty, parameters != contact.textParameters["NOTE"] ?? "" {
            return false
        }
        contact.note = [contact.note, text].filter { !$0.isEmpty }.joined(separator: "\n\n")
        return true
    }

    private func readPhone(_ property: VCardProperty, into contact: inout Contact) -> Bool {
        let text = ContactValues.phoneNumber(property.text.trimmingWhitespace)
        guard !text.isEmpty else { return true }
        let number = PhoneNumber(text, region: region)
        // A messenger handle under TEL has no digits and is preserved unchanged.
        guard !number.nationalNumber.isEmpty else { return false }
        var phone = Phone(label: label(of: property), number: number, isPreferred: property.isPreferred)
        phone.parameters = parameters(of: property)
        contact.phones.append(phone)
        return true
    }

    private func readBirthday(_ property: VCardProperty, into contact: inout Contact) -> Bool {
        let text = Birthday.normalized(property.text, omitting: property.values(of: "X-APPLE-OMIT-YEAR").first)
        let isFirst = contact.birthday.isEmpty
        guard set(text, as: \.birthday, of: &contact) else {
            if !property.values(of: "ALTID").isEmpty { return false }
            return preserve(property, as: "X-OTHER-BDAY", in: &contact)
        }
        if isFirst, !text.isEmpty {
            keepParameters(of: property, without: CardInterpreter.encodingsAndYear, in: &contact)
        }
        return true
    }

    private func readAndroid(_ property: VCardProperty, into contact: inout Contact) -> Bool {
        let parts = property.components
        guard parts.count > 1, parts[0] == "vnd.android.cursor.item/nickname" else { return false }
        return set(parts[1], as: \.nickname, of: &contact)
    }

    /// Reconciles the formatted name with the components.
    func finishName(of contact: inout Contact) {
        if contact.name.isEmpty, !contact.formattedName.isEmpty {
            let displayed = contact.formattedName
            contact.formattedName = ""
            // FN of an organization, or FN that repeats the organization, an address or a number, is not a name.
            let isOrganization = contact.otherProperties.contains { ["KIND:org", "X-ABSHOWAS:COMPANY"].contains($0) }
            if isOrganization, contact.organization.isEmpty, contact.displayName != displayed {
                contact.organization = displayed
            }
            if contact.displayName.isEmpty, displayed == contact.fallbackName {
                contact.formattedName = displayed
            } else if contact.organization != displayed, contact.displayName != displayed {
                contact.formattedName = displayed
                let extended = (contact.name.secondFamily, contact.name.generation)
                contact.name = PersonName(splitting: displayed)
                (contact.name.secondFamily, contact.name.generation) = extended
            }
        }
        if contact.formattedName == contact.name.composed { contact.formattedName = "" }
        finishPhoneticName(of: &contact)
        if !contact.isNameable { contact.formattedName = contact.fallbackName }
    }

    /// Uses a sort name in another script as the phonetic name, such as the kana of a Japanese name.
    private func finishPhoneticName(of contact: inout Contact) {
        guard let sorting else { return }
        let parts = sorting.property.components.flatMap { $0.split(separator: ",") }.map {
            String($0).trimmingWhitespace
        }
        let hasNoPhoneticName = contact.phoneticGivenName.isEmpty && contact.phoneticFamilyName.isEmpty
        let words = Set(NameKey(parts.joined(separator: " ")).words)
        if hasNoPhoneticName, words.isDisjoint(with: NameKey(contact.fullName).words), !words.isEmpty {
            contact.phoneticFamilyName = parts.first ?? ""
            contact.phoneticGivenName = parts.dropFirst().joined(separator: " ")
        } else {
            let position = min(sorting.position, contact.otherProperties.endIndex)
            contact.otherProperties.insert(sorting.property.unfolded, at: position)
        }
    }
}

/// The normalization of UIDs.
enum CardIdentifier {
    /// Returns the UID without "urn:uuid:", which only some programs write.
    static func plain(_ text: String) -> String {
        let text = text.trimmingWhitespace
        return text.lowercased().hasPrefix("urn:uuid:") ? String(text.dropFirst(9)) : text
    }
}

// MARK: - Content lines of Contact.otherProperties

extension VCardProperty {
    /// The parameter for the label of the property's group.
    private static let labelParameter = "X-LABEL"

    /// Keeps the group as a parameter, unless its name cannot be written.
    fileprivate mutating func addGroupParameter() {
        // The writer numbers its own groups.
        let group = group.lowercased().hasPrefix("switchboard") ? "item" + group.dropFirst(11) : group
        guard VCardText.isName(group.uppercased()) else { return }
        parameters.insert(Parameter(name: GroupParameter.name, values: [group]), at: 0)
    }

    /// The types that say nothing about the label, as a parameter: `;TYPE=dom,postal`.
    fileprivate var otherTypes: String {
        guard parameters.contains(where: { $0.name == "TYPE" }) else { return "" }
        let words = values(of: "TYPE").flatMap { $0.split(separator: ",") }.map(String.init)
        let types = words.filter { Labels.otherTypes.contains($0.lowercased()) }
        return types.isEmpty ? "" : Parameter(name: "TYPE", values: types.uniqued).encoded
    }

    /// Returns the content line with the label of its group as a parameter and embedded media in the form of version
    /// 3.0.
    ///
    /// - Parameter labels: The labels by lowercase group name.
    fileprivate func preservedLine(labels: [String: String]) -> String {
        var (property, label) = separatingLabel
        if !group.isEmpty, let custom = labels[group.lowercased()] { label = Labels.label(ofWords: custom) }
        if let profile = SocialProfile.read(property) { property = profile }
        if let media = EmbeddedMedia(property), let normalized = try? VCardProperty(unfolded: media.line) {
            property = normalized
        }
        if !label.isEmpty {
            property.parameters.append(Parameter(name: VCardProperty.labelParameter, values: [label]))
        }
        return property.unfolded
    }

    /// The property without its label parameter, and the label.
    var separatingLabel: (property: VCardProperty, label: String) {
        var property = self
        property.parameters.removeAll { $0.name == VCardProperty.labelParameter }
        return (property, Labels.label(ofWords: values(of: VCardProperty.labelParameter).first ?? ""))
    }
}

/// A photo, sound or key embedded in a card, which has a different form in each version:
///
/// - 2.1: `PHOTO;JPEG;ENCODING=BASE64:/9j/…`
/// - 3.0: `PHOTO;ENCODING=b;TYPE=JPEG:/9j/…`
/// - 4.0: `PHOTO:data:image/jpeg;base64,/9j/…`
///
/// Media are stored in the form of 3.0, so every export yields an equal card.
struct EmbeddedMedia {
    let name: String
    /// The media type: "image/jpeg".
    let mediaType: String
    /// The base64 characters of the value, which may be truncated.
    let base64: String
    /// The other parameters as written in a content line: `;PREF=1`.
    var otherParameters = ""

    private static let names: [String: String] = [
        "PHOTO": "image", "LOGO": "image", "SOUND": "audio", "KEY": "application",
    ]

    init(name: String, mediaType: String, base64: String) {
        (self.name, self.mediaType, self.base64) = (name, mediaType, base64)
    }

    /// Parses a property; nil unless it embeds media in base64.
    init?(_ property: VCardProperty) {
        guard let family = EmbeddedMedia.names[property.name] else { return nil }
        var others = property
        others.parameters.removeAll { ["ENCODING", "VALUE", "MEDIATYPE", "TYPE"].contains($0.name) }
        // TYPE has labels such as HOME and subtypes such as JPEG.
        let labels = property.types.filter { ["home", "work", "pref"].contains($0) }
        let subtypes = property.types.filter { !["home", "work", "pref"].contains($0) }
        if !labels.isEmpty {
            others.parameters.append(.init(name: "TYPE", values: labels.map { $0.uppercased() }))
        }
        others.value = ""
        if ["b", "base64"].contains(property.word(of: "ENCODING")) {
            let subtype = subtypes.first.map { $0.split(separator: "/").last.map(String.init) ?? "" } ?? ""
            let defaultSubtype = property.name == "SOUND" ? "basic" : property.name == "KEY" ? "pgp" : "jpeg"
            self.init(
                name: property.name,
                mediaType: family + "/" + (EmbeddedMedia.isSubtype(subtype) ? subtype : defaultSubtype),
                base64: property.value.filter { !$0.isWhitespace })
        } else {
            let value = property.text
            guard value.lowercased().hasPrefix("data:"), let comma = value.firstIndex(of: ",") else { return nil }
            let description = value[..<comma].dropFirst(5).split(separator: ";", omittingEmptySubsequences: false)
            guard description.last?.lowercased() == "base64" else { return nil }
            let subtype = description.first?.lowercased().split(separator: "/").last.map(String.init) ?? ""
            guard EmbeddedMedia.isSubtype(subtype) else { return nil }
            self.init(
                name: property.name, mediaType: family + "/" + subtype,
                base64: value[value.index(after: comma)...].filter { !$0.isWhitespace })
        }
        guard !base64.isEmpty, base64.utf8.allSatisfy(VCardText.isBase64) else { return nil }
        otherParameters = String(others.unfolded.dropFirst(property.name.count).dropLast())
    }

    private static func isSubtype(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || [0x2D, 0x2B, 0x2E].contains($0)
            }
    }

    /// The decoded bytes; nil if the value is not base64. Missing padding is added.
    var data: Data? {
        var digits = Array(base64.utf8)
        while digits.last == 0x3D { digits.removeLast() }
        guard !digits.isEmpty, digits.count % 4 != 1 else { return nil }
        digits += Array(repeating: 0x3D, count: (4 - digits.count % 4) % 4)
        return Data(base64Encoded: Data(digits))
    }

    private var subtype: Substring { mediaType.split(separator: "/").last ?? "" }

    var line: String { name + otherParameters + ";ENCODING=b;TYPE=" + subtype.uppercased() + ":" + base64 }

    var version4Line: String { name + otherParameters + ":data:" + mediaType + ";base64," + base64 }
}
