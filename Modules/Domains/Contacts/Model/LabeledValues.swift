import SwitchboardAlgorithms
import SwitchboardVCard

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
    /// The other parameters of the vCard property: `;PREF=1;X-COUCHDB-UUID=…`.
    var parameters = ""

    private enum CodingKeys: String, CodingKey { case label, url }

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
    /// The other parameters of the vCard property: `;GEO="geo:6.5,3.3"`.
    var parameters = ""

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

    /// Returns `true` for an address that differs only in what a program wrote for itself.
    public func isSame(as other: PostalAddress) -> Bool { label == other.label && components == other.components }

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

// MARK: - Lists of a contact

extension Contact {
    /// The contact without duplicate numbers, addresses and groups. The first label stays.
    package var deduplicated: Contact {
        var contact = self
        contact.phones = []
        for phone in phones { contact.add(phone) }
        contact.emails = []
        for email in emails { contact.add(email) }
        contact.addresses = []
        for address in addresses { contact.add(address) }
        contact.urls = []
        for url in urls { contact.add(url) }
        contact.otherProperties = otherProperties.uniqued
        contact.groups = []
        for group in groups { contact.addGroup(group) }
        return contact
    }

    /// Returns notes about equal numbers and e-mail addresses with other labels, which ``deduplicated`` has left out.
    func repetitions(leftOutOf kept: Contact, line: Int) -> [MalformedInput] {
        // Comparing numbers takes a tenth of an import.
        if phones.count == kept.phones.count, emails.count == kept.emails.count { return [] }
        let numbers = phones.enumerated().compactMap { index, phone in
            phones[..<index].first { $0.number.isSame(as: phone.number) }.map {
                (phone.number.text, phone.label, $0.label)
            }
        }
        let addresses = emails.enumerated().compactMap { index, email in
            emails[..<index].first { $0.identity == email.identity }.map { (email.address, email.label, $0.label) }
        }
        return (numbers + addresses).filter { !$0.1.isEmpty && !$0.2.isEmpty && $0.1 != $0.2 }.map {
            text, label, kept in
            MalformedInput(line: line, reason: "“\(text)” is listed as “\(kept)” and as “\(label)”; the first is kept")
        }
    }

    /// Adds a number, or completes an equal one.
    mutating func add(_ phone: Phone) {
        guard let index = phones.firstIndex(where: { $0.number.isSame(as: phone.number) }) else {
            return phones.append(phone)
        }
        // Prefers the number with an E.164 form.
        if phones[index].number.e164 == nil, phone.number.e164 != nil { phones[index].number = phone.number }
        phones[index].complete(from: phone)
    }

    /// Adds an address, or completes an equal one.
    mutating func add(_ email: Email) {
        guard let index = emails.firstIndex(where: { $0.identity == email.identity }) else {
            return emails.append(email)
        }
        emails[index].complete(from: email)
    }
}

extension Contact {
    /// Adds a postal address, or the parameters of an equal one that has none.
    private mutating func add(_ address: PostalAddress) {
        let index = addresses.firstIndex { known in
            known.label == address.label && known.allComponents == address.allComponents
                && (known.parameters.isEmpty || address.parameters.isEmpty || known.parameters == address.parameters)
        }
        guard let index else { return addresses.append(address) }
        if addresses[index].parameters.isEmpty { addresses[index].parameters = address.parameters }
    }

    /// Adds a web address, or the parameters of an equal one that has none.
    private mutating func add(_ url: WebAddress) {
        let index = urls.firstIndex { known in
            known.label == url.label && known.url == url.url
                && (known.parameters.isEmpty || url.parameters.isEmpty || known.parameters == url.parameters)
        }
        guard let index else { return urls.append(url) }
        if urls[index].parameters.isEmpty { urls[index].parameters = url.parameters }
    }
}

private protocol LabeledValue {
    var label: String { get set }
    var isPreferred: Bool { get set }
    var parameters: String { get set }
}

extension Phone: LabeledValue {}
extension Email: LabeledValue {}

extension LabeledValue {
    /// Fills in what this value lacks from an equal one.
    fileprivate mutating func complete(from other: Self) {
        if label.isEmpty { label = other.label }
        if other.isPreferred { isPreferred = true }
        if parameters.isEmpty { parameters = other.parameters }
    }
}

// MARK: - Typed numbers and addresses

extension Phone {
    /// Parses a number with an optional label: "0532 123 45 67", "work: 0212 555 01 00".
    public init(typed text: String, region: String?) {
        let (label, rest) = splitLabel(text)
        self.init(label: label, number: PhoneNumber(rest, region: region))
    }
}

extension Email {
    /// Parses an address with an optional label: "a@example.org", "home:a@example.org".
    public init(typed text: String) {
        let (label, rest) = splitLabel(text)
        self.init(label: label, address: rest)
    }
}

extension PostalAddress {
    /// Parses up to five parts in the order of a vCard, with an optional label: "home:Rua Nova 3;Porto;;4000-002;Portugal".
    public init(typed text: String) {
        let (label, rest) = splitLabel(text)
        let parts = rest.split(separator: ";", maxSplits: 4, omittingEmptySubsequences: false)
        self.init(label: label, components: ["", ""] + parts.map { String($0).trimmingWhitespace })
    }
}

