import Dispatch
public import GRDB
public import SwitchboardSearchEngine
public import SwitchboardStorage
import Synchronization

/// A search index of documents in a database. It is kept in a file beside the database and updated when documents
/// change.
///
/// Changes since the file was written form segments on top of it (`SegmentedIndex`), built from the documents that
/// ``DocumentChanges`` lists: a few in memory, more in files, which also know what they replace. A further segment is
/// merged with those that are not much larger, so that each change is indexed a few times only. After many changes the
/// whole index is rebuilt, in the background while searches use the segments, or at once if there is no usable file.
public final class IncrementalIndex<Source: IndexSource>: ChangeFollower {

    private struct State {
        let generation: UInt64
        /// The base and the segments of older changes, each in a file.
        let files: SegmentedIndex
        let segments: SegmentedIndex

        /// Creates the state of an index that was just built.
        init(_ built: SearchIndex) {
            self.init(generation: built.generation, files: SegmentedIndex(built), segments: SegmentedIndex(built))
        }

        init(generation: UInt64, files: SegmentedIndex, segments: SegmentedIndex) {
            (self.generation, self.files, self.segments) = (generation, files, segments)
        }
    }

    /// An index and the changes since.
    private struct ChangedIndex {
        /// The base and the segments of older changes.
        let files: SegmentedIndex
        /// The documents that changed since.
        var newer: [Int64]

        var base: SearchIndex { files.base }
        /// The maximum number of documents that changed and were not deleted.
        var documentCount: Int { files.segments.dropFirst().reduce(newer.count) { $0 + $1.index.documentCount } }
        /// The maximum number of documents that changed or were deleted.
        var changeCount: Int { max(documentCount, newer.count + files.segments[0].tombstones.count) }

        /// Returns `true` if it takes less to bring this index up to date than another one.
        func isCloser(than other: ChangedIndex?) -> Bool {
            other.map { (newer.count, changeCount) < ($0.newer.count, $0.changeCount) } ?? true
        }
    }

    /// The source of the documents.
    public let source: Source
    private let storage: Storage
    private let file: IndexFile
    /// The files of the segments, the oldest first. Each is valid on top of the one before, and at last the base.
    private let recentFiles: [IndexFile]
    /// The file of an index that is built before a large change is committed. It replaces ``file`` after the commit.
    private let nextFile: IndexFile
    private let rebuildsInBackground: Bool
    private let mergePolicy: MergePolicy
    private let current = Mutex<State?>(nil)
    private let isRebuilding = Mutex(false)

    /// Creates an index. Nothing is read before the first search.
    ///
    /// - Parameters:
    ///   - source: The source of the documents.
    ///   - storage: The storage of the documents, beside which the files of the index are.
    ///   - rebuildsInBackground: `true` to rebuild on another thread after many changes. A short-lived program calls
    ///     ``compact()`` instead.
    ///   - mergePolicy: The limits for segments and rebuilds.
    public init(
        of source: Source, in storage: Storage, rebuildsInBackground: Bool = true,
        mergePolicy: MergePolicy = MergePolicy()
    ) {
        self.source = source
        self.storage = storage
        file = IndexFile(named: "\(source.fileName).index", of: storage)
        recentFiles = (0..<max(1, mergePolicy.maxSegments)).map { number in
            IndexFile(named: "\(source.fileName)-recent\(number == 0 ? "" : "-\(number + 1)").index", of: storage)
        }
        nextFile = IndexFile(named: "\(source.fileName)-next.index", of: storage)
        self.mergePolicy = mergePolicy
        self.rebuildsInBackground = rebuildsInBackground
        storage.register(self, of: source.changes.module)
    }

    /// Returns the index for the current state of `db`.
    ///
    /// An index in memory only needs a comparison; an index in a file is mapped. Each change takes about 15 µs, and a
    /// rebuild takes about 10 µs per document.
    private func index(in db: Database) throws -> SegmentedIndex {
        try index(of: try source.changes.generation(in: db), in: db)
    }

    private func index(of generation: UInt64, in db: Database) throws -> SegmentedIndex {
        try current.withLock { current in
            if let current, current.generation == generation { return current.segments }
            let state = try state(at: generation, after: current, in: db)
            current = state
            return state.segments
        }
    }

