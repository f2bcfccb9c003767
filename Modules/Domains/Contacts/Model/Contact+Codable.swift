import Foundation
import SwitchboardVCard

// The JSON of the front ends: camelCase, times in ISO 8601 and UTC. The keys of the front-end contract are always
// present (null if unknown), the others only if they have a value.

extension Contact: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, namePrefix, givenName, middleName, familyName, nameSuffix, nickname, phoneticName
        case phoneticGivenName, phoneticFamilyName, organization, department, title, phones, emails, addresses, urls,
            groups, photo
        case note, birthday, favourite, callCount, lastCalledAt, createdAt, modifiedAt, uid, otherProperties
    }

    /// Encodes the object that responses contain under `contact`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        func encodeAlways(_ text: String, _ key: CodingKeys) throws {
            try container.encode(text.isEmpty ? nil : text, forKey: key)
        }
        func encodeIfPresent(_ text: String, _ key: CodingKeys) throws {
            if !text.isEmpty { try container.encode(text, forKey: key) }
        }
        func encodeIfPresent(_ time: Date?, _ key: CodingKeys) throws {
            if let time { try container.encode(time.iso8601, forKey: key) }
        }
        if !id.isEmpty { try container.encode(id, forKey: .id) }
        try container.encode(displayName, forKey: .name)
        try encodeIfPresent(name.prefix, .namePrefix)
        try encodeAlways(name.given, .givenName)
        try encodeIfPresent(name.middle, .middleName)
        try encodeAlways(name.family, .familyName)
        try encodeIfPresent(name.suffix, .nameSuffix)
        try encodeAlways(nickname, .nickname)
        try encodeIfPresent(phoneticName, .phoneticName)
        try encodeIfPresent(phoneticGivenName, .phoneticGivenName)
        try encodeIfPresent(phoneticFamilyName, .phoneticFamilyName)
        try encodeAlways(organization, .organization)
        try encodeIfPresent(department, .department)
        try encodeIfPresent(title, .title)
        try container.encode(phones, forKey: .phones)
        try container.encode(emails, forKey: .emails)
        if !addresses.isEmpty { try container.encode(addresses, forKey: .addresses) }
        if !urls.isEmpty { try container.encode(urls, forKey: .urls) }
        if !groups.isEmpty { try container.encode(groups, forKey: .groups) }
        if let photo { try container.encode(PhotoSummary(photo), forKey: .photo) }
        try encodeIfPresent(note, .note)
        try encodeIfPresent(birthday, .birthday)
        try container.encode(isFavourite, forKey: .favourite)
        try container.encode(callCount, forKey: .callCount)
        try encodeIfPresent(lastCalledAt, .lastCalledAt)
        try encodeIfPresent(createdAt, .createdAt)
        try encodeIfPresent(modifiedAt, .modifiedAt)
        try encodeIfPresent(sourceUID, .uid)
        if !otherProperties.isEmpty { try container.encode(otherProperties, forKey: .otherProperties) }
    }

    /// Decodes the output of ``encode(to:)``. Every key may be missing.
    ///
    /// - Throws: `DecodingError` if a value has another type or a time is not in ISO 8601.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) throws -> String { try container.decodeIfPresent(String.self, forKey: key) ?? "" }
        func time(_ key: CodingKeys) throws -> Date? {
            guard let text = try container.decodeIfPresent(String.self, forKey: key) else { return nil }
            do {
                return try Date(text, strategy: .iso8601)
            } catch {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "\(text) is not a time in ISO 8601")
            }
        }
        self.init(id: try text(.id))
        name = PersonName(
            prefix: try text(.namePrefix), given: try text(.givenName), middle: try text(.middleName),
            family: try text(.familyName), suffix: try text(.nameSuffix))
        nickname = try text(.nickname)
        phoneticGivenName = try text(.phoneticGivenName)
        phoneticFamilyName = try text(.phoneticFamilyName)
        organization = try text(.organization)
        department = try text(.department)
        title = try text(.title)
        phones = try container.decodeIfPresent([Phone].self, forKey: .phones) ?? []
        emails = try container.decodeIfPresent([Email].self, forKey: .emails) ?? []
        addresses = try container.decodeIfPresent([PostalAddress].self, forKey: .addresses) ?? []
        urls = try container.decodeIfPresent([WebAddress].self, forKey: .urls) ?? []
        groups = try container.decodeIfPresent([String].self, forKey: .groups) ?? []
        photo = try container.decodeIfPresent(PhotoSummary.self, forKey: .photo).map {
            ContactPhoto(mediaType: $0.type, size: $0.size)
        }
        note = try text(.note)
        birthday = try text(.birthday)
        isFavourite = try container.decodeIfPresent(Bool.self, forKey: .favourite) ?? false
        callCount = try container.decodeIfPresent(Int.self, forKey: .callCount) ?? 0
        lastCalledAt = try time(.lastCalledAt)
        createdAt = try time(.createdAt)
        modifiedAt = try time(.modifiedAt)
        sourceUID = try text(.uid)
        otherProperties = try container.decodeIfPresent([String].self, forKey: .otherProperties) ?? []
        // `name` is the displayed name, which may be composed, the organisation or a number.
        let displayed = try text(.name)
        if displayed != displayName { formattedName = displayed }
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

extension Phone: Codable {
    private enum CodingKeys: String, CodingKey { case label, number, e164, preferred }

    /// Encodes `{"label", "number", "e164"}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(label.isEmpty ? nil : label, forKey: .label)
        try container.encode(number.text, forKey: .number)
        try container.encode(number.e164, forKey: .e164)
        if isPreferred { try container.encode(true, forKey: .preferred) }
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
            label: try container.decodeIfPresent(String.self, forKey: .label) ?? "", number: number,
            isPreferred: try container.decodeIfPresent(Bool.self, forKey: .preferred) ?? false)
    }
}

extension Email: Codable {
    private enum CodingKeys: String, CodingKey { case label, address, preferred }

    /// Encodes `{"label", "address"}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(label.isEmpty ? nil : label, forKey: .label)
        try container.encode(address, forKey: .address)
        if isPreferred { try container.encode(true, forKey: .preferred) }
    }

    /// Decodes `{"label", "address"}`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            label: try container.decodeIfPresent(String.self, forKey: .label) ?? "",
            address: try container.decode(String.self, forKey: .address),
            isPreferred: try container.decodeIfPresent(Bool.self, forKey: .preferred) ?? false)
    }
}
