public import Foundation
import GRDB
public import SwitchboardStorage

/// An index of items and activities that enough different users have engaged with, for everyone to search.
///
/// Each engagement with an eligible item counts as a vote. An entry becomes searchable once the number of users reaches
/// the threshold. It contains the title, description, keywords, thumbnail and URL, but no `userInfo` and no user. Votes
/// are stored as one keyed hash per user and target, and each user counts once.
///
/// For example:
///
/// ```swift
/// let shared = PublicIndex(storage: storage, threshold: 5) { person, target in hmac(key, person + "\n" + target) }
/// if let entry = PublicEntry(activity) { try shared.engage(with: entry, by: "ana") }
/// let hits = try ItemSearch(index: shared.index).search("dunes").hits
/// ```
public struct PublicIndex: Sendable {
    /// The default number of users who must engage with an entry.
    public static let defaultThreshold = 5

    /// The index of the public entries.
    public let index: SearchableIndex
    /// The number of users who must engage with an entry before it becomes public.
    public let threshold: Int

    private let hash: @Sendable (_ person: String, _ target: String) -> Data
    /// The database of the votes: the index's own, or one shared by several servers.
    private let votes: any SQLDatabase

    /// Creates access to the public index of a storage.
    ///
    /// - Parameters:
    ///   - storage: The shared database, with the tables of ``SearchableIndex``.
    ///   - threshold: The number of users who must engage with an entry before it becomes public.
    ///   - clock: Returns the current time.
    ///   - hash: A keyed hash of a user and a target, such as HMAC-SHA256, with a stable key.
    public init(
        storage: Storage, threshold: Int = PublicIndex.defaultThreshold,
        clock: @escaping @Sendable () -> Date = { Date() },
        hash: @escaping @Sendable (_ person: String, _ target: String) -> Data
    ) {
        self.init(storage: storage, votes: storage, threshold: threshold, clock: clock, hash: hash)
    }

    /// Creates access to the public index of a storage whose votes are in another database.
    ///
    /// - Parameter votes: A database with the tables of ``SearchableIndex/clusterMigrations``.
    package init(
        storage: Storage, votes: any SQLDatabase, threshold: Int = PublicIndex.defaultThreshold,
        clock: @escaping @Sendable () -> Date = { Date() },
        hash: @escaping @Sendable (_ person: String, _ target: String) -> Data
    ) {
        index = SearchableIndex(storage: storage, name: "public", clock: clock)
        self.votes = votes
        self.threshold = max(threshold, 1)
        self.hash = hash
    }

    /// Counts the engagement of a user, once per user.
    ///
    /// - Returns: `true` if the entry is public now.
    /// - Throws: ``SearchableIndexError/invalidItem(_:)`` if the entry's attributes are invalid.
    @discardableResult
    public func engage(with entry: PublicEntry, by person: String) throws -> Bool {
        let vote = hash(person, entry.target)
        return try votes.writing(changing: nil) { votes in
            let now = index.clock()
            try votes.execute("DELETE FROM public_vote WHERE expiresAt <= ?1", [now.timeIntervalSince1970])
            let isWithdrawn = try votes.row(
                "SELECT EXISTS (SELECT 1 FROM public_withdrawal WHERE target = ?1)", [entry.target])
            if try isWithdrawn?.flag(0) ?? false { return false }
            let expiresAt = entry.expirationDate ?? now.addingTimeInterval(SearchableIndex.defaultLifetime)
            try votes.execute(
                """
                INSERT INTO public_vote (target, voter, expiresAt) VALUES (?1, ?2, ?3)
                ON CONFLICT (target, voter) DO UPDATE SET expiresAt = excluded.expiresAt
                    WHERE public_vote.expiresAt < excluded.expiresAt
                """, [entry.target, vote, expiresAt.timeIntervalSince1970])
            guard try isPublic(entry.target, in: votes) else { return false }
            let item = SearchableItem(
                uniqueIdentifier: entry.target, attributeSet: entry.attributes, expiration: .at(expiresAt))
            try index.writing { db, key, changed in
                try ItemWriter.put(item, index: key, now: now, in: db)
                changed += 1
            }
            return true
        }
    }

    /// Removes the engagement of a user. The entry is no longer public if the threshold is not met.
    public func retract(_ target: String, by person: String) throws {
        let vote = hash(person, target)
        try votes.writing(changing: nil) { votes in
            try votes.execute("DELETE FROM public_vote WHERE target = ?1 AND voter = ?2", [target, vote])
            if try !isPublic(target, in: votes) { try remove(target) }
        }
    }

    private func isPublic(_ target: String, in votes: any SQLTransaction) throws -> Bool {
        let row = try votes.row("SELECT count(*) FROM public_vote WHERE target = ?1", [target])
        return try row?.integer(0) ?? 0 >= threshold
    }

    private func remove(_ target: String) throws {
        try index.writing { db, key, changed in
            try db.execute(sql: "DELETE FROM item WHERE indexKey = ? AND id = ?", arguments: [key, target])
            changed += db.changesCount
        }
    }

    /// Withdraws an entry permanently: later engagements no longer count.
    public func withdraw(_ target: String) throws {
        try votes.writing(changing: nil) { votes in
            try votes.execute("INSERT INTO public_withdrawal (target) VALUES (?1) ON CONFLICT DO NOTHING", [target])
            try votes.execute("DELETE FROM public_vote WHERE target = ?1", [target])
            try remove(target)
        }
    }
}

/// The public part of an item or activity.
public struct PublicEntry: Sendable, Hashable {
    /// The URL of the web page, which identifies the entry across users.
    public let target: String
    /// The title, description, keywords, thumbnail and URL.
    public let attributes: SearchableItemAttributeSet
    /// The expiration date; by default a month after the last engagement.
    public let expirationDate: Date?

    private static let shown: [Attribute] = [.title, .contentDescription, .keywords, .thumbnailURL, .url]

    /// Creates the public entry of an activity; `nil` if it is not eligible, or has no title or web page.
    public init?(_ activity: UserActivity) {
        guard activity.isEligibleForPublicIndexing else { return nil }
        self.init(activity.itemAttributes, expiring: activity.expirationDate)
    }

    /// Creates the public entry of an item; `nil` if it is not eligible, or has no title or web page.
    public init?(_ item: SearchableItem) {
        guard item.attributeSet.eligibleForPublicIndexing ?? false else { return nil }
        self.init(item.attributeSet, expiring: item.expirationDate)
    }

    private init?(_ set: SearchableItemAttributeSet, expiring date: Date?) {
        // PostgreSQL cannot store NUL, and a URL never contains it.
        guard let page = set.url ?? set.contentURL, page.hasPrefix("http://") || page.hasPrefix("https://"),
            !page.utf8.contains(0)
        else { return nil }
        var shown = SearchableItemAttributeSet()
        for attribute in Self.shown { shown[attribute] = set[attribute] }
        shown.url = page
        guard shown.title != nil else { return nil }
        target = page
        attributes = shown
        expirationDate = date
    }
}
