import Dispatch
import Foundation
import GRDB
import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import SwitchboardStorage
import Synchronization
import Testing

@Suite("Rebuilds of an index")
struct RebuildTests {
    @Test(
        "Documents prepared on other threads are added in order, without those that were left out",
        arguments: [0, 1, 1_024, 5_000])
    func preparedDocuments(count: Int) throws {
        func builder(failingAt failure: Int? = nil) throws -> IndexBuilder {
            var builder = IndexBuilder(fields: [.wordSuffixes])
            var next = 0
            try builder.add { () -> Int? in
                guard next < count else { return nil }
                defer { next += 1 }
                return next
            } rank: { _ in
                0
            } preparing: { (number: Int) -> IndexedDocument? in
                if number == failure { throw CancellationError() }
                if number % 3 == 1 { return nil }
                let value = FieldValue(number: 0, formats: ["\(number)"])
                return IndexedDocument(
                    id: Int64(number), values: [(field: 0, value: value)], stored: [UInt8(number % 256)])
            }
            return builder
        }
        let index = try builder().build()
        let expected = (0..<count).filter { $0 % 3 != 1 }
        #expect((0..<index.documentCount).map(index.id(of:)) == expected.map { Int64($0) })
        let stored = try expected.indices.map { try index.storedBytes(of: $0) }
        #expect(stored == expected.map { [UInt8($0 % 256)] })
        for failure in [0, count - 1] where count > 0 {
            #expect(throws: CancellationError.self) { _ = try builder(failingAt: failure) }
        }
    }

    @Test("A rebuild in the background does not block writes")
    func writesDuringRebuild() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let storage = try Storage(at: folder.appending(path: "a.sqlite").path, migrations: [NoteSource.migrations])
        func add(_ count: Int) throws {
            try storage.write(changing: NoteSource.module) { db in
                for _ in 0..<count { try db.execute(sql: "INSERT INTO note DEFAULT VALUES") }
            }
        }
        var policy = MergePolicy()
        (policy.minChangesBeforeRebuild, policy.rebuildDivisor, policy.blockingRebuildFactor) = (4, 1_000, 1_000)
        let source = NoteSource()
        func count(_ index: IncrementalIndex<NoteSource>) throws -> Int {
            try storage.read { db in try index.search(in: db, limit: 0) { nil }.hits.count }
        }
        try add(3)
        #expect(try count(IncrementalIndex(of: source, in: storage, mergePolicy: policy)) == 3)

