import Foundation
import GRDB
import SwitchboardStorage

/// Who puts items again that the store has lost; an app that owns the items.
public protocol SearchableIndexDelegate {
    /// Some items cannot be read any more: put them again, or delete them.
    func reindexItems(withIdentifiers ids: [String], in index: SearchableIndex) throws
}

// MARK: - Lost items

extension SearchableIndex {
    /// Reads all items, and asks the delegate for those whose attributes are damaged.
    ///
    /// The derived index is made from the store whenever it is missing or damaged, so nothing is asked for then. What a damaged disk or a
    /// foreign program has done to the store itself, the store cannot mend; `Storage` tells of pages that are damaged.
    ///
    /// - Returns: the identifiers of the items that were asked for, sorted.
    /// - Throws: what the delegate throws, `StorageError`.
    /// - Complexity: O(items), some microseconds each.
    @discardableResult
    public func requestReindexing(from delegate: some SearchableIndexDelegate) throws -> [String] {
        let lost: [String] = try storage.read { db in
            guard let index = try ItemRows.indexKey(name, in: db) else { return [] }
            var lost: [String] = []
            let rows = try Row.fetchCursor(
                db, sql: "SELECT id, attributes FROM item WHERE indexKey = ? ORDER BY id", arguments: [index])
            while let row = try rows.next() {
                let isSound = try row.withUnsafeData(atIndex: 1) { data in
                    data?.withUnsafeBytes { AttributeBytes.isSound($0) } ?? false
                }
                if !isSound { try lost.append(row.value(0)) }
            }
            return lost
        }
        if !lost.isEmpty { try delegate.reindexItems(withIdentifiers: lost, in: self) }
        return lost
    }
}
