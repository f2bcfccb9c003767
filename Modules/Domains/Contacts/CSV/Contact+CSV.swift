import Foundation
import SwitchboardVCard

extension Contact {
    /// Creates a contact from a CSV row, which may be shorter than the header.
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
            if !plain.isEmpty { interpreter.read(field == .text(\.note) ? value : plain, as: field, into: &self) }
        }
        interpreter.finish(&self)
        guard isNameable else {
            throw MalformedInput(line: row.line, reason: "the row has no name, organisation, e-mail address or number")
        }
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
    var birth: [ContactColumns.BirthPart: Int] = [:]
    var dates: [(label: String, text: String)] = []
    var relations: [(label: String, text: String)] = []

    mutating func read(_ value: String, as field: ContactColumns.Field, into contact: inout Contact) {
        switch field {
        case .text(let text): contact[keyPath: text] = value
        case .birthday: contact.birthday = Birthday.ofTable(value, region: region)
        case .birthPart(let part): birth[part] = Int(value)
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
            let date = Birthday.ofTable(text, region: region)
            if !date.isEmpty { contact.preserve("X-ABDATE", date, label: label) }
        }
        for (label, text) in relations { contact.preserve("X-ABRELATEDNAMES", text, label: label) }
        if contact.birthday.isEmpty, let month = birth[.month], let day = birth[.day] {
            contact.birthday = Birthday.text(year: birth[.year], month: month, day: day) ?? ""
        }
        for (number, text) in formatted where addresses[number, default: PostalAddress()].isEmpty {
            addresses[number, default: PostalAddress()].street = text
        }
        contact.addresses += addresses.sorted { $0.key < $1.key }.map(\.value).filter { !$0.isEmpty }
        contact.addresses += ["home", "work", "other"].compactMap { namedAddresses[$0] }.filter { !$0.isEmpty }
        if contact.name.isEmpty, !contact.formattedName.isEmpty {
            contact.name = PersonName(splitting: contact.formattedName)
        }
        if contact.formattedName == contact.name.composed { contact.formattedName = "" }
    }

    /// Splits a field with several values, which Google separates with " ::: ".
    private static func values(in text: String) -> [String] {
        text.components(separatedBy: ":::").map(\.trimmingWhitespace).filter { !$0.isEmpty }
    }

    private func addPhones(_ text: String, label: String, to contact: inout Contact) {
        for value in RowInterpreter.values(in: text) {
            // Spreadsheets mark a number as text with an apostrophe.
            let plain = String(value.drop { $0 == "'" || $0.isWhitespace }).trimmingWhitespace
            let number = PhoneNumber(plain, region: region)
            guard !number.nationalNumber.isEmpty else { continue }
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
    fileprivate mutating func preserve(_ property: String, _ text: String, label: String) {
        guard var line = try? VCardProperty(unfolded: property + ":" + VCardText.escaped(text)) else { return }
        if !label.isEmpty { line.parameters.append(.init(name: "X-LABEL", values: [label])) }
        if !otherProperties.contains(line.unfolded) { otherProperties.append(line.unfolded) }
    }
}
