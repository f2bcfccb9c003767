import Foundation
import SwitchboardStorage
import SwitchboardVCard

/// A writer of vCards of version 3.0 (RFC 2426) or 4.0 (RFC 6350) in UTF-8, with CRLF line endings, folded at 75
/// octets.
package struct VCardWriter {
    package enum Version: String {
        case version3 = "3.0"
        case version4 = "4.0"
    }

    let version: Version

    package init(version: Version) { self.version = version }

    package func card(of contact: Contact) -> String {
        var lines = LabeledLines()
        lines.add("BEGIN:VCARD")
        lines.add("VERSION:" + version.rawValue)
        func addProperty(_ property: String, _ value: String) {
            lines.add(property, parameters: contact.textParameters[property] ?? "", value: value)
        }
        func addText(_ property: String, _ text: String) {
            if !text.isEmpty { addProperty(property, VCardText.escaped(text)) }
        }
        addProperty("FN", VCardText.escaped(contact.displayName))
        addProperty("N", VCardText.structured(contact.name.components))
        if !contact.nickname.isEmpty {
            let nicknames = contact.nickname.components(splitBy: ", ").map(VCardText.escaped)
            addProperty("NICKNAME", nicknames.joined(separator: ","))
        }
        for field in ContactTextField.beforeLists {
            if let property = field.property { addText(property, contact[field]) }
            if field == .organization, !contact.organizationComponents.isEmpty {
                addProperty("ORG", VCardText.structured(contact.organizationComponents))
            }
        }
        for phone in contact.phones {
            lines.add(
                "TEL", value: VCardText.escaped(phone.number.text), label: phone.label,
                types: version == .version4 ? ["VOICE"] : [], preferred: phone.isPreferred,
                parameters: phone.parameters, version: version)
        }
        for email in contact.emails {
            lines.add(
                "EMAIL", value: VCardText.escaped(email.address), label: email.label,
                types: version == .version3 ? ["INTERNET"] : [], preferred: email.isPreferred,
                parameters: email.parameters, version: version)
        }
        for address in contact.addresses { add(address, to: &lines) }
        for url in contact.urls {
            let (isPreferred, parameters) = VCardWriter.preference(in: url.parameters)
            lines.add(
                "URL", value: address(url.url), label: url.label, preferred: isPreferred, parameters: parameters,
                version: version)
        }
        if !contact.birthday.isEmpty {
            let (parameters, value) = birthday(contact.birthday)
            lines.add("BDAY", parameters: (contact.textParameters["BDAY"] ?? "") + parameters, value: value)
        }
        if !contact.groups.isEmpty {
            addProperty("CATEGORIES", contact.groups.map(VCardText.escaped).joined(separator: ","))
        }
        addText("NOTE", contact.note)
        if contact.isFavourite { lines.add("X-SWITCHBOARD-FAVOURITE:1") }
        addText("UID", contact.sourceUID.isEmpty ? contact.id : contact.sourceUID)
        if let modifiedAt = contact.modifiedAt { lines.add("REV:" + modifiedAt.basicISO8601) }
        if let photo = contact.photo?.line { add(photo, to: &lines) }
        for property in contact.otherProperties { add(property, to: &lines) }
        lines.add("END:VCARD")
        return lines.text
    }

    /// Adds a postal address. Its text on an envelope is a property of its own in version 3.0.
    private func add(_ address: PostalAddress, to lines: inout LabeledLines) {
        var (isPreferred, parameters) = VCardWriter.preference(in: address.parameters)
        var label: String?
        if version == .version3, parameters.contains(";LABEL="),
            let property = try? VCardProperty(unfolded: "X" + parameters + ":")
        {
            label = property.values(of: "LABEL").joined(separator: ",")
            parameters = property.otherParameters(than: ["LABEL"])
        }
        lines.add(
            "ADR", value: VCardText.structured(address.allComponents), label: address.label, preferred: isPreferred,
            parameters: parameters, version: version)
        if let label {
            lines.add("LABEL", value: VCardText.escaped(label), label: address.label, version: version)
        }
    }

    /// Splits off the mark of a preferred address, which is a type in version 3.0.
    private static func preference(in parameters: String) -> (isPreferred: Bool, others: String) {
        let mark = ";PREF=1"
        let rest = parameters.dropFirst(mark.count)
        guard parameters.hasPrefix(mark), rest.isEmpty || rest.hasPrefix(";") else { return (false, parameters) }
        return (true, String(rest))
    }

    /// Version 4.0 has no dashes within a date (`--0415`, `19800415`). Other texts get VALUE=text. Version 3.0 has no
    /// dates without a year; Apple's notation is the one that other programs read.
    private func birthday(_ text: String) -> (parameters: String, value: String) {
        let date = Birthday(text)
        let digits = text.filter { $0 != "-" }
        switch (version, date?.year) {
        case (.version3, nil) where date != nil:
            return (";X-APPLE-OMIT-YEAR=1604", "1604-" + digits.prefix(2) + "-" + digits.suffix(2))
        case (.version4, nil) where date != nil: return ("", "--" + digits)
        case (.version4, .some): return ("", digits)
        case (.version4, nil): return (";VALUE=text", VCardText.escaped(text))
        default: return ("", VCardText.escaped(text))
        }
    }

    /// A URI: commas and semicolons are not escaped.
    private func address(_ text: String) -> String {
        text.replacingScalars { scalar in
            switch scalar {
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\r": ""
            default: nil
            }
        }
    }

    /// Adds a preserved property as this version writes it, with its label as a group.
    private func add(_ line: String, to lines: inout LabeledLines) {
        guard let property = try? VCardProperty(unfolded: line) else {
            // Drops lines that other programs cannot parse.
            return
        }
        var (plain, label) = property.separatingLabel
        let group = GroupParameter.group(of: plain)
        plain.parameters.removeAll { $0.name == GroupParameter.name }
        // A card has one birthday and one name; only version 4.0 has alternatives (ALTID) and several FN.
        let isAlternative = version == .version4 && (plain.name == "FN" || !plain.values(of: "ALTID").isEmpty)
        if ["N", "FN", "BDAY"].contains(plain.name), !isAlternative { plain.name = "X-OTHER-" + plain.name }
        if version == .version3, let profile = SocialProfile.apple(plain) { plain = profile }
        let media = EmbeddedMedia(plain)
        let text = version == .version4 ? media?.version4Line : media?.line
        lines.add(text ?? plain.unfolded, customLabel: label, group: group)
    }
}

