import Foundation
public import SwitchboardJSON
import SwitchboardVCard

// The JSON of the front ends: camelCase, times in ISO 8601 and UTC. The keys of the front-end contract are always
// present (null if unknown), the others only if they have a value.

extension Contact: JSONObjectEncodable, Decodable {
    /// Encodes the object that responses contain under `contact`.
    public func encode(to members: inout JSONMembers) throws { try encodeFields(to: &members) }

    /// The names of all members.
    static let memberNames = Set(
        [
            "id", "name", "phoneticName", "phones", "emails", "addresses", "urls", "groups", "photo", "favourite",
            "callCount", "lastCalledAt", "createdAt", "modifiedAt", "uid", "otherProperties",
        ] + ContactTextField.all.map(\.key) + ContactListField.all.map(\.key))

    /// The names of the members of each value of a list.
    static let partNames: [String: Set<String>] = [
        "phones": ["label", "number", "e164", "preferred"], "emails": ["label", "address", "preferred"],
        "addresses": [
            "label", "box", "extended", "street", "locality", "region", "postalCode", "country",
        ], "urls": ["label", "url"],
    ].merging(ContactListField.all.filter { $0.parts.count > 1 }.map { ($0.key, Set($0.parts)) }) { first, _ in first }

    /// Decodes the output of ``encode(to:)``. Every key may be missing.
    ///
    /// - Throws: `DecodingError` if a value has another type or a time is not in ISO 8601.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: JSONKey.self)
        self.init(id: try container.text("id"))
        for field in ContactTextField.all { self[field] = try container.text(JSONKey(field.key)) }
        phones = try container.list("phones")
        emails = try container.list("emails")
        addresses = try container.list("addresses")
        urls = try container.list("urls")
        groups = try container.list("groups")
        photo = try container.decodeIfPresent(PhotoSummary.self, forKey: "photo").map {
            ContactPhoto(mediaType: $0.type, size: $0.size)
        }
        isFavourite = try container.decodeIfPresent(Bool.self, forKey: "favourite") ?? false
        callCount = try container.decodeIfPresent(Int.self, forKey: "callCount") ?? 0
        lastCalledAt = try container.time("lastCalledAt")
        createdAt = try container.time("createdAt")
        modifiedAt = try container.time("modifiedAt")
        sourceUID = try container.text("uid")
        otherProperties = try container.list("otherProperties")
        for list in ContactListField.all {
            let values = try container.listValues(of: list)
            // The other properties of an export have the same values with their parameters.
            self[list] += values.filter { !self[list].contains($0) }
        }
        // `name` is the displayed name, which may be a composed name, the organization or a number.
        let displayed = try container.text("name")
        if displayed != displayName { formattedName = displayed }
    }
}

extension Phone: JSONObjectEncodable, Decodable {
    private enum CodingKeys: String, CodingKey { case label, number, e164, preferred }

    /// Encodes `{"label", "number", "e164"}`.
    public func encode(to members: inout JSONMembers) throws {
        try encodePhone(label: label, number: number.text, e164: number.e164, isPreferred: isPreferred, to: &members)
    }

    /// Decodes `{"label", "number", "e164"}`. The E.164 form determines the country of a national `number`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let text = try container.decode(String.self, forKey: .number)
        var number = PhoneNumber(text)
        if number.e164 == nil, let e164 = try container.decodeIfPresent(String.self, forKey: .e164) {
            let international = PhoneNumber(e164)
            number = PhoneNumber(
                text: text, e164: international.e164, nationalNumber: international.nationalNumber,
                trunkNumber: international.trunkNumber, extensionNumber: international.extensionNumber)
        }
        self.init(
            label: try container.text(.label), number: number,
            isPreferred: try container.decodeIfPresent(Bool.self, forKey: .preferred) ?? false)
    }
}

extension Email: JSONObjectEncodable, Decodable {
    private enum CodingKeys: String, CodingKey { case label, address, preferred }

    /// Encodes `{"label", "address"}`.
    public func encode(to members: inout JSONMembers) throws {
        try encodeEmail(label: label, address: address, isPreferred: isPreferred, to: &members)
    }

    /// Decodes `{"label", "address"}`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            label: try container.text(.label),
            address: try container.decode(String.self, forKey: .address),
            isPreferred: try container.decodeIfPresent(Bool.self, forKey: .preferred) ?? false)
    }
}

extension WebAddress {
    /// Decodes `{"label", "url"}`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: JSONKey.self)
        self.init(label: try container.text("label"), url: try container.decode(String.self, forKey: "url"))
    }
}

extension PostalAddress {
    /// Decodes the label and the seven components, each of which may be missing.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: JSONKey.self)
        self.init(
            label: try container.text("label"), box: try container.text("box"),
            extended: try container.text("extended"),
            street: try container.text("street"), locality: try container.text("locality"),
            region: try container.text("region"), postalCode: try container.text("postalCode"),
            country: try container.text("country"))
    }
}

/// The JSON of a photo without its bytes: `{"type": "image/jpeg", "size": 48213}`.
private struct PhotoSummary: Codable {
    let type: String
    let size: Int

    init(_ photo: ContactPhoto) {
        (type, size) = (photo.mediaType, photo.size)
    }
}

// MARK: - Fields

/// The JSON fields of a contact, read from a ``Contact`` or, without decoding it, from a ``StoredContact``.
protocol ContactFields {
    associatedtype Text: JSONText

