import Foundation
import SwitchboardVCard

/// The mapping of CSV columns to fields of a contact.
///
/// Supported headers: Google Contacts before 2024 ("Given Name", "Phone 1 - Type") and since ("First Name", "Phone 1 -
/// Label"), Outlook ("First Name", "Mobile Phone", "E-mail Address"), Thunderbird ("Primary Email"), and our own
/// export.
struct ContactColumns {
    /// The field for the values of a column.
    enum Field: Hashable {
        case fullName, prefix, given, middle, family, suffix, nickname, phoneticGiven, phoneticFamily
        case organization, department, title, note, birthday, groups, categories, uid, favourite, otherProperties
        case url(label: String)
        /// A number in a column with a fixed label ("Mobile Phone").
        case phone(label: String)
        case email(label: String)
        /// A value or label of a numbered column, such as "Phone 2 - Value".
        case listed(Kind, Int, Part)
        case listedAddress(Int, AddressPart)
        case address(label: String, AddressPart)
    }

    enum Kind: Hashable, CaseIterable { case phone, email, url }

    enum Part: Hashable { case value, label }

    enum AddressPart: Hashable {
        case label, formatted, street, street2, street3, locality, box, region, postalCode, country, extended
    }

    /// The field of each column; nil for columns to ignore.
    let fields: [Field?]

    /// Parses a header.
    ///
    /// - Throws: ``MalformedInput`` unless the header has a column for a name and one for a number or e-mail address.
    init(header: CSVReader.Row) throws {
        fields = header.fields.map { ContactColumns.field(of: $0.trimmingWhitespace) }
        let found = Set(fields.compactMap { $0 })
        let hasName = found.contains {
            switch $0 {
            case .fullName, .given, .family, .organization, .nickname: true
            default: false
            }
        }
        let hasAddress = found.contains {
            switch $0 {
            case .phone, .email, .listed(.phone, _, .value), .listed(.email, _, .value): true
            default: false
            }
        }
        guard hasName, hasAddress else {
            throw MalformedInput(line: header.line, column: 1, reason: ContactColumns.unknownColumns(header.fields))
        }
    }

    private static func unknownColumns(_ header: [String]) -> String {
        let listed = header.prefix(8).map { "\"\($0.prefix(40))\"" }.joined(separator: ", ")
        let found = header.count > 8 ? "\(listed) and \(header.count - 8) more" : listed
        return """
            unknown columns \(found); use those of a Google, Outlook or Switchboard export, such as "First Name", \
            "Last Name", "Phone 1 - Value", "Mobile Phone", "E-mail Address"
            """
    }
}

// MARK: - Column names

extension ContactColumns {
    private static func field(of column: String) -> Field? {
        let name = column.lowercased()
        if let field = plain[name] { return field }
        if let field = listed(name) { return field }
        return outlookAddress(name)
    }

    private static let plain: [String: Field] = [
        // Google, both versions, and our own
        "name": .fullName, "formatted name": .fullName, "display name": .fullName, "full name": .fullName,
        "given name": .given, "additional name": .middle, "family name": .family, "name prefix": .prefix,
        "name suffix": .suffix, "nickname": .nickname, "given name yomi": .phoneticGiven,
        "family name yomi": .phoneticFamily, "phonetic first name": .phoneticGiven,
        "phonetic last name": .phoneticFamily,
        "notes": .note, "note": .note, "birthday": .birthday, "group membership": .groups, "labels": .groups,
        "organization 1 - name": .organization, "organization 1 - title": .title,
        "organization 1 - department": .department, "organization name": .organization, "organization title": .title,
        "organization department": .department, "uid": .uid, "favourite": .favourite, "favorite": .favourite,
        "other properties": .otherProperties, "categories": .categories, "kategorien": .categories,
        // Outlook
        "title": .prefix, "first name": .given, "middle name": .middle, "last name": .family, "suffix": .suffix,
        "company": .organization, "organization": .organization, "department": .department, "job title": .title,
        "web page": .url(label: ""), "personal web page": .url(label: "home"), "business web page": .url(label: "work"),
        "mobile phone": .phone(label: "mobile"), "mobile": .phone(label: "mobile"), "phone": .phone(label: ""),
        "phone number": .phone(label: ""), "home phone": .phone(label: "home"), "home phone 2": .phone(label: "home"),
        "business phone": .phone(label: "work"), "business phone 2": .phone(label: "work"),
        "work phone": .phone(label: "work"), "company main phone": .phone(label: "main"),
        "primary phone": .phone(label: "main"), "other phone": .phone(label: "other"),
        "car phone": .phone(label: "car"),
        "home fax": .phone(label: "home fax"), "business fax": .phone(label: "work fax"),
        "other fax": .phone(label: "fax"), "fax number": .phone(label: "fax"), "pager": .phone(label: "pager"),
        "pager number": .phone(label: "pager"), "mobile number": .phone(label: "mobile"),
        "assistant's phone": .phone(label: "assistant"),
        "e-mail address": .email(label: ""), "e-mail 2 address": .email(label: ""),
        "e-mail 3 address": .email(label: ""),
        "email address": .email(label: ""), "email": .email(label: ""), "e-mail": .email(label: ""),
        "primary email": .email(label: ""), "secondary email": .email(label: ""),
        // Outlook in German
        "vorname": .given, "weitere vornamen": .middle, "nachname": .family, "anrede": .prefix, "firma": .organization,
        "abteilung": .department, "position": .title, "mobiltelefon": .phone(label: "mobile"),
        "telefon (privat)": .phone(label: "home"), "telefon privat": .phone(label: "home"),
        "telefon geschäftlich": .phone(label: "work"), "telefon (geschäftlich)": .phone(label: "work"),
        "e-mail-adresse": .email(label: ""), "e-mail 2: adresse": .email(label: ""), "notizen": .note,
        "geburtstag": .birthday,
    ]

    /// Parses "Phone 2 - Value", "E-mail 1 - Label", "Address 1 - City" and "Website 1 - Value".
    private static func listed(_ name: String) -> Field? {
        guard let dash = name.range(of: " - ") else { return nil }
        let words = name[..<dash.lowerBound].split(separator: " ")
        guard words.count == 2, let number = Int(words[1]), (1...99).contains(number) else { return nil }
        let part = name[dash.upperBound...]
        let half: Part? = part == "value" ? .value : part == "label" || part == "type" ? .label : nil
        switch words[0] {
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
        case "city": .locality
        case "po box": .box
        case "region", "state": .region
        case "postal code": .postalCode
        case "country": .country
        case "extended address": .extended
        default: nil
        }
    }

    /// Parses "Home Street", "Business Postal Code" and "Other Country/Region".
    private static func outlookAddress(_ name: String) -> Field? {
        for (word, label) in [("home ", "home"), ("business ", "work"), ("other ", "other"), ("work ", "work")] {
            guard name.hasPrefix(word) else { continue }
            switch name.dropFirst(word.count) {
            case "street", "address": return .address(label: label, .street)
            case "street 2", "address 2": return .address(label: label, .street2)
            case "street 3": return .address(label: label, .street3)
            case "city": return .address(label: label, .locality)
            case "state": return .address(label: label, .region)
            case "postal code", "zipcode": return .address(label: label, .postalCode)
            case "country", "country/region": return .address(label: label, .country)
            case "address po box": return .address(label: label, .box)
            default: return nil
            }
        }
        return nil
    }
}
