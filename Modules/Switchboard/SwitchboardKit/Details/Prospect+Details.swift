import Foundation
public import SwitchboardProspects

extension Prospect {
    /// The details of the prospect.
    public var details: [Detail] {
        var details = [
            Detail("name", displayName, .strong), Detail("organisation", organization), Detail("e-mail", email),
            Detail("phone", phone), Detail("note", note),
        ]
        details += meetings.map { meeting in
            Detail("met", meeting.time.formatted(.iso8601) + (meeting.place.isEmpty ? "" : "  " + meeting.place))
        }
        details += [
            Detail("contacted", contactedAt?.formatted(.iso8601) ?? "not yet"),
            Detail("created", createdAt?.formatted(.iso8601) ?? ""),
            Detail("changed", modifiedAt?.formatted(.iso8601) ?? ""), Detail("id", id, .faint),
        ]
        return details.filter { !$0.text.isEmpty }
    }
}
