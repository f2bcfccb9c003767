import Foundation
import SwitchboardAlgorithms
import SwitchboardVCard

/// A list of a contact whose values are vCard properties without a field of their own.
///
/// Each list is described once, in this file. The values stay in ``Contact/otherProperties`` with all their parameters,
/// so that no format loses them. JSON, limits, search, conflicts, details and the forms of the front ends are derived
/// from ``all``. For example:
///
/// ```swift
/// contact[.socialProfiles] = [.init(typed: "mastodon:immy", in: .socialProfiles)]
/// ```
///
/// To add a list: an entry here, and a migration that adds its texts to the stored search texts. The command line also
/// needs an option, and the page its fields.
public final class ContactListField: Sendable {
    /// The key in JSON, such as `relatedNames`.
    public let key: String
    /// The label in lists of details and forms.
    public let label: String
    /// The name of a value in errors, such as `related name`.
    package let name: String
    /// The names of the parts of a value: its members in JSON. A value with a single part is a string there.
    public let parts: [String]
    let search: ContactField
    /// The vCard properties in upper case.
    private let properties: Set<String>
    private let read: @Sendable (VCardProperty) -> [String]?
    /// Returns the content line of a value.
    fileprivate let line: @Sendable ([String]) -> String

    private init(
        _ key: String, label: String, name: String, parts: [String], search: ContactField, properties: Set<String>,
        read: @escaping @Sendable (VCardProperty) -> [String]?, line: @escaping @Sendable ([String]) -> String
    ) {
        (self.key, self.label, self.name, self.parts, self.search) = (key, label, name, parts, search)
        (self.properties, self.read, self.line) = (properties, read, line)
    }

    /// A value of a list.
    public struct Value: Hashable, Sendable {
        /// The texts of the list's ``ContactListField/parts``; empty if unknown.
        public let parts: [String]

        /// Creates a value of its parts.
        public init(_ parts: [String]) { self.parts = parts.map(\.trimmingWhitespace) }

        /// Creates a value from a text as a person types it: `service:user`, `service:user https://…`, `https://…` or, for
        /// a related person, a name.
        public init(typed text: String, in list: ContactListField) {
            let text = text.trimmingWhitespace
            self.init(list.parts.count == 1 ? [text] : SocialProfile.parts(typed: text))
        }

        /// The value as a person types it.
        public var text: String { parts.count == 1 ? parts[0] : SocialProfile.text(of: parts) }

        /// `true` if the value has no content.
        public var isEmpty: Bool { (parts.count == 1 ? parts[...] : parts.dropFirst()).allSatisfy(\.isEmpty) }
    }

    /// Returns the value of a content line; nil if it belongs to another list, or to none.
    fileprivate func value(of line: String) -> Value? {
        let head = line.utf8.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
        let name = Substring(head).split(separator: ".").last?.uppercased() ?? ""
        guard properties.contains(name), let property = try? VCardProperty(unfolded: line) else { return nil }
        return read(property).map(Value.init).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns `true` if a content line is a value of a list.
    fileprivate static func contains(_ line: String) -> Bool { all.contains { $0.value(of: line) != nil } }
}

extension ContactListField: Hashable {
    /// Returns `true` for the same list.
    public static func == (one: ContactListField, other: ContactListField) -> Bool { one === other }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// MARK: - The table

extension ContactListField {
    /// The names of related people: relatives, assistants, managers. Related people without a name, such as a `RELATED`
    /// property with an identifier, are left out.
    public static let relatedNames = ContactListField(
        "relatedNames", label: "related people", name: "related name", parts: ["name"], search: ContactField(10),
        // The properties of Apple, Android, Evolution and KDE, and of RFC 6350.
        properties: [
            "RELATED", "X-ABRELATEDNAMES", "X-ANDROID-CUSTOM", "X-SPOUSE", "X-MANAGER", "X-ASSISTANT",
            "X-EVOLUTION-SPOUSE", "X-EVOLUTION-MANAGER", "X-EVOLUTION-ASSISTANT", "X-KADDRESSBOOK-X-SPOUSESNAME",
            "X-KADDRESSBOOK-X-MANAGERSNAME", "X-KADDRESSBOOK-X-ASSISTANTSNAME",
        ],
        read: { [relatedName(in: $0)] }, line: { "RELATED;VALUE=text:" + VCardText.escaped($0[0]) })

