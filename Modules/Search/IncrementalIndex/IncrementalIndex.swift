import Dispatch
public import GRDB
public import SwitchboardSearchEngine
public import SwitchboardStorage
import Synchronization

/// An index of documents: made from the database, kept in a file beside it, and followed up when documents change.
///
/// Changes since the file was made are a segment on top of it (`SegmentedIndex`), made of the documents that ``DocumentChanges`` names: a few
/// in memory, more in a second file. When they have become many, the whole is made anew: at once if nothing else helps, in the
/// background otherwise, while searches go on with the segments.
public final class IncrementalIndex<Source: IndexSource>: Sendable {

    private struct State {
        var generation: UInt64
        var base: SearchIndex
        /// The older changes, of all generations before its own.
        var recent: SearchIndex?
        var segments: SegmentedIndex
    }

    /// What stands in the index.
    public let source: Source
    private let storage: Storage
    private let rebuildsInBackground: Bool
    private let limits: MergePolicy
    private let current = Mutex<State?>(nil)
    private let isRebuilding = Mutex(false)

    /// An index of some source. Nothing is read before the first question.
    ///
    /// - Parameters:
    ///   - source: what is indexed, and how.
    ///   - storage: the database that has the source.
    ///   - rebuildsInBackground: whether it may be made anew on another thread once many documents have changed; a program
    ///     that soon ends calls ``compact()`` instead.
    ///   - limits: when changes are taken up and when all is made anew.
    public init(
        of source: Source, in storage: Storage, rebuildsInBackground: Bool = true,
        limits: MergePolicy = MergePolicy()
    ) {
        self.source = source
        self.storage = storage
        self.limits = limits
        self.rebuildsInBackground = rebuildsInBackground
    }

    /// The index of the state that `db` is in.
    ///
    /// In memory already: a comparison. In the file: mapped. With changes since: some 15 µs for each, up to ``MergePolicy/maxPendingChanges``. Else built:
    /// about 10 µs a document.
    func index(in db: Database) throws -> SegmentedIndex {
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

    /// Makes the index anew if changes have become many; for programs that end soon, at the end of those that change something.
    ///
    /// - Throws: `StorageError`.
    public func compact() throws {
        try storage.read { db in
            let generation = try source.changes.generation(in: db)
            guard let base = open(file, source.schemaVersion) else { return }
            let changed = try changes(since: base, now: generation, in: db)
            if changed.map({ isMuch($0.count, of: base) }) ?? true { _ = try build(in: db, generation: generation) }
        }
    }

    /// Opens or makes the index and verifies all of it, so that the first question is as quick as the next ones.
    public func warmUp(in db: Database) throws {
        try mending { for segment in try index(in: db).segments { try segment.index.verify() } }
    }

    /// What a search finds, how long it took (making the request, finding and ordering, without opening the index), and the generation
    /// of the documents it found.
    ///
    /// - Parameters:
    ///   - db: a transaction of the storage.
    ///   - limit: how many at most; 0 for all.
    ///   - preferred: documents that come first among equal matches, in this order. They are indexed anew, some 15 µs each.
    ///   - request: the search; nil for all documents in their order. Its limit does not count.
    /// - Throws: `SearchCancelled`, and what the database does.
    public func answer(
        in db: Database, limit: Int, preferring preferred: [Int64] = [], _ request: () -> SearchRequest?
    ) throws -> (hits: [SearchHit], time: Duration, generation: UInt64) {
        try mending {
            let generation = try source.changes.generation(in: db)
            var index = try index(of: generation, in: db)
            let start = ContinuousClock.now
            var order: [Int64: Int] = [:]
            if !preferred.isEmpty {
                for (place, key) in preferred.enumerated() { order[key] = order[key] ?? place }
                let ranks = order.mapValues { UInt64($0) }
                index = try index.adding(
                    try self.index(of: preferred, ranks: ranks, generation: 0, schemaVersion: 0, in: db),
                    changed: order.keys)
            }
            func sortKeys(_ keys: [Int64]) throws -> [Int64: PreferredSortKey<Source.SortKey>] {
                var sortKeys: [Int64: PreferredSortKey<Source.SortKey>] = [:]
                for (key, place) in try source.sortKeys(of: keys, in: db) {
                    sortKeys[key] = PreferredSortKey(preference: order[key] ?? .max, place: place)
                }
                return sortKeys
            }
            let hits: [SearchHit]
            if var request = request() {
                request.limit = limit
                hits = try index.search(request, keys: sortKeys)
            } else {
                hits = try index.best(limit, keys: sortKeys)
            }
            return (hits, ContinuousClock.now - start, generation)
        }
    }

    /// A damaged file shows when it is used. SQLite has the truth, so the index is made anew, and answers the same.
    private func mending<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch is IndexFormatError {
            discard()
            return try body()
        }
    }

    /// Forgets an index that turned out to be damaged, in memory and as files: the next one is made anew.
    private func discard() {
        current.withLock { $0 = nil }
        for name in [file, recentFile] { DerivedFile(named: name, of: storage)?.remove() }
    }

    // MARK: - Following changes

