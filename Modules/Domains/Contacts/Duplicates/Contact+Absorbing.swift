import Foundation
import SwitchboardVCard

extension Contact {
    /// This contact with all that another one of the same person says: what ``ContactBook/ContactBook/merge(_:)`` makes of two.
    ///
    /// As ``merging(_:)``, but that whoever merges by hand has said whose name is the right one. So the name here stays, the other's
    /// whole name is kept as `X-OTHER-NAME`. A position belongs to its company: of another company it is kept beside that, as a
    /// second `ORG` and `TITLE`. Calls are added up, the latest call and the earliest birth of the two count.
    func absorbing(_ other: Contact) -> Contact {
        var other = other
        var merged = self
        let otherNames = [other.fullName, other.name.composed].filter { !$0.isEmpty }
        if fullName.isEmpty {
            merged.name = other.name
            merged.formattedName = other.formattedName
        }
        other.name = PersonName()
        other.formattedName = ""
        var elsewhere: [String] = []
        if !organization.isEmpty, !other.organization.isEmpty, organization != other.organization {
            let departments = other.department.isEmpty ? [] : other.department.components(splitBy: "; ")
            elsewhere.append(
                "ORG:" + ([other.organization] + departments).map(VCardText.escaped).joined(separator: ";"))
            if !other.title.isEmpty { elsewhere.append("TITLE:" + VCardText.escaped(other.title)) }
            (other.organization, other.department, other.title) = ("", "", "")
        }
        merged = merged.merging(other)
        for name in otherNames where name != merged.fullName && name != merged.name.composed {
            merged.keep("X-OTHER-NAME", name)
        }
        for line in elsewhere where !merged.otherProperties.contains(line) { merged.otherProperties.append(line) }
        let (calls, overflows) = callCount.addingReportingOverflow(other.callCount)
        merged.callCount = overflows ? .max : calls
        merged.lastCalledAt = [lastCalledAt, other.lastCalledAt].compactMap { $0 }.max()
        merged.createdAt = [createdAt, other.createdAt].compactMap { $0 }.min()
        return merged
    }
}
