/// Tells which of 512 records may be split as a query asks, from the ``StartBitmaps``.
///
/// Let S(i) be the records whose words could take the query from byte i on. With B1 and B2 the bitmaps of a first
/// letter and of two first letters,
///
///     S(end) = all,   S(i) = B1(i) & S(i + 1)  |  B2(i) & (S(i + 2) | S(i + 3) | … | S(end of the typed word))
///
/// so all splits (there are 2^(n-1)) cost n steps for a block of records. The order of the words plays no part, so
/// the same pass serves initials and words in any order; what it lets through is checked with ``SplitAlignment``.
struct SplitFilter {
    private let starts: StartBitmaps
    private let singles: [Int]
    private let pairs: [Int]
    private let words: [Range<Int>]

    var blockCount: Int { starts.blockCount }

    init(_ starts: StartBitmaps, query: EncodedQuery) {
        self.starts = starts
        words = query.words
        let bytes = query.bytes
        singles = bytes.map { StartBitmaps.single($0) }
        pairs = bytes.indices.map { $0 + 1 < bytes.count ? StartBitmaps.pair(bytes[$0], bytes[$0 + 1]) : 0 }
    }

    /// A bit for each record of the block that may match. O(letters).
    func candidates(in block: Int) -> SIMD8<UInt64> {
        var after = SIMD8<UInt64>(repeating: .max)
        for range in words.reversed() {
            // `next` is S(i + 1), `later` is S(i + 2) | … | S(end of word).
            var next = after
            var later = SIMD8<UInt64>.zero
            var position = range.upperBound - 1
            while position >= range.lowerBound {
                var current = starts.load(singles[position], block: block) & next
                if position + 1 < range.upperBound { current |= starts.load(pairs[position], block: block) & later }
                later |= next
                next = current
                position -= 1
            }
            after = next
        }
        return after
    }

    /// A bit for each of 64 records, the `position`-th such group, that has a word with the beginning of a typed one, which is not
    /// split.
    @inline(__always)
    func records(ofWord word: Int, at position: Int) -> UInt64 {
        guard words.indices.contains(word) else { return 0 }
        let range = words[word]
        let row = range.count > 1 ? pairs[range.lowerBound] : singles[range.lowerBound]
        return starts.load(row, at: position)
    }
}
