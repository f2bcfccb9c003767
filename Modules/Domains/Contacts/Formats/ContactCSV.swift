import Foundation
import SwitchboardVCard

extension Contact {
    /// Creates a contact from a CSV row, which may be shorter than the header or empty.
    init(_ row: CSVReader.Row, columns: ContactColumns, region: String?) throws(MalformedInput) {
        self.init()
        let surplus = row.fields.dropFirst(columns.fields.count)
        guard surplus.allSatisfy({ $0.trimmingWhitespace.isEmpty }) else {
            throw MalformedInput(
                line: row.line,
                reason: "the row has \(row.fields.count) fields, but the header has \(columns.fields.count)")
        }
        var interpreter = RowInterpreter(region: region)
        for (field, value) in zip(columns.fields, row.fields) {
            guard let field else { continue }
            let value = FormulaGuard.unguarded(value)
            let plain = value.trimmingWhitespace
            // A note keeps its leading and trailing white space.
            if !plain.isEmpty { interpreter.read(field == .text(.note) ? value : plain, as: field, into: &self) }
        }
        interpreter.finish(&self)
    }
}

/// The state while a row is interpreted. Labels and values of lists are in separate columns.
private struct RowInterpreter {
    let region: String?
    var listed: [ContactColumns.Kind: [Int: (label: String, text: String)]] = [:]
    var addresses: [Int: PostalAddress] = [:]
    var namedAddresses: [String: PostalAddress] = [:]
    var formatted: [Int: String] = [:]
    /// The year, month and day of birth from separate columns.
    var birth: [ContactColumns.BirthPart: String] = [:]
    /// The organizations after the first one.
    var organizations: [Int: [ContactTextField: String]] = [:]
    var dates: [(label: String, text: String)] = []
    var relations: [(label: String, text: String)] = []

    mutating func read(_ value: String, as field: ContactColumns.Field, into contact: inout Contact) {
        switch field {
        case .text(let field): contact[field] = value
        case .formattedName: contact.formattedName = value
        case .birthday: contact.birthday = Birthday.fromSpreadsheet(value, region: region)
        case .birthPart(let part): birth[part] = value
        case .date(let label): dates.append((label, value))
        case .relation(let label): relations.append((label, value))
        case .groups: readGroups(value, separator: ":::", into: &contact)
        case .categories: readGroups(value, separator: ";", into: &contact)
        case .uid: contact.sourceUID = CardIdentifier.plain(value)
        case .favourite: if ["1", "true", "yes"].contains(value.lowercased()) { contact.isFavourite = true }
        case .otherProperties:
            for line in value.split(separator: "\n").map(String.init) {
                if contact.photo == nil, let property = try? VCardProperty(unfolded: line) {
                    contact.photo = ContactPhoto(property)
                    if contact.photo != nil { continue }
                }
                contact.otherProperties.append(line)
            }
        case .custom(let label): contact.preserve("X-CUSTOM", value, label: label)
        case .organization(let number, let field): organizations[number, default: [:]][field] = value
        case .url(let label): contact.urls.append(WebAddress(label: label, url: value))
        case .phone(let label): addPhones(value, label: label, to: &contact)
        case .email(let label):
            contact.emails += RowInterpreter.values(in: value).map { Email(label: label, address: $0) }
        case .listed(let kind, let number, .label): listed[kind, default: [:]][number, default: ("", "")].label = value
        case .listed(let kind, let number, .value): listed[kind, default: [:]][number, default: ("", "")].text = value
        case .listedAddress(let number, .formatted): formatted[number] = value
        case .listedAddress(let number, let part):
            RowInterpreter.set(value, part, into: &addresses[number, default: PostalAddress()])
        case .address(let label, let part):
            RowInterpreter.set(value, part, into: &namedAddresses[label, default: PostalAddress(label: label)])
        }
    }

    mutating func finish(_ contact: inout Contact) {
        for kind in ContactColumns.Kind.allCases {
            for (label, text) in (listed[kind] ?? [:]).sorted(by: { $0.key < $1.key }).map(\.value) {
                let plainLabel = Labels.label(ofWords: label)
                switch kind {
                case .phone: addPhones(text, label: label, to: &contact)
                case .email:
                    contact.emails += RowInterpreter.values(in: text).map {
                        Email(label: plainLabel, address: $0, isPreferred: label.hasPrefix("*"))
                    }
                case .url:
                    contact.urls += RowInterpreter.values(in: text).map { WebAddress(label: plainLabel, url: $0) }
                case .event: dates += RowInterpreter.values(in: text).map { (plainLabel, $0) }
                case .relation: relations += RowInterpreter.values(in: text).map { (plainLabel, $0) }
                case .custom:
                    contact.preserve("X-CUSTOM", RowInterpreter.values(in: text).joined(separator: ", "), label: label)
                }
            }
        }
        // Uses Apple's properties, which survive an export as a vCard.
        for (label, text) in dates {
            let date = Birthday.fromSpreadsheet(text, region: region)
            if !date.isEmpty { contact.preserve("X-ABDATE", date, label: label) }
        }
        for (label, text) in relations { contact.preserve("X-ABRELATEDNAMES", text, label: label) }
        finishBirthday(of: &contact)
        finishOrganizations(of: &contact)
        for (number, text) in formatted where addresses[number, default: PostalAddress()].isEmpty {
            addresses[number, default: PostalAddress()].street = text
        }
        let listed = addresses.sorted { $0.key < $1.key }.flatMap { RowInterpreter.addresses(in: $0.value) }
        contact.addresses += listed.filter { !$0.isEmpty }
        contact.addresses += ["home", "work", "other", ""].compactMap { namedAddresses[$0] }.filter { !$0.isEmpty }
        let displayed = contact.formattedName
        contact.formattedName = ""
        // A name that the contact has only for display is not the name of a person.
        if contact.name.isEmpty, !displayed.isEmpty, contact.isNameable || displayed != contact.fallbackName {
            contact.name = PersonName(splitting: displayed)
        }
        if displayed != contact.name.composed { contact.formattedName = displayed }
        if !contact.isNameable { contact.formattedName = contact.fallbackName }
    }