private struct LabeledLines {
    private var lines = VCardLines()
    private var groupCount = 0
    /// The groups with a label.
    private var labeled: Set<String> = []

    var text: String { lines.text }

    mutating func add(_ line: String) { lines.add(line) }

    /// Adds a property, in the group that its parameters contain.
    mutating func add(_ name: String, parameters: String, value: String, customLabel label: String = "") {
        let (others, group) = GroupParameter.separated(from: parameters)
        add(name + others + ":" + value, customLabel: label, group: group)
    }

    /// Adds a property with a label, as TYPE if possible, or else as a group with X-ABLabel.
    mutating func add(
        _ name: String, value: String, label: String, types: [String] = [], preferred: Bool = false,
        parameters: String = "", version: VCardWriter.Version
    ) {
        var head = name
        let labelTypes = Labels.types(of: label)
        var types = types + (labelTypes ?? [])
        if preferred, version == .version3 { types.append("PREF") }
        if !types.isEmpty {
            head += ";TYPE=" + types.map { version == .version4 ? $0.lowercased() : $0 }.joined(separator: ",")
        }
        if preferred, version == .version4 { head += ";PREF=1" }
        add(head, parameters: parameters, value: value, customLabel: labelTypes == nil ? label : "")
    }

    /// Adds a line in a group, or with X-ABLabel in a new group if the label is not empty.
    mutating func add(_ line: String, customLabel label: String, group: String) {
        guard !label.isEmpty || !group.isEmpty else { return add(line) }
        if group.isEmpty { groupCount += 1 }
        let group = group.isEmpty ? "switchboard\(groupCount)" : group
        add(group + "." + line)
        guard !label.isEmpty, labeled.insert(group).inserted else { return }
        add(group + ".X-ABLabel:" + VCardText.escaped(Labels.customLabel(label)))
    }
}