        // A rebuild that began while nothing else was read would use the connection of writes, which depends on the threads.
        var expected = 3
        for _ in 0..<5 {
            let index = IncrementalIndex(of: source, in: storage, mergePolicy: policy)
            source.isPaused.set()
            try add(8)
            expected += 8
            // This search finds that a rebuild is due, and does not wait for it.
            #expect(try count(index) == expected)
            try #require(source.began.wait(timeout: .now() + 20) == .success)
            try add(1)
            expected += 1
            #expect(try count(index) == expected)
            source.written.signal()
            try #require(source.ended.wait(timeout: .now() + 20) == .success)
            #expect(source.sawWrite.clear())
        }
    }

    @Test("A large change is indexed before it is committed, so that no search waits, also in another process")
    func largeChanges() throws {
        let notes = try TwoStorages()
        defer { notes.remove() }
        let (storages, sources, indexes) = (notes.storages, notes.sources, notes.indexes)
        func add(_ count: Int, _ db: Database) throws { try notes.add(count, db) }
        func counts() throws -> (found: [Int], calls: [Int]) { try notes.counts() }
        try storages[0].write(changing: NoteSource.module) { try add(3_000, $0) }
        #expect(try counts() == (found: [3_000, 3_000], calls: [1, 0]))
        for round in 1...2 {
            let before = sources[0].calls.value
            try storages[0].write(changing: NoteSource.module) { try add(600, $0) }
            #expect(sources[0].calls.value == before + 1)
            #expect(try counts() == (found: [3_000 + 600 * round, 3_000 + 600 * round], calls: [0, 0]))
        }
        // Changes that are rolled back are in no index, whether it has followed them or not.
        for follows in [false, true] {
            #expect(throws: CancellationError.self) {
                try storages[0].write { db in
                    let before = sources[0].calls.value
                    try storages[0].write(changing: NoteSource.module) { try add(600, $0) }
                    #expect(sources[0].calls.value == before)
                    if follows { indexes[0].follow(in: db) }
                    throw CancellationError()
                }
            }
            #expect(try counts().found == [4_200, 4_200])
        }
        try storages[1].write(changing: NoteSource.module) { try add(1, $0) }
        #expect(try counts().found == [4_201, 4_201])
        let fresh = IncrementalIndex(of: NoteSource(), in: storages[1])
        #expect(try storages[1].read { db in try fresh.search(in: db, limit: 0) { nil }.hits.count } == 4_201)
    }

    @Test("A change for which the index is rebuilt is in a new file before the commit", arguments: [false, true])
    func rebuilds(isForgotten: Bool) throws {
        let notes = try TwoStorages()
        defer { notes.remove() }
        /// Adds notes, and forgets the recorded changes as a source does after so many.
        func add(_ count: Int) throws {
            try notes.storages[0].write(changing: NoteSource.module) { db in
                try notes.add(count, db)
                if isForgotten { try db.execute(sql: "DELETE FROM note_change") }
            }
        }
        try add(1_000)
        #expect(try notes.counts() == (found: [1_000, 1_000], calls: [1, 0]))
        for round in 1...2 {
            let before = notes.sources[0].calls.value
            try add(20_000)
            #expect(notes.sources[0].calls.value == before + 1)
            #expect(try notes.files() == ["notes-next.index", "notes.index"])
            // The other one searches first.
            let found = try notes.storages[1].read { db in
                try notes.indexes[1].search(in: db, limit: 0) { nil }.hits.count
            }
            #expect(found == 1_000 + 20_000 * round)
            #expect(try notes.files() == ["notes.index"])
            #expect(try notes.counts() == (found: [found, found], calls: [0, 0]))
        }
    }

    @Test("Batches between which no one searches are not indexed again and again")
    func batches() throws {
        let notes = try TwoStorages()
        defer { notes.remove() }
        try notes.storages[0].write(changing: NoteSource.module) { try notes.add(20_000, $0) }
        #expect(try notes.counts() == (found: [20_000, 20_000], calls: [1, 0]))
        let before = notes.sources[0].indexed.value
        for _ in 0..<40 { try notes.storages[0].write(changing: NoteSource.module) { try notes.add(500, $0) } }
        let indexed = notes.sources[0].indexed.value - before
        #expect((1...40 * 500).contains(indexed))
        #expect(try notes.counts().found == [40_000, 40_000])
    }

    @Test("Batches with searches between them are indexed a few times each, in few segments")
    func searchedBatches() throws {
        var policy = MergePolicy()
        (policy.rebuildDivisor, policy.changeDivisor) = (1, 1)
        let notes = try TwoStorages(mergePolicy: policy)
        defer { notes.remove() }
        try notes.storages[0].write(changing: NoteSource.module) { try notes.add(5_000, $0) }
        #expect(try notes.counts() == (found: [5_000, 5_000], calls: [1, 0]))
        let before = notes.sources[0].indexed.value
        for batch in 1...25 {
            try notes.storages[0].write(changing: NoteSource.module) { db in
                try notes.add(100, db)
                // Of the whole index, of an older segment and of a newer one.
                for key in [batch, 5_000 + 50 * batch, 5_000 + 95 * batch] {
                    try db.execute(sql: "DELETE FROM note WHERE key = ?", arguments: [key])
                }
            }
            let count = try notes.storages[1].read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") ?? 0 }
            // Another process indexes nothing again.
            let (found, calls) = try notes.counts()
            #expect(found == [count, count])
            #expect(calls[1] == 0)
            let files = try notes.files()
            #expect(files.count <= 1 + policy.maxSegments)
        }
        // The segment of all changes, built again after each batch, would be thirteen times as many.
        #expect(notes.sources[0].indexed.value - before < 4 * 25 * 100)
    }
}

