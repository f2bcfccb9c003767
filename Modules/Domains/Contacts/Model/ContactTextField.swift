/// A text field of a contact.
///
/// Each field is described once, in this file. JSON, vCard, CSV, the database, limits, merging, duplicates, search and
/// the forms of the front ends are derived from ``all``. For example:
///
/// ```swift
/// for field in ContactTextField.all where !contact[field].isEmpty {
///     print("\(field.label): \(contact[field])")
/// }
/// ```
///
/// To add a field: a property of ``Contact``, an entry here, and a migration with its column. The command line also
/// needs an option, and the page a field in its form.
public final class ContactTextField: Sendable {
    /// The key in JSON, such as `phoneticGivenName`.
    public let key: String
    /// The label in lists of details and forms.
    public let label: String
    /// The name in errors, such as `phonetic given name`.
    let name: String
    /// The place in a form.
    public let place: Place
    /// The property of ``Contact``.
    let path: any WritableKeyPath<Contact, String> & Sendable
    /// The column of the table `contact`.
    let column: String
    /// `true` if JSON has the key even if the contact has no value; it is then null.
    public let isAlwaysPresent: Bool
    /// The vCard property of the text; nil if a property with several components contains it.
    let property: String?
    /// The handling of a second value, in a merge or in a card.
    let merge: Merge
    /// The position among the columns of an exported CSV file.
    let csvPosition: Int
    /// The column names that are read in CSV files. The first one, capitalized, is written.
    let csvNames: [String]
    /// The field in the search index; nil if the text is only found as part of the whole name, or not at all.
    let search: ContactField?

    private init(
        _ key: String, label: String, _ path: any WritableKeyPath<Contact, String> & Sendable, column: String,
        isAlwaysPresent: Bool = false, place: Place = .none, property: String? = nil, merge: Merge,
        csv csvNames: [String], at csvPosition: Int, search: ContactField? = nil
    ) {
        (self.key, self.label, self.path, self.column) = (key, label, path, column)
        (self.isAlwaysPresent, self.place, self.property, self.merge) = (isAlwaysPresent, place, property, merge)
        (self.csvNames, self.csvPosition, self.search) = (csvNames, csvPosition, search)
        name =
            if case .asPart = merge {
                "name"
            } else {
                key.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
            }
    }

    /// A place in a form for a contact.
    public enum Place: Sendable {
        /// With the name, before the lists.
        case withName
        /// After the lists.
        case afterLists
        /// At the end of the form for an existing contact.
        case rarely
        /// Not in a form that has one field for the whole name.
        case none
    }

    /// The handling of a second value.
    enum Merge: Sendable {
        /// The value belongs to a name or an organization, which is merged as a whole.
        case asPart
        /// The second value is preserved as another vCard property.
        case preserving(String)
        /// Values that are not contained yet are added after a separator. Each of them is a value by itself if
        /// `isList` is true.
        case appending(String, isList: Bool)
    }

    /// The vCard property whose parameters belong to the value.
    var ownProperty: String? {
        switch self {
        case .organization: "ORG"
        case .note: "NOTE"
        case .birthday: "BDAY"
        case .nickname: "NICKNAME"
        case .department: nil
        default: isNamePart ? "N" : property
        }
    }

    /// `true` for a part of the name.
    public var isNamePart: Bool { if case .asPart = merge { true } else { false } }

    /// `true` for a field that lists of details show with the name.
    package var isShownBeforeLists: Bool { !isNamePart && !isPhonetic && ![.note, .birthday].contains(self) }

    /// `true` for a pronunciation of the name.
    var isPhonetic: Bool { [.phoneticGivenName, .phoneticFamilyName].contains(self) }

    /// The key in highlights.
    var highlight: String { self == .title ? "jobTitle" : key }

    /// The maximum size of a value in bytes.
    public var limit: Int { self == .note ? Contact.largestNote : Contact.largestName }
}

