import Foundation
import GRDB
import LookupEngine
import Storage
import Synchronization
import TextFolding

/// The index of the contacts: made from the database, kept in a file beside it, made again when the contacts have
/// changed.
final class ContactIndex: Sendable {
    /// Changes when what goes into the index is made otherwise; an older file is then not read.
    private static let rules: UInt64 = 2

    private let storage: Storage
    private let current = Mutex<LookupIndex?>(nil)

    init(storage: Storage) { self.storage = storage }

    /// The index of the state that `db` is in.
    ///
    /// In memory already: a comparison. In the file: mapped and its checksum verified. Else built: about 10 µs a
    /// contact.
    func index(in db: Database) throws -> LookupIndex {
        let generation = UInt64(bitPattern: try Storage.generation(of: ContactBook.module, in: db))
        return try current.withLock { current in
            if let current, current.generation == generation { return current }
            let file = DerivedFile(named: "contacts.index", of: storage)
            if let mapped = file.flatMap({ ContactIndex.open($0, generation: generation) }) {
                current = mapped
                return mapped
            }
            let built = try ContactIndex.build(in: db, generation: generation)
            // The index answers without its file; a full disk or a folder that cannot be written costs only time.
            built.bytes.withUnsafeBytes { bytes in try? file?.replace(with: bytes) }
            current = built
            return built
        }
    }

    private static func open(_ file: DerivedFile, generation: UInt64) -> LookupIndex? {
        guard let mapped = file.map() else { return nil }
        let bytes = IndexBytes(mapped.bytes) { MappedFile.unmap($0) }
        guard let index = try? LookupIndex(bytes), index.generation == generation, index.fingerprint == rules else {
            return nil
        }
        return index
    }

    private static func build(in db: Database, generation: UInt64) throws -> LookupIndex {
        let order = try ContactOrder(in: db)
        var builder = IndexBuilder(lanes: ContactLane.allCases.map(\.options))
        try ContactBook.forEachSearchRecord(in: db) { record in
            builder.beginRecord(id: record.key, rank: order.rank(of: record.key))
            guard let tokens = try ContactTokens.readable(record.tokens, of: record.key, in: db) else { return }
            for lane in ContactLane.allCases {
                for field in lane.fields(tokens, record.numbers) {
                    builder.beginField(lane: lane.rawValue)
                    for word in field.words {
                        builder.addWord(word.spellings, infixSpellings: word.infixSpellings)
                    }
                }
            }
        }
        return try builder.build(generation: generation, fingerprint: rules)
    }
}

/// The order in which contacts of equal matches are shown: favourites, then by use, then by name.
///
/// Use is the logarithm of a count that halves every thirty days: log2(calls) + last call / 30 days. As a logarithm
/// it does not depend on the present, so the order stays right while time goes by without anything being written.
struct ContactOrder {
    private var ranks: [Int64: UInt64] = [:]

    /// Seconds after which a call counts half.
    static let halfLife = 30.0 * 86_400

    init(in db: Database) throws {
        var rows: [(key: Int64, isFavourite: Bool, use: Double)] = []
        let cursor = try Row.fetchCursor(
            db, sql: "SELECT key, isFavourite, callCount, lastCalledAt FROM contact ORDER BY sortKey, key")
        while let row = try cursor.next() {
            let calls: Int = row[2]
            let last: Double? = row[3]
            let use = calls > 0 ? log2(Double(calls)) + (last ?? 0) / ContactOrder.halfLife : -Double.infinity
            rows.append((row[0], row[1], use))
        }
        let order = rows.indices.sorted { left, right in
            if rows[left].isFavourite != rows[right].isFavourite { return rows[left].isFavourite }
            return rows[left].use == rows[right].use ? left < right : rows[left].use > rows[right].use
        }
        ranks.reserveCapacity(order.count)
        for (rank, row) in order.enumerated() { ranks[rows[row].key] = UInt64(rank) }
    }

    func rank(of key: Int64) -> UInt64 { ranks[key] ?? .max }
}
