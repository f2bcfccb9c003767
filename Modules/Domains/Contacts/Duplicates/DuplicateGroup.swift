import Foundation

/// Contacts that are probably one person, and why.
public struct DuplicateGroup: Hashable, Sendable {
    /// Two or more, the one that says most first: the one to merge the others into.
    public let contacts: [Contact]
    /// What they have in common, the strongest reason first; each of the contacts has one of these with another one.
    public let facts: [SharedFact]
}

/// A fact for which two contacts are taken for one person.
public struct SharedFact: Hashable, Sendable {
    /// What kind of fact it is, the strongest first.
    public enum Kind: String, Sendable, CaseIterable {
        /// The whole name, without regard to case, accents and the order of words, and one more fact.
        case name
        /// An e-mail address.
        case email
        /// A phone number, however it is written.
        case phone
    }

    /// What stands in both beside the name.
    public enum Companion: String, Sendable, CaseIterable {
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

    /// The kind.
    public let kind: Kind
    /// What is the same beside the name; nil where the fact is no name.
    public let companion: Companion?
    /// The number in its international writing, the address in small letters, or what is the same beside the name.
    public let value: String

    /// A fact; see the properties.
    init(_ kind: Kind, _ value: String, beside companion: Companion? = nil) {
        self.kind = kind
        self.value = value
        self.companion = companion
    }
}

extension Contact {
    /// How many things the contact says, by which the fullest of several is told.
    var completeness: Int {
        let texts = [
            name.prefix, name.given, name.middle, name.family, name.suffix, nickname, phoneticGivenName,
            phoneticFamilyName, organization, department, title, note, birthday,
        ]
        return texts.count { !$0.isEmpty } + phones.count + emails.count + addresses.count + urls.count
            + otherProperties.count + groups.count + (photo == nil ? 0 : 1)
    }

    /// Whether this one stands before another one of its group: the fuller, then the favourite, then the one used more, then the older.
    func isBefore(_ other: Contact) -> Bool {
        let (mine, theirs) = (completeness, other.completeness)
        if mine != theirs { return mine > theirs }
        if isFavourite != other.isFavourite { return isFavourite }
        if callCount != other.callCount { return callCount > other.callCount }
        if createdAt != other.createdAt { return (createdAt ?? .distantFuture) < (other.createdAt ?? .distantFuture) }
        return id < other.id
    }
}
