import Foundation
import GRDB
public import SwitchboardIncrementalIndex
@_exported public import SwitchboardPeopleSearch
import SwitchboardSearchEngine
import SwitchboardStorage

/// A search for prospects by text and by keypad. Among equal matches, the most recently met come first.
///
/// Highlights have the keys `name`, `organization`, `email`, `phone`, `met` and `note`.
public typealias ProspectSearch = PersonSearch<Prospect>

extension PersonSearch<Prospect> {
    /// Creates a search of a list of prospects. Nothing is read before the first query.
    ///
    /// - Parameters:
    ///   - prospects: The list to search.
    ///   - rebuildsInBackground: `true` if the index may be rebuilt on another thread after many changes. A short-lived
    ///     program calls `compact()` instead.
    ///   - mergePolicy: The limits for segments and rebuilds of the index.
    public convenience init(
        prospects: Prospects, rebuildsInBackground: Bool = true, mergePolicy: MergePolicy = MergePolicy()
    ) {
        self.init(
            of: ProspectSource(storage: prospects.storage), rebuildsInBackground: rebuildsInBackground,
            mergePolicy: mergePolicy)
    }
}

/// The searchable fields of a prospect in order of weight. Phone numbers are indexed by their forms instead.
enum ProspectField: UInt8, PersonTextField {
    case name, organization, email, met, note

    static let hasPositions = false

    var isName: Bool { self == .name || self == .organization }

    func key(at _: Int) -> String { "\(self)" }
}

extension Prospect {
    /// The folded texts for the column `prospect_search.tokens`.
    var searchTexts: Data { PersonTexts.serialized(texts) }

    /// The texts that are searched, except for the number, with their keys in highlights.
    package var searchedTexts: [(key: String, text: String)] { texts.map { ($0.key(at: $1), $2) } }

    private var texts: [PersonTexts.Text<ProspectField>] {
        [
            (.name, 0, displayName), (.organization, 0, organization), (.email, 0, email), (.met, 0, met),
            (.note, 0, note),
        ]
    }
}

struct ProspectSource: PersonSource {
    let storage: Storage
    let fileName = "prospects"
    let schemaVersion: UInt64 = 3
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
        try db.forEachRow("SELECT key, metAt FROM prospect WHERE removedAt IS NULL AND key IN", keys) { row in
            try sortKeys[row.value(0)] = SortKey(metAt: row.value(1), key: row.value(0))
        }
        return sortKeys
    }

    func add(_ keys: [Int64]?, ranks: [Int64: UInt64], to builder: inout IndexBuilder, in db: Database) throws {
        let some = keys.map { " AND key IN (" + $0.map { String($0) }.joined(separator: ",") + ")" } ?? ""
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT key, tokens, numbers FROM prospect JOIN prospect_search ON prospect = key
                WHERE removedAt IS NULL\(some) ORDER BY metAt DESC, key DESC
                """)
        var next: UInt64 = 0
        while let row = try rows.next() {
            let key: Int64 = try row.value(0)
            let person = try PersonTexts(row.value(1), numbers: row.value(2)) { try people([key], in: db)[key] }
            guard let person else { continue }
            builder.beginDocument(id: key, rank: ranks[key] ?? next)
            next += 1
            builder.add(person)
        }
    }

    func people(_ keys: [Int64], in db: Database) throws -> [Int64: Prospect] {
        try ProspectRows.prospects(keys, in: db)
    }

    func texts(of people: [Int64: Prospect], in db: Database) throws -> [Int64: PersonTexts] {
        var texts: [Int64: PersonTexts] = [:]
        let sql = "SELECT prospect, tokens, numbers FROM prospect_search WHERE prospect IN"
        try db.forEachRow(sql, Array(people.keys)) { row in
            let key: Int64 = try row.value(0)
            texts[key] = try PersonTexts(row.value(1), numbers: row.value(2)) { people[key] }
        }
        return texts
    }

    /// Always nil: marking a prospect as contacted does not advance the generation of the index, so stored copies would
    /// be stale.
    func shownTexts(_ key: String, of prospect: Prospect) -> [String] {
        switch key {
        case "name": [prospect.displayName]
        case "phone": [prospect.phone]
        case "email": [prospect.email]
        case "organization": [prospect.organization]
        default: []
        }
    }

    func stored(_: [UInt8]) -> (any StoredPerson)? { nil }

    static func person(of _: any StoredPerson) -> Prospect { Prospect() }

    func number(at _: Int, of prospect: Prospect) -> ShownNumber {
        ShownNumber(key: "phone", text: prospect.phone)
    }
}

extension PersonTexts {
    fileprivate init?(_ data: Data, numbers: String, prospect: () throws -> Prospect?) rethrows {
        let numbers = [numbers.split(separator: " ").map(String.init)]
        try self.init(stored: data, of: ProspectField.self, numbers: numbers) { try prospect()?.searchTexts }
    }
}
