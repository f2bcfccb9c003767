import Foundation
public import SwitchboardJSON
import SwitchboardVCard

// The JSON of the front ends: camelCase keys, times in ISO 8601 and UTC. The keys of the contract are always present
// (null if unknown), the others only if they have a value.

extension Prospect: JSONObjectEncodable, Decodable {
    private enum CodingKeys: String, CodingKey {
        case id, name, email, phone, organization, note, met, meetings, contacted, contactedAt, createdAt, modifiedAt
    }

    /// Encodes the object under the key `prospect` of a response.
    public func encode(to members: inout JSONMembers) throws {
        try members.addUnlessEmpty("id", id)
        try members.add("name", displayName)
        try members.addOrNull("email", email)
        try members.addOrNull("phone", phone)
        try members.addOrNull("organization", organization)
        try members.addUnlessEmpty("note", note)
        try members.addOrNull("met", met)
        try members.add("meetings", meetings)
        try members.add("contacted", isContacted)
        try members.addTime("contactedAt", contactedAt)
        try members.addTime("createdAt", createdAt)
        try members.addTime("modifiedAt", modifiedAt)
    }

    /// Decodes the output of ``encode(to:)``. All keys are optional.
    ///
    /// - Throws: `DecodingError` if a value has another type or a time is not in ISO 8601.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.text(.name), email: try container.text(.email), phone: try container.text(.phone),
            organization: try container.text(.organization), note: try container.text(.note),
            met: try container.text(.met))
        id = try container.text(.id)
        meetings = try container.list(.meetings)
        contactedAt = try container.time(.contactedAt)
        createdAt = try container.time(.createdAt)
        modifiedAt = try container.time(.modifiedAt)
    }
}

extension Prospect.Meeting: JSONObjectEncodable, Decodable {
    private enum CodingKeys: String, CodingKey { case at, place }

    /// Encodes `{"at", "place"}`. The place is null if unknown.
    public func encode(to members: inout JSONMembers) throws {
        try members.add("at", time.iso8601)
        try members.addOrNull("place", place)
    }

    /// Decodes the output of ``encode(to:)``.
    ///
    /// - Throws: `DecodingError` if the time is missing or not in ISO 8601.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let time = try container.time(.at) else {
            throw DecodingError.dataCorruptedError(forKey: .at, in: container, debugDescription: "the time is missing")
        }
        self.init(time: time, place: try container.text(.place))
    }
}