/// Two connections to notes in one file, as of two processes, with an index each.
private struct TwoStorages {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let storages: [Storage]
    let sources = [NoteSource(), NoteSource()]
    let indexes: [IncrementalIndex<NoteSource>]

    init(mergePolicy: MergePolicy = MergePolicy()) throws {
        let path = folder.appending(path: "a.sqlite").path
        let storages = try (0..<2).map { _ in try Storage(at: path, migrations: [NoteSource.migrations]) }
        self.storages = storages
        indexes = zip(sources, storages).map { IncrementalIndex(of: $0, in: $1, mergePolicy: mergePolicy) }
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    func add(_ count: Int, _ db: Database) throws {
        for _ in 0..<count { try db.execute(sql: "INSERT INTO note DEFAULT VALUES") }
    }

    /// Returns the names of the files of the index.
    func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "a.index").path).sorted()
    }

    /// Returns the number of notes that each index finds, and the calls of the sources for it.
    func counts() throws -> (found: [Int], calls: [Int]) {
        let before = sources.map(\.calls.value)
        let found = try zip(indexes, storages).map { index, storage in
            try storage.read { db in try index.search(in: db, limit: 0) { nil }.hits.count }
        }
        return (found, zip(sources, before).map { $0.calls.value - $1 })
    }
}

/// Notes without a text, whose builds of the whole index can be paused.
private struct NoteSource: IndexSource {
    static let module = "Notes"
    static let noteChanges = DocumentChanges(table: "note_change", column: "note", generationOf: module)
    static let migrations = ModuleMigrations(
        module: module,
        [
            .init(
                "1-notes",
                sql: "CREATE TABLE note (key INTEGER PRIMARY KEY);" + noteChanges.schema(tracking: "note"))
        ])

    let fileName = "notes"
    let schemaVersion: UInt64 = 1
    let fields: [FieldOptions] = [[.wordSuffixes]]
    let changes = Self.noteChanges

    /// Signals of a paused build: it has begun, the write has ended, the build has ended.
    let began = DispatchSemaphore(value: 0)
    let written = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
    let isPaused = Flag()
    /// Set if the write ended while the build was paused.
    let sawWrite = Flag()
    /// The number of builds of an index or a segment.
    let calls = Counter()
    /// The number of notes in them.
    let indexed = Counter()

    func sortKeys(of keys: [Int64], in db: Database) throws -> [Int64: Int64] {
        Dictionary(uniqueKeysWithValues: keys.map { ($0, $0) })
    }

    func add(_ keys: [Int64]?, ranks: [Int64: UInt64], to builder: inout IndexBuilder, in db: Database) throws {
        calls.increment()
        let some = keys.map { Set($0) }
        let pauses = keys == nil && isPaused.clear()
        if pauses {
            began.signal()
            // A write that waits for the build ends after this time, so that the test fails instead of hanging.
            if written.wait(timeout: .now() + 20) == .success { sawWrite.set() }
        }
        for (rank, key) in try Int64.fetchAll(db, sql: "SELECT key FROM note ORDER BY key").enumerated()
        where some?.contains(key) ?? true {
            indexed.increment()
            builder.beginDocument(id: key, rank: ranks[key] ?? UInt64(rank))
            builder.beginValue(field: 0)
            builder.addWord([Array("note".utf16)])
        }
        if pauses { ended.signal() }
    }
}

private final class Flag: Sendable {
    private let value = Atomic(false)

    func set() { value.store(true, ordering: .releasing) }

    /// Clears the flag. Returns whether it was set.
    func clear() -> Bool { value.exchange(false, ordering: .acquiringAndReleasing) }
}

private final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .acquiring) }

    func increment() { count.add(1, ordering: .acquiringAndReleasing) }
}