    /// The profiles in social networks, each with service, user name and address (RFC 9554, section 3.5, and Apple's
    /// `X-SOCIALPROFILE`).
    public static let socialProfiles = ContactListField(
        "socialProfiles", label: "profile", name: "social profile", parts: ["service", "user", "url"],
        search: ContactField(12), properties: [SocialProfile.property, SocialProfile.appleProperty],
        read: SocialProfile.parts, line: SocialProfile.line)

    /// All lists, in the order of JSON.
    public static let all = [relatedNames, socialProfiles]

    private static func relatedName(in property: VCardProperty) -> String {
        switch property.name {
        case "RELATED":
            // The default type of the value is a URI.
            let isText = property.values(of: "VALUE").contains { $0.lowercased() == "text" }
            return isText || !property.value.contains(":") ? property.text : ""
        case "X-ANDROID-CUSTOM":
            let components = property.components
            return components.first == "vnd.android.cursor.item/relation" ? components.dropFirst().first ?? "" : ""
        default: return property.text
        }
    }
}

extension Contact {
    /// The values of a list, in the order of ``otherProperties``.
    ///
    /// When they are set, a value that is already present keeps its property with its parameters, such as the relation.
    /// Empty and repeated values are dropped.
    public subscript(list: ContactListField) -> [ContactListField.Value] {
        get { otherProperties.compactMap(list.value).uniqued }
        set {
            let values = newValue.filter { !$0.isEmpty }.uniqued
            guard values != self[list] else { return }
            let known = Dictionary(grouping: otherProperties) { list.value(of: $0) }
            otherProperties = (known[nil] ?? []) + values.flatMap { known[$0] ?? [list.line($0.parts)] }
        }
    }

    /// The names of related people; see ``ContactListField/relatedNames``.
    public var relatedNames: [String] { self[.relatedNames].map(\.text) }

    /// Replaces the values of a list by those of texts as a person types them.
    ///
    /// - Throws: ``ContactBookError/tooLong(field:limit:)`` for a value of more than ``largestName`` bytes, or
    ///   ``ContactBookError/tooMany(field:limit:)`` for more than ``largestList`` values. The contact is then unchanged.
    public mutating func set(_ list: ContactListField, toTyped texts: [String]) throws(ContactBookError) {
        let known = self[list]
        try set(
            list,
            to: texts.map { text in known.first { $0.text == text } ?? ContactListField.Value(typed: text, in: list) })
    }

    /// Replaces the values of a list.
    ///
    /// - Throws: The errors of ``set(_:toTyped:)``.
    public mutating func set(_ list: ContactListField, to values: [ContactListField.Value]) throws(ContactBookError) {
        let values = values.filter { !$0.isEmpty }
        try Contact.checkCount(values.count, of: list.name)
        for value in values { try Contact.checkSize(of: value.text, in: list.name) }
        self[list] = values
    }

    /// The other properties without those of a list.
    package var unlistedProperties: [String] { otherProperties.filter { !ContactListField.contains($0) } }

    /// The values of the other properties as they are searched, empty for those of a list.
    var searchedProperties: [String] {
        otherProperties.map { ContactListField.contains($0) ? "" : VCardProperty.searchedValue(of: $0) }
    }
}

// MARK: - Social profiles

/// The two notations of a profile in a social network.
///
/// - RFC 9554: `SOCIALPROFILE;SERVICE-TYPE=Mastodon;USERNAME=immy:https://social.example/@immy`
/// - Apple: `X-SOCIALPROFILE;TYPE=Mastodon;X-USER=immy:https://social.example/@immy`, in version 3.0. A profile without
///   an address has `x-apple:immy`, instead of a text.
///
/// The first one is stored, the second one is read and, in version 3.0, written.
enum SocialProfile {
    static let property = "SOCIALPROFILE"
    static let appleProperty = "X-SOCIALPROFILE"
    private static let appleScheme = "x-apple:"
    /// The parameters of the RFC and of Apple.
    private static let parameters = [(rfc: "SERVICE-TYPE", apple: "TYPE"), (rfc: "USERNAME", apple: "X-USER")]
    /// Types that tell where a profile is used, and not its service.
    private static let places: Set = ["home", "work", "other", "pref", "internet"]

