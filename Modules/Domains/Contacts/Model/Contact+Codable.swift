import Foundation
public import SwitchboardJSON
import SwitchboardVCard

// The JSON of the front ends: camelCase, times in ISO 8601 and UTC. The keys of the front-end contract are always
// present (null if unknown), the others only if they have a value.

extension Contact: JSONObjectEncodable, Decodable {
    private enum CodingKeys: String, CodingKey {
        case id, name, namePrefix, givenName, middleName, familyName, nameSuffix, nickname, phoneticName
        case phoneticGivenName, phoneticFamilyName, organization, department, title, phones, emails, addresses, urls,
            groups, photo
        case note, birthday, favourite, callCount, lastCalledAt, createdAt, modifiedAt, uid, otherProperties
    }

    /// Encodes the object that responses contain under `contact`.
    public func encode(to members: inout JSONMembers) throws { try encodeFields(to: &members) }

    /// Decodes the output of ``encode(to:)``. Every key may be missing.
    ///
    /// - Throws: `DecodingError` if a value has another type or a time is not in ISO 8601.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(id: try container.text(.id))
        name = PersonName(
            prefix: try container.text(.namePrefix), given: try container.text(.givenName),
            middle: try container.text(.middleName),
            family: try container.text(.familyName), suffix: try container.text(.nameSuffix))
        nickname = try container.text(.nickname)
        phoneticGivenName = try container.text(.phoneticGivenName)
        phoneticFamilyName = try container.text(.phoneticFamilyName)
        organization = try container.text(.organization)
        department = try container.text(.department)
        title = try container.text(.title)
        phones = try container.list(.phones)
        emails = try container.list(.emails)
        addresses = try container.list(.addresses)
        urls = try container.list(.urls)
        groups = try container.list(.groups)
        photo = try container.decodeIfPresent(PhotoSummary.self, forKey: .photo).map {
            ContactPhoto(mediaType: $0.type, size: $0.size)
        }
        note = try container.text(.note)
        birthday = try container.text(.birthday)
        isFavourite = try container.decodeIfPresent(Bool.self, forKey: .favourite) ?? false
        callCount = try container.decodeIfPresent(Int.self, forKey: .callCount) ?? 0
        lastCalledAt = try container.time(.lastCalledAt)
        createdAt = try container.time(.createdAt)
        modifiedAt = try container.time(.modifiedAt)
        sourceUID = try container.text(.uid)
        otherProperties = try container.list(.otherProperties)
        // `name` is the displayed name, which may be a composed name, the organization or a number.
        let displayed = try container.text(.name)
        if displayed != displayName { formattedName = displayed }
    }
}

/// The JSON of a photo without its bytes: `{"type": "image/jpeg", "size": 48213}`.
struct PhotoSummary: Codable {
    let type: String
    let size: Int

    init(_ photo: ContactPhoto) {
        (type, size) = (photo.mediaType, photo.size)
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