    /// Writes a segment of many changes, or rebuilds the index after more. A short-lived program calls this at the end of a
    /// change.
    ///
    /// - Throws: `StorageError`.
    public func compact() throws {
        try storage.read { db in
            let generation = try source.changes.generation(in: db)
            try rebuildingIfCorrupt {
                guard file.open(source.schemaVersion, verifying: .lazy) != nil else { return }
                let changed = try changesSinceFile(now: generation, in: db)
                let divisor = mergePolicy.compactingDivisor
                if try changed.flatMap({ try updated($0, at: divisor, now: generation, in: db) }) == nil {
                    _ = try build(in: db, generation: generation)
                }
            }
        }
    }

    /// Opens or builds the index and verifies all of it, so that the first search is as fast as later ones.
    public func warmUp(in db: Database) throws {
        try rebuildingIfCorrupt { for segment in try index(in: db).segments { try segment.index.verify() } }
    }

    /// Searches the index.
    ///
    /// - Parameters:
    ///   - db: The database of the documents.
    ///   - limit: The maximum number of hits; 0 for all. It overrides the limit of the request.
    ///   - preferred: The documents that come first among equal matches, in this order. Each adds about 15 µs.
    ///   - request: Returns the search, or nil for all documents in their order.
    /// - Throws: `CancellationError` and database errors.
    public func search(
        in db: Database, limit: Int, preferring preferred: [Int64] = [], _ request: () -> SearchRequest?
    ) throws -> FoundDocuments {
        try search(in: db, limit: limit, preferring: preferred, stages: { request().map { [$0] } ?? [] })
    }

    /// Searches the index in stages. Each stage runs only if the earlier ones found nothing.
    ///
    /// - Parameters:
    ///   - db: The database of the documents.
    ///   - limit: The maximum number of hits; 0 for all.
    ///   - preferred: The documents that come first among equal matches, in this order.
    ///   - keys: The documents to search; nil for all.
    ///   - accepts: Returns whether a document that matches is found, perhaps repeatedly; nil for all. The search is as if
    ///     there were no others.
    ///   - requests: Returns the searches, or none for all documents in their order.
    public func search(
        in db: Database, limit: Int, preferring preferred: [Int64] = [], among keys: [Int64]? = nil,
        accepting accepts: ((Int64) -> Bool)? = nil, stages requests: () -> [SearchRequest]
    ) throws -> FoundDocuments {
        try rebuildingIfCorrupt {
            let generation = try source.changes.generation(in: db)
            var index = try index(of: generation, in: db)
            let start = ContinuousClock.now
            var order: [Int64: Int] = [:]
            if !preferred.isEmpty {
                for (position, key) in preferred.enumerated() { order[key] = order[key] ?? position }
                let ranks = order.mapValues { SearchIndex.rank(at: $0, isPreferred: true) }
                index = try index.adding(
                    try self.index(of: preferred, ranks: ranks, generation: 0, schemaVersion: 0, in: db),
                    changed: order.keys)
            }
            if let keys { index = try index.restricted(toIDs: keys) }
            func sortKeys(_ keys: [Int64]) throws -> [Int64: PreferredSortKey<Source.SortKey>] {
                var sortKeys: [Int64: PreferredSortKey<Source.SortKey>] = [:]
                for (key, sortKey) in try source.sortKeys(of: keys, in: db) {
                    sortKeys[key] = PreferredSortKey(preference: order[key] ?? .max, sortKey: sortKey)
                }
                return sortKeys
            }
            return try Self.found(
                by: requests(), in: index, limit: limit, preferring: order, accepting: accepts, at: generation,
                since: start, keys: sortKeys)
        }
    }

    /// Returns the number of documents that a search in stages finds without a limit.
    package func count(
        in db: Database, among keys: [Int64]?, stages requests: () -> [SearchRequest]
    ) throws -> Int {
        try rebuildingIfCorrupt {
            var index = try index(in: db)
            if let keys { index = try index.restricted(toIDs: keys) }
            let requests = requests()
            var count = requests.isEmpty ? index.documentCount : 0
            for request in requests where count == 0 { count = try index.count(request) }
            return count
        }
    }