    private func state(at generation: UInt64, after old: State?, in db: Database) throws -> State {
        var base = old?.base
        var changed = try base.flatMap { try changes(since: $0, now: generation, in: db) }
        if changed.map({ $0.count > limits.maxPendingChanges }) ?? true,
            let other = open(file, source.schemaVersion), other.generation != base?.generation,
            let otherChanged = try changes(since: other, now: generation, in: db),
            otherChanged.count < changed?.count ?? .max
        {
            (base, changed) = (other, otherChanged)
        }
        guard let base, let changed, !isMuch(changed.count / limits.blockingRebuildFactor, of: base) else {
            let built = try build(in: db, generation: generation)
            return State(generation: generation, base: built, segments: SegmentedIndex(built))
        }
        if isMuch(changed.count, of: base) { rebuildInBackground() }
        var state = State(generation: generation, base: base, segments: SegmentedIndex(base))
        if changed.isEmpty { return state }
        if changed.count > limits.maxPendingChanges {
            let known = old?.base.generation == base.generation ? old?.recent : nil
            try addRecent(&state, changed, known: known, in: db)
        } else {
            state.segments = try state.segments.adding(
                try segment(of: changed, generation: generation, schemaVersion: 0, in: db), changed: changed)
        }
        return state
    }

    /// Many changes: the older ones as a segment that is kept, the newer ones on top of it.
    private func addRecent(_ state: inout State, _ changed: [Int64], known: SearchIndex?, in db: Database) throws {
        let schemaVersion = source.schemaVersion ^ (state.base.generation &* 0x9E37_79B9_7F4A_7C15)
        for candidate in [known, open(recentFile, schemaVersion)] {
            guard let recent = candidate, let newer = try changes(since: recent, now: state.generation, in: db),
                newer.count <= limits.maxPendingChanges,
                let older = try source.changes.keys(
                    since: Int64(bitPattern: state.base.generation), before: Int64(bitPattern: recent.generation),
                    in: db)
            else { continue }
            state.recent = recent
            state.segments = try state.segments.adding(recent, changed: older)
            if !newer.isEmpty {
                state.segments = try state.segments.adding(
                    try segment(of: newer, generation: state.generation, schemaVersion: 0, in: db), changed: newer)
            }
            return
        }
        let recent = try segment(of: changed, generation: state.generation, schemaVersion: schemaVersion, in: db)
        write(recent, to: recentFile)
        state.recent = recent
        state.segments = try state.segments.adding(recent, changed: changed)
    }

    /// The documents that have changed since an index was made, nil if that is not known.
    private func changes(since index: SearchIndex, now generation: UInt64, in db: Database) throws -> [Int64]? {
        if index.generation == generation { return [] }
        return try source.changes.keys(since: Int64(bitPattern: index.generation), in: db)
    }

    private func isMuch(_ changes: Int, of base: SearchIndex) -> Bool {
        changes > max(limits.minChangesBeforeRebuild, base.documentCount / limits.rebuildDivisor)
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
            try? storage.read { db in
                let generation = try source.changes.generation(in: db)
                let built = try build(in: db, generation: generation)
                current.withLock { current in
                    // What searches have found meanwhile is as good, unless it stands on the old base.
                    if current?.base.generation != generation {
                        current = State(generation: generation, base: built, segments: SegmentedIndex(built))
                    }
                }
            }
        }
    }

    // MARK: - Files

    private var file: String { "\(source.fileName).index" }
    private var recentFile: String { "\(source.fileName)-recent.index" }

    private func open(_ name: String, _ schemaVersion: UInt64) -> SearchIndex? {
        guard let mapped = DerivedFile(named: name, of: storage)?.map() else { return nil }
        let bytes = IndexBytes(mapped.bytes) { MappedFile.unmap($0) }
        guard let index = try? SearchIndex(bytes, verifying: .lazy), index.fingerprint == schemaVersion else {
            return nil
        }
        return index
    }

    /// The index answers without its file; a full disk or a folder that cannot be written costs only time.
    private func write(_ index: SearchIndex, to name: String) {
        index.bytes.withUnsafeBytes { bytes in try? DerivedFile(named: name, of: storage)?.replace(with: bytes) }
    }

    // MARK: - Building

    private func build(in db: Database, generation: UInt64) throws -> SearchIndex {
        let built = try index(of: nil, ranks: [:], generation: generation, schemaVersion: source.schemaVersion, in: db)
        write(built, to: file)
        return built
    }

    /// The index of some documents as they are now; those that are no more are left out.
    private func segment(of keys: [Int64], generation: UInt64, schemaVersion: UInt64, in db: Database) throws
        -> SearchIndex
    {
        let order = try source.sortKeys(of: keys, in: db).sorted { $0.value < $1.value }
        var ranks: [Int64: UInt64] = [:]
        for (rank, place) in order.enumerated() { ranks[place.key] = UInt64(rank) }
        return try index(of: keys, ranks: ranks, generation: generation, schemaVersion: schemaVersion, in: db)
    }

    private func index(
        of keys: [Int64]?, ranks: [Int64: UInt64], generation: UInt64, schemaVersion: UInt64, in db: Database
    ) throws -> SearchIndex {
        var builder = IndexBuilder(fields: source.fields)
        try source.add(keys, ranks: ranks, to: &builder, in: db)
        return try builder.build(generation: generation, fingerprint: schemaVersion)
    }
}

/// What is preferred first, the rest in its own order.
private struct PreferredSortKey<SortKey: Comparable>: Comparable {
    let preference: Int
    let place: SortKey

    static func < (one: Self, other: Self) -> Bool {
        one.preference == other.preference ? one.place < other.place : one.preference < other.preference
    }
}