    private func finishBirthday(of contact: inout Contact) {
        guard contact.birthday.isEmpty, !birth.isEmpty else { return }
        let parts = [birth[.year], birth[.month], birth[.day]]
        let numbers = parts.map { $0.flatMap { Int($0) } }
        if let month = numbers[1], let day = numbers[2], (parts[0] == nil) == (numbers[0] == nil),
            let date = Birthday.text(year: numbers[0], month: month, day: day)
        {
            contact.birthday = date
        } else {
            // A part of a date stays as it is.
            contact.birthday = parts.compactMap { $0 }.joined(separator: "-")
        }
    }

    /// Preserves the organizations after the first one as other properties, each with its title.
    private mutating func finishOrganizations(of contact: inout Contact) {
        let fields = [ContactTextField.organization, .department, .title]
        if fields.contains(where: { contact[$0].contains(":::") }) {
            let parts = fields.map { RowInterpreter.parts(of: contact[$0]) }
            for (field, parts) in zip(fields, parts) { contact[field] = parts.first ?? "" }
            for index in 1..<max(1, parts.map(\.count).max() ?? 1) {
                for (field, parts) in zip(fields, parts) where index < parts.count && !parts[index].isEmpty {
                    organizations[-1_000 + index, default: [:]][field] = parts[index]
                }
            }
        }
        for organization in organizations.sorted(by: { $0.key < $1.key }).map(\.value) {
            let components = [organization[.organization] ?? "", organization[.department] ?? ""]
            if components != ["", ""] {
                contact.preserve("ORG", structured: components[1].isEmpty ? [components[0]] : components)
            }
            if let title = organization[.title] { contact.preserve("TITLE", title, label: "") }
        }
    }

    /// Returns the addresses of one label, which Google separates with " ::: " in each component.
    private static func addresses(in address: PostalAddress) -> [PostalAddress] {
        let parts = address.components.map(RowInterpreter.parts)
        let count = parts.map(\.count).max() ?? 1
        guard count > 1 else { return [address] }
        return (0..<count).map { index in
            PostalAddress(label: address.label, components: parts.map { index < $0.count ? $0[index] : "" })
        }
    }

    /// Splits a field with several values, keeping empty ones, which belong to a value in another field.
    private static func parts(of text: String) -> [String] {
        text.components(separatedBy: ":::").map(\.trimmingWhitespace)
    }

    /// Splits a field with several values, which Google separates with " ::: ".
    private static func values(in text: String) -> [String] {
        parts(of: text).filter { !$0.isEmpty }
    }

    private func addPhones(_ text: String, label: String, to contact: inout Contact) {
        for value in RowInterpreter.values(in: text) {
            // Spreadsheets mark a number as text with an apostrophe.
            let plain = String(value.drop { $0 == "'" || $0.isWhitespace }).trimmingWhitespace
            let number = PhoneNumber(plain, region: region)
            guard !number.nationalNumber.isEmpty else {
                // A handle or a remark is not a number.
                contact.preserve("TEL", value, label: Labels.label(ofWords: label))
                continue
            }
            contact.phones.append(
                Phone(label: Labels.label(ofWords: label), number: number, isPreferred: label.hasPrefix("*")))
        }
    }

    private static func set(_ value: String, _ part: ContactColumns.AddressPart, into address: inout PostalAddress) {
        switch part {
        case .label: address.label = Labels.label(ofWords: value)
        case .street, .formatted:
            address.street = [value, address.street].filter { !$0.isEmpty }.joined(separator: "\n")
        case .nextStreet:
            address.street = [address.street, value].filter { !$0.isEmpty }.joined(separator: "\n")
        case .text(let text): address[keyPath: text] = value
        }
    }

    /// Adds groups in the notation of Google ("* starred ::: * myContacts ::: Family") or Outlook (separated by
    /// semicolons).
    private func readGroups(_ value: String, separator: String, into contact: inout Contact) {
        for value in RowInterpreter.values(in: value) {
            for group in value.components(separatedBy: separator) { contact.addGroup(group) }
        }
    }
}

extension Contact {
    /// Adds a text with a label to ``otherProperties`` unless present.
    mutating func preserve(_ property: String, _ text: String, label: String) {
        preserve(property, structured: [text], label: label)
    }

    fileprivate mutating func preserve(_ property: String, structured components: [String], label: String = "") {
        guard var line = try? VCardProperty(unfolded: property + ":" + VCardText.structured(components)) else { return }
        if !label.isEmpty { line.parameters.append(.init(name: "X-LABEL", values: [label])) }
        if !otherProperties.contains(line.unfolded) { otherProperties.append(line.unfolded) }
    }
}
