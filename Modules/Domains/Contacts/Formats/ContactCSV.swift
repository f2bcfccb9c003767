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
            if !plain.isEmpty { interpreter.read(field == .text(.note) ? value : plain, as: field, into: &self) }
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
        case .text(let field): contact[field] = value
        case .formattedName: contact.formattedName = value
        case .birthday: contact.birthday = Birthday.fromSpreadsheet(value, region: region)
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
            let date = Birthday.fromSpreadsheet(text, region: region)
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

// MARK: - Columns

/// The mapping of CSV columns to fields of a contact.
///
/// Supported headers: Google Contacts before 2024 ("Given Name", "Phone 1 - Type") and since ("First Name", "Phone 1 -
/// Label"), Outlook ("First Name", "Mobile Phone", "E-mail Address"), Thunderbird ("Primary Email"), and Switchboard's
/// export.
struct ContactColumns {
    /// The field for the values of a column.
    enum Field: Hashable, Sendable {
        case text(ContactTextField)
        case formattedName, birthday, groups, categories, uid, favourite, otherProperties
        case birthPart(BirthPart)
        /// A date in a column with a fixed label ("Anniversary").
        case date(label: String)
        /// The name of a relative or colleague in a column with a fixed label ("Spouse").
        case relation(label: String)
        case url(label: String)
        /// A number in a column with a fixed label ("Mobile Phone").
        case phone(label: String)
        case email(label: String)
        /// A value or label of a numbered column, such as "Phone 2 - Value".
        case listed(Kind, Int, Part)
        case listedAddress(Int, AddressPart)
        case address(label: String, AddressPart)

        var isName: Bool {
            switch self {
            case .text(let field): [.givenName, .familyName, .organization, .nickname].contains(field)
            case .formattedName: true
            default: false
            }
        }

        var isAddress: Bool {
            switch self {
            case .phone, .email, .listed(.phone, _, .value), .listed(.email, _, .value): true
            default: false
            }
        }
    }

    enum Kind: Hashable, CaseIterable { case phone, email, url, event, relation, custom }

    enum BirthPart: Hashable { case year, month, day }

    enum Part: Hashable { case value, label }

    enum AddressPart: Hashable, @unchecked Sendable {
        // Sendable: a key path of stored properties captures no values.
        case label, formatted, street, nextStreet
        case text(WritableKeyPath<PostalAddress, String>)
    }

    /// The field of each column; nil for unmapped columns.
    let fields: [Field?]
    private let names: [String]

    /// Returns the names of unmapped columns that have a value in a row.
    func unread(in row: CSVReader.Row) -> [String] {
        zip(fields, zip(names, row.fields)).compactMap { field, column in
            field == nil && !column.0.isEmpty && !column.1.trimmingWhitespace.isEmpty ? column.0 : nil
        }
    }

    /// Parses a header, which must have a column for a name, a number or an e-mail address.
    init(header: CSVReader.Row) throws(MalformedInput) {
        names = header.fields.map(\.trimmingWhitespace)
        fields = names.map { column in
            let name = column.lowercased()
            return ContactColumns.plain[name] ?? ContactColumns.listed(name) ?? ContactColumns.outlookAddress(name)
        }
        if fields.contains(where: { $0.map { $0.isName || $0.isAddress } ?? false }) { return }
        let listed = header.fields.prefix(8).map { "\"\($0.prefix(40))\"" }.joined(separator: ", ")
        let unknown = header.fields.count > 8 ? "\(listed) and \(header.fields.count - 8) more" : listed
        throw MalformedInput(
            line: header.line, column: 1,
            reason: """
                unknown columns \(unknown); use those of a Google, Outlook or Switchboard export, such as "First Name", \
                "Last Name", "Phone 1 - Value", "Mobile Phone", "E-mail Address"
                """)
    }
}

// MARK: - Column names

extension ContactColumns {
    private static let texts: [(String, Field)] = ContactTextField.all.flatMap { field in
        field.csvNames.map { ($0, field == .birthday ? .birthday : .text(field)) }
    }

    private static let plain = others.merging(texts) { other, _ in other }

