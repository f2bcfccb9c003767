/// The records that may be split as the query asks, in order of rank.
///
/// Records are told apart by how many words their longest field has: all may be split in two, those with three words
/// in three, and so on. For each class the ``SplitAnchors`` are looked up; where they would lead to too many records
/// every record of the class is a candidate. Either way the ``SplitFilter`` has the last word before a record itself
/// is looked at.
struct SplitCandidates {
    private let starts: StartBitmaps
    private let filter: SplitFilter
    /// For classes 2, 3, 4 and 5 words: a bit for each record that the anchors lead to; empty if every record is.
    private var anchored: [[UInt64]] = []

    /// Anchors are worth it while they lead to at most this share of the records.
    static let anchoredShare = 8

    init(_ lane: Lane, _ starts: StartBitmaps, query: EncodedQuery, bounds: Range<Int>) {
        self.starts = starts
        let every: [UInt64] = []
        guard let runs = lane.runs else {
            filter = SplitFilter(starts, query: query)
            anchored = Array(repeating: every, count: 4)
            return
        }
        let beginnings = QueryBeginnings(runs, query: query)
        filter = SplitFilter(starts, query: query, beginnings)
        let anchors = SplitAnchors(beginnings, query: query)
        let most = bounds.upperBound / SplitCandidates.anchoredShare
        for pieces in [2, 3, 4, query.bytes.count] {
            if let last = anchored.last, anchored.count > 1, last.isEmpty {
                // More pieces only lead to more records.
                anchored.append(every)
                continue
            }
            guard let ranges = anchors.ranges(pieces: pieces, most: most) else {
                anchored.append(every)
                continue
            }
            var bits = Array(repeating: UInt64(0), count: starts.blockCount * StartBitmaps.blockWords)
            for range in ranges {
                for entry in range {
                    let record = Int(runs.records[entry])
                    bits[record >> 6] |= 1 << UInt64(record & 63)
                }
            }
            anchored.append(bits)
        }
    }

    /// Calls `body` with each candidate until it returns false; tells whether all were seen.
    func forEach(
        upTo end: Int, _ poll: CancellationPoll, _ body: (Int) -> Bool
    ) throws(LookupCancelled) -> Bool {
        for block in 0..<filter.blockCount {
            let base = block * StartBitmaps.blockRecords
            if base >= end { return true }
            if block & 15 == 0 { try poll.now() }
            let two = bits(0, block)
            let three = classBits(1, block)
            let four = classBits(2, block)
            let more = classBits(3, block)
            if two | three | four | more == .zero { continue }
            let candidates = filter.candidates(in: block, two, three, four, more)
            if candidates == .zero { continue }
            for word in 0..<StartBitmaps.blockWords {
                var bits = candidates[word]
                while bits != 0 {
                    let record = base + word * 64 + bits.trailingZeroBitCount
                    bits &= bits &- 1
                    if record >= end { return true }
                    if !body(record) { return false }
                }
            }
        }
        return true
    }

    /// The records of a class, those with at least three, four or five words in a field, that the anchors lead to.
    @inline(__always)
    private func classBits(_ number: Int, _ block: Int) -> SIMD8<UInt64> {
        let count = starts.load(StartBitmaps.wordCountRows.lowerBound + number - 1, block: block)
        return count == .zero ? .zero : count & bits(number, block)
    }

    @inline(__always)
    private func bits(_ number: Int, _ block: Int) -> SIMD8<UInt64> {
        if anchored[number].isEmpty { return SIMD8(repeating: .max) }
        return anchored[number].withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: block * StartBitmaps.blockWords * 8, as: SIMD8<UInt64>.self)
        }
    }
}
