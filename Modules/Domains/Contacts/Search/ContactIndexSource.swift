import GRDB
import SwitchboardIncrementalIndex
import SwitchboardSearchEngine

/// The source of the contact index.
struct ContactIndexSource: IndexSource {
    let fileName = "contacts"
    let schemaVersion: UInt64 = 4
    let fields = PersonField.allCases.map(\.options)
    let changes = ContactBook.changes

    func sortKeys(of keys: [Int64], in db: Database) throws -> [Int64: ContactOrder] {
        try ContactOrder.orders(of: keys, in: db)
    }

    func add(_ keys: [Int64]?, ranks: [Int64: UInt64], to builder: inout IndexBuilder, in db: Database) throws {
        let ranks = keys == nil ? try ContactOrder.ranks(in: db) : ranks
        try ContactBook.forEachSearchRecord(in: db, keys: keys) { record in
            builder.beginDocument(id: record.key, rank: ranks[record.key] ?? .max)
            if let tokens = try ContactTokens.decoded(record.tokens, of: record.key, in: db) {
                builder.add(PersonTexts(tokens, record.numbers))
            }
        }
    }
}

extension PersonTexts {
    /// Creates the searchable texts of a contact.
    init(_ tokens: ContactTokens, _ numbers: [PhoneNumber]) {
        self.init(
            texts: tokens.entries.map(\.text), areNames: tokens.entries.map(\.field.isName),
            numbers: numbers.map(\.searchReadings))
    }
}

extension ContactTokens.Field {
    /// `true` for a name of the contact.
    var isName: Bool {
        switch self {
        case .displayName, .nickname, .phoneticName, .organization: true
        case .email, .note: false
        }
    }
}