    private static let others: [String: Field] = [
        // Google, both versions, and Switchboard
        "name": .formattedName, "formatted name": .formattedName, "display name": .formattedName,
        "full name": .formattedName, "group membership": .groups, "labels": .groups, "uid": .uid,
        "favourite": .favourite, "favorite": .favourite, "other properties": .otherProperties,
        "categories": .categories, "kategorien": .categories,
        // Outlook
        "web page": .url(label: ""), "personal web page": .url(label: "home"), "business web page": .url(label: "work"),
        "mobile phone": .phone(label: "mobile"), "mobile": .phone(label: "mobile"), "phone": .phone(label: ""),
        "phone number": .phone(label: ""), "home phone": .phone(label: "home"), "home phone 2": .phone(label: "home"),
        "business phone": .phone(label: "work"), "business phone 2": .phone(label: "work"),
        "work phone": .phone(label: "work"), "company main phone": .phone(label: "main"),
        "primary phone": .phone(label: "main"), "other phone": .phone(label: "other"),
        "car phone": .phone(label: "car"), "home fax": .phone(label: "home fax"),
        "business fax": .phone(label: "work fax"), "other fax": .phone(label: "fax"),
        "fax number": .phone(label: "fax"), "pager": .phone(label: "pager"), "pager number": .phone(label: "pager"),
        "mobile number": .phone(label: "mobile"), "assistant's phone": .phone(label: "assistant"),
        "e-mail address": .email(label: ""), "e-mail 2 address": .email(label: ""),
        "e-mail 3 address": .email(label: ""), "email address": .email(label: ""), "email": .email(label: ""),
        "e-mail": .email(label: ""), "primary email": .email(label: ""), "secondary email": .email(label: ""),
        // Outlook in German
        "mobiltelefon": .phone(label: "mobile"), "telefon (privat)": .phone(label: "home"),
        "telefon privat": .phone(label: "home"), "telefon geschäftlich": .phone(label: "work"),
        "telefon (geschäftlich)": .phone(label: "work"), "e-mail-adresse": .email(label: ""),
        "e-mail 2: adresse": .email(label: ""), "e-mail 3: adresse": .email(label: ""),
        "jahrestag": .date(label: "Anniversary"), "partner": .relation(label: "Spouse"),
        "kinder": .relation(label: "Child"), "name assistent": .relation(label: "Assistant"),
        "name des/der vorgesetzten": .relation(label: "Manager"),
        "name des/r vorgesetzten": .relation(label: "Manager"), "webseite": .url(label: ""),
        "telefon geschäftlich 2": .phone(label: "work"), "telefon (geschäftlich 2)": .phone(label: "work"),
        "telefon privat 2": .phone(label: "home"), "telefon (privat 2)": .phone(label: "home"),
        "telefon firma": .phone(label: "main"), "haupttelefon": .phone(label: "main"),
        "telefon assistent": .phone(label: "assistant"), "mobiltelefon 2": .phone(label: "mobile"),
        "autotelefon": .phone(label: "car"), "weiteres telefon": .phone(label: "other"),
        "fax privat": .phone(label: "home fax"), "fax geschäftlich": .phone(label: "work fax"),
        "weiteres fax": .phone(label: "fax"),
        // Other columns of Outlook and Thunderbird
        "anniversary": .date(label: "Anniversary"), "spouse": .relation(label: "Spouse"),
        "children": .relation(label: "Child"), "manager's name": .relation(label: "Manager"),
        "assistant's name": .relation(label: "Assistant"), "birth year": .birthPart(.year),
        "birth month": .birthPart(.month), "birth day": .birthPart(.day), "web page 1": .url(label: "home"),
        "web page 2": .url(label: "work"),
    ]

    /// Parses "Phone 2 - Value", "E-mail 1 - Label", "Address 1 - City" and "Website 1 - Value".
    private static func listed(_ name: String) -> Field? {
        guard let dash = name.range(of: " - ") else { return nil }
        let words = name[..<dash.lowerBound].split(separator: " ")
        guard let last = words.last, let number = Int(last), (1...99).contains(number) else { return nil }
        let part = name[dash.upperBound...]
        let half: Part? = part == "value" ? .value : part == "label" || part == "type" ? .label : nil
        switch words.dropLast().joined(separator: " ") {
        case "event": return half.map { .listed(.event, number, $0) }
        case "relation": return half.map { .listed(.relation, number, $0) }
        case "custom field": return half.map { .listed(.custom, number, $0) }
        case "phone": return half.map { .listed(.phone, number, $0) }
        case "e-mail", "email": return half.map { .listed(.email, number, $0) }
        case "website": return half.map { .listed(.url, number, $0) }
        case "address": return addressPart(part).map { .listedAddress(number, $0) }
        default: return nil
        }
    }

    private static func addressPart(_ part: Substring) -> AddressPart? {
        switch part {
        case "label", "type": .label
        case "formatted": .formatted
        case "street": .street
        case "city": .text(\.locality)
        case "po box": .text(\.box)
        case "region", "state": .text(\.region)
        case "postal code": .text(\.postalCode)
        case "country": .text(\.country)
        case "extended address": .text(\.extended)
        default: nil
        }
    }

    /// Parses "Home Street", "Business Postal Code" and "Other Country/Region".
    private static func outlookAddress(_ name: String) -> Field? {
        for (word, label) in [("home ", "home"), ("business ", "work"), ("other ", "other"), ("work ", "work")] {
            guard name.hasPrefix(word) else { continue }
            let part: AddressPart? =
                switch name.dropFirst(word.count) {
                case "street", "address": .street
                case "street 2", "address 2", "street 3": .nextStreet
                case "city": .text(\.locality)
                case "state": .text(\.region)
                case "postal code", "zipcode": .text(\.postalCode)
                case "country", "country/region": .text(\.country)
                case "address po box": .text(\.box)
                default: nil
                }
            return part.map { .address(label: label, $0) }
        }
        return germanAddress(name)
    }

    /// Parses "Straße geschäftlich 2", "Bundesland/Kanton privat" and "Weiterer Ort".
    private static func germanAddress(_ name: String) -> Field? {
        var words = name.split(separator: " ")
        var isNext = false
        if let last = words.last, words.count > 1, ["2", "3"].contains(last) {
            isNext = true
            words.removeLast()
        }
        let label: String
        switch (words.first ?? "", words.last ?? "") {
        case (let first, _) where first.hasPrefix("weitere"):
            label = "other"
            words.removeFirst()
        case (_, "geschäftlich"):
            label = "work"
            words.removeLast()
        case (_, "privat"):
            label = "home"
            words.removeLast()
        default: return nil
        }
        let part: AddressPart? =
            switch words.joined(separator: " ") {
            case "straße", "strasse": isNext ? .nextStreet : .street
            case "ort": .text(\.locality)
            case "region", "bundesland/kanton", "bundesland": .text(\.region)
            case "postleitzahl": .text(\.postalCode)
            case "land/region", "land": .text(\.country)
            case "postfach": .text(\.box)
            default: nil
            }
        return part.map { .address(label: label, $0) }
    }
}
