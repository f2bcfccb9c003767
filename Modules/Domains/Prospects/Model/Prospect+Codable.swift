import Foundation
import SwitchboardVCard

// The JSON of the front ends: camelCase keys, times in ISO 8601 and UTC. The keys of the contract are always present
// (null if unknown), the others only if they have a value.

extension Prospect: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, email, phone, organization, note, met, meetings, contacted, contactedAt, createdAt, modifiedAt
    }

    /// Encodes the object under the key `prospect` of a response.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        func encode(_ text: String, _ key: CodingKeys) throws {
            try container.encode(text.isEmpty ? nil : text, forKey: key)
        }
        func encodeIfPresent(_ time: Date?, _ key: CodingKeys) throws {
            if let time { try container.encode(time.iso8601, forKey: key) }
        }
        if !id.isEmpty { try container.encode(id, forKey: .id) }
        try container.encode(displayName, forKey: .name)
        try encode(email, .email)
        try encode(phone, .phone)
        try encode(organization, .organization)
        if !note.isEmpty { try container.encode(note, forKey: .note) }
        try encode(met, .met)
        try container.encode(meetings, forKey: .meetings)
        try container.encode(isContacted, forKey: .contacted)
        try encodeIfPresent(contactedAt, .contactedAt)
        try encodeIfPresent(createdAt, .createdAt)
        try encodeIfPresent(modifiedAt, .modifiedAt)
    }

    /// Decodes the output of ``encode(to:)``. All keys are optional.
    ///
    /// - Throws: `DecodingError` if a value has another type or a time is not in ISO 8601.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) throws -> String { try container.decodeIfPresent(String.self, forKey: key) ?? "" }
        func time(_ key: CodingKeys) throws -> Date? {
            guard let text = try container.decodeIfPresent(String.self, forKey: key) else { return nil }
            guard let time = try? Date(text, strategy: .iso8601) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "cannot read the time “\(text)”; use ISO 8601")
            }
            return time
        }
        self.init(
            name: try text(.name), email: try text(.email), phone: try text(.phone),
            organization: try text(.organization), note: try text(.note), met: try text(.met))
        id = try text(.id)
        meetings = try container.decodeIfPresent([Meeting].self, forKey: .meetings) ?? []
        contactedAt = try time(.contactedAt)
        createdAt = try time(.createdAt)
        modifiedAt = try time(.modifiedAt)
    }
}

extension Prospect.Meeting: Codable {
    private enum CodingKeys: String, CodingKey { case at, place }

    /// Encodes `{"at", "place"}`. The place is null if unknown.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(time.iso8601, forKey: .at)
        try container.encode(place.isEmpty ? nil : place, forKey: .place)
    }

    /// Decodes the output of ``encode(to:)``.
    ///
    /// - Throws: `DecodingError` if the time is missing or not in ISO 8601.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let text = try container.decode(String.self, forKey: .at)
        guard let time = try? Date(text, strategy: .iso8601) else {
            throw DecodingError.dataCorruptedError(
                forKey: .at, in: container, debugDescription: "cannot read the time “\(text)”; use ISO 8601")
        }
        self.init(time: time, place: try container.decodeIfPresent(String.self, forKey: .place) ?? "")
    }
}
