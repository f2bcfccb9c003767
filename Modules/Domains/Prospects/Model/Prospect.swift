public import Foundation

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
