public import Foundation

/// A person or a company: names, ways to reach them, and what is remembered about them.
///
/// Texts that are not there are empty. Whatever a vCard held that has no place here is kept in ``otherProperties`` and
/// written back on export.
public struct Contact: Hashable, Sendable, Identifiable {
    /// The stable identifier; empty until the contact is stored.
    public var id: String
    /// The parts of the name.
    public var name: PersonName
    /// The whole name as its owner writes it; empty where the parts say it all.
    public var formattedName: String
    /// What friends say; several are parted by commas.
    public var nickname: String
    /// How the given name sounds, in kana or Latin.
    public var phoneticGivenName: String
    /// How the family name sounds.
    public var phoneticFamilyName: String
    /// The company.
    public var organization: String
    /// The part of the company; deeper parts follow after "; ".
    public var department: String
    /// The position in the company.
    public var title: String
    /// The phone numbers, in order of use.
    public var phones: [Phone]
    /// The e-mail addresses, in order of use.
    public var emails: [Email]
    /// Where to send letters.
    public var addresses: [PostalAddress]
    /// Pages of the web.
    public var urls: [WebAddress]
    /// What the owner sorts the contact under ("Family"), in the order of the source.
    public var groups: [String]
    /// What the contact looks like; nil if unknown.
    public var photo: ContactPhoto?
    /// Anything else, in words.
    public var note: String
    /// `1980-04-15`, or `--04-15` without the year, or whatever the source said; empty if unknown.
    public var birthday: String
    /// Whether the contact comes first.
    public var isFavourite: Bool
    /// How often the contact was chosen.
    public var callCount: Int
    /// When the contact was last chosen.
    public var lastCalledAt: Date?
    /// When the contact was stored first.
    public var createdAt: Date?
    /// When the contact was last changed (not: chosen).
    public var modifiedAt: Date?
    /// The identifier in the book the contact came from (`UID` of a vCard), without "urn:uuid:".
    public var sourceUID: String
    /// Properties without a place above: unfolded vCard lines in UTF-8, as `IMPP;X-LABEL=Jabber:xmpp:ana@example.org`. The label of a
    /// group (`X-ABLabel`) is the parameter `X-LABEL`; what is embedded has the form of version 3.
    public var otherProperties: [String]

    /// A contact with a name and nothing else yet.
    public init(id: String = "", name: PersonName = PersonName(), formattedName: String = "") {
        self.id = id
        self.name = name
        self.formattedName = formattedName
        self.nickname = ""
        self.phoneticGivenName = ""
        self.phoneticFamilyName = ""
        self.organization = ""
        self.department = ""
        self.title = ""
        self.phones = []
        self.emails = []
        self.addresses = []
        self.urls = []
        self.groups = []
        self.photo = nil
        self.note = ""
        self.birthday = ""
        self.isFavourite = false
        self.callCount = 0
        self.lastCalledAt = nil
        self.createdAt = nil
        self.modifiedAt = nil
        self.sourceUID = ""
        self.otherProperties = []
    }
}

// MARK: - The names that are shown and searched

extension Contact {
    /// What a list shows: the whole name, or else nickname, organisation, e-mail address or number, whichever comes first.
    public var displayName: String {
        let whole = fullName
        if !whole.isEmpty { return whole }
        if !nickname.isEmpty { return nickname }
        if !organization.isEmpty { return organization }
        if let address = emails.first?.address { return address }
        return phones.first?.number.text ?? ""
    }

    /// The name of the person alone: as written, or composed of its parts; empty if there is none.
    public var fullName: String {
        formattedName.isEmpty ? name.composed : formattedName
    }

    /// The name with the family name first ("Diaz Carmen Luz"); nil where that is what ``displayName`` says.
    public var reversedName: String? {
        let reversed = name.familyFirst
        return name.family.isEmpty || name.given.isEmpty || reversed == displayName ? nil : reversed
    }

    /// How the whole name sounds, given name first; empty if unknown.
    public var phoneticName: String {
        [phoneticGivenName, phoneticFamilyName].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Whether there is anything to list and find the contact by.
    public var isNameable: Bool { !displayName.isEmpty }
}

// MARK: - Ways to reach a contact

/// A phone number and what it is for.
public struct Phone: Hashable, Sendable {
    /// "mobile", "home", "work", "work fax", or the owner's own word; empty if unknown.
    public var label: String
    /// The number.
    public var number: PhoneNumber
    /// Whether the source marked it as the one to use.
    public var isPreferred: Bool
    /// What else its card says of it, as it stands there: `;X-EVOLUTION-UI-SLOT=1`.
    var parameters = ""

    /// A number under a label.
    public init(label: String = "", number: PhoneNumber, isPreferred: Bool = false) {
        self.label = label
        self.number = number
        self.isPreferred = isPreferred
    }
}

/// An e-mail address and what it is for.
public struct Email: Hashable, Sendable {
    /// "home", "work", or the owner's own word; empty if unknown.
    public var label: String
    /// The address.
    public var address: String
    /// Whether the source marked it as the one to use.
    public var isPreferred: Bool
    /// What else its card says of it, as it stands there: `;X-EVOLUTION-UI-SLOT=1`.
    var parameters = ""

    /// An address under a label.
    public init(label: String = "", address: String, isPreferred: Bool = false) {
        self.label = label
        self.address = address
        self.isPreferred = isPreferred
    }

    /// What two writings of one address have in common.
    public var identity: String { address.lowercased() }
}

/// A page of the web and what it is.
public struct WebAddress: Hashable, Sendable, Codable {
    /// "home", "work", "blog"…; empty if unknown.
    public var label: String
    /// The address as given; not necessarily a valid URL.
    public var url: String

    /// A page under a label.
    public init(label: String = "", url: String) {
        self.label = label
        self.url = url
    }
}

/// A postal address in the seven parts of a vCard (RFC 6350, section 6.3.1).
public struct PostalAddress: Hashable, Sendable, Codable {
    /// "home", "work", or the owner's own word; empty if unknown.
    public var label: String
    /// The post office box.
    public var box: String
    /// Apartment, suite.
    public var extended: String
    /// Street and number; several lines are parted by line feeds.
    public var street: String
    /// The town.
    public var locality: String
    /// State or province.
    public var region: String
    /// The postal code.
    public var postalCode: String
    /// The country's name.
    public var country: String
    /// The finer parts of RFC 9554, from the room to the direction, each of which stands in one of the others, too; none where a card
    /// has none.
    var finerParts: [String] = []

    private enum CodingKeys: String, CodingKey {
        case label, box, extended, street, locality, region, postalCode, country
    }

    /// An address of which any part may be empty.
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

    /// The seven parts in the order of a vCard.
    var parts: [String] { [box, extended, street, locality, region, postalCode, country] }

    /// All parts that a card has: seven, or, with the finer ones, more.
    var allParts: [String] { parts + finerParts }

    /// Whether no part says anything.
    var isEmpty: Bool { allParts.allSatisfy(\.isEmpty) }

    /// An address of up to eighteen parts in the order of a vCard; further ones are left out.
    init(label: String, parts: [String]) {
        func part(_ index: Int) -> String { index < parts.count ? parts[index] : "" }
        self.init(
            label: label, box: part(0), extended: part(1), street: part(2), locality: part(3), region: part(4),
            postalCode: part(5), country: part(6))
        finerParts = Array(parts.dropFirst(7).prefix(11))
        while finerParts.last?.isEmpty ?? false { finerParts.removeLast() }
    }
}