    /// Returns the service, the user name and the address of a profile.
    @Sendable
    static func parts(of property: VCardProperty) -> [String]? {
        let isText = property.values(of: "VALUE").contains { $0.lowercased() == "text" }
        let services = property.values(of: "SERVICE-TYPE") + property.types.filter { !places.contains($0) }
        var user = (property.values(of: "USERNAME") + property.values(of: "X-USER")).first ?? ""
        var url = property.text
        if url.lowercased().hasPrefix(appleScheme) {
            if user.isEmpty { user = String(url.dropFirst(appleScheme.count)).removingPercentEncoding ?? "" }
            url = ""
        } else if isText || !url.contains(":") {
            if user.isEmpty { user = url }
            url = ""
        }
        // A custom label in an address book names the service.
        return [services.first ?? property.separatingLabel.label, user, url]
    }

    @Sendable
    static func line(of parts: [String]) -> String {
        func parameter(_ name: String, _ value: String) -> String {
            value.isEmpty ? "" : VCardProperty.Parameter(name: name, values: [value]).encoded
        }
        let head = property + parameter("SERVICE-TYPE", parts[0]) + parameter("USERNAME", parts[1])
        let url = parts[2].filter { !$0.isNewline }
        return url.isEmpty ? head + ";VALUE=text:" + VCardText.escaped(parts[1]) : head + ":" + url
    }

    /// Returns the parts of a text such as `mastodon:immy https://social.example/@immy`.
    static func parts(typed text: String) -> [String] {
        var (service, rest) = ("", text)
        if let colon = text.firstIndex(of: ":"), !text[colon...].hasPrefix("://") {
            service = String(text[..<colon])
            rest = String(text[text.index(after: colon)...]).trimmingWhitespace
        }
        let words = rest.split(separator: " ")
        guard let url = words.last, url.contains("://") else { return [service, rest, ""] }
        return [service, words.dropLast().joined(separator: " "), String(url)]
    }

    /// Returns the text of the parts of a profile.
    static func text(of parts: [String]) -> String {
        (parts[0].isEmpty ? "" : parts[0] + ":") + parts[1...].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Returns Apple's notation in that of the RFC, or nil if it has parameters that do not fit.
    static func read(_ apple: VCardProperty) -> VCardProperty? {
        guard apple.name == appleProperty, let type = apple.values(of: "TYPE").first,
            apple.values(of: "TYPE").count == 1, !type.contains(","), !places.contains(type.lowercased())
        else { return nil }
        var profile = apple
        guard profile.rename(parameters.map { (from: $0.apple, to: $0.rfc) }, as: property) else { return nil }
        let user = profile.values(of: "USERNAME")
        if user.count == 1, apple.value == appleScheme + VCardText.escaped(user[0]) {
            profile.parameters.append(.init(name: "VALUE", values: ["text"]))
            profile.value = VCardText.escaped(user[0])
        }
        return profile
    }

    /// Returns the notation of the RFC in Apple's, or nil if it has parameters that do not fit.
    static func apple(_ profile: VCardProperty) -> VCardProperty? {
        guard profile.name == property, profile.values(of: "SERVICE-TYPE").count == 1 else { return nil }
        var apple = profile
        guard apple.rename(parameters.map { (from: $0.rfc, to: $0.apple) }, as: appleProperty) else { return nil }
        let user = apple.values(of: "X-USER")
        if user.count == 1, profile.values(of: "VALUE") == ["text"], profile.value == VCardText.escaped(user[0]) {
            apple.parameters.removeAll { $0.name == "VALUE" }
            apple.value = appleScheme + profile.value
        }
        // What Apple's notation does not give back stays as it is.
        return read(apple)?.unfolded == profile.unfolded ? apple : nil
    }
}

extension VCardProperty {
    /// Renames the property and some of its parameters. Returns `false` if it already has one of the new parameters.
    fileprivate mutating func rename(_ names: [(from: String, to: String)], as name: String) -> Bool {
        let new = names.map(\.to)
        guard !parameters.contains(where: { new.contains($0.name) }) else { return false }
        for (from, to) in names {
            for index in parameters.indices where parameters[index].name == from { parameters[index].name = to }
        }
        self.name = name
        return true
    }
}