    /// Returns the value of a field of ``ContactTextField/all``; empty if the contact has none.
    func text(at position: Int) -> Text
    var storedID: Text { get }
    var storedDisplayName: Text { get }
    var storedPhoneticName: Text { get }
    var storedUID: Text { get }
    /// Adds the numbers and e-mail addresses.
    func addLists(to members: inout JSONMembers) throws
    var isFavourite: Bool { get }
    var callCount: Int { get }
    var lastCalledAt: Date? { get }
    var createdAt: Date? { get }
    var modifiedAt: Date? { get }
    /// The contact itself; nil if it has no details (postal and web addresses, groups, a photo or other properties).
    var contactWithDetails: Contact? { get }
}

extension ContactFields {
    /// Encodes the object that responses contain under `contact`.
    func encodeFields(to members: inout JSONMembers) throws {
        let details = contactWithDetails
        try storedID.addUnlessEmpty(to: &members, as: "id")
        try storedDisplayName.add(to: &members, as: "name")
        let (keys, nickname, end) = (TextKey.all, TextKey.nickname, ContactTextField.beforeLists.count)
        for position in 0..<end {
            try text(at: position).add(to: &members, keys[position])
            if position == nickname { try storedPhoneticName.addUnlessEmpty(to: &members, as: "phoneticName") }
        }
        try addLists(to: &members)
        if let details {
            try members.addUnlessEmpty("addresses", details.addresses)
            try members.addUnlessEmpty("urls", details.urls)
            try members.addUnlessEmpty("groups", details.groups)
            if let photo = details.photo { try members.add("photo", PhotoSummary(photo)) }
        }
        for position in end..<keys.count { try text(at: position).add(to: &members, keys[position]) }
        try members.add("favourite", isFavourite)
        try members.add("callCount", callCount)
        try members.addTime("lastCalledAt", lastCalledAt)
        try members.addTime("createdAt", createdAt)
        try members.addTime("modifiedAt", modifiedAt)
        try storedUID.addUnlessEmpty(to: &members, as: "uid")
        if let details {
            for list in ContactListField.all { try details.addValues(of: list, to: &members) }
            try members.addUnlessEmpty("otherProperties", details.otherProperties)
        }
    }
}

extension Contact {
    /// Adds the values of a list as strings, or as objects of their parts.
    fileprivate func addValues(of list: ContactListField, to members: inout JSONMembers) throws {
        let values = self[list]
        if list.parts.count == 1 { return try members.addUnlessEmpty(list.key, values.map(\.text)) }
        try members.addUnlessEmpty(list.key, values.map { ListValue(names: list.parts, texts: $0.parts) })
    }
}

/// A value of a list in JSON, without its empty parts.
private struct ListValue: JSONObjectEncodable {
    let names: [String]
    let texts: [String]

    func encode(to members: inout JSONMembers) throws {
        for (name, text) in zip(names, texts) { try members.addUnlessEmpty(name, text) }
    }
}

extension KeyedDecodingContainer<JSONKey> {
    /// Returns the values of a list; empty without its key.
    fileprivate func listValues(of list: ContactListField) throws -> [ContactListField.Value] {
        let key = JSONKey(list.key)
        if list.parts.count == 1 { return try self.list(key).map { (text: String) in .init([text]) } }
        let objects: [[String: String]] = try self.list(key)
        return objects.map { object in .init(list.parts.map { object[$0] ?? "" }) }
    }
}

/// The key of a text field in JSON.
///
/// A search writes some hundred of them; reading a value of the table counts references.
private struct TextKey {
    let name: String
    let isAlwaysPresent: Bool

    static let all = ContactTextField.all.map { TextKey(name: $0.key, isAlwaysPresent: $0.isAlwaysPresent) }
    static let nickname = ContactTextField.all.firstIndex(of: .nickname) ?? 0
}

extension JSONText {
    fileprivate func add(to members: inout JSONMembers, _ key: TextKey) throws {
        if key.isAlwaysPresent {
            try addOrNull(to: &members, as: key.name)
        } else {
            try addUnlessEmpty(to: &members, as: key.name)
        }
    }
}

extension Contact: ContactFields {
    func text(at position: Int) -> String { self[ContactTextField.all[position]] }
    var storedID: String { id }
    var storedDisplayName: String { displayName }
    var storedPhoneticName: String { phoneticName }
    var storedUID: String { sourceUID }

    func addLists(to members: inout JSONMembers) throws {
        try members.add("phones", phones)
        try members.add("emails", emails)
    }

    var contactWithDetails: Contact? { self }
}

func encodePhone<Text: JSONText>(
    label: Text, number: Text, e164: Text?, isPreferred: Bool, to members: inout JSONMembers
) throws {
    try label.addOrNull(to: &members, as: "label")
    try number.add(to: &members, as: "number")
    if let e164 { try e164.add(to: &members, as: "e164") } else { try members.addNull("e164") }
    if isPreferred { try members.add("preferred", true) }
}

func encodeEmail<Text: JSONText>(
    label: Text, address: Text, isPreferred: Bool, to members: inout JSONMembers
) throws {
    try label.addOrNull(to: &members, as: "label")
    try address.add(to: &members, as: "address")
    if isPreferred { try members.add("preferred", true) }
}

/// A text in JSON: a string, or UTF-8.
protocol JSONText {
    var isEmpty: Bool { get }
    func add(to members: inout JSONMembers, as name: String) throws
}

extension String: JSONText {
    func add(to members: inout JSONMembers, as name: String) throws { try members.add(name, self) }
}

extension ArraySlice<UInt8>: JSONText {
    func add(to members: inout JSONMembers, as name: String) throws { try members.add(name, self) }
}

extension JSONText {
    fileprivate func addOrNull(to members: inout JSONMembers, as name: String) throws {
        if isEmpty { try members.addNull(name) } else { try add(to: &members, as: name) }
    }

    fileprivate func addUnlessEmpty(to members: inout JSONMembers, as name: String) throws {
        if !isEmpty { try add(to: &members, as: name) }
    }
}
