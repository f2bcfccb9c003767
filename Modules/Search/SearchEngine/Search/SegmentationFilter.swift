/// Finds the long-value documents that may match a segmentation of the query, a block of 512 at a time, from bitmaps of
/// the prefixes of their words.
///
/// Let S(i) be the documents whose words can match the query from byte i on, and B(i, l) those with a word that begins
/// with the l bytes from i on. Then
///
///     S(end) = all,   S(i) = B(i, 1) & S(i + 1)  |  B(i, 2) & S(i + 2)  |  …  |  B(i, longest(i)) & S(i + longest(i))
///
/// where longest(i) is the number of letters from i on with which any word suffix begins, at most up to the end of the
/// typed word. All 2^(n-1) segmentations thus cost n²/2 steps per block. Bitmaps of one and two letters are those of
/// ``LongValueDocuments``; those of longer prefixes are built for the search (``LongPrefixBitmaps``), and each covers
/// all lengths up to the next one. The order of the words is ignored, so the same pass serves initials and words in any
/// order. Candidates are checked with ``SegmentationMatcher``.
///
/// A document with few words cannot match many pieces. Let S(i, p) be S(i) for at most p pieces, computed from S(·, p -
/// 1) in the same way. A second pass keeps the documents with three words that are in S(0, 3) and those with four that
/// are in S(0, 4). It costs four times as much and runs only if the first pass leaves anything.
final class SegmentationFilter {
    private static let levels = 4

    private let long: LongValueDocuments
    private let count: Int
    private let prefixes: LongPrefixBitmaps
    /// The rows of one and two letters for each position.
    private let rows: Scratch<Int>
    /// For each position, the maximum length that each of its four bitmaps covers.
    private let bounds: Scratch<Int>
    /// The bitmaps of the current block: four per position, then S(i, p) for two values of p.
    private let bitmaps: Scratch<SIMD8<UInt64>>

    init(_ long: LongValueDocuments, _ prefixes: PrefixRanges, query: EncodedQuery) {
        self.long = long
        self.prefixes = LongPrefixBitmaps(prefixes, query: query, long)
        let bytes = query.bytes
        count = bytes.count
        rows = Scratch(repeating: 0, count: 2 * (count + 1))
        bounds = Scratch(repeating: 0, count: SegmentationFilter.levels * (count + 1))
        bitmaps = Scratch(repeating: .zero, count: (SegmentationFilter.levels + 2) * (count + 1))
        for position in 0..<count {
            let end = query.wordEnds[position]
            let single = long.layout.single(bytes[position])
            rows[2 * position] = single
            rows[2 * position + 1] =
                position + 1 < end ? long.layout.pair(bytes[position], bytes[position + 1]) : single
            let longest = prefixes.longest(position, atMost: end - position)
            let lengths = self.prefixes.lengths[position]
            for (level, bound) in [1, lengths.first - 1, lengths.second - 1, longest].enumerated() {
                bounds[SegmentationFilter.levels * position + level] = Swift.min(bound, longest)
            }
        }
    }

    /// The candidates of a block. O(letters²).
    func candidates(in block: Int) -> SIMD8<UInt64> {
        for position in 0..<count {
            let masks = SegmentationFilter.levels * position
            bitmaps[masks] = long.load(rows[2 * position], block: block)
            bitmaps[masks + 1] = long.load(rows[2 * position + 1], block: block)
            bitmaps[masks + 2] = prefixes.load(2 * position, block: block)
            bitmaps[masks + 3] = prefixes.load(2 * position + 1, block: block)
        }
        var current = SegmentationFilter.levels * (count + 1)
        var next = current + (count + 1)
        bitmaps[current + count] = SIMD8(repeating: .max)
        addPiece(to: current, into: current)
        let any = bitmaps[current]
        if any == .zero { return any }
        bitmaps.fill(current..<current + count, with: .zero)
        bitmaps[next + count] = SIMD8(repeating: .max)
        var found = long.load(LongValueDocuments.fiveWords(long.layout), block: block)
        for pieces in 1...4 {
            addPiece(to: current, into: next)
            swap(&current, &next)
            if pieces == 3 { found |= bitmaps[current] }
        }
        found |= long.load(LongValueDocuments.fourWords(long.layout), block: block) & bitmaps[current]
        return found & any
    }

    /// Computes S(·, p) from S(·, p - 1), given by their positions in ``bitmaps``. If both are the same, computes S for
    /// any number of pieces.
    @inline(__always)
    private func addPiece(to current: Int, into next: Int) {
        var position = count - 1
        while position >= 0 {
            let masks = SegmentationFilter.levels * position
            var result = SIMD8<UInt64>.zero
            var length = 1
            for level in 0..<SegmentationFilter.levels where length <= bounds[masks + level] {
                let bound = bounds[masks + level]
                var rest = SIMD8<UInt64>.zero
                repeat {
                    rest |= bitmaps[current + position + length]
                    length += 1
                } while length <= bound
                result |= bitmaps[masks + level] & rest
            }
            bitmaps[next + position] = result
            position -= 1
        }
    }
}
