/// Tells which of 512 long documents may be split as a query asks, from bitmaps of how their words begin.
///
/// Let S(i) be the documents whose words could take the query from byte i on, and B(i, l) those with a word that begins with the l bytes
/// from i on. Then
///
///     S(end) = all,   S(i) = B(i, 1) & S(i + 1)  |  B(i, 2) & S(i + 2)  |  …  |  B(i, longest(i)) & S(i + longest(i))
///
/// where longest(i) is how many letters from i on any run begins with, at most up to the end of the typed word. So all splits (there are
/// 2^(n-1)) cost n²/2 steps for a block of documents. Bitmaps of one and two letters are those of ``LongValueDocuments``. Of longer
/// prefixes two are made for the search (``LongPrefixBitmaps``); each bitmap stands for all lengths up to the next one. The order of the
/// words plays no fieldQuery, so the same pass serves initials and words in any order; what it lets through is checked with ``SegmentationMatcher``.
///
/// A document with few words in its values cannot take many pieces. With S(i, p) for at most p pieces, made of S(·, p - 1) in the same way,
/// a second pass keeps of the documents with three words those in S(0, 3), of those with four those in S(0, 4); it costs four times as much,
/// and is only run where the first leaves anything.
final class SegmentationFilter {
    private static let levels = 4

    private let long: LongValueDocuments
    private let count: Int
    private let prefixes: LongPrefixBitmaps
    /// For each letter the rows of its bitmaps of one and two letters.
    private let rows: UnsafeMutablePointer<Int>
    /// For each letter up to which length each of its four bitmaps counts, from that of the one before.
    private let bounds: UnsafeMutablePointer<Int>
    /// Bitmaps of the block under way: four for each letter, then the S(i, p) of two values of p.
    private let memory: UnsafeMutablePointer<SIMD8<UInt64>>

    init(_ long: LongValueDocuments, _ prefixes: PrefixRanges, query: EncodedQuery) {
        self.long = long
        self.prefixes = LongPrefixBitmaps(prefixes, query: query, long)
        let bytes = query.bytes
        count = bytes.count
        rows = .allocate(capacity: 2 * (count + 1))
        bounds = .allocate(capacity: SegmentationFilter.levels * (count + 1))
        memory = .allocate(capacity: (SegmentationFilter.levels + 2) * (count + 1))
        for position in 0..<count {
            let end = query.wordEnds[position]
            let row = rows + 2 * position
            row[0] = long.layout.single(bytes[position])
            row[1] = position + 1 < end ? long.layout.pair(bytes[position], bytes[position + 1]) : row[0]
            let longest = prefixes.longest(position, atMost: end - position)
            let lengths = self.prefixes.lengths[position]
            for (level, bound) in [1, lengths.first - 1, lengths.second - 1, longest].enumerated() {
                bounds[SegmentationFilter.levels * position + level] = Swift.min(bound, longest)
            }
        }
    }

    deinit {
        rows.deallocate()
        bounds.deallocate()
        memory.deallocate()
    }

    /// A bit for each document of the block that may match. O(letters²).
    func candidates(in block: Int) -> SIMD8<UInt64> {
        for position in 0..<count {
            let masks = memory + SegmentationFilter.levels * position
            masks[0] = long.load(rows[2 * position], block: block)
            masks[1] = long.load(rows[2 * position + 1], block: block)
            masks[2] = prefixes.load(2 * position, block: block)
            masks[3] = prefixes.load(2 * position + 1, block: block)
        }
        var fewer = memory + SegmentationFilter.levels * (count + 1)
        var next = fewer + (count + 1)
        fewer[count] = SIMD8(repeating: .max)
        addPiece(to: fewer, into: fewer)
        let any = fewer[0]
        if any == .zero { return any }
        for position in 0..<count { fewer[position] = .zero }
        next[count] = SIMD8(repeating: .max)
        var found = long.load(LongValueDocuments.fiveWords(long.layout), block: block)
        for pieces in 1...4 {
            addPiece(to: fewer, into: next)
            swap(&fewer, &next)
            if pieces == 3 { found |= fewer[0] }
        }
        found |= long.load(LongValueDocuments.fourWords(long.layout), block: block) & fewer[0]
        return found & any
    }

    /// S(·, p) from S(·, p - 1); into itself, S for any number of pieces.
    @inline(__always)
    private func addPiece(
        to fewer: UnsafeMutablePointer<SIMD8<UInt64>>, into next: UnsafeMutablePointer<SIMD8<UInt64>>
    ) {
        var position = count - 1
        while position >= 0 {
            let masks = memory + SegmentationFilter.levels * position
            let bounds = bounds + SegmentationFilter.levels * position
            var result = SIMD8<UInt64>.zero
            var length = 1
            for level in 0..<SegmentationFilter.levels where length <= bounds[level] {
                var rest = SIMD8<UInt64>.zero
                repeat {
                    rest |= fewer[position + length]
                    length += 1
                } while length <= bounds[level]
                result |= masks[level] & rest
            }
            next[position] = result
            position -= 1
        }
    }
}