extension WebAddress {
    /// Parses an address with an optional label: `https://example.org`, `blog:https://example.org`, `work:example.org`.
    ///
    /// The scheme of `mailto:a@example.org` and the port of `example.org:8080/x` are no label.
    public init(typed text: String) {
        let text = text.trimmingWhitespace
        guard let colon = text.firstIndex(of: ":"), !text[colon...].hasPrefix("://") else {
            self.init(url: text)
            return
        }
        let (label, rest) = splitLabel(text)
        let isLabel = rest.contains("://") || label == "blog" || Labels.types(of: label)?.isEmpty == false
        self.init(label: isLabel ? label : "", url: isLabel ? rest : text)
    }
}

/// Splits a text at the first colon into a model label and the rest.
private func splitLabel(_ text: String) -> (label: String, rest: String) {
    guard let colon = text.firstIndex(of: ":") else { return ("", text.trimmingWhitespace) }
    let rest = String(text[text.index(after: colon)...]).trimmingWhitespace
    let label = String(text[..<colon]).trimmingWhitespace
    // The schemes of tel:+90… and mailto:a@example.org are not labels.
    if ["tel", "mailto"].contains(label.lowercased()) { return ("", rest) }
    return (Labels.label(ofWords: label), rest)
}

// MARK: - Labels

/// Conversions between the labels of the model and of the file formats.
///
/// The model uses "mobile", "home", "work", "work mobile", "home fax", "pager", "main" and "other". Any other label is
/// custom and stays unchanged.
package enum Labels {
    /// The types that are not part of a label.
    static let otherTypes: Set = [
        "x400", "msg", "text", "sms", "video", "dom", "intl", "postal", "parcel", "textphone",
    ]

    /// Returns the label for the types of a vCard property: "mobile" for CELL, "work fax" for WORK and FAX.
    static func label(ofTypes types: [String]) -> String {
        var place = ""
        var kind = ""
        var own: [String] = []
        for type in types {
            switch type {
            case "home", "work": if place.isEmpty { place = type }
            case "cell", "mobile": if kind.isEmpty || kind == "iphone" { kind = "mobile" }
            case "fax", "pager", "main": kind = type
            case "car": if kind.isEmpty { kind = "car" }
            case "iphone": if kind.isEmpty { kind = "iphone" }
            case "voice", "pref", "internet", "other", "uri", "": continue
            case _ where otherTypes.contains(type): continue
            default: own.append(self.label(ofWords: type.hasPrefix("x-") ? String(type.dropFirst(2)) : type))
            }
        }
        let known = [place, kind].filter { !$0.isEmpty }.joined(separator: " ")
        if !known.isEmpty { return known }
        if let first = own.first { return first }
        return types.contains("other") ? "other" : ""
    }

    /// Returns the vCard types of a label in capitals; nil for a custom label, which needs `X-ABLabel`.
    static func types(of label: String) -> [String]? {
        if label.isEmpty { return [] }
        var types: [String] = []
        for word in label.split(separator: " ") {
            switch word {
            case "home", "work", "fax", "pager", "car", "main", "other", "iphone": types.append(word.uppercased())
            case "mobile": types.append("CELL")
            default: return nil
            }
        }
        // The order of types is lost: "mobile home" would be read back as "home mobile".
        return self.label(ofTypes: types.map { $0.lowercased() }) == label ? types : nil
    }

    /// Returns the value of `X-ABLabel`. Labels that Apple localizes are enclosed in its brackets.
    static func customLabel(_ label: String) -> String {
        localized.contains(label) ? "_$!<" + label + ">!$_" : label
    }

    private static let localized: Set<String> = [
        "HomePage", "Anniversary", "Spouse", "Partner", "Mother", "Father", "Parent", "Brother", "Sister", "Child",
        "Son", "Daughter", "Friend", "Assistant", "Manager", "School",
    ]

    /// Returns the model's label for a label of another program: "Mobile Phone", "_$!<Mobile>!$_", "* Work Fax".
    package static func label(ofWords words: String) -> String {
        var text = words.trimmingWhitespace
        while true {
            if text.hasPrefix("_$!<"), text.hasSuffix(">!$_"), text.count >= 8 {
                text = String(text.dropFirst(4).dropLast(4)).trimmingWhitespace
            } else if text.hasPrefix("*") {
                // Google marks the preferred entry with an asterisk.
                text = String(text.dropFirst()).trimmingWhitespace
            } else {
                break
            }
        }
        let lowercased = text.lowercased()
        switch lowercased {
        case "mobile", "cell", "mobile phone", "cell phone", "cellular", "cellphone": return "mobile"
        case "home", "work", "main", "pager", "other", "fax", "car", "iphone": return lowercased
        case "business", "company", "company main": return "work"
        case "homefax", "home fax": return "home fax"
        case "workfax", "work fax", "business fax": return "work fax"
        case "workmobile", "work mobile", "work cell": return "work mobile"
        case "workpager", "work pager": return "work pager"
        default: return text
        }
    }
}
