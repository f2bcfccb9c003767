import Foundation
import SwitchboardVCard

extension Contact {
    /// Returns this contact merged with another one at the user's request.
    ///
    /// Unlike ``merging(_:)``, this contact keeps its name, and the other name is preserved as `X-OTHER-NAME`. A job
    /// title at another organization is preserved together with that organization, as a second `ORG` and `TITLE`. Call
    /// counts are added up; the latest call and the earliest creation time are kept.
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
        var otherPositions: [String] = []
        if !organization.isEmpty, !other.organization.isEmpty, organization != other.organization {
            let departments = other.department.isEmpty ? [] : other.department.components(splitBy: "; ")
            otherPositions.append("ORG:" + VCardText.structured([other.organization] + departments))
            if !other.title.isEmpty { otherPositions.append("TITLE:" + VCardText.escaped(other.title)) }
            (other.organization, other.department, other.title) = ("", "", "")
        }
        merged = merged.merging(other)
        for name in otherNames where name != merged.fullName && name != merged.name.composed {
            merged.preserve("X-OTHER-NAME", name)
        }
        for line in otherPositions where !merged.otherProperties.contains(line) { merged.otherProperties.append(line) }
        let (calls, overflows) = callCount.addingReportingOverflow(other.callCount)
        merged.callCount = overflows ? .max : calls
        merged.lastCalledAt = [lastCalledAt, other.lastCalledAt].compactMap { $0 }.max()
        merged.createdAt = [createdAt, other.createdAt].compactMap { $0 }.min()
        return merged
    }
}
