import GRDB
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
        /// `false` if a limit has cut the changes.
        public let isComplete: Bool
    }

    /// Returns the contacts that changed after a token, or all contacts without one.
    ///
    /// - Parameters:
    ///   - token: A token of an earlier call.
    ///   - limit: The maximum number of contacts and removals.
    /// - Returns: nil if the token is unknown or too old.
    public func changes(since token: ChangeToken?, limit: Int = .max) throws -> Changes? {
        try storage.read { db in
            let journal = ContactBook.journal
            func contacts(_ keys: [Int64]) throws -> [Contact] {
                let found = try ContactFetching.contacts(keys, withPhotos: false, in: db)
                return keys.compactMap { found[$0] }
            }
            guard let token, token.listedTo == nil else {
                let part = try journal.listing(continuing: token, limit: limit, in: db) { key, limit in
                    try Int64.fetchAll(
                        db, sql: "SELECT key FROM contact WHERE key > ? ORDER BY key LIMIT ?", arguments: [key, limit]
                    ).map { ($0, $0) }
                }
                return try part.map {
                    try Changes(
                        contacts: contacts($0.objects), removed: [], token: $0.token, isComplete: $0.isComplete)
                }
            }
            guard let found = try journal.changes(since: token, limit: limit, in: db) else { return nil }
            // Group cards are not contacts.
            let entries = found.entries.filter { !$0.object.hasPrefix(ContactBook.groupCardPrefix) }
            let keys = try entries.compactMap { try ContactFetching.key(ifAny: $0.object, in: db) }
            return try Changes(
                contacts: contacts(keys), removed: entries.filter(\.isRemoved).map(\.object), token: found.token,
                isComplete: found.isComplete)
        }
    }

    /// The beginning of the identifiers of group cards in the journal.
    package static let groupCardPrefix = "group-"
}
