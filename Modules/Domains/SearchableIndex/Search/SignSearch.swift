import Foundation
import GRDB
import SwitchboardIncrementalIndex
import SwitchboardStorage
import SwitchboardTextNormalization

/// A search for a text without letters and digits, such as 🍔 or `???`, which the index does not contain.
///
/// Each word of the query must occur in one text of an item. Finds the items in time linear in the bytes of the texts, about 2 GB a second.
struct SignSearch {
    private let signs: SignText

    /// Creates a search; nil for the empty query, and for one with letters or digits.
    init?(_ text: String) {
        guard FoldedQuery(text).words.isEmpty, let signs = SignText(text) else { return nil }
        self.signs = signs
    }

    /// Returns the ranges of the signs in a text, in Unicode scalars, sorted and disjoint; nil if one does not occur.
    func ranges(in text: String) -> [Range<Int>]? { signs.ranges(in: text) }

    /// Returns the items with the signs: in titles, then names, then other texts, then full texts.
    ///
    /// - Parameters:
    ///   - source: The items of an index.
    ///   - limit: The maximum number of hits; 0 for all.
    ///   - searched: The items to search; nil for all.
    ///   - check: The check of items that match; nil for none.
    ///   - isCancelled: Polled regularly.
    func hits(
        _ source: ItemIndexSource, limit: Int, among searched: [Int64]?, accepting check: ItemCheck?,
        isCancelled: (@Sendable () -> Bool)?, in db: Database
    ) throws -> [ItemHit] {
        guard let scalar = signs.scalar else { return [] }
        let needle = Data(String(scalar).utf8)
        let searchable = try source.searchable(in: db)
        // The plus: see `ItemIndexSource.items(areAll:)`.
        var keys = try Int64.fetchAll(
            db,
            sql: """
                SELECT key FROM item LEFT JOIN item_text ON item = key
                WHERE +indexKey = ? AND (instr(attributes, ?) OR instr(CAST(text AS BLOB), ?))
                """, arguments: [source.index, needle, needle])
        if let searched = searched.map(Set.init) { keys.removeAll { !searched.contains($0) } }
        var found: [(field: Int, order: ItemIndexSource.SortKey, hit: ItemHit)] = []
        func keepBest() {
            found.sort { ($0.field, $0.order) < ($1.field, $1.order) }
            if limit > 0 { found.removeLast(max(found.count - limit, 0)) }
        }
        for start in stride(from: 0, to: keys.count, by: 1_000) {
            if isCancelled?() ?? false { throw CancellationError() }
            let chunk = keys[start..<min(start + 1_000, keys.count)]
            let items = try ItemRows.items(Array(chunk), in: db)
            for (key, order) in try source.sortKeys(of: Array(chunk), in: db) {
                guard let item = items[key], let (field, hit) = try hit(item, key, searchable: searchable, in: db),
                    check?.accepts(key) ?? true
                else { continue }
                found.append((field, order, hit))
            }
            if limit > 0, found.count / 2 > limit { keepBest() }
        }
        keepBest()
        return found.map(\.hit)
    }

    private func hit(
        _ item: StoredItem, _ key: Int64, searchable: [String], in db: Database
    ) throws -> (field: Int, hit: ItemHit)? {
        let entries = ItemTexts(item.attributeSet, searchable: searchable).entries.sorted {
            $0.field.rawValue < $1.field.rawValue
        }
        for entry in entries {
            guard let ranges = ranges(in: entry.text) else { continue }
            let snippet =
                entry.key == "contentDescription"
                ? Snippet(of: entry.text, field: entry.key, highlights: ranges) : nil
            return (
                entry.field.rawValue,
                ItemHit(item: item, match: .words, highlights: [entry.key: ranges], snippet: snippet)
            )
        }
        let sql = "SELECT text FROM item_text WHERE item = ?"
        guard let text = try String.fetchOne(db.cachedStatement(sql: sql), arguments: [key]),
            let ranges = ranges(in: text)
        else { return nil }
        let snippet = Snippet(of: text, field: "textContent", highlights: ranges)
        return (ItemField.allCases.count, ItemHit(item: item, match: .words, highlights: [:], snippet: snippet))
    }
}
