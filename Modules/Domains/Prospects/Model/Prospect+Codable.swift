import Foundation
import SwitchboardAlgorithms
public import SwitchboardJSON
import SwitchboardVCard

// The JSON of the front ends: camelCase keys, times in ISO 8601 and UTC. The keys of the contract are always present
// (null if unknown), the others only if they have a value.

extension Prospect: JSONObjectEncodable {
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
}

extension Prospect.Meeting: JSONObjectEncodable {
    /// Encodes `{"at", "place"}`. The place is null if unknown.
    public func encode(to members: inout JSONMembers) throws {
        try members.add("at", time.iso8601)
        try members.addOrNull("place", place)
    }
}
