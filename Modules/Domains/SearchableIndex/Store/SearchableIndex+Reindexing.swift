import Foundation
import GRDB
import SwitchboardStorage

// Each `unsafe` is safe because the bytes are only read within the closure.

/// A delegate that can put lost items again; implemented by the app that owns the items.
public protocol SearchableIndexDelegate {
    /// Puts the corrupt items again, or deletes them.
    func reindexItems(withIdentifiers ids: [String], in index: SearchableIndex) throws
}

// MARK: - Reindexing

extension SearchableIndex {
    /// Verifies all items, and requests those with corrupt attributes from the delegate.
    ///
    /// The search index is rebuilt from the store when it is missing or corrupt, which needs no delegate. The store
    /// itself cannot be rebuilt; `Storage` reports corrupt pages.
    ///
    /// - Returns: The identifiers of the requested items, sorted.
    /// - Throws: Errors of the delegate, and `StorageError`.
    /// - Complexity: O(*n*) in the number of items, a few microseconds each.
    @discardableResult
    public func requestReindexing(from delegate: some SearchableIndexDelegate) throws -> [String] {
        let lost: [String] = try storage.read { db in
            guard let index = try ItemRows.indexKey(name, in: db) else { return [] }
            var lost: [String] = []
            let rows = try Row.fetchCursor(
                db, sql: "SELECT id, attributes FROM item WHERE indexKey = ? ORDER BY id", arguments: [index])
            while let row = try rows.next() {
                let isSound = try row.withUnsafeData(atIndex: 1) { data in
                    unsafe data?.withUnsafeBytes { unsafe AttributeCoder.isValid($0) } ?? false
                }
                if !isSound { try lost.append(row.value(0)) }
            }
            return lost
        }
        if !lost.isEmpty { try delegate.reindexItems(withIdentifiers: lost, in: self) }
        return lost
    }
}
