public import Foundation

/// Somebody who was met and may be worth a message.
///
/// What is unknown is empty.
public struct Prospect: Hashable, Sendable {
    /// An occasion on which they were met.
    public struct Meeting: Hashable, Sendable {
        /// When their badge was scanned or they were typed in.
        public var time: Date
        /// Where; empty if nobody said.
        public var place: String

        /// A meeting; see the properties.
        public init(time: Date, place: String) {
            self.time = time
            self.place = place
        }
    }

    /// The identifier, given by the store; empty before.
    public internal(set) var id: String
    /// The whole name.
    public var name: String
    /// The e-mail address.
    public var email: String
    /// The phone number as it was given.
    public var phone: String
    /// The company.
    public var organization: String
    /// Anything else.
    public var note: String
    /// Where they were met last.
    public var met: String
    /// The occasions on which they were met, the first one first; kept by the store.
    public internal(set) var meetings: [Meeting]
    /// When they were contacted; nil if they were not. Set by ``Prospects/setContacted(_:_:)``.
    public internal(set) var contactedAt: Date?
    /// When they came into the list.
    public internal(set) var createdAt: Date?
    /// When something about them changed.
    public internal(set) var modifiedAt: Date?

    /// Somebody new; the store gives the identifier and the times.
    public init(
        name: String = "", email: String = "", phone: String = "", organization: String = "", note: String = "",
        met: String = ""
    ) {
        id = ""
        self.name = name
        self.email = email
        self.phone = phone
        self.organization = organization
        self.note = note
        self.met = met
        meetings = []
    }

    /// Whether they were contacted.
    public var isContacted: Bool { contactedAt != nil }

    /// What they are called in lists: the name, else the company, the address or the number.
    public var displayName: String { [name, organization, email, phone].first { !$0.isEmpty } ?? "" }
}

extension Prospect {
    /// The same without blanks at the ends, with one line in all fields but the note.
    var tidied: Prospect {
        var tidied = self
        for field in [\Prospect.name, \.email, \.phone, \.organization, \.met] {
            let words = self[keyPath: field].split(whereSeparator: \.isNewline).map(String.init)
            tidied[keyPath: field] = words.joined(separator: " ").trimmingCharacters(in: .whitespaces)
        }
        tidied.note = note.trimmingCharacters(in: .whitespacesAndNewlines)
        return tidied
    }

    /// - Throws: ``ProspectsError`` if nothing tells who it is, or a field cannot be what it claims.
    func check(region: String?) throws(ProspectsError) {
        guard !displayName.isEmpty else { throw .nameless }
        if !email.isEmpty, !EmailKey.isAddress(email) { throw .notAnAddress(email) }
        if !phone.isEmpty, PhoneWritings(phone, region: region).identity.isEmpty { throw .notANumber(phone) }
    }
}