// MARK: - Cards for a text editor

/// A contact as a vCard for a text editor.
public struct EditableCard: Sendable {
    /// The contact that the card describes.
    fileprivate let contact: Contact
    /// The vCard, with one line per property and without the identifier and the photo.
    public let text: String
}

extension ContactBook {
    /// Returns a contact as a vCard that a person can edit. ``edit(_:with:)`` reads it.
    ///
    /// - Throws: ``ContactBookError/notFound(id:)``.
    public func editableCard(of id: String) throws -> EditableCard {
        let contact = try storage.read { db in try ContactFetching.contact(id, in: db).contact }
        var shown = contact
        (shown.photo, shown.modifiedAt) = (nil, nil)
        let card = VCardWriter(version: .version3).card(of: shown)
        let lines = card.replacing("\r\n ", with: "").split(separator: "\r\n").filter { !$0.hasPrefix("UID:") }
        return EditableCard(contact: contact, text: lines.joined(separator: "\n") + "\n")
    }

    /// Replaces the fields of a contact with the fields of its edited vCard. The identifier, the photo, the calls and
    /// the times stay.
    ///
    /// A changed `FN` with an unchanged `N` is split into the parts of the name, and vice versa.
    ///
    /// - Parameters:
    ///   - card: The card before it was edited.
    ///   - text: The edited card.
    /// - Returns: The stored contact.
    /// - Throws: `MalformedInput` with the line of a mistake, ``ContactBookError/changedSinceRead(id:)`` if the contact
    ///   has changed since the card was read, and the errors of ``edit(_:_:)``.
    @discardableResult
    public func edit(_ card: EditableCard, with text: String) throws -> Contact {
        let old = card.contact
        var new = try Contact(VCard(onlyOneIn: Array(text.utf8), isStrict: true), region: region).continuing(old)
        new.sourceUID = old.sourceUID
        new.photo = new.photo ?? old.photo
        if new.fullName == old.displayName {
            new.formattedName = new.name == old.name ? old.formattedName : ""
        } else if new.name == old.name, old.formattedName.isEmpty, !new.formattedName.isEmpty {
            new.setWholeName(new.formattedName)
        }
        // The writer omits lines that are not valid properties.
        new.otherProperties += old.otherProperties.filter { (try? VCardProperty(unfolded: $0)) == nil }
        return try edit(old.id, adoptsVendorData: false) { contact in
            guard contact.modifiedAt == old.modifiedAt else { throw ContactBookError.changedSinceRead(id: old.id) }
            (new.callCount, new.lastCalledAt) = (contact.callCount, contact.lastCalledAt)
            contact = new
        }
    }
}

extension VCard {
    /// Parses a text with exactly one card.
    ///
    /// - Parameter isStrict: `true` to throw an error for a line that is not a property.
    /// - Throws: ``MalformedInput``.
    package init(onlyOneIn bytes: [UInt8], isStrict: Bool = false) throws {
        var reader = try VCardReader(ByteStream(bytes), isStrict: isStrict)
        guard let card = try reader.next() else { throw MalformedInput(line: 1, reason: "the file has no card") }
        if let second = try reader.next() {
            throw MalformedInput(
                line: second.line, reason: "a second card begins here; store one card per file, or import the file")
        }
        self = card
    }
}

extension Contact {
    /// Returns this contact, as read from a card, with the identifier, times and calls of the stored contact.
    package func continuing(_ old: Contact) -> Contact {
        var contact = self
        contact.id = old.id
        contact.callCount = old.callCount
        contact.lastCalledAt = old.lastCalledAt
        contact.createdAt = old.createdAt
        contact.modifiedAt = old.modifiedAt
        if contact.sourceUID.isEmpty { contact.sourceUID = old.sourceUID }
        // A known number keeps the result of its earlier parse with a region.
        for index in contact.phones.indices {
            let text = contact.phones[index].number.text
            if let known = old.phones.first(where: { $0.number.text == text }) {
                contact.phones[index].number = known.number
            }
        }
        return contact
    }
}
