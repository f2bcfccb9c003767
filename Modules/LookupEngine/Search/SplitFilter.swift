/// Tells which of 512 records may be split as a query asks, from the ``StartBitmaps``.
///
/// Let S(i) be the records whose words could take the query from byte i on. With B1 and B2 the bitmaps of a first
/// letter and of two first letters,
///
///     S(end) = all,   S(i) = B1(i) & S(i + 1)  |  B2(i) & (S(i + 2) | S(i + 3) | … | S(end of the typed word))
///
/// so all splits (there are 2^(n-1)) cost n steps for a block of records. The order of the words plays no part, so
/// the same pass serves initials and words in any order; what it lets through is checked with ``SplitAlignment``.
///
/// A record with few words in its fields cannot take many pieces. With S(i, p) for at most p pieces, made of S(·, p - 1) in the same way,
/// a second pass keeps of the records with two words those in S(0, 2), and so on; it costs four times as much, and is only run
/// where the first leaves anything.
final class SplitFilter {
    private let starts: StartBitmaps
    private let count: Int
    /// For each letter, the row of its bitmap, and that of it and the next one.
    private let singles: [Int]
    private let pairs: [Int]
    private let wordEnds: [Int]
    private let words: [Range<Int>]
    /// Bitmaps of the block under way, by letter: of one letter, of two; and the S(i, p) of two values of p.
    private let memory: UnsafeMutablePointer<SIMD8<UInt64>>

    var blockCount: Int { starts.blockCount }

    init(_ starts: StartBitmaps, query: EncodedQuery) {
        self.starts = starts
        words = query.words
        wordEnds = query.wordEnds
        let bytes = query.bytes
        count = bytes.count
        singles = bytes.map { StartBitmaps.single($0) }
        pairs = bytes.indices.map { $0 + 1 < bytes.count ? StartBitmaps.pair(bytes[$0], bytes[$0 + 1]) : 0 }
        memory = .allocate(capacity: 4 * (bytes.count + 1))
    }

    deinit { memory.deallocate() }

    /// A bit for each record of the block that may match, of the records that may have at most two, three, four and more pieces.
    /// O(letters).
    func candidates(
        in block: Int, _ two: SIMD8<UInt64>, _ three: SIMD8<UInt64>, _ four: SIMD8<UInt64>, _ more: SIMD8<UInt64>
    ) -> SIMD8<UInt64> {
        let (one, both) = (memory, memory + (count + 1))
        for position in 0..<count {
            one[position] = starts.load(singles[position], block: block)
            both[position] =
                position + 1 < wordEnds[position] ? starts.load(pairs[position], block: block) : .zero
        }
        let any = anyPieces(one, both) & (two | three | four | more)
        if any == .zero { return any }
        var (fewer, next) = (memory + 2 * (count + 1), memory + 3 * (count + 1))
        for position in 0..<count { fewer[position] = .zero }
        fewer[count] = SIMD8(repeating: .max)
        var found = more
        for pieces in 1...4 {
            addPiece(one, both, to: fewer, into: next)
            swap(&fewer, &next)
            switch pieces {
            case 2: found |= two & fewer[0]
            case 3: found |= three & fewer[0]
            case 4: found |= four & fewer[0]
            default: break
            }
        }
        return found & any
    }

    /// S(0).
    @inline(__always)
    private func anyPieces(
        _ one: UnsafeMutablePointer<SIMD8<UInt64>>, _ both: UnsafeMutablePointer<SIMD8<UInt64>>
    ) -> SIMD8<UInt64> {
        var after = SIMD8<UInt64>(repeating: .max)
        for range in words.reversed() {
            // `next` is S(i + 1), `later` is S(i + 2) | … | S(end of word).
            var next = after
            var later = SIMD8<UInt64>.zero
            var position = range.upperBound - 1
            while position >= range.lowerBound {
                let current = one[position] & next | both[position] & later
                later |= next
                next = current
                position -= 1
            }
            after = next
        }
        return after
    }

    /// S(·, p) from S(·, p - 1).
    @inline(__always)
    private func addPiece(
        _ one: UnsafeMutablePointer<SIMD8<UInt64>>, _ both: UnsafeMutablePointer<SIMD8<UInt64>>,
        to fewer: UnsafeMutablePointer<SIMD8<UInt64>>, into next: UnsafeMutablePointer<SIMD8<UInt64>>
    ) {
        next[count] = SIMD8(repeating: .max)
        for range in words.reversed() {
            var later = SIMD8<UInt64>.zero
            var position = range.upperBound - 1
            while position >= range.lowerBound {
                let after = fewer[position + 1]
                next[position] = one[position] & after | both[position] & later
                later |= after
                position -= 1
            }
        }
    }

    /// A bit for each of 64 records, the `position`-th such group, that has a word with the beginning of a typed one, which is not
    /// split; if it may go on in the next word, with its first letter.
    @inline(__always)
    func records(ofWord word: Int, at position: Int, mayCrossWords: Bool) -> UInt64 {
        guard words.indices.contains(word) else { return 0 }
        let range = words[word]
        let row = range.count > 1 && !mayCrossWords ? pairs[range.lowerBound] : singles[range.lowerBound]
        return starts.load(row, at: position)
    }
}
