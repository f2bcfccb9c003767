import Foundation
import GRDB
public import SwitchboardStorage

/// The prospects as vCard files, which clients that synchronize with a server can read.
extension Prospects {
    /// Returns the token of the present state.
    public func cardToken() throws -> ChangeToken {
        try storage.read { db in try Prospects.journal.token(in: db) }
    }

    /// Returns the cards of all prospects.
    public func cards() throws -> [StoredResource] {
        try storage.read { db in try Prospects.cards(in: db).map(\.resource) }
    }

    /// Returns the card of a prospect with its bytes; nil if there is none.
    public func card(_ name: String) throws -> (resource: StoredResource, bytes: [UInt8])? {
        guard name.hasSuffix(".vcf") else { return nil }
        return try storage.read { db in
            try Prospects.cards(ifAny: [String(name.dropLast(4))], in: db).first
        }
    }

    /// Returns the cards that changed after a token, or all cards without one.
    ///
    /// - Parameters:
    ///   - token: A token of an earlier call.
    ///   - limit: The maximum number of cards and removals.
    /// - Returns: nil if the token is unknown or too old.
    public func cardChanges(since token: ChangeToken?, limit: Int = .max) throws -> ResourceChanges? {
        try storage.read { db in
            guard let token, token.listedTo == nil else {
                return try Prospects.firstCards(token, limit: limit, in: db)
            }
            guard let found = try Prospects.journal.changes(since: token, limit: limit, in: db) else { return nil }
            var changes = ResourceChanges(token: found.token)
            changes.isComplete = found.isComplete
            let present = found.entries.filter { !$0.isRemoved }.map(\.object)
            changes.changed = try Prospects.cards(ifAny: present, in: db).map(\.resource)
            changes.removed = found.entries.filter(\.isRemoved).map { $0.object + ".vcf" }
            return changes
        }
    }

    private static func firstCards(
        _ token: ChangeToken?, limit: Int, in db: Database
    ) throws -> ResourceChanges? {
        try journal.listing(continuing: token, limit: limit, in: db) { key, limit in
            try cards(after: key, limit: limit, in: db).map { ($0.key, $0.resource) }
        }.map { ResourceChanges(listing: $0) }
    }

    private static func cards(
        after key: Int64 = 0, limit: Int = .max, in db: Database
    ) throws -> [(key: Int64, resource: StoredResource)] {
        let keys = try Int64.fetchAll(
            db, sql: "SELECT key FROM prospect WHERE removedAt IS NULL AND key > ? ORDER BY key LIMIT ?",
            arguments: [key, limit])
        let prospects = try ProspectRows.prospects(keys, in: db)
        return keys.compactMap { key in prospects[key].map { (key, $0.stored.resource) } }
    }

    private static func cards(
        ifAny ids: [String], in db: Database
    ) throws -> [(resource: StoredResource, bytes: [UInt8])] {
        try ids.compactMap { id in
            do {
                return try ProspectRows.prospect(id, in: db).prospect.stored
            } catch ProspectsError.notFound {
                return nil
            }
        }
    }
}

extension Prospect {
    fileprivate var stored: (resource: StoredResource, bytes: [UInt8]) {
        let bytes = Array(card(version: "3.0").utf8)
        let time = modifiedAt ?? createdAt ?? .distantPast
        return (StoredResource(name: id + ".vcf", bytes: bytes, modifiedAt: time), bytes)
    }
}
