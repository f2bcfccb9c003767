public import Foundation

/// A person or an organization.
///
/// Missing texts are empty. vCard properties without a field are preserved in ``otherProperties`` and written on
/// export.
public struct Contact: Hashable, Sendable, Identifiable {
    /// The stable identifier; empty until the contact is stored.
    public var id: String
    /// The components of the name.
    public var name: PersonName
    /// The formatted name (`FN`); empty if it equals the composed name.
    public var formattedName: String
    /// The nicknames, separated by commas.
    public var nickname = ""
    /// The pronunciation of the given name, in kana or Latin letters.
    public var phoneticGivenName = ""
    /// The pronunciation of the family name.
    public var phoneticFamilyName = ""
    /// The name of the organization.
    public var organization = ""
    /// The organizational units, separated by "; ".
    public var department = ""
    /// The job title.
    public var title = ""
    /// The phone numbers in order of preference.
    public var phones: [Phone] = []
    /// The e-mail addresses in order of preference.
    public var emails: [Email] = []
    /// The postal addresses.
    public var addresses: [PostalAddress] = []
    /// The web addresses.
    public var urls: [WebAddress] = []
    /// The names of the contact's groups ("Family"), in the order of the source.
    public var groups: [String] = []
    /// The photo, if any.
    public var photo: ContactPhoto?
    /// The note.
    public var note = ""
    /// The birthday as `1980-04-15`, `--04-15` without a year, or the text of the source; empty if unknown.
    public var birthday = ""
    /// `true` if the contact is a favorite. Favorites are listed first.
    public var isFavourite = false
    /// The number of times the contact was chosen.
    public var callCount = 0
    /// The time when the contact was last chosen.
    public var lastCalledAt: Date?
    /// The time when the contact was created.
    public var createdAt: Date?
    /// The time when the contact was last changed. Choosing a contact is not a change.
    public var modifiedAt: Date?
    /// The `UID` of the vCard that the contact came from, without "urn:uuid:".
    public var sourceUID = ""
    /// The other vCard properties as unfolded content lines, such as `IMPP;X-LABEL=Jabber:xmpp:ana@example.org`.
    ///
    /// The label of a group (`X-ABLabel`) is stored as the parameter `X-LABEL`, embedded media in the form of version
    /// 3.0.
    public var otherProperties: [String] = []

    /// Creates a contact with a name only.
    public init(id: String = "", name: PersonName = PersonName(), formattedName: String = "") {
        self.id = id
        self.name = name
        self.formattedName = formattedName
    }
}

// MARK: - Names

extension Contact {
    /// The name for lists: the full name, or else the nickname, organization, first e-mail address or first number.
    public var displayName: String {
        let whole = fullName
        if !whole.isEmpty { return whole }
        if !nickname.isEmpty { return nickname }
        if !organization.isEmpty { return organization }
        if let address = emails.first?.address { return address }
        return phones.first?.number.text ?? ""
    }

    /// The formatted name, or else the composed name; empty if neither exists.
    public var fullName: String {
        formattedName.isEmpty ? name.composed : formattedName
    }

    /// The pronunciation of the name, given name first; empty if unknown.
    public var phoneticName: String {
        if phoneticGivenName.isEmpty || phoneticFamilyName.isEmpty { return phoneticGivenName + phoneticFamilyName }
        return phoneticGivenName + " " + phoneticFamilyName
    }

    /// `true` if the contact has a ``displayName``.
    public var isNameable: Bool { displayName.contains { !$0.isWhitespace } }
}

// MARK: - Numbers and addresses

/// A labeled phone number.
public struct Phone: Hashable, Sendable {
    /// The label: "mobile", "home", "work", "work fax", or a custom label; empty if unknown.
    public var label: String
    /// The number.
    public var number: PhoneNumber
    /// `true` if the source marks it as preferred.
    public var isPreferred: Bool
    /// The other parameters of the vCard property: `;X-EVOLUTION-UI-SLOT=1`.
    var parameters = ""

    /// Creates a number with a label.
    public init(label: String = "", number: PhoneNumber, isPreferred: Bool = false) {
        self.label = label
        self.number = number
        self.isPreferred = isPreferred
    }
}

/// A labeled e-mail address.
public struct Email: Hashable, Sendable {
    /// The label: "home", "work", or a custom label; empty if unknown.
    public var label: String
    /// The address.
    public var address: String
    /// `true` if the source marks it as preferred.
    public var isPreferred: Bool
    /// The other parameters of the vCard property: `;X-EVOLUTION-UI-SLOT=1`.
    var parameters = ""

    /// Creates an address with a label.
    public init(label: String = "", address: String, isPreferred: Bool = false) {
        self.label = label
        self.address = address
        self.isPreferred = isPreferred
    }

    /// A key that is equal for different spellings of the address.
    public var identity: String { address.lowercased() }
}

/// A labeled web address.
public struct WebAddress: Hashable, Sendable, Codable {
    /// The label: "home", "work", "blog"…; empty if unknown.
    public var label: String
    /// The address as given; not necessarily a valid URL.
    public var url: String

    /// Creates a web address with a label.
    public init(label: String = "", url: String) {
        self.label = label
        self.url = url
    }
}

/// A postal address with the seven components of a vCard (RFC 6350, section 6.3.1).
public struct PostalAddress: Hashable, Sendable, Codable {
    /// The label: "home", "work", or a custom label; empty if unknown.
    public var label: String
    /// The post office box.
    public var box: String
    /// The apartment or suite.
    public var extended: String
    /// The street and number; lines are separated by line feeds.
    public var street: String
    /// The city.
    public var locality: String
    /// The state or province.
    public var region: String
    /// The postal code.
    public var postalCode: String
    /// The name of the country.
    public var country: String
    /// The additional components of RFC 9554, from room to direction, which repeat parts of the other components; empty
    /// if absent.
    var extendedComponents: [String] = []

    private enum CodingKeys: String, CodingKey {
        case label, box, extended, street, locality, region, postalCode, country
    }

    /// Creates an address. Any component may be empty.
    public init(
        label: String = "", box: String = "", extended: String = "", street: String = "", locality: String = "",
        region: String = "", postalCode: String = "", country: String = ""
    ) {
        self.label = label
        self.box = box
        self.extended = extended
        self.street = street
        self.locality = locality
        self.region = region
        self.postalCode = postalCode
        self.country = country
    }

    /// The seven components in the order of a vCard.
    var components: [String] { [box, extended, street, locality, region, postalCode, country] }

    var allComponents: [String] { components + extendedComponents }

    /// `true` if all components are empty.
    package var isEmpty: Bool { allComponents.allSatisfy(\.isEmpty) }

    /// Creates an address from up to eighteen components in vCard order; further ones are dropped.
    init(label: String, components: [String]) {
        func part(_ index: Int) -> String { index < components.count ? components[index] : "" }
        self.init(
            label: label, box: part(0), extended: part(1), street: part(2), locality: part(3), region: part(4),
            postalCode: part(5), country: part(6))
        extendedComponents = Array(components.dropFirst(7).prefix(11))
        while extendedComponents.last?.isEmpty ?? false { extendedComponents.removeLast() }
    }
}
