import Foundation
import GRDB
import SwitchboardStorage

// MARK: - Merging

extension ContactBook {
    /// The number of days for which a merge can be undone. The next merge deletes the records of older ones.
    public static let daysToUndoMerge = 30

    /// Merges contacts of the same person in one transaction, or none if an identifier is unknown.
    ///
    /// The first contact keeps its name and identifier and receives all distinct numbers, addresses and notes of the
    /// others, which are removed. If a single-valued field differs, the first contact's value stays and the other is
    /// preserved in ``Contact/otherProperties``. Calls are added up; the result is a favorite if any contact was.
    /// ``undoMerge(_:discardingChanges:)`` undoes the merge.
    ///
    /// - Parameter ids: At least two identifiers, starting with the contact to keep.
    /// - Returns: The merged contact.
    /// - Throws: ``ContactBookError/notFound(id:)``, ``ContactBookError/mergedWithItself(id:)``,
    ///   ``ContactBookError/nothingToMerge``, ``ContactBookError/tooLong(field:limit:)``,
    ///   ``ContactBookError/tooMany(field:limit:)``.
    @discardableResult
    public func merge(_ ids: [String]) throws -> Contact {
        var named: Set<String> = []
        for id in ids where !named.insert(id).inserted { throw ContactBookError.mergedWithItself(id: id) }
        guard ids.count > 1 else { throw ContactBookError.nothingToMerge }
        let now = clock()
        return try writing { db in
            let found = try ids.map { try ContactFetching.contact($0, in: db) }
            guard let first = found.first else { throw ContactBookError.nothingToMerge }
            let others = found.dropFirst()
            let wereTooLarge = found.contains { $0.contact.excess != nil }
            var merged = first.contact
            for other in others {
                merged = merged.absorbing(other.contact)
                if let excess = merged.excess, !wereTooLarge { throw excess }
            }
            merged.modifiedAt = now
            let rows = try JSONEncoder().encode(found.map { try StoredRows(of: $0.key, in: db) })
            for other in others { try ContactBook.delete(other.key, in: db) }
            try ContactRows(db).replace(key: first.key, by: PreparedContact(merged))
            try db.execute(
                sql: "INSERT INTO contact_merge (contact, mergedAt, callCount, rows) VALUES (?, ?, ?, ?)",
                arguments: [first.key, now.timeIntervalSince1970, merged.callCount, rows])
            try db.execute(
                sql: "DELETE FROM contact_merge WHERE mergedAt < ?",
                arguments: [now.timeIntervalSince1970 - Double(ContactBook.daysToUndoMerge) * 86_400])
            return try ContactFetching.contact(merged.id, in: db).contact
        }
    }

    /// Undoes the last merge of a contact and restores all merged contacts exactly.
    ///
    /// Calls since the merge stay with the contact. Earlier merges can be undone afterwards.
    ///
    /// - Parameters:
    ///   - id: The identifier of the merged contact.
    ///   - discardingChanges: `true` to discard changes since the merge instead of throwing an error.
    /// - Returns: The restored contacts in the order of the merge.
    /// - Throws: ``ContactBookError/notFound(id:)``, ``ContactBookError/notMerged(id:)``,
    ///   ``ContactBookError/changedSinceMerge(id:)``, ``ContactBookError/thereAgain(id:)``.
    @discardableResult
    public func undoMerge(_ id: String, discardingChanges: Bool = false) throws -> [Contact] {
        try writing { db in
            let (key, present) = try ContactFetching.contact(id, in: db)
            let merge = try Row.fetchOne(
                db,
                sql: """
                    SELECT key, mergedAt, callCount, rows FROM contact_merge WHERE contact = ?
                    ORDER BY key DESC LIMIT 1
                    """, arguments: [key])
            guard let merge else { throw ContactBookError.notMerged(id: id) }
            let json: Data = try merge.value(3)
            guard let rows = try? JSONDecoder().decode([StoredRows].self, from: json) else {
                throw ContactBookError.notMerged(id: id)
            }
            let mergedAt: Date = try merge.value(1)
            guard discardingChanges || present.modifiedAt == mergedAt else {
                throw ContactBookError.changedSinceMerge(id: id)
            }
            try ContactBook.delete(key, in: db)
            for stored in rows {
                if let identifier = stored.identifier, try ContactFetching.key(ifAny: identifier, in: db) != nil {
                    throw ContactBookError.thereAgain(id: identifier)
                }
                try stored.restore(in: db)
            }
            try ContactBook.addCalls(of: present, since: merge.value(2), to: key, in: db)
            try db.execute(sql: "DELETE FROM contact_merge WHERE key = ?", arguments: [try merge.value(0) as Int64])
            let contacts = try ContactFetching.contacts(rows.map(\.key), in: db)
            return rows.compactMap { contacts[$0.key] }
        }
    }

    private static func delete(_ key: Int64, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM contact WHERE key = ?").execute(arguments: [key])
    }

    /// Adds the calls since the merge to the restored contact.
    private static func addCalls(of present: Contact, since calls: Int, to key: Int64, in db: Database) throws {
        let (further, underflows) = present.callCount.subtractingReportingOverflow(calls)
        guard !underflows, further > 0 else { return }
        let before = try Int.fetchOne(db, sql: "SELECT callCount FROM contact WHERE key = ?", arguments: [key]) ?? 0
        let (sum, overflows) = before.addingReportingOverflow(further)
        try db.execute(
            sql: "UPDATE contact SET callCount = ?, lastCalledAt = ? WHERE key = ?",
            arguments: [overflows ? .max : sum, present.lastCalledAt?.timeIntervalSince1970, key])
    }
}
