public import Foundation
import GRDB
public import SwitchboardStorage

/// What may be found by everybody: items and activities that enough different people have chosen.
///
/// An entry is put here each time somebody chooses something that is eligible. It can be found once so many different people have
/// done so as the threshold says. Only what is needed is kept: title, description, keywords, picture and address; never a
/// `userInfo`, and never who. Of each person and target there is one keyed hash, so nobody counts twice.
///
/// For example:
///
/// ```swift
/// let shared = PublicIndex(storage: storage, threshold: 5) { person, target in hmac(key, person + "\n" + target) }
/// try shared.engage(with: activity.publicEntry, by: "ana")
/// let hits = try ItemSearch(index: shared.index).answer(finding: "dunes").hits
/// ```
public struct PublicIndex: Sendable {
    /// How many different people it takes, unless the configuration says otherwise.
    public static let usualThreshold = 5

    /// The index of what is public.
    public let index: SearchableIndex
    /// How many different people must have chosen something.
    public let threshold: Int

    private let hash: @Sendable (_ person: String, _ target: String) -> Data

    /// A public index.
    ///
    /// - Parameters:
    ///   - storage: the database that all share, with the tables of ``SearchableIndex``.
    ///   - threshold: how many different people make an item public.
    ///   - clock: what tells the time.
    ///   - hash: a keyed hash of a person and a target, such as HMAC-SHA256; the key must stay the same.
    public init(
        storage: Storage, threshold: Int = PublicIndex.usualThreshold,
        clock: @escaping @Sendable () -> Date = { Date() },
        hash: @escaping @Sendable (_ person: String, _ target: String) -> Data
    ) {
        index = SearchableIndex(storage: storage, name: "public", clock: clock)
        self.threshold = max(threshold, 1)
        self.hash = hash
    }

    /// Counts that a person has chosen something; once for each person.
    ///
    /// - Returns: whether everybody can find it now.
    /// - Throws: ``SearchableIndexError/invalidItem(_:)`` if its content is not valid.
    @discardableResult
    public func engage(with entry: PublicEntry, by person: String) throws -> Bool {
        let vote = hash(person, entry.target)
        return try index.writing { db, key, changed in
            let now = index.clock()
            try db.execute(sql: "DELETE FROM public_vote WHERE expiresAt <= ?", arguments: [now.timeIntervalSince1970])
            let isWithdrawn = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM public_withdrawal WHERE target = ?)", arguments: [entry.target])
            if isWithdrawn ?? false { return false }
            let expiresAt = entry.expirationDate ?? now.addingTimeInterval(SearchableIndex.usualLifetime)
            try db.execute(
                sql: """
                    INSERT INTO public_vote VALUES (?, ?, ?)
                    ON CONFLICT (target, voter) DO UPDATE SET expiresAt = max(expiresAt, excluded.expiresAt)
                    """, arguments: [entry.target, vote, expiresAt.timeIntervalSince1970])
            let votes = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM public_vote WHERE target = ?", arguments: [entry.target])
            guard votes ?? 0 >= threshold else { return false }
            do {
                var writer = try ItemWriter(db, index: key, now: now)
                let item = SearchableItem(
                    uniqueIdentifier: entry.target, attributeSet: entry.attributes, expiration: .at(expiresAt))
                try writer.put(try PreparedItem(item))
            } catch let fault as ItemFault {
                throw SearchableIndexError.invalidItem(fault)
            }
            changed += 1
            return true
        }
    }

    /// Takes one person's choice back. If too few others have made it, nobody finds the target any more until enough have.
    public func retract(_ target: String, by person: String) throws {
        let vote = hash(person, target)
        try index.writing { db, key, changed in
            try db.execute(
                sql: "DELETE FROM public_vote WHERE target = ? AND voter = ?", arguments: [target, vote])
            let votes = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM public_vote WHERE target = ?", arguments: [target])
            guard votes ?? 0 < threshold else { return }
            try db.execute(sql: "DELETE FROM item WHERE indexKey = ? AND id = ?", arguments: [key, target])
            changed += db.changesCount
        }
    }

    /// Takes something back for everybody: nobody finds it any more, however many choose it later.
    public func withdraw(_ target: String) throws {
        try index.writing { db, key, changed in
            try db.execute(sql: "INSERT OR IGNORE INTO public_withdrawal VALUES (?)", arguments: [target])
            try db.execute(sql: "DELETE FROM public_vote WHERE target = ?", arguments: [target])
            try db.execute(sql: "DELETE FROM item WHERE indexKey = ? AND id = ?", arguments: [key, target])
            changed += db.changesCount
        }
    }
}

/// What of an item or activity everybody may see.
public struct PublicEntry: Sendable, Hashable {
    /// What it is: the address of its page, by which different people's activities are the same.
    public let target: String
    /// Title, description, keywords, picture and address.
    public let attributes: SearchableItemAttributeSet
    /// When it is forgotten; a month after the last choice unless given.
    public let expirationDate: Date?

    private static let shown: [Attribute] = [.title, .contentDescription, .keywords, .thumbnailURL, .url]

    /// What everybody may see of an activity; nil if it is not eligible, or has no page by which it could be opened.
    public init?(_ activity: UserActivity) {
        guard activity.isEligibleForPublicIndexing else { return nil }
        self.init(activity.shownAttributes, expiring: activity.expirationDate)
    }

    /// What everybody may see of an item; nil if it is not eligible, or has no page by which it could be opened.
    public init?(_ item: SearchableItem) {
        guard item.attributeSet.eligibleForPublicIndexing ?? false else { return nil }
        self.init(item.attributeSet, expiring: item.expirationDate)
    }

    private init?(_ set: SearchableItemAttributeSet, expiring date: Date?) {
        guard let page = set.url ?? set.contentURL, page.hasPrefix("http://") || page.hasPrefix("https://") else {
            return nil
        }
        var shown = SearchableItemAttributeSet()
        for attribute in Self.shown { shown[attribute] = set[attribute] }
        shown.url = page
        guard shown.title != nil else { return nil }
        target = page
        attributes = shown
        expirationDate = date
    }
}