    /// Searches the index in memory without a transaction, if it is current and consists of one segment.
    ///
    /// A transaction around the query for the generation takes longer than most searches.
    ///
    /// - Returns: nil if a search with a transaction is necessary.
    package func searchInMemory(limit: Int, stages requests: () -> [SearchRequest]) throws -> FoundDocuments? {
        let generation = UInt64(bitPattern: try storage.generation(of: source.changes.generationModule))
        guard let index = current.withLock({ $0?.generation == generation ? $0?.segments : nil }),
            index.segments.count == 1
        else { return nil }
        let start = ContinuousClock.now
        do {
            return try Self.found(
                by: requests(), in: index, limit: limit, at: generation, since: start
            ) { _ in [Int64: Source.SortKey]() }
        } catch is IndexFormatError {
            return nil
        }
    }

    private static func found<Key: Comparable>(
        by requests: [SearchRequest], in index: SegmentedIndex, limit: Int, preferring order: [Int64: Int] = [:],
        accepting accepts: ((Int64) -> Bool)? = nil, at generation: UInt64,
        since start: ContinuousClock.Instant, keys: ([Int64]) throws -> [Int64: Key]
    ) throws -> FoundDocuments {
        var hits = requests.isEmpty ? try index.best(limit, accepting: accepts, keys: keys) : []
        for var request in requests where hits.isEmpty {
            request.limit = limit
            hits = try index.search(request, accepting: accepts, keys: keys)
            if order.isEmpty || hits.isEmpty { continue }
            // Preferred documents, which are the newest segment, are found beyond the limit, too.
            let found = Set(hits.map(\.id))
            let newest = try index.searchNewest(request, accepting: accepts)
            hits = preferring(order, hits + newest.filter { !found.contains($0.id) })
            if limit > 0 { hits.removeLast(max(hits.count - limit, 0)) }
        }
        let time = ContinuousClock.now - start
        return FoundDocuments(
            hits: hits, stored: try hits.map { try index.storedBytes(of: $0) }, generation: generation, time: time)
    }

    /// Moves the preferred documents, in their order, before the first match of the same tier.
    private static func preferring(_ order: [Int64: Int], _ hits: [SearchHit]) -> [SearchHit] {
        var preferred = Dictionary(grouping: hits.filter { order[$0.id] != nil }, by: \.tier)
        var result: [SearchHit] = []
        for hit in hits {
            if let first = preferred.removeValue(forKey: hit.tier) {
                result += first.sorted { order[$0.id] ?? 0 < order[$1.id] ?? 0 }
            }
            if order[hit.id] == nil { result.append(hit) }
        }
        return result
    }

