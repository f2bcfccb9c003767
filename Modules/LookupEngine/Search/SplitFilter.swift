/// Finds the records that may be split as a query asks, by one pass over the ``StartBitmaps``, best records first.
///
/// Let S(i) be the records whose words could take the query from byte i on. With B1 and B2 the bitmaps of a first letter and of two first letters,
///
///     S(end) = all,   S(i) = B1(i) & S(i + 1)  |  B2(i) & (S(i + 2) | S(i + 3) | … | S(end of the typed word))
///
/// so all splits (there are 2^(n-1)) cost n steps on 512 records at a time. The order of the words plays no part, so the same
/// pass serves initials and words in any order; what it lets through is checked with ``SplitAlignment``.
struct SplitFilter {
    private let starts: StartBitmaps
    private let singles: [Int]
    private let pairs: [Int]
    private let words: [Range<Int>]
    /// Whether a typed word may be split into several beginnings.
    private let splitsWords: Bool

    init(_ starts: StartBitmaps, query: EncodedQuery, splitsWords: Bool) {
        self.starts = starts
        self.splitsWords = splitsWords
        words = query.words
        let bytes = query.bytes
        singles = bytes.map { StartBitmaps.single($0) }
        pairs = bytes.indices.map { $0 + 1 < bytes.count ? StartBitmaps.pair(bytes[$0], bytes[$0 + 1]) : 0 }
    }

    /// Calls `body` with each record that may match, in order of rank, until it returns false.
    func forEachCandidate(
        upTo end: Int, _ poll: inout CancellationPoll, _ body: (Int) throws(LookupCancelled) -> Bool
    ) throws(LookupCancelled) {
        for block in 0..<starts.blockCount {
            let base = block * StartBitmaps.blockRecords
            if base >= end { return }
            try poll.now()
            var candidates = filter(block)
            for word in 0..<StartBitmaps.blockWords {
                var bits = candidates[word]
                while bits != 0 {
                    let record = base + word * 64 + bits.trailingZeroBitCount
                    bits &= bits &- 1
                    if record >= end { return }
                    if try !body(record) { return }
                }
            }
            candidates = .zero
        }
    }

    @inline(__always)
    private func load(_ row: Int, _ block: Int) -> SIMD8<UInt64> {
        UnsafeRawPointer(starts.row(row, block: block)).loadUnaligned(as: SIMD8<UInt64>.self)
    }

    private func filter(_ block: Int) -> SIMD8<UInt64> {
        var after = SIMD8<UInt64>(repeating: .max)
        for range in words.reversed() {
            if !splitsWords {
                let row = range.count > 1 ? pairs[range.lowerBound] : singles[range.lowerBound]
                after &= load(row, block)
                continue
            }
            // `next` is S(i + 1), `later` is S(i + 2) | … | S(end of word).
            var next = after
            var later = SIMD8<UInt64>.zero
            var position = range.upperBound - 1
            while position >= range.lowerBound {
                var current = load(singles[position], block) & next
                if position + 1 < range.upperBound { current |= load(pairs[position], block) & later }
                later |= next
                next = current
                position -= 1
            }
            after = next
        }
        return after
    }
}
