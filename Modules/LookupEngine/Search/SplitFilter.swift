/// Tells which of 512 records may be split as a query asks, from bitmaps of how their words begin.
///
/// Let S(i) be the records whose words could take the query from byte i on, and B(i, l) those with a word that begins with the l bytes
/// from i on. Then
///
///     S(end) = all,   S(i) = B(i, 1) & S(i + 1)  |  B(i, 2) & S(i + 2)  |  B(i, 3) & S(i + 3)  |  …  up to the end of the typed word
///
/// so all splits (there are 2^(n-1)) cost n²/2 steps for a block of records. B(i, 1) and B(i, 2) are in the ``StartBitmaps``. Of longer
/// beginnings two are made for the search (``LongBeginnings``), and each bitmap stands for all lengths up to the next one. The order of the
/// words plays no part, so the same pass serves initials and words in any order; what it lets through is checked with ``SplitAlignment``.
///
/// A record with few words in its fields cannot take many pieces. With S(i, p) for at most p pieces, made of S(·, p - 1) in the same way,
/// a second pass keeps of the records with two words those in S(0, 2), and so on; it costs four times as much, and is only run
/// where the first leaves anything.
final class SplitFilter {
    private static let levels = 4

    private let starts: StartBitmaps
    private let count: Int
    /// For each letter, the row of its bitmap, and that of it and the next one.
    private let singles: [Int]
    private let pairs: [Int]
    private let words: [Range<Int>]
    private let long: LongBeginnings?
    /// For each letter, up to which length its bitmaps count: the first for one letter, the second for lengths up to the second bound …
    /// The last bound is the longest beginning that there is.
    private let bounds: UnsafeMutablePointer<Int>
    /// Bitmaps of the block under way: four for each letter, then the S(i, p) of two values of p.
    private let memory: UnsafeMutablePointer<SIMD8<UInt64>>

    var blockCount: Int { starts.blockCount }

    /// A filter; without `beginnings` it knows two letters of each word.
    init(_ starts: StartBitmaps, query: EncodedQuery, _ beginnings: QueryBeginnings? = nil) {
        self.starts = starts
        words = query.words
        let bytes = query.bytes
        count = bytes.count
        singles = bytes.map { StartBitmaps.single($0) }
        pairs = bytes.indices.map { $0 + 1 < bytes.count ? StartBitmaps.pair(bytes[$0], bytes[$0 + 1]) : 0 }
        let long = beginnings.map { LongBeginnings($0, query: query, blocks: starts.blockCount) }
        self.long = long
        bounds = .allocate(capacity: SplitFilter.levels * bytes.count + 1)
        memory = .allocate(capacity: (SplitFilter.levels + 2) * (bytes.count + 1))
        for position in 0..<count {
            let longest = long?.longest[position] ?? query.wordEnds[position] - position
            let lengths = long?.lengths[position] ?? LongBeginnings.none
            bounds[SplitFilter.levels * position] = Swift.min(1, longest)
            bounds[SplitFilter.levels * position + 1] = Swift.min(lengths.first - 1, longest)
            bounds[SplitFilter.levels * position + 2] = Swift.min(lengths.second - 1, longest)
            bounds[SplitFilter.levels * position + 3] = longest
        }
    }

    deinit {
        bounds.deallocate()
        memory.deallocate()
    }

