import Foundation
import SwitchboardPhoneNumbers
import SwitchboardTextNormalization

/// The merge of a known prospect with new details of the same person.
///
/// People with the same e-mail address are the same person. So are people with the same number, unless both address and
/// name differ: colleagues share their company's number.
struct ProspectMerging {
    let old: Prospect
    let new: Prospect
    let now: Date

    /// Two scans of a badge within this time are one meeting.
    static let meetingLength: TimeInterval = 12 * 3600

    /// Returns true if two people with the same number may be the same person.
    static func isSamePerson(_ old: Prospect, _ new: Prospect) -> Bool {
        let sameAddress = EmailKey.key(of: old.email) == EmailKey.key(of: new.email)
        if sameAddress || old.email.isEmpty || new.email.isEmpty { return true }
        return NameKey(old.name).mayMatch(NameKey(new.name))
    }

    /// The merged prospect: newer values replace older ones, which are added to the note, and the meeting is recorded.
    var merged: Prospect {
        var merged = old
        var replaced: [String] = []
        func take(_ field: WritableKeyPath<Prospect, String>, _ label: String, isSame: (String, String) -> Bool) {
            let (was, becomes) = (old[keyPath: field], new[keyPath: field])
            if becomes.isEmpty || isSame(was, becomes) { return }
            merged[keyPath: field] = becomes
            if !was.isEmpty { replaced.append("\(label) before: \(was)") }
        }
        func hasSameLetters(_ was: String, _ becomes: String) -> Bool {
            NameKey(was).words == NameKey(becomes).words && !was.isEmpty
        }
        take(\.name, "name") { was, becomes in !was.isEmpty && NameKey(was).contains(NameKey(becomes)) }
        take(\.email, "e-mail") { EmailKey.key(of: $0) == EmailKey.key(of: $1) }
        take(\.phone, "phone") { was, becomes in
            PhoneNumberIdentity.withoutSeparators(was) == PhoneNumberIdentity.withoutSeparators(becomes)
        }
        take(\.organization, "organisation", isSame: hasSameLetters)
        if merged.name != old.name, NameKey(merged.name).contains(NameKey(old.name)) {
            // The fuller name contains the shorter one.
            replaced.removeAll { $0.hasPrefix("name before: ") }
        }
        for text in replaced + [new.note] where !text.isEmpty && !merged.note.contains(text) {
            merged.note += (merged.note.isEmpty ? "" : "\n") + text
        }
        note(meeting: new.met, in: &merged)
        return merged
    }

    private func note(meeting place: String, in prospect: inout Prospect) {
        if !place.isEmpty { prospect.met = place }
        if let last = prospect.meetings.last, now.timeIntervalSince(last.time) < ProspectMerging.meetingLength,
            place.isEmpty || place == last.place || last.place.isEmpty
        {
            if last.place.isEmpty { prospect.meetings[prospect.meetings.count - 1].place = place }
            return
        }
        prospect.meetings.append(Prospect.Meeting(time: now, place: place))
        prospect.meetings.removeFirst(max(0, prospect.meetings.count - Prospect.largestList))
    }
}

extension NameKey {
    /// Returns `true` if the names have a common word, or one of them is empty.
    fileprivate func mayMatch(_ other: NameKey) -> Bool {
        words.isEmpty || other.words.isEmpty || !Set(words).isDisjoint(with: other.words)
    }
}
