/// The records that may be split as a query asks, in order of rank: in two, which most records can only be (``PairCandidates``), and of the
/// long ones in more (``SplitFilter``). What comes out is checked with ``SplitAlignment``.
struct SplitCandidates {
    private let pairs: PairCandidates
    private let long: LongRecords
    private let filter: SplitFilter
    private let recordCount: Int

    init(_ starts: StartBitmaps, _ long: LongRecords, _ runs: RunTable, query: EncodedQuery, records: Int) {
        self.long = long
        recordCount = records
        let beginnings = QueryBeginnings(runs, query: query)
        pairs = PairCandidates(starts, beginnings, query: query, records: records)
        filter = SplitFilter(long, beginnings, query: query)
    }

    /// Calls `body` with each candidate until it returns false; tells whether all were seen.
    func forEach(
        upTo end: Int, _ poll: CancellationPoll, _ body: (Int) -> Bool
    ) throws(LookupCancelled) -> Bool {
        var longer = LongCandidates(long, filter)
        var nextLong = longer.next() ?? .max
        for position in 0..<(recordCount + 63) / 64 {
            if position * 64 >= end { return true }
            if position & 255 == 0 { try poll.now() }
            var bits = pairs.records(at: position)
            while nextLong < (position + 1) * 64 {
                bits |= 1 << UInt64(nextLong & 63)
                nextLong = longer.next() ?? .max
            }
            while bits != 0 {
                let record = position * 64 + bits.trailingZeroBitCount
                bits &= bits &- 1
                if record >= end { return true }
                if !body(record) { return false }
            }
        }
        return true
    }
}

/// The long records that a filter lets through, one after another.
private struct LongCandidates {
    private let long: LongRecords
    private let filter: SplitFilter
    private var block = -1
    private var word = StartBitmaps.blockWords
    private var candidates = SIMD8<UInt64>.zero
    private var bits: UInt64 = 0

    init(_ long: LongRecords, _ filter: SplitFilter) {
        self.long = long
        self.filter = filter
    }

    mutating func next() -> Int? {
        while bits == 0 {
            word += 1
            if word >= StartBitmaps.blockWords {
                repeat {
                    block += 1
                    if block >= long.blockCount { return nil }
                    candidates = filter.candidates(in: block)
                } while candidates == .zero
                word = 0
            }
            bits = candidates[word]
        }
        let number = block * StartBitmaps.blockRecords + word * 64 + bits.trailingZeroBitCount
        bits &= bits &- 1
        return number < long.records.count ? Int(long.records[number]) : nil
    }
}
