import Foundation
import GRDB
import SwitchboardAlgorithms
import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import SwitchboardStorage
import SwitchboardTextNormalization

/// The items of an index as a source of documents for its search index.
struct ItemIndexSource: IndexSource {
    let index: Int64
    let schemaVersion: UInt64 = 4
    let fields = ItemField.allCases.map(\.options)

    var fileName: String { "items-\(index)" }
    var changes: DocumentChanges { SearchableIndex.changes(ofIndex: index) }

    /// The rank of an item: by engagement, then ranking hint, then insertion order.
    struct SortKey: Comparable {
        let use: Double
        let hint: Double
        let key: Int64

        /// The ranking hint of an item without one.
        static let defaultHint = 50.0

        /// `true` for an item that was chosen before or has a higher hint than others.
        var isPreferred: Bool { use > -.infinity || hint > Self.defaultHint }

        static func < (one: SortKey, other: SortKey) -> Bool {
            if one.use != other.use { return one.use > other.use }
            return one.hint == other.hint ? one.key < other.key : one.hint > other.hint
        }

        static func use(count: Int, last: Double?) -> Double {
            last.map { UseRank.rank(count: max(count, 1), last: $0) } ?? -.infinity
        }
    }

    private func sortKeys(
        where condition: String, _ arguments: StatementArguments, in db: Database
    ) throws -> [SortKey] {
        let columns = "key, useCount, usedAt, rankingHint"
        let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM item WHERE \(condition)")
        var sortKeys: [SortKey] = []
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        while let row = try rows.next() {
            let use = try SortKey.use(count: row.value(1), last: row.value(2))
            try sortKeys.append(SortKey(use: use, hint: row.value(3), key: row.value(0)))
        }
        return sortKeys
    }

    static func isPreferred(_ key: SortKey) -> Bool { key.isPreferred }

    func sortKeys(of keys: [Int64], in db: Database) throws -> [Int64: SortKey] {
        let condition = "key IN (SELECT value FROM json_each(?))"
        let sortKeys = try sortKeys(where: condition, [ItemRows.list(keys)], in: db)
        return Dictionary(uniqueKeysWithValues: sortKeys.map { ($0.key, $0) })
    }

    private func ranks(in db: Database) throws -> [Int64: UInt64] {
        let order = try sortKeys(where: "+indexKey = ?", [index], in: db).sorted()
        return Dictionary(
            uniqueKeysWithValues: order.enumerated().map { position, item in
                (item.key, SearchIndex.rank(at: position, isPreferred: item.isPreferred))
            })
    }

    func add(_ keys: [Int64]?, ranks: [Int64: UInt64], to builder: inout IndexBuilder, in db: Database) throws {
        let searchable = try self.searchable(in: db)
        let ranks = keys == nil ? try self.ranks(in: db) : ranks
        let rows = try Row.fetchCursor(
            db, sql: Self.items(areAll: keys == nil), arguments: keys.map { [index, ItemRows.list($0)] } ?? [index])
        try builder.add {
            try rows.next().map { row in try (key: row.value(0) as Int64, attributes: row.value(1) as Data) }
        } rank: {
            ranks[$0] ?? .max
        } preparing: { item in
            let texts = ItemTexts(AttributeCoder.decoded(item.attributes), searchable: searchable)
            let folded = texts.folded
            let values = ItemField.allCases.flatMap { field in
                texts.values(field, folded).map { (field: field.rawValue, value: $0) }
            }
            return IndexedDocument(id: item.key, values: values)
        }
    }

    /// Returns the statement that reads all items of an index, or those with some keys.
    ///
    /// The plus makes SQLite read the rows by key. By the index of `indexKey`, it would read all of them and sort them.
    static func items(areAll: Bool) -> String {
        let some = areAll ? "" : " AND key IN (SELECT value FROM json_each(?))"
        return "SELECT key, attributes FROM item WHERE +indexKey = ?\(some) ORDER BY key"
    }

    func searchable(in db: Database) throws -> [String] {
        try ItemRows.customAttributes(ofIndex: index, in: db).filter { $0.isSearchable && $0.type == .text }.map(\.key)
    }
}

