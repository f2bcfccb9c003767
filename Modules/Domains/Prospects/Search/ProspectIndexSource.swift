import GRDB
import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import SwitchboardStorage

/// The source of the prospects' search index. Among equal matches, the latest met comes first.
struct ProspectIndexSource: IndexSource {
    let fileName = "prospects"
    let schemaVersion: UInt64 = 2
    let fields = PersonField.allCases.map(\.options)
    let changes = Prospects.changes

    /// The time of the last meeting; later ones sort first.
    struct SortKey: Comparable {
        let metAt: Double
        let key: Int64

        static func < (one: SortKey, other: SortKey) -> Bool { (one.metAt, one.key) > (other.metAt, other.key) }
    }

    func sortKeys(of keys: [Int64], in db: Database) throws -> [Int64: SortKey] {
        var sortKeys: [Int64: SortKey] = [:]
        let statement = try db.cachedStatement(
            sql: """
                SELECT key, metAt FROM prospect
                WHERE removedAt IS NULL AND key IN (SELECT value FROM json_each(?))
                """)
        let rows = try Row.fetchCursor(statement, arguments: [ProspectIndexSource.list(keys)])
        while let row = try rows.next() {
            try sortKeys[row.value(0)] = SortKey(metAt: row.value(1), key: row.value(0))
        }
        return sortKeys
    }

    func add(_ keys: [Int64]?, ranks: [Int64: UInt64], to builder: inout IndexBuilder, in db: Database) throws {
        let some = keys == nil ? "" : " AND key IN (SELECT value FROM json_each(?))"
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT key, tokens, numbers FROM prospect JOIN prospect_search ON prospect = key
                WHERE removedAt IS NULL\(some) ORDER BY metAt DESC, key DESC
                """, arguments: keys.map { [ProspectIndexSource.list($0)] } ?? [])
        var next: UInt64 = 0
        while let row = try rows.next() {
            let key: Int64 = try row.value(0)
            let tokens = try ProspectTokens.decoding(row.value(1)) { try ProspectRows.prospects([key], in: db)[key] }
            guard let tokens else { continue }
            builder.beginDocument(id: key, rank: ranks[key] ?? next)
            next += 1
            try builder.add(PersonTexts(tokens, numbers: row.value(2)))
        }
    }

    private static func list(_ keys: [Int64]) -> String {
        "[" + keys.map { String($0) }.joined(separator: ",") + "]"
    }
}

extension PersonTexts {
    /// Creates the searchable texts of a prospect.
    ///
    /// - Parameter numbers: The column `prospect_search.numbers`, the forms of the phone number.
    init(_ tokens: ProspectTokens, numbers: String) {
        self.init(
            texts: tokens.entries.map(\.text), areNames: tokens.entries.map(\.field.isName),
            numbers: [numbers.split(separator: " ").map(String.init)])
    }
}
