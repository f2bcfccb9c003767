import Dispatch
import Synchronization

/// Builds an index from records.
///
/// For example, two names in one lane:
///
/// ```swift
/// var builder = IndexBuilder(lanes: [[.runs, .typos]])
/// builder.beginRecord(id: 7, rank: 0)
/// builder.beginField(lane: 0)
/// builder.addWord([Array("ada".utf16)])
/// builder.addWord([Array("lovelace".utf16)])
/// let index = try builder.build(generation: 1)
/// ```
///
/// Records are numbered by `rank`, then in the order they were added. Time O(total letters · log records), the lanes side by side on as
/// many cores as there are; memory about three times the finished index.
public struct IndexBuilder {
    /// Longer words are cut to this many letters; so are queries.
    public static let longestWord = 64

    /// A few changed records are indexed sooner than a thread wakes up.
    private static let fewestForThreads = 1_000

    private var lanes: [LaneBuilder]
    private var ids: [Int64] = []
    private var ranks: [UInt64] = []
    private var lane = 0

    /// A builder for lanes with these options; lanes are known by their position.
    public init(lanes: [LaneOptions]) {
        self.lanes = lanes.map { LaneBuilder(options: $0) }
    }

    /// Starts a record. What is added until the next call belongs to it.
    /// - Parameters:
    ///   - id: The caller's identifier, handed back with hits; each record has one of its own.
    ///   - rank: Smaller is better.
    public mutating func beginRecord(id: Int64, rank: UInt64 = 0) {
        ids.append(id)
        ranks.append(rank)
        for lane in lanes { lane.beginRecord() }
    }

    /// Starts a field of the current record in a lane. Runs, initials and exact matches do not cross fields.
    public mutating func beginField(lane: Int) {
        self.lane = lane
        lanes[lane].beginField()
    }

    /// Adds the next word of the current field, in all its spellings (at least one, each of at least one letter;
    /// empty ones are left out).
    /// - Parameters:
    ///   - spellings: Letters as UTF-16 code units, aligned by track with the words around (see `ForwardTable`). A word with fewer of
    ///     them than one after it, in a field of up to eight words, goes on with each of that one's.
    ///   - infixSpellings: How many of the spellings, from the first, can be searched inside, in a lane with
    ///     ``LaneOptions/infix``.
    public mutating func addWord(_ spellings: [[UInt16]], infixSpellings: Int = .max) {
        lanes[lane].addWord(spellings, infixSpellings: infixSpellings)
    }

    /// Builds the index.
    /// - Parameters:
    ///   - generation: Of the data, to tell later whether the index is stale.
    ///   - fingerprint: Of the rules the words were made by.
    public consuming func build(generation: UInt64 = 0, fingerprint: UInt64 = 0) throws(IndexFormatError) -> LookupIndex
    {
        for lane in lanes { lane.endField() }
        let ranks = self.ranks
        let order = (0..<ids.count).sorted { ranks[$0] == ranks[$1] ? $0 < $1 : ranks[$0] < ranks[$1] }
        var writer = SectionWriter()
        writer.addPacked(.recordIDs, order.map { UInt64(bitPattern: ids[$0]) })
        let isDense = order.enumerated().allSatisfy { ranks[$0.element] == UInt64($0.offset) }
        writer.addPacked(.recordRanks, isDense ? [] : order.map { ranks[$0] })
        let orderedIDs = order.map { ids[$0] }
        writer.addPacked(
            .recordsByID,
            orderedIDs.indices.sorted { orderedIDs[$0] < orderedIDs[$1] }.map { UInt32($0) })
        for lane in sections(order: order) { writer.add(lane) }
        let bytes = writer.finish(
            records: order.count, lanes: lanes.count, generation: generation, fingerprint: fingerprint)
        return try LookupIndex(trusting: bytes)
    }

    /// The sections of each lane; lanes have nothing to do with each other.
    private func sections(order: [Int]) -> [SectionWriter] {
        let lanes = self.lanes
        let written = Mutex([SectionWriter](repeating: SectionWriter(), count: lanes.count))
        @Sendable func write(_ number: Int) {
            var writer = SectionWriter()
            lanes[number].write(to: &writer, lane: number, order: order)
            written.withLock { $0[number] = writer }
        }
        if order.count < IndexBuilder.fewestForThreads {
            for number in lanes.indices { write(number) }
        } else {
            DispatchQueue.concurrentPerform(iterations: lanes.count, execute: write)
        }
        return written.withLock { $0 }
    }
}