    /// A bit for each record of the block that may match, of the records that may have at most two, three, four and more pieces.
    /// O(letters²).
    func candidates(
        in block: Int, _ two: SIMD8<UInt64>, _ three: SIMD8<UInt64>, _ four: SIMD8<UInt64>, _ more: SIMD8<UInt64>
    ) -> SIMD8<UInt64> {
        for position in 0..<count {
            let masks = memory + SplitFilter.levels * position
            masks[0] = starts.load(singles[position], block: block)
            masks[1] = starts.load(pairs[position], block: block)
            if let long {
                masks[2] = long.load(2 * position, block: block)
                masks[3] = long.load(2 * position + 1, block: block)
            }
        }
        var fewer = memory + SplitFilter.levels * (count + 1)
        var next = fewer + (count + 1)
        fewer[count] = SIMD8(repeating: .max)
        addPiece(to: fewer, into: fewer)
        let any = fewer[0] & (two | three | four | more)
        if any == .zero { return any }
        for position in 0..<count { fewer[position] = .zero }
        next[count] = SIMD8(repeating: .max)
        var found = more
        for pieces in 1...4 {
            addPiece(to: fewer, into: next)
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

    /// S(·, p) from S(·, p - 1); into itself, S for any number of pieces.
    @inline(__always)
    private func addPiece(
        to fewer: UnsafeMutablePointer<SIMD8<UInt64>>, into next: UnsafeMutablePointer<SIMD8<UInt64>>
    ) {
        var position = count - 1
        while position >= 0 {
            let masks = memory + SplitFilter.levels * position
            let bounds = bounds + SplitFilter.levels * position
            var result = SIMD8<UInt64>.zero
            var length = 1
            for level in 0..<SplitFilter.levels {
                let bound = bounds[level]
                if length > bound { continue }
                var rest = SIMD8<UInt64>.zero
                while length <= bound {
                    rest |= fewer[position + length]
                    length += 1
                }
                result |= masks[level] & rest
            }
            next[position] = result
            position -= 1
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

/// For each letter of a query two bitmaps of the records that have a run with a longer beginning from there on, which only few have.
///
/// Made for one search from ranges of runs: O(entries of the ranges + records / 64 for each bitmap).
final class LongBeginnings {
    /// The lengths of the beginnings of a letter's two bitmaps; `Int.max` where there is none.
    typealias Lengths = (first: Int, second: Int)
    static let none: Lengths = (.max, .max)

    /// A beginning is worth a bitmap if it has at most so many entries, and a second one if the first has so many that it lets much
    /// through, and it has this share of them.
    static let mostEntries = 4096
    static let fewestForSecond = 256
    static let worthwhileShare = 8

    /// The longest beginning at each letter that any run has.
    private(set) var longest: [Int] = []
    private(set) var lengths: [Lengths] = []
    /// Which bitmap each letter's are, by number; -1 for none, which is never asked.
    private var numbers: [Int] = []
    private let bits: UnsafeMutablePointer<UInt64>
    private let width: Int

    init(_ beginnings: QueryBeginnings, query: EncodedQuery, blocks: Int) {
        width = blocks * StartBitmaps.blockWords
        var ranges: [Range<Int>] = []
        for start in query.bytes.indices {
            let most = query.wordEnds[start] - start
            var longest = 0
            var chosen: [Int] = []
            var entries = 0
            for length in 1...most {
                let range = beginnings.range(start, length)
                if range.isEmpty { break }
                longest = length
                let isWorthwhile =
                    chosen.isEmpty
                    ? range.count <= LongBeginnings.mostEntries
                    : chosen.count == 1 && entries >= LongBeginnings.fewestForSecond
                        && range.count <= entries / LongBeginnings.worthwhileShare
                if length > 2, isWorthwhile {
                    entries = range.count
                    chosen.append(length)
                    numbers.append(ranges.count)
                    ranges.append(range)
                }
            }
            self.longest.append(longest)
            lengths.append((chosen.first ?? .max, chosen.count > 1 ? chosen[1] : .max))
            numbers += Array(repeating: -1, count: 2 - chosen.count)
        }
        bits = .allocate(capacity: width * ranges.count + 1)
        bits.initialize(repeating: 0, count: width * ranges.count)
        let records = beginnings.runs.records
        for (number, range) in ranges.enumerated() {
            let bitmap = bits + number * width
            for entry in range {
                let record = Int(records[entry])
                bitmap[record >> 6] |= 1 << UInt64(record & 63)
            }
        }
    }

    deinit { bits.deallocate() }

    @inline(__always)
    func load(_ row: Int, block: Int) -> SIMD8<UInt64> {
        let number = numbers[row]
        if number < 0 { return .zero }
        return UnsafeRawPointer(bits + number * width + block * StartBitmaps.blockWords).loadUnaligned(
            as: SIMD8<UInt64>.self)
    }
}
