import Foundation

/// Contacts that are probably the same person, with the reasons.
public struct DuplicateGroup: Hashable, Sendable {
    /// Two or more contacts, starting with the most complete one, into which to merge the others.
    public let contacts: [Contact]
    /// The shared facts, strongest first. Each contact shares one of them with another.
    public let facts: [SharedFact]
}

/// A fact that makes two contacts duplicates.
public struct SharedFact: Hashable, Sendable, Encodable {
    /// The kind of fact, strongest first.
    public enum Kind: String, Sendable, CaseIterable, Encodable {
        /// The full name, ignoring case, accents and word order, and another fact.
        case name
        /// An e-mail address.
        case email
        /// A phone number in any notation.
        case phone
    }

    /// The fact that two contacts share in addition to the name.
    public enum Companion: String, Sendable, CaseIterable, Encodable {
        /// The organization.
        case organization
        /// The nickname.
        case nickname
        /// The birthday.
        case birthday
        /// A postal address.
        case address
        /// A web address.
        case url
    }

    /// The kind of fact.
    public let kind: Kind
    /// The fact shared in addition to the name; nil unless ``kind`` is ``Kind/name``.
    public let companion: Companion?
    /// The number in E.164 form, the lowercase address, or the value of ``companion``.
    public let value: String

    private enum CodingKeys: String, CodingKey { case kind = "reason", companion = "with", value }

    init(_ kind: Kind, _ value: String, beside companion: Companion? = nil) {
        self.kind = kind
        self.value = value
        self.companion = companion
    }
}

extension Contact {
    var completeness: Int {
        let texts = [
            name.prefix, name.given, name.middle, name.family, name.suffix, nickname, phoneticGivenName,
            phoneticFamilyName, organization, department, title, note, birthday,
        ]
        return texts.count { !$0.isEmpty } + phones.count + emails.count + addresses.count + urls.count
            + otherProperties.count + groups.count + (photo == nil ? 0 : 1)
    }

    /// Returns `true` if this contact precedes another in its group: more complete, favorite, more calls, older, by
    /// name.
    func isBefore(_ other: Contact) -> Bool {
        let (mine, theirs) = (completeness, other.completeness)
        if mine != theirs { return mine > theirs }
        if isFavourite != other.isFavourite { return isFavourite }
        if callCount != other.callCount { return callCount > other.callCount }
        if createdAt != other.createdAt { return (createdAt ?? .distantFuture) < (other.createdAt ?? .distantFuture) }
        return (displayName, id) < (other.displayName, other.id)
    }
}
