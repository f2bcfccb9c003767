import Foundation
import SwitchboardVCard

/// The mapping of CSV columns to fields of a contact.
///
/// Supported headers: Google Contacts before 2024 ("Given Name", "Phone 1 - Type") and since ("First Name", "Phone 1 -
/// Label"), Outlook in English, German, French and Spanish ("First Name", "Mobile Phone", "E-mail Address"), Thunderbird
/// in American and British English and German ("Primary Email"), and Switchboard's export.
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
        /// A text without a field, in a column with a fixed label ("Screen Name").
        case custom(label: String)
        /// A field of an organization after the first one.
        case organization(Int, ContactTextField)
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

        var isPhone: Bool {
            switch self {
            case .phone, .listed(.phone, _, .value): true
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

    /// The field of each column; nil for columns whose values are not imported.
    let fields: [Field?]
    private let names: [String]

    /// Returns the names of columns that are not imported and have a value in a row.
    func unread(in row: CSVReader.Row) -> [String] {
        zip(fields.indices, row.fields).compactMap { index, value in
            guard fields[index] == nil, !value.trimmingWhitespace.isEmpty else { return nil }
            return names[index]
        }
    }

    /// Returns the notes about the text and the numbers of a row.
    func notes(about row: CSVReader.Row) -> [MalformedInput] {
        var reasons: [String] = []
        if let charset = row.assumedCharset { reasons.append("the text is not UTF-8; it was read as \(charset)") }
        for (field, value) in zip(fields, row.fields) where field?.isPhone ?? false {
            guard ContactColumns.isRounded(value.trimmingWhitespace) else { continue }
            reasons.append("a spreadsheet has rounded the number “\(value.trimmingWhitespace)”; correct it")
        }
        return reasons.map { MalformedInput(line: row.line, reason: $0) }
    }

    /// Returns `true` for a number in exponential notation: `4.91721E+11`.
    private static func isRounded(_ text: String) -> Bool {
        let parts = text.uppercased().split(separator: "E+", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return false }
        return parts[1].allSatisfy(\.isWholeNumber)
            && parts[0].allSatisfy { $0.isWholeNumber || ".,".contains($0) } && (parts[0].first?.isWholeNumber ?? false)
    }

    /// Parses a header, which must have a column for a name, a number or an e-mail address.
    init(header: CSVReader.Row) throws(MalformedInput) {
        names = header.fields.map(\.trimmingWhitespace)
        let keys = names.map { $0.lowercased().replacing("’", with: "'") }
        let names = names
        fields = keys.enumerated().map { index, name -> Field? in
            switch name {
            // French Outlook calls both the form of address and the position “Titre”.
            case "titre" where keys[..<index].contains(name): .text(.title)
            // German Thunderbird calls the day of the month “Geburtstag”.
            case "geburtstag" where keys.contains("geburtsmonat"): .birthPart(.day)
            case _ where ContactColumns.settings.contains(name): nil
            default:
                ContactColumns.plain[name] ?? ContactColumns.addresses[name] ?? ContactColumns.listed(name)
                    ?? .custom(label: name.isEmpty ? "column \(index + 1)" : names[index])
            }
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
    /// The columns of Outlook that have the same value in nearly all rows and describe no person.
    private static let settings: Set = [
        "gender", "priority", "private", "sensitivity", "geschlecht", "priorität", "privat", "vertraulichkeit", "sexe",
        "priorité", "privé", "critère de diffusion", "sexo", "prioridad", "privado", "confidencialidad",
    ]

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
        // Outlook and Thunderbird in German
        "anzeigename": .formattedName, "primäre e-mail-adresse": .email(label: ""),
        "sekundäre e-mail-adresse": .email(label: ""), "tel. dienstlich": .phone(label: "work"),
        "tel. privat": .phone(label: "home"), "fax-nummer": .phone(label: "fax"),
        "pager-nummer": .phone(label: "pager"), "mobil-tel.-nr.": .phone(label: "mobile"),
        "webseite 1": .url(label: "home"), "webseite 2": .url(label: "work"), "geburtsjahr": .birthPart(.year),
        "geburtsmonat": .birthPart(.month), "messenger-name": .custom(label: "Screen Name"),
        "benutzerdef. 1": .custom(label: "Custom 1"), "benutzerdef. 2": .custom(label: "Custom 2"),
        "benutzerdef. 3": .custom(label: "Custom 3"), "benutzerdef. 4": .custom(label: "Custom 4"),
        "telefon": .phone(label: ""), "telefonnummer": .phone(label: ""), "handy": .phone(label: "mobile"),
        "festnetz": .phone(label: "home"),
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
        // Outlook in French
        "adresse de messagerie": .email(label: ""), "adresse de messagerie 2": .email(label: ""),
        "adresse de messagerie 3": .email(label: ""), "adresse de courrier": .email(label: ""),
        "adresse de courrier 2": .email(label: ""), "adresse de courrier 3": .email(label: ""),
        "tél. mobile": .phone(label: "mobile"), "téléphone (bureau)": .phone(label: "work"),
        "téléphone 2 (bureau)": .phone(label: "work"), "téléphone (domicile)": .phone(label: "home"),
        "téléphone 2 (domicile)": .phone(label: "home"), "téléphone (autre)": .phone(label: "other"),
        "autre téléphone": .phone(label: "other"), "téléphone (voiture)": .phone(label: "car"),
        "téléphone société": .phone(label: "main"), "téléphone principal": .phone(label: "main"),
        "téléphone de l'assistant(e)": .phone(label: "assistant"), "télécopie (bureau)": .phone(label: "work fax"),
        "télécopie (domicile)": .phone(label: "home fax"), "télécopie (autre)": .phone(label: "fax"),
        "autre télécopie": .phone(label: "fax"), "récepteur de radiomessagerie": .phone(label: "pager"),
        "page web": .url(label: ""), "catégories": .categories, "conjoint(e)": .relation(label: "Spouse"),
        "enfants": .relation(label: "Child"), "nom de l'assistant(e)": .relation(label: "Assistant"),
        "responsable": .relation(label: "Manager"), "anniversaire de mariage ou fête": .date(label: "Anniversary"),
        // Outlook in Spanish
        "dirección de correo electrónico": .email(label: ""), "dirección de correo electrónico 2": .email(label: ""),
        "dirección de correo electrónico 3": .email(label: ""),
        "dirección del correo electrónico 3": .email(label: ""), "móvil": .phone(label: "mobile"),
        "teléfono móvil": .phone(label: "mobile"), "teléfono del trabajo": .phone(label: "work"),
        "teléfono del trabajo 2": .phone(label: "work"), "particular": .phone(label: "home"),
        "teléfono particular": .phone(label: "home"), "otro teléfono": .phone(label: "other"),
        "teléfono del automóvil": .phone(label: "car"), "teléfono principal": .phone(label: "main"),
        "número de centralita de la organización": .phone(label: "main"),
        "teléfono del ayudante": .phone(label: "assistant"), "fax del trabajo": .phone(label: "work fax"),
        "fax particular": .phone(label: "home fax"), "otro fax": .phone(label: "fax"),
        "localizador": .phone(label: "pager"), "página web": .url(label: ""), "categorías": .categories,
        "cónyuge": .relation(label: "Spouse"), "hijos": .relation(label: "Child"),
        "nombre del director": .relation(label: "Manager"), "aniversario": .date(label: "Anniversary"),
        // Other columns of Outlook and Thunderbird
        "anniversary": .date(label: "Anniversary"), "spouse": .relation(label: "Spouse"),
        "children": .relation(label: "Child"), "manager's name": .relation(label: "Manager"),
        "assistant's name": .relation(label: "Assistant"), "birth year": .birthPart(.year),
        "birth month": .birthPart(.month), "birth day": .birthPart(.day), "web page 1": .url(label: "home"),
        "web page 2": .url(label: "work"), "screen name": .custom(label: "Screen Name"),
        "custom 1": .custom(label: "Custom 1"), "custom 2": .custom(label: "Custom 2"),
        "custom 3": .custom(label: "Custom 3"), "custom 4": .custom(label: "Custom 4"),
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
        case "organization" where number > 1:
            switch part {
            case "name": return .organization(number, .organization)
            case "title": return .organization(number, .title)
            case "department": return .organization(number, .department)
            default: return nil
            }
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

    /// The columns of Outlook and Thunderbird for postal addresses: "Home Street", "Straße geschäftlich 2",
    /// "Privat: PLZ", "Ville (bureau)", "Calle del trabajo".
    private static let addresses: [String: Field] = {
        var fields: [String: Field] = [:]
        func add(_ label: String, _ columns: [(name: String, part: AddressPart)]) {
            for (name, part) in columns { fields[name] = .address(label: label, part) }
        }
        // Tables that people write themselves.
        add("", english + german + [("zip", .text(\.postalCode)), ("plz", .text(\.postalCode))])
        for (place, label) in [("home", "home"), ("business", "work"), ("work", "work"), ("other", "other")] {
            add(label, english.map { ("\(place) \($0)", $1) })
        }
        for (place, label) in [("privat", "home"), ("geschäftlich", "work")] {
            add(label, german.map { ("\($0) \(place)", $1) })
            for street in ["straße", "strasse"] {
                add(label, [("\(street) \(place) 2", .nextStreet), ("\(street) \(place) 3", .nextStreet)])
            }
        }
        add(
            "other",
            [
                ("weitere straße", .street), ("weitere straße 2", .nextStreet), ("weitere straße 3", .nextStreet),
                ("weiterer ort", .text(\.locality)), ("weiteres/r bundesland/kanton", .text(\.region)),
                ("weitere postleitzahl", .text(\.postalCode)), ("weiteres/e land/region", .text(\.country)),
                ("weiteres postfach", .text(\.box)),
            ])
        for (place, label) in [("privat", "home"), ("dienstlich", "work")] {
            add(
                label,
                [
                    ("\(place): adresse", .street), ("\(place): adresse 2", .nextStreet),
                    ("\(place): ort", .text(\.locality)), ("\(place): bundesland", .text(\.region)),
                    ("\(place): plz", .text(\.postalCode)), ("\(place): land", .text(\.country)),
                ])
        }
        for (place, label) in [("domicile", "home"), ("bureau", "work"), ("autre", "other")] {
            add(
                label,
                [
                    ("rue (\(place))", .street), ("rue (\(place)) 2", .nextStreet), ("rue (\(place)) 3", .nextStreet),
                    ("ville (\(place))", .text(\.locality)), ("dép/région (\(place))", .text(\.region)),
                    ("code postal (\(place))", .text(\.postalCode)), ("pays/région (\(place))", .text(\.country)),
                    ("pays (\(place))", .text(\.country)),
                ])
        }
        add("home", [("boîte postale du domicile", .text(\.box))] + spanishHome)
        add("work", [("b.p. professionnelle", .text(\.box))] + spanishWork)
        add("other", [("autre boîte postale", .text(\.box))] + spanishOther)
        return fields
    }()

    private static let english: [(name: String, part: AddressPart)] = [
        ("street", .street), ("address", .street), ("street 2", .nextStreet), ("address 2", .nextStreet),
        ("street 3", .nextStreet), ("city", .text(\.locality)), ("state", .text(\.region)),
        ("county", .text(\.region)), ("postal code", .text(\.postalCode)), ("zipcode", .text(\.postalCode)),
        ("post code", .text(\.postalCode)), ("postcode", .text(\.postalCode)), ("country", .text(\.country)),
        ("country/region", .text(\.country)), ("address po box", .text(\.box)),
    ]

    private static let german: [(name: String, part: AddressPart)] = [
        ("straße", .street), ("strasse", .street), ("ort", .text(\.locality)), ("region", .text(\.region)),
        ("bundesland/kanton", .text(\.region)), ("bundesland", .text(\.region)),
        ("postleitzahl", .text(\.postalCode)), ("land/region", .text(\.country)), ("land", .text(\.country)),
        ("postfach", .text(\.box)),
    ]

    private static let spanishHome: [(name: String, part: AddressPart)] = [
        ("calle del domicilio", .street), ("calle del domicilio 2", .nextStreet),
        ("calle del domicilio 3", .nextStreet), ("ciudad de residencia", .text(\.locality)),
        ("provincia o estado de residencia", .text(\.region)), ("código postal de residencia", .text(\.postalCode)),
        ("país o región del domicilio", .text(\.country)),
        ("apartado postal de la dirección personal", .text(\.box)),
    ]

    private static let spanishWork: [(name: String, part: AddressPart)] = [
        ("calle del trabajo", .street), ("calle del trabajo 2", .nextStreet), ("calle del trabajo 3", .nextStreet),
        ("ciudad de trabajo", .text(\.locality)), ("provincia o estado de trabajo", .text(\.region)),
        ("código postal del trabajo", .text(\.postalCode)), ("país o región del trabajo", .text(\.country)),
        ("apartado postal de la dirección del trabajo", .text(\.box)),
    ]

    private static let spanishOther: [(name: String, part: AddressPart)] = [
        ("otra calle", .street), ("otra calle 2", .nextStreet), ("otra calle 3", .nextStreet),
        ("otra ciudad", .text(\.locality)), ("otra provincia o estado", .text(\.region)),
        ("otro código postal", .text(\.postalCode)), ("otro país o región", .text(\.country)),
        ("otro apartado postal", .text(\.box)),
    ]
}