    /// Calls `body`, and rebuilds the index if it is corrupt. Corruption is detected when a section is first used. The
    /// database is the source of truth, so the index can be discarded.
    private func rebuildingIfCorrupt<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch is IndexFormatError {
            discard()
            return try body()
        }
    }

    /// Discards a corrupt index, in memory and on disk.
    private func discard() {
        current.withLock { $0 = nil }
        for file in [file, nextFile] + recentFiles { file.remove() }
    }

    // MARK: - Applying changes

    private func state(at generation: UInt64, after old: State?, in db: Database) throws -> State {
        let divisor = mergePolicy.rebuildDivisor
        var changed = try old.flatMap { try changes(since: $0.files, now: generation, in: db) }
        if changed.map({ $0.newer.count > mergePolicy.maxPendingChanges || needsRebuild($0, at: divisor) }) ?? true,
            let other = try changesSinceFile(now: generation, in: db), other.isCloser(than: changed)
        {
            changed = other
        }
        guard let changed,
            let updated = try updated(
                changed, at: divisor, factor: mergePolicy.blockingRebuildFactor, now: generation, in: db)
        else {
            return State(try build(in: db, generation: generation))
        }
        if needsRebuild(updated, at: divisor) { rebuildInBackground() }
        var segments = updated.files
        if !updated.newer.isEmpty {
            segments = try segments.adding(
                try segment(
                    of: updated.newer, order: source.sortKeys(of: updated.newer, in: db), generation: generation, in: db
                ),
                changed: updated.newer)
        }
        return State(generation: generation, files: updated.files, segments: segments)
    }

    /// Returns an index with a segment for its changes if they are many, or nil if it must be rebuilt.
    ///
    /// - Parameters:
    ///   - divisor: The divisor that limits the changed documents.
    ///   - factor: The factor by which the limits may be exceeded.
    private func updated(
        _ changed: ChangedIndex, at divisor: Int, factor: Int = 1, now generation: UInt64, in db: Database
    ) throws -> ChangedIndex? {
        if changed.newer.count <= mergePolicy.maxPendingChanges {
            return needsRebuild(changed, at: divisor, factor: factor) ? nil : changed
        }
        let (base, files) = (changed.base, changed.files)
        if exceeds(changed.changeCount, mergePolicy.changeDivisor, of: base, factor: factor) { return nil }
        // Many of the documents may be deleted.
        let order = try source.sortKeys(of: changed.newer, in: db)
        let documentCount = changed.documentCount - changed.newer.count + order.count
        if exceeds(documentCount, divisor, of: base, factor: factor) { return nil }
        let recent = try segment(
            of: changed.newer, order: order, generation: generation, schemaVersion: schemaVersion(onTopOf: files),
            replacing: files.documents(ofIDs: changed.newer), in: db)
        let number = files.segments.count - 1
        let written = recentFiles[number].write(recent)
        for merged in recentFiles[(number + 1)...] { merged.remove() }
        return ChangedIndex(files: files.adding(written), newer: [])
    }

    /// Returns the index in the files and its changes, or nil if they are unknown.
    private func changesSinceFile(now generation: UInt64, in db: Database) throws -> ChangedIndex? {
        func changes(in file: IndexFile) throws -> ChangedIndex? {
            try opened(file, now: generation, in: db).flatMap { try self.changes(since: $0, now: generation, in: db) }
        }
        let changed = try changes(in: file)
        if let changed, changed.newer.count <= mergePolicy.maxPendingChanges { return changed }
        guard let next = try changes(in: nextFile), next.isCloser(than: changed) else { return changed }
        // The change is committed, because its generation is known.
        nextFile.rename(to: file)
        for recent in recentFiles { recent.remove() }
        return next
    }

    /// Opens a base and the segments on top of it that are known to `db`.
    private func opened(_ file: IndexFile, now generation: UInt64, in db: Database) throws -> SegmentedIndex? {
        guard let base = file.open(source.schemaVersion, verifying: .lazy) else { return nil }
        var files = SegmentedIndex(base)
        for recent in recentFiles {
            guard let segment = recent.open(schemaVersion(onTopOf: files), verifying: .lazy) else { break }
            files = files.adding(segment)
        }
        while files.segments.count > 1, files.newest.generation != generation,
            try !source.changes.isKnown(files.newest.generation, in: db)
        {
            files = files.removingNewest()
        }
        return files
    }

    /// Returns the changes since an index was built, or nil if they are unknown. If they need a further segment, it is to
    /// contain also those of the last segments that are not much larger.
    private func changes(
        since files: SegmentedIndex, now generation: UInt64, in db: Database
    ) throws -> ChangedIndex? {
        func changes(since files: SegmentedIndex) throws -> ChangedIndex? {
            let last = files.newest.generation
            if last == generation { return ChangedIndex(files: files, newer: []) }
            return try source.changes.keys(since: last, in: db).map { ChangedIndex(files: files, newer: $0) }
        }
        var changed = try changes(since: files)
        while let count = changed?.newer.count, count > mergePolicy.maxPendingChanges,
            let older = changed?.files, older.segments.count > 1,
            older.segments.count > recentFiles.count
                || older.newest.documentCount < mergePolicy.mergeFactor * count
        {
            let merged = try changes(since: older.removingNewest())
            // The changes of long ago are forgotten.
            if merged == nil, older.segments.count <= recentFiles.count { break }
            changed = merged
        }
        return changed
    }

    /// Returns the version of a segment on top of others. Segments of earlier versions did not know what they replace.
    private func schemaVersion(onTopOf files: SegmentedIndex) -> UInt64 {
        (files.newest.fingerprint ^ (files.newest.generation &* 0x9E37_79B9_7F4A_7C15)) &+ 1
    }

    /// Returns `true` if an index has too many changes; see ``updated(_:at:factor:now:in:)``.
    private func needsRebuild(_ changed: ChangedIndex, at divisor: Int, factor: Int = 1) -> Bool {
        exceeds(changed.documentCount, divisor, of: changed.base, factor: factor)
            || exceeds(changed.changeCount, mergePolicy.changeDivisor, of: changed.base, factor: factor)
    }

    private func exceeds(_ count: Int, _ divisor: Int, of base: SearchIndex, factor: Int) -> Bool {
        count > factor * max(mergePolicy.minChangesBeforeRebuild, base.documentCount / divisor)
    }

    /// Indexes a large change before it is committed, so that no search waits for it: in a segment, or in a new index if
    /// the present one must be rebuilt. Searches or ``compact()`` do so if the change is only a part of what must be
    /// indexed, as in one of many batches between which no one searches, and after an error.
    package func follow(in db: Database) {
        try? rebuildingIfCorrupt {
            let generation = try source.changes.generation(in: db)
            guard let files = try opened(file, now: generation, in: db) else { return }
            let last = try source.changes.last(in: db)
            let isSearched = current.withLock { $0?.generation == last?.generation }
            /// The maximum number of documents to index.
            let limit = last.map { mergePolicy.maxAmplification * $0.count } ?? .max
            if !isSearched, limit < .max,
                try source.changes.count(since: files.newest.generation, upTo: limit + 1, in: db) > limit
            {
                return
            }
            let changed = try changesSinceFile(now: generation, in: db)
            // What is left in the next file belongs to a change that was not committed: no one else is writing now.
            nextFile.remove()
            if let changed {
                let divisor = rebuildsInBackground ? mergePolicy.rebuildDivisor : mergePolicy.compactingDivisor
                let factor = rebuildsInBackground ? mergePolicy.blockingRebuildFactor : 1
                if changed.newer.count <= mergePolicy.maxPendingChanges { return }
                guard isSearched || changed.newer.count <= limit else { return }
                if try updated(changed, at: divisor, factor: factor, now: generation, in: db) != nil { return }
            }
            if (changed?.base ?? files.base).documentCount <= limit {
                _ = try build(in: db, generation: generation, to: nextFile)
            }
        }
    }

    private func rebuildInBackground() {
        guard rebuildsInBackground else { return }
        let isFirst = isRebuilding.withLock { isRebuilding in
            defer { isRebuilding = true }
            return !isRebuilding
        }
        guard isFirst else { return }
        DispatchQueue.global(qos: .utility).async { [self] in
            defer { isRebuilding.withLock { $0 = false } }
            try? storage.readSnapshot { db in
                let generation = try source.changes.generation(in: db)
                let built = try build(in: db, generation: generation)
                current.withLock { current in
                    // Searches may have built another state in the meantime. Keep it unless it uses the old base.
                    if current?.files.base.generation != generation { current = State(built) }
                }
            }
        }
    }

    // MARK: - Building

    private func build(in db: Database, generation: UInt64) throws -> SearchIndex {
        if let built = try build(in: db, generation: generation, to: file) {
            for recent in recentFiles { recent.remove() }
            return built
        }
        return try index(
            of: nil, ranks: [:], generation: generation, schemaVersion: source.schemaVersion, in: db)
    }

    /// Builds an index in a file; see ``IndexFile/write(generation:fingerprint:_:)``.
    private func build(in db: Database, generation: UInt64, to file: IndexFile) throws -> SearchIndex? {
        try file.write(generation: generation, fingerprint: source.schemaVersion) { output in
            var builder = IndexBuilder(fields: source.fields, writingTo: output)
            try source.add(nil, ranks: [:], to: &builder, in: db)
            try (consume builder).finish(generation: generation, fingerprint: source.schemaVersion)
        }
    }

    /// Builds an index of the given documents in their current state, without the deleted ones.
    private func segment(
        of keys: [Int64], order: [Int64: Source.SortKey], generation: UInt64, schemaVersion: UInt64 = 0,
        replacing replaced: [DocumentSet] = [], in db: Database
    ) throws -> SearchIndex {
        var ranks: [Int64: UInt64] = [:]
        for (position, document) in order.sorted(by: { $0.value < $1.value }).enumerated() {
            ranks[document.key] = SearchIndex.rank(at: position, isPreferred: Source.isPreferred(document.value))
        }
        return try index(
            of: keys, ranks: ranks, generation: generation, schemaVersion: schemaVersion, replacing: replaced, in: db)
    }

    private func index(
        of keys: [Int64]?, ranks: [Int64: UInt64], generation: UInt64, schemaVersion: UInt64,
        replacing replaced: [DocumentSet] = [], in db: Database
    ) throws -> SearchIndex {
        var builder = IndexBuilder(fields: source.fields, replacing: replaced)
        try source.add(keys, ranks: ranks, to: &builder, in: db)
        return try (consume builder).build(generation: generation, fingerprint: schemaVersion)
    }
}