/// The searchable texts of an item, without the full text (see ``BodySearch``).
///
/// Texts are folded when an index is built and when a hit is shown. Storing folded texts would double the database and
/// save only half of that time.
struct ItemTexts {
    struct Entry {
        enum Source {
            case attribute(Attribute, Int)
            case custom(String, Int)
        }

        let field: ItemField
        let source: Source
        let text: String

        /// The key of the text in the item's JSON, for highlights.
        var key: String {
            switch source {
            case .attribute(let attribute, let position):
                attribute.isList ? "\(attribute.name).\(position)" : attribute.name
            case .custom(let name, let position): "custom.\(name).\(position)"
            }
        }
    }

    /// The maximum number of bytes of a text to index; longer texts are cut.
    static let maximumSize = 8_192

    private(set) var entries: [Entry] = []

    /// - Parameters:
    ///   - searchable: The searchable custom attributes.
    ///   - fields: The fields whose texts are needed.
    init(_ set: SearchableItemAttributeSet, searchable: [String], of fields: [ItemField] = ItemField.allCases) {
        func add(_ attribute: Attribute, _ field: ItemField) {
            if !fields.contains(field) { return }
            for (position, value) in set[attribute].enumerated() {
                let text: String
                switch value {
                case .text(let value): text = value
                case .person(let person): text = person.name
                default: continue
                }
                entries.append(
                    Entry(field: field, source: .attribute(attribute, position), text: Self.beginning(of: text)))
            }
        }
        for field in ItemField.allCases { for attribute in field.attributes { add(attribute, field) } }
        for name in fields.contains(.details) ? searchable : [] {
            for (position, value) in (set.custom[name] ?? []).enumerated() {
                guard case .text(let text) = value else { continue }
                entries.append(
                    Entry(field: .details, source: .custom(name, position), text: Self.beginning(of: text)))
            }
        }
    }

    private static func beginning(of text: String) -> String {
        guard text.utf8.count > maximumSize else { return text }
        return String(decoding: text.utf8.prefix(maximumSize), as: UTF8.self)
    }

    var folded: [FoldedText] { entries.map { FoldedText($0.text) } }

    /// Returns the values of a field, in order.
    ///
    /// In details each word is a value, which makes the index a third smaller: descriptions are not searched by phrase.
    func values(_ field: ItemField, _ folded: [FoldedText]) -> [FieldValue] {
        entries.indices.flatMap { position -> [FieldValue] in
            guard entries[position].field == field.texts,
                let value = FieldValue(
                    text: position, folded[position], as: field == .keypadTitles ? .keys : .letters)
            else { return [] }
            if field != .details { return [value] }
            return value.words.map { word in
                var single = value
                single.words = [word]
                return single
            }
        }
    }

    /// Returns the locations of a hit. Most texts are plain; the others are folded at the first match in one of them.
    func locations(of hit: SearchHit) -> [MatchLocation] {
        lazy var folded = folded
        var values: [ItemField: [FieldValue]] = [:]
        return hit.matches.flatMap { match -> [MatchLocation] in
            guard let field = ItemField(rawValue: match.field) else { return [] }
            if let location = plainLocation(of: match, in: field) { return [location] }
            let known = values[field] ?? self.values(field, folded)
            values[field] = known
            return MatchLocation.locations(of: match, in: known, folded)
        }
    }

    /// Returns the location of a match in a text; nil if the words of this text, or of a text before it, need folding.
    private func plainLocation(of match: WordMatch, in field: ItemField) -> MatchLocation? {
        // The number of the value, or of the word if each word is a value.
        var left = match.value
        for (position, entry) in entries.enumerated() where entry.field == field.texts {
            guard let words = PlainWords(Array(entry.text.utf8)[...]), field != .keypadTitles || words.isLatin else {
                return nil
            }
            if words.isEmpty { continue }
            let count = field == .details ? words.count : 1
            if left < count {
                let word = field == .details ? left : match.word
                return words.range(of: match, inWord: word).map { .text(position, $0) }
            }
            left -= count
        }
        return nil
    }
}
