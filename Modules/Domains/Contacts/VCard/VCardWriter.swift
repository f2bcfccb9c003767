import Foundation
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
        var lines = LabelledLines()
        lines.add("BEGIN:VCARD")
        lines.add("VERSION:" + version.rawValue)
        lines.add("FN:" + VCardText.escaped(contact.displayName))
        let name = contact.name
        let extendedName =
            name.secondFamily.isEmpty && name.generation.isEmpty ? [] : [name.secondFamily, name.generation]
        lines.add(
            "N:"
                + VCardText.structured([name.family, name.given, name.middle, name.prefix, name.suffix] + extendedName))
        if !contact.nickname.isEmpty {
            let nicknames = contact.nickname.components(splitBy: ", ").map(VCardText.escaped)
            lines.add("NICKNAME:" + nicknames.joined(separator: ","))
        }
        addText("X-PHONETIC-FIRST-NAME", contact.phoneticGivenName, to: &lines)
        addText("X-PHONETIC-LAST-NAME", contact.phoneticFamilyName, to: &lines)
        if !contact.organization.isEmpty || !contact.department.isEmpty {
            let departments = contact.department.isEmpty ? [] : contact.department.components(splitBy: "; ")
            lines.add("ORG:" + VCardText.structured([contact.organization] + departments))
        }
        addText("TITLE", contact.title, to: &lines)
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
        for address in contact.addresses {
            lines.add("ADR", value: VCardText.structured(address.allComponents), label: address.label, version: version)
        }
        for url in contact.urls { lines.add("URL", value: address(url.url), label: url.label, version: version) }
        if !contact.birthday.isEmpty { lines.add("BDAY" + birthday(contact.birthday)) }
        if !contact.groups.isEmpty {
            lines.add("CATEGORIES:" + contact.groups.map(VCardText.escaped).joined(separator: ","))
        }
        addText("NOTE", contact.note, to: &lines)
        if contact.isFavourite { lines.add("X-SWITCHBOARD-FAVOURITE:1") }
        addText("UID", contact.sourceUID.isEmpty ? contact.id : contact.sourceUID, to: &lines)
        if let modifiedAt = contact.modifiedAt { lines.add("REV:" + modifiedAt.basicISO8601) }
        if let photo = contact.photo?.line { add(photo, to: &lines) }
        for property in contact.otherProperties { add(property, to: &lines) }
        lines.add("END:VCARD")
        return lines.text
    }

    private func addText(_ name: String, _ text: String, to lines: inout LabelledLines) {
        if !text.isEmpty { lines.add(name + ":" + VCardText.escaped(text)) }
    }

    /// Version 4.0 has no dashes within a date (`--0415`, `19800415`). Other texts get VALUE=text.
    private func birthday(_ text: String) -> String {
        guard version == .version4 else { return ":" + VCardText.escaped(text) }
        switch Birthday(text) {
        case let day? where day.year == nil: return ":--" + text.filter { $0 != "-" }
        case .some: return ":" + text.filter { $0 != "-" }
        case nil: return ";VALUE=text:" + VCardText.escaped(text)
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
    private func add(_ line: String, to lines: inout LabelledLines) {
        guard let property = try? VCardProperty(unfolded: line) else {
            // Drops lines that other programs cannot parse.
            return
        }
        let (plain, label) = property.separatingLabel
        let media = EmbeddedMedia(plain)
        let text = version == .version4 ? media?.version4Line : media?.line
        lines.add(text ?? plain.unfolded, customLabel: label)
    }
}

private struct LabelledLines {
    private var lines = VCardLines()
    private var groupCount = 0

    var text: String { lines.text }

    mutating func add(_ line: String) { lines.add(line) }

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
        add(head + parameters + ":" + value, customLabel: labelTypes == nil ? label : "")
    }

    /// Adds a line, as a group with X-ABLabel if the label is not empty.
    mutating func add(_ line: String, customLabel label: String) {
        guard !label.isEmpty else { return add(line) }
        groupCount += 1
        add("switchboard\(groupCount)." + line)
        add("switchboard\(groupCount).X-ABLabel:" + VCardText.escaped(Labels.customLabel(label)))
    }
}
