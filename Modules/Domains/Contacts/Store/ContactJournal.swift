public import SwitchboardStorage

extension ContactBook {
    /// The contacts that changed after a token.
    public struct Changes: Sendable {
        /// The new and changed contacts, without the bytes of their photos.
        public let contacts: [Contact]
        /// The identifiers of removed contacts.
        public let removed: [String]
        /// The token for the changes that follow.
        public let token: ChangeToken
    }

    /// Returns the contacts that changed after a token, or all contacts without one.
    ///
    /// - Parameter token: A token of an earlier call.
    /// - Returns: nil if the token is unknown or too old.
    public func changes(since token: ChangeToken?) throws -> Changes? {
        try storage.read { db in
            let journal = ContactBook.journal
            guard let token else {
                var contacts: [Contact] = []
                try ContactBook.forEach(in: db, withPhotos: false) { contacts.append($0) }
                return Changes(contacts: contacts, removed: [], token: try journal.token(in: db))
            }
            guard let found = try journal.changes(since: token, in: db) else { return nil }
            // Group cards are not contacts.
            let entries = found.entries.filter { !$0.object.hasPrefix(ContactBook.groupCardPrefix) }
            let keys = try entries.compactMap { try ContactFetching.key(ifAny: $0.object, in: db) }
            let contacts = try ContactFetching.contacts(keys, withPhotos: false, in: db)
            return Changes(
                contacts: keys.compactMap { contacts[$0] }, removed: entries.filter(\.isRemoved).map(\.object),
                token: found.token)
        }
    }

    /// The beginning of the identifiers of group cards in the journal.
    package static let groupCardPrefix = "group-"
}
