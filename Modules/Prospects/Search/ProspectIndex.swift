import Foundation
import GRDB
import LookupEngine
import Storage
import Synchronization

/// The index of the prospects: made from the database, kept in a file beside it, made again when their texts have changed.
///
/// Those met last come first among equals. Ticking somebody off changes no text and leaves the index as it is.
final class ProspectIndex: Sendable {
    /// Changes when what goes into the index is made otherwise; an older file is then not read.
    private static let rules: UInt64 = 1

    private let storage: Storage
    private let current = Mutex<LookupIndex?>(nil)

    init(storage: Storage) { self.storage = storage }

    /// The index of the state that `db` is in.
    ///
    /// In memory already: a comparison. In the file: mapped and its checksum verified. Else built: about 10 µs a prospect.
    func index(in db: Database) throws -> LookupIndex {
        let generation = UInt64(bitPattern: try Storage.generation(of: Prospects.texts, in: db))
        return try current.withLock { current in
            if let current, current.generation == generation { return current }
            let file = DerivedFile(named: "prospects.index", of: storage)
            if let mapped = file.flatMap({ ProspectIndex.open($0, generation: generation) }) {
                current = mapped
                return mapped
            }
            let built = try ProspectIndex.build(in: db, generation: generation)
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
        var builder = IndexBuilder(lanes: ProspectLane.allCases.map(\.options))
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT key, tokens, numbers FROM prospect JOIN prospect_search ON prospect = key
                WHERE removedAt IS NULL ORDER BY metAt DESC, key DESC
                """)
        var rank: UInt64 = 0
        while let row = try rows.next() {
            let key: Int64 = row[0]
            let tokens = try ProspectTokens.readable(row[1]) { try ProspectRows.prospects([key], in: db)[key] }
            guard let tokens else { continue }
            builder.beginRecord(id: key, rank: rank)
            rank += 1
            let numbers = ProspectIndex.numbers(row[2])
            for lane in ProspectLane.allCases {
                for field in lane.fields(tokens, numbers) {
                    builder.beginField(lane: lane.rawValue)
                    for word in field.words { builder.addWord(word.spellings, infixSpellings: word.infixSpellings) }
                }
            }
        }
        return try builder.build(generation: generation, fingerprint: rules)
    }

    /// The writings of a number out of the column `prospect_search.numbers`.
    static func numbers(_ stored: String) -> [String] { stored.split(separator: " ").map(String.init) }
}