/// The documents that a search found.
public struct FoundDocuments: Sendable {
    /// The hits, best first.
    public let hits: [SearchHit]
    /// For each hit, the bytes that the source stored with the document.
    public let stored: [[UInt8]]
    /// The generation of the documents.
    package let generation: UInt64
    /// The time spent on building the request, searching and sorting. Excludes opening the index and reading
    /// ``stored``.
    public let time: Duration
}

/// Sorts preferred documents first, the others by their own key.
private struct PreferredSortKey<SortKey: Comparable>: Comparable {
    let preference: Int
    let sortKey: SortKey

    static func < (one: Self, other: Self) -> Bool {
        one.preference == other.preference ? one.sortKey < other.sortKey : one.preference < other.preference
    }
}

/// The source of the documents of an index.
public protocol IndexSource: Sendable {
    /// The key that orders equal matches, the best first.
    associatedtype SortKey: Comparable

    /// The name of the index files beside the database: `NAME.index`, `NAME-recent.index` and so on.
    var fileName: String { get }
    /// The version of the index content. Files of another version are not read.
    var schemaVersion: UInt64 { get }
    /// The fields of the index.
    var fields: [FieldOptions] { get }
    /// The recorded changes of the documents.
    var changes: DocumentChanges { get }

    /// Returns the sort keys of documents by key. Deleted documents are left out.
    func sortKeys(of keys: [Int64], in db: Database) throws -> [Int64: SortKey]