extension ContactTextField: Hashable {
    /// Returns `true` for the same field.
    public static func == (one: ContactTextField, other: ContactTextField) -> Bool { one === other }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// MARK: - The table

extension ContactTextField {
    private static let namePrefix = ContactTextField(
        "namePrefix", label: "prefix", \.name.prefix, column: "prefix", merge: .asPart,
        csv: ["name prefix", "title", "anrede", "titre", "tratamiento"], at: 5)
    /// The given name.
    public static let givenName = ContactTextField(
        "givenName", label: "given name", \.name.given, column: "given", isAlwaysPresent: true, merge: .asPart,
        csv: ["first name", "given name", "vorname", "prénom", "nombre"], at: 0)
    private static let middleName = ContactTextField(
        "middleName", label: "middle name", \.name.middle, column: "middle", merge: .asPart,
        csv: ["middle name", "additional name", "weitere vornamen", "deuxième prénom", "segundo nombre"], at: 1)
    /// The family name.
    public static let familyName = ContactTextField(
        "familyName", label: "family name", \.name.family, column: "family", isAlwaysPresent: true, merge: .asPart,
        csv: ["last name", "family name", "nachname", "nom", "apellidos"], at: 2)
    private static let nameSuffix = ContactTextField(
        "nameSuffix", label: "suffix", \.name.suffix, column: "suffix", merge: .asPart,
        csv: ["name suffix", "suffix", "suffixe", "sufijo"], at: 6)
    /// The nicknames.
    public static let nickname = ContactTextField(
        "nickname", label: "nickname", \.nickname, column: "nickname", isAlwaysPresent: true, place: .withName,
        merge: .appending(", ", isList: true), csv: ["nickname", "spitzname"], at: 7, search: ContactField(1))
    static let phoneticGivenName = ContactTextField(
        "phoneticGivenName", label: "phonetic first name", \.phoneticGivenName, column: "phoneticGiven",
        place: .rarely, property: "X-PHONETIC-FIRST-NAME", merge: .preserving("X-PHONETIC-FIRST-NAME"),
        csv: ["phonetic first name", "given name yomi"], at: 3)
    static let phoneticFamilyName = ContactTextField(
        "phoneticFamilyName", label: "phonetic last name", \.phoneticFamilyName, column: "phoneticFamily",
        place: .rarely, property: "X-PHONETIC-LAST-NAME", merge: .preserving("X-PHONETIC-LAST-NAME"),
        csv: ["phonetic last name", "family name yomi"], at: 4)
    /// The organization.
    public static let organization = ContactTextField(
        "organization", label: "organisation", \.organization, column: "organization", isAlwaysPresent: true,
        place: .withName, merge: .preserving("ORG"),
        csv: [
            "organization name", "organization 1 - name", "company", "organization", "organisation", "firma", "société",
            "organización",
        ], at: 9,
        search: ContactField(3))
    /// The department.
    public static let department = ContactTextField(
        "department", label: "department", \.department, column: "department", place: .rarely,
        merge: .preserving("X-DEPARTMENT"),
        csv: [
            "organization department", "organization 1 - department", "department", "abteilung", "service",
            "departamento",
        ], at: 11,
        search: ContactField(7))
    /// The job title.
    public static let title = ContactTextField(
        "title", label: "title", \.title, column: "title", place: .afterLists, property: "TITLE",
        merge: .preserving("TITLE"),
        csv: [
            "organization title", "organization 1 - title", "job title", "position", "arbeitstitel", "fonction",
            "puesto",
        ],
        at: 10, search: ContactField(6))
    /// The pronouns (RFC 9554).
    public static let pronouns = ContactTextField(
        "pronouns", label: "pronouns", \.pronouns, column: "pronouns", place: .rarely, property: "PRONOUNS",
        merge: .preserving("PRONOUNS"), csv: ["pronouns"], at: 14, search: ContactField(11))
    /// The note.
    public static let note = ContactTextField(
        "note", label: "note", \.note, column: "note", place: .afterLists, merge: .appending("\n\n", isList: false),
        csv: ["notes", "note", "notizen", "notas"], at: 13, search: ContactField(5))
    /// The birthday.
    public static let birthday = ContactTextField(
        "birthday", label: "birthday", \.birthday, column: "birthday", place: .afterLists,
        merge: .preserving("X-OTHER-BDAY"), csv: ["birthday", "geburtstag", "anniversaire", "cumpleaños"], at: 12,
        search: .birthday)

    /// The fields that precede the lists in JSON and in lists of details.
    static let beforeLists = [
        namePrefix, givenName, middleName, familyName, nameSuffix, nickname, phoneticGivenName, phoneticFamilyName,
        organization, department, title, pronouns,
    ]
    /// The fields that follow the lists.
    static let afterLists = [note, birthday]
    /// All fields, in the order of JSON.
    public static let all = beforeLists + afterLists

    /// The field of a vCard property that contains only a text.
    package static let byProperty = Dictionary(
        uniqueKeysWithValues: all.compactMap { field in field.property.map { ($0, field) } })
}

extension Contact {
    /// The value of a text field; empty if the contact has none.
    public subscript(field: ContactTextField) -> String {
        get { self[keyPath: field.path] }
        set {
            // The parameters belong to the value.
            if !textParameters.isEmpty, self[keyPath: field.path] != newValue { textParameters[field] = nil }
            self[keyPath: field.path] = newValue
        }
    }
}
