import Foundation
import VCardFormat

/// Writes contacts as vCards of version 3.0 (RFC 2426) or 4.0 (RFC 6350): CR LF, folded at 75 octets, UTF-8.
///
/// The properties that the model has no place for are written back as they came.
struct VCardWriter {
    enum Version: String {
        case version3 = "3.0"
        case version4 = "4.0"
    }

    let version: Version

    /// The card of one contact.
    func card(of contact: Contact) -> String {
        var lines = LabelledLines()
        lines.add("BEGIN:VCARD")
        lines.add("VERSION:" + version.rawValue)
        lines.add("FN:" + VCardText.escaped(contact.displayName))
        let name = contact.name
        lines.add("N:" + structured([name.family, name.given, name.middle, name.prefix, name.suffix]))
        if !contact.nickname.isEmpty {
            let nicknames = contact.nickname.components(separatedBy: ", ").map(VCardText.escaped)
            lines.add("NICKNAME:" + nicknames.joined(separator: ","))
        }
        addText("X-PHONETIC-FIRST-NAME", contact.phoneticGivenName, to: &lines)
        addText("X-PHONETIC-LAST-NAME", contact.phoneticFamilyName, to: &lines)
        if !contact.organization.isEmpty || !contact.department.isEmpty {
            let departments = contact.department.isEmpty ? [] : contact.department.components(separatedBy: "; ")
            lines.add("ORG:" + structured([contact.organization] + departments))
        }
        addText("TITLE", contact.title, to: &lines)
        for phone in contact.phones {
            lines.add(
                "TEL", value: VCardText.escaped(phone.number.text), label: phone.label,
                types: version == .version4 ? ["VOICE"] : [], preferred: phone.isPreferred, version: version)
        }
        for email in contact.emails {
            lines.add(
                "EMAIL", value: VCardText.escaped(email.address), label: email.label,
                types: version == .version3 ? ["INTERNET"] : [], preferred: email.isPreferred, version: version)
        }
        for address in contact.addresses {
            lines.add("ADR", value: structured(address.parts), label: address.label, version: version)
        }
        for url in contact.urls { lines.add("URL", value: url.url, label: url.label, version: version) }
        if !contact.birthday.isEmpty { lines.add("BDAY:" + birthday(contact.birthday)) }
        addText("NOTE", contact.note, to: &lines)
        if contact.isFavourite { lines.add("X-SWITCHBOARD-FAVOURITE:1") }
        addText("UID", contact.sourceUID.isEmpty ? contact.id : contact.sourceUID, to: &lines)
        if let modifiedAt = contact.modifiedAt { lines.add("REV:" + modifiedAt.formatted(VCardWriter.basicTime)) }
        for property in contact.otherProperties { lines.add(VCardPicture.line(property, as: version)) }
        lines.add("END:VCARD")
        return lines.text
    }

    private func addText(_ name: String, _ text: String, to lines: inout LabelledLines) {
        if !text.isEmpty { lines.add(name + ":" + VCardText.escaped(text)) }
    }

    private func structured(_ parts: [String]) -> String {
        parts.map(VCardText.escaped).joined(separator: ";")
    }

    /// Version 4 writes `--0415` and `19800415`, version 3 with dashes; a birthday in words is a text.
    private func birthday(_ text: String) -> String {
        guard version == .version4, text.allSatisfy({ $0.isNumber || $0 == "-" }) else {
            return VCardText.escaped(text)
        }
        return (text.hasPrefix("--") ? "--" : "") + text.filter { $0 != "-" }
    }

    private static let basicTime = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
}

/// The lines of a card in the making, some of them with labels.
private struct LabelledLines {
    private var lines = VCardLines()
    private var groupCount = 0

    var text: String { lines.text }

    mutating func add(_ line: String) { lines.add(line) }

    /// Adds a property with a label: as types where they can say it, else as a group with X-ABLabel, as iPhones do.
    mutating func add(
        _ name: String, value: String, label: String, types: [String] = [], preferred: Bool = false,
        version: VCardWriter.Version
    ) {
        var head = name
        let labelTypes = Labels.types(of: label)
        if labelTypes == nil {
            groupCount += 1
            head = "switchboard\(groupCount)." + name
        }
        var types = types + (labelTypes ?? [])
        if preferred, version == .version3 { types.append("PREF") }
        if !types.isEmpty {
            head += ";TYPE=" + types.map { version == .version4 ? $0.lowercased() : $0 }.joined(separator: ",")
        }
        if preferred, version == .version4 { head += ";PREF=1" }
        add(head + ":" + value)
        if labelTypes == nil { add("switchboard\(groupCount).X-ABLabel:" + VCardText.escaped(label)) }
    }
}

/// Pictures, sounds and keys, which the versions embed differently.
private enum VCardPicture {
    /// `PHOTO;ENCODING=b;TYPE=JPEG:…` (version 3) as `PHOTO:data:image/jpeg;base64,…` (version 4) and back.
    static func line(_ property: String, as version: VCardWriter.Version) -> String {
        guard let colon = property.firstIndex(of: ":") else { return property }
        let head = property[..<colon]
        var sections = head.split(separator: ";").map(String.init)
        guard let name = sections.first, ["PHOTO", "LOGO", "SOUND", "KEY"].contains(name) else { return property }
        let media = name == "SOUND" ? "audio" : name == "KEY" ? "application" : "image"
        let value = property[property.index(after: colon)...]
        switch version {
        case .version4:
            guard
                let encoding = sections.firstIndex(where: {
                    ["ENCODING=B", "ENCODING=BASE64"].contains($0.uppercased())
                })
            else { return property }
            sections.remove(at: encoding)
            var subtype = "jpeg"
            if let type = sections.firstIndex(where: { $0.uppercased().hasPrefix("TYPE=") }) {
                subtype = sections.remove(at: type).dropFirst(5).lowercased()
            }
            return sections.joined(separator: ";") + ":data:\(media)/\(subtype);base64," + value
        case .version3:
            guard value.hasPrefix("data:"), let comma = value.firstIndex(of: ",") else { return property }
            let description = value[..<comma].dropFirst(5).split(separator: ";")
            guard description.last == "base64" else { return property }
            let subtype = description.first?.split(separator: "/").last.map { $0.uppercased() } ?? "JPEG"
            return sections.joined(separator: ";") + ";ENCODING=b;TYPE=\(subtype):"
                + value[value.index(after: comma)...]
        }
    }
}

// MARK: - Properties that are kept

extension VCardProperty {
    /// The property as one unfolded line of version 3 or 4; where its group had a label of its own, that is a parameter.
    func line(withLabel labels: [String: String] = [:]) -> String {
        var line = name
        for parameter in parameters {
            let values = parameter.values.map { value in
                value.contains { ",;:".contains($0) } ? "\"" + value + "\"" : value
            }
            line += ";" + parameter.name + "=" + values.joined(separator: ",")
        }
        if !group.isEmpty, let label = labels[group.lowercased()], !label.isEmpty {
            line += ";X-LABEL=\"" + Labels.label(ofWords: label).filter { $0 != "\"" } + "\""
        }
        line += ":"
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\n": line += "\\n"
            case "\r": continue
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }
}
