public import Foundation
import SwitchboardAlgorithms
public import SwitchboardJSON
import SwitchboardPhoneNumbers
import SwitchboardTextNormalization
import SwitchboardVCard

/// A person whom the user has met. Unknown fields are empty.
public struct Prospect: Hashable, Sendable {
    /// An occasion on which the user met the prospect.
    public struct Meeting: Hashable, Sendable {
        /// The time when the badge was scanned or the prospect was entered.
        public var time: Date
        /// The place; empty if unknown.
        public var place: String

        /// Creates a meeting.
        public init(time: Date, place: String) {
            self.time = time
            self.place = place
        }
    }

    /// The identifier, assigned by the store; empty before.
    public internal(set) var id = ""
    /// The full name.
    public var name: String
    /// The e-mail address.
    public var email: String
    /// The phone number as entered.
    public var phone: String
    /// The company.
    public var organization: String
    /// A note.
    public var note: String
    /// The place of the last meeting.
    public var met: String
    /// The meetings, earliest first; managed by the store.
    public internal(set) var meetings: [Meeting] = []
    /// The time when the prospect was contacted, or nil. Set by ``Prospects/setContacted(_:to:)``.
    public internal(set) var contactedAt: Date?
    /// The time when the prospect was added.
    public internal(set) var createdAt: Date?
    /// The time of the last change.
    public internal(set) var modifiedAt: Date?

    /// Creates a prospect that is not stored yet.
    public init(
        name: String = "", email: String = "", phone: String = "", organization: String = "", note: String = "",
        met: String = ""
    ) {
        self.name = name
        self.email = email
        self.phone = phone
        self.organization = organization
        self.note = note
        self.met = met
    }

    /// `true` if the prospect was contacted.
    public var isContacted: Bool { contactedAt != nil }

    /// The name in lists: the name, else the company, the address or the number.
    public var displayName: String { [name, organization, email, phone].first { !$0.isEmpty } ?? "" }

    /// A copy with whitespace trimmed and line breaks removed from all fields but the note.
    var normalized: Prospect {
        var normalized = self
        for field in [\Prospect.name, \.email, \.phone, \.organization, \.met] {
            normalized[keyPath: field] = self[keyPath: field].oneLine
        }
        normalized.note = note.trimmingCharacters(in: .whitespacesAndNewlines)
        return normalized
    }

    /// The maximum size of a short field in bytes of UTF-8.
    public static let largestName = SizeLimit.name
    /// The maximum size of the note.
    public static let largestNote = SizeLimit.note
    /// The maximum number of meetings. The earliest ones are dropped first.
    public static let largestList = SizeLimit.elements

    /// - Throws: ``ProspectsError`` if the prospect has no name of any kind, or a field is not valid or too long.
    func check(region: String?) throws(ProspectsError) {
        guard !displayName.isEmpty else { throw .nameless }
        try checkSizes()
        try Prospect.check(email: email, phone: phone, region: region)
    }

    /// Checks the sizes and the characters of all fields.
    ///
    /// - Throws: ``ProspectsError/tooLong(field:limit:)``, ``ProspectsError/nulText(field:)``.
    func checkSizes() throws(ProspectsError) {
        let fields = [
            ("name", name), ("email", email), ("phone", phone), ("organization", organization), ("met", met),
        ]
        for (field, text) in fields + [("note", note)] where text.utf8.contains(0) { throw .nulText(field: field) }
        for (field, text) in fields where text.utf8.count > Self.largestName {
            throw .tooLong(field: field, limit: Self.largestName)
        }
        if note.utf8.count > Self.largestNote { throw .tooLong(field: "note", limit: Self.largestNote) }
    }

    static func check(email: String, phone: String, region: String?) throws(ProspectsError) {
        if !email.isEmpty, !EmailKey.isAddress(email) { throw .notAnAddress(email) }
        if !phone.isEmpty, PhoneForms(phone, region: region).searchForms.isEmpty { throw .notANumber(phone) }
    }
}

extension String {
    /// The text without line breaks and surrounding spaces.
    var oneLine: String {
        split(whereSeparator: \.isNewline).joined(separator: " ").trimmingCharacters(in: .whitespaces)
    }
}

// MARK: - JSON

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

// MARK: - Recognizing the same person

/// The merge of a known prospect with new details of the same person.
///
/// People with the same e-mail address are the same person. So are people with the same number, unless both address and
/// name differ: colleagues share their company's number.
struct ProspectMerging {
    let old: Prospect
    let new: Prospect
    let now: Date

    /// Two scans of a badge within this time are one meeting.
    private static let meetingLength: TimeInterval = 12 * 3600

    /// Returns `true` if two people with the same number may be the same person.
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

enum EmailKey {
    /// Returns the address in lower case: in practice, no mail system distinguishes `Ana@example.org` from
    /// `ana@example.org`.
    static func key(of address: String) -> String { address.lowercased() }

    /// Returns `true` if a text can be an address: it has text on both sides of an @ and no whitespace.
    static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count >= 2 && !(parts.first ?? "").isEmpty && !(parts.last ?? "").isEmpty
            && !text.contains(where: \.isWhitespace)
    }
}

extension Prospect {
    /// The `tel:` URI that dials ``phone`` with its codes, pauses and extension; nil if it has no digits.
    public var phoneURI: String? {
        let number = ParsedPhoneNumber(phone, region: nil)
        return TelephoneURI.of(phone, e164: number?.e164, extensionNumber: number?.extensionNumber)
    }
}

/// The forms of a phone number by which it is recognized and searched.
struct PhoneForms {
    /// The distinct international, national and trunk-prefix forms, or only the digits if the number cannot be parsed.
    let searchForms: [String]
    /// The key that is equal for all notations of the number; empty without a number.
    let identity: String

    /// Parses a number as dialed from a region.
    init(_ text: String, region: String?) {
        let number = ParsedPhoneNumber(text, region: region)
        identity = PhoneNumberIdentity.of(text, e164: number?.e164, extensionNumber: number?.extensionNumber)
        if let number {
            searchForms = ParsedPhoneNumber.forms(e164: number.e164, national: number.national, trunk: number.trunk)
        } else {
            let digits = ParsedPhoneNumber.digits(of: text)
            searchForms = digits.isEmpty ? [] : [text.first == "+" ? "+" + digits : digits]
        }
    }

    var stored: String { searchForms.joined(separator: " ") }
}