    /// Returns `true` for a document that is more likely than others, such as a favorite or one that was chosen before.
    /// Such documents come first in the order.
    static func isPreferred(_ key: SortKey) -> Bool

    /// Adds documents to an index builder.
    ///
    /// - Parameters:
    ///   - keys: The documents, some of which may be deleted; nil for all.
    ///   - ranks: The ranks of `keys`. If empty, the source determines them, in the order of its sort keys.
    ///   - builder: The builder.
    ///   - db: The database of the documents.
    func add(_ keys: [Int64]?, ranks: [Int64: UInt64], to builder: inout IndexBuilder, in db: Database) throws
}

extension IndexSource {
    /// Returns `false`: all documents are alike.
    public static func isPreferred(_ key: SortKey) -> Bool { false }
}

/// The limits at which changes become segments and segments are merged into a new index.
public struct MergePolicy: Sendable {
    /// The maximum number of recent changes that are indexed again after each further change. Beyond it, changes form a
    /// segment that is kept.
    public var maxPendingChanges = 64
    /// The maximum number of segments in files.
    public var maxSegments = 5
    /// A segment with fewer than this many times the documents of a further one is merged with it.
    public var mergeFactor = 2
    /// The divisor that limits the changed documents before a background rebuild: the number of documents divided by
    /// this, but at least ``minChangesBeforeRebuild``.
    public var rebuildDivisor = 16
    /// The same before a short-lived program rebuilds the index, which waits for it.
    public var compactingDivisor = 8
    /// The divisor that limits all changes, including deletions, before a rebuild.
    public var changeDivisor = 3
    /// The minimum number of changes before a rebuild.
    public var minChangesBeforeRebuild = 2_000
    /// The factor by which changes must exceed the limits for a rebuild before searches wait for it.
    public var blockingRebuildFactor = 8
    /// The maximum number of documents that are indexed for each changed one before a large change is committed, unless
    /// the index has been searched since the change before.
    public var maxAmplification = 8

    /// Creates a policy with the default limits.
    public init() {}
}
