import Foundation
import SwitchboardVCard

extension Contact {
    /// Understands a row of a table of contacts.
    ///
    /// A row shorter than the header lacks its last columns; one that is longer is a fault, since its values stand under
    /// the wrong names.
    ///
    /// - Throws: ``MalformedInput`` if the row is too long or nothing in it names a contact.
    init(_ row: CSVReader.Row, columns: ContactColumns, region: String?) throws {
        self.init()
        let surplus = row.fields.dropFirst(columns.fields.count)
        guard surplus.allSatisfy({ $0.trimmingWhitespace.isEmpty }) else {
            throw MalformedInput(
                line: row.line,
                reason: "the row has \(row.fields.count) fields, but the header has \(columns.fields.count)")
        }
        var table = RowInReading(region: region)
        for (field, value) in zip(columns.fields, row.fields) {
            guard let field else { continue }
            let value = FormulaGuard.unguarded(value)
            let plain = value.trimmingWhitespace
            // A note may begin and end as it likes.
            if !plain.isEmpty { table.read(field == .note ? value : plain, as: field, into: &self) }
        }
        table.finish(&self)
        guard isNameable else {
            throw MalformedInput(
                line: row.line, reason: "the row has neither a name nor an organisation, e-mail address or number")
        }
    }
}

/// The lists of a row, whose labels and values stand in columns of their own.
private struct RowInReading {
    let region: String?
    private var phones: [Int: (label: String, text: String)] = [:]
    private var emails: [Int: (label: String, text: String)] = [:]
    private var urls: [Int: (label: String, text: String)] = [:]
    private var addresses: [Int: PostalAddress] = [:]
    private var namedAddresses: [String: PostalAddress] = [:]
    private var formatted: [Int: String] = [:]

    init(region: String?) {
        self.region = region
    }

    mutating func read(_ value: String, as field: ContactColumns.Field, into contact: inout Contact) {
        switch field {
        case .fullName: contact.formattedName = value
        case .prefix: contact.name.prefix = value
        case .given: contact.name.given = value
        case .middle: contact.name.middle = value
        case .family: contact.name.family = value
        case .suffix: contact.name.suffix = value
        case .nickname: contact.nickname = value
        case .phoneticGiven: contact.phoneticGivenName = value
        case .phoneticFamily: contact.phoneticFamilyName = value
        case .organization: contact.organization = value
        case .department: contact.department = value
        case .title: contact.title = value
        case .note: contact.note = value
        case .birthday: contact.birthday = RowInReading.birthday(value)
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
            contact.emails += RowInReading.pieces(value).map { Email(label: label, address: $0) }
        case .listedPhone(let number, let part):
            RowInReading.take(value, part, into: &phones[number, default: ("", "")])
        case .listedEmail(let number, let part):
            RowInReading.take(value, part, into: &emails[number, default: ("", "")])
        case .listedURL(let number, let part): RowInReading.take(value, part, into: &urls[number, default: ("", "")])
        case .listedAddress(let number, .formatted): formatted[number] = value
        case .listedAddress(let number, let part):
            RowInReading.take(value, part, into: &addresses[number, default: PostalAddress()])
        case .address(let label, let part):
            RowInReading.take(value, part, into: &namedAddresses[label, default: PostalAddress(label: label)])
        }
    }

    mutating func finish(_ contact: inout Contact) {
        for (_, phone) in phones.sorted(by: { $0.key < $1.key }) {
            addPhones(phone.text, label: phone.label, to: &contact)
        }
        for (_, email) in emails.sorted(by: { $0.key < $1.key }) {
            for address in RowInReading.pieces(email.text) {
                contact.emails.append(
                    Email(
                        label: Labels.label(ofWords: email.label), address: address,
                        isPreferred: email.label.hasPrefix("*")))
            }
        }
        for (_, url) in urls.sorted(by: { $0.key < $1.key }) {
            for address in RowInReading.pieces(url.text) {
                contact.urls.append(WebAddress(label: Labels.label(ofWords: url.label), url: address))
            }
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
}

extension RowInReading {
    /// Google puts several values into one field, parted by " ::: ".
    private static func pieces(_ text: String) -> [String] {
        text.components(separatedBy: ":::").map(\.trimmingWhitespace).filter { !$0.isEmpty }
    }

    private func addPhones(_ text: String, label: String, to contact: inout Contact) {
        for piece in RowInReading.pieces(text) {
            // Spreadsheets guard a number by a quotation mark or an equals sign: '+90…, ="+90…".
            let plain = String(piece.drop { $0 == "'" || $0.isWhitespace }).trimmingWhitespace
            let number = PhoneNumber(plain, region: region)
            guard !number.nationalNumber.isEmpty else { continue }
            contact.phones.append(
                Phone(label: Labels.label(ofWords: label), number: number, isPreferred: label.hasPrefix("*")))
        }
    }

    private static func take(
        _ value: String, _ part: ContactColumns.Part, into entry: inout (label: String, text: String)
    ) {
        switch part {
        case .label: entry.label = value
        case .value: entry.text = value
        }
    }

    private static func take(_ value: String, _ part: ContactColumns.AddressPart, into address: inout PostalAddress) {
        switch part {
        case .label: address.label = Labels.label(ofWords: value)
        case .street, .formatted:
            address.street = [value, address.street].filter { !$0.isEmpty }.joined(separator: "\n")
        case .street2, .street3:
            address.street = [address.street, value].filter { !$0.isEmpty }.joined(separator: "\n")
        case .locality: address.locality = value
        case .box: address.box = value
        case .region: address.region = value
        case .postalCode: address.postalCode = value
        case .country: address.country = value
        case .extended: address.extended = value
        }
    }

    /// Google's groups: "* starred ::: * myContacts ::: Family"; Outlook's are parted by semicolons.
    private func readGroups(_ value: String, separator: String, into contact: inout Contact) {
        for piece in RowInReading.pieces(value) {
            for group in piece.components(separatedBy: separator) { contact.addGroup(group) }
        }
    }

    /// Outlook's "0/0/00" is none.
    private static func birthday(_ text: String) -> String {
        text == "0/0/00" || text == "0.0.00" ? "" : Birthday.normalised(text)
    }
}
