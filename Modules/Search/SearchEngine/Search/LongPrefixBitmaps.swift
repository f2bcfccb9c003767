/// For each letter of a query two bitmaps of the long documents that have a run with a longer prefix from there on, which only few have.
///
/// Made for one search from ranges of wordSuffixes: O(entries of the ranges + long documents / 64 for each bitmap).
final class LongPrefixBitmaps {
    /// The lengths of the prefixes of a letter's two bitmaps; `Int.max` where there is none.
    typealias Lengths = (first: Int, second: Int)

    /// A prefix is worth a bitmap if it has at most so many entries, and a second one if the first has so many that it lets much
    /// through, and it has this share of them.
    static let maxEntries = 4096
    static let minEntriesForSecond = 128
    static let minReduction = 6
    /// Shorter ones have bitmaps in the index.
    static let shortest = 3

    private(set) var lengths: [Lengths] = []
    /// Which bitmap each letter's are, by number; -1 for none, which is never asked.
    private var numbers: [Int] = []
    private let bits: UnsafeMutablePointer<UInt64>
    private let width: Int

    init(_ prefixes: PrefixRanges, query: EncodedQuery, _ long: LongValueDocuments) {
        width = long.blockCount * PrefixSignatures.blockWords
        var ranges: [Range<Int>] = []
        for start in query.bytes.indices {
            let most = prefixes.longest(start, atMost: query.wordEnds[start] - start)
            var chosen: [(length: Int, entries: Int)] = []
            var length = LongPrefixBitmaps.shortest
            while length <= most, chosen.count < 2 {
                let range = prefixes.range(start, length)
                let isWorthwhile =
                    if let first = chosen.first {
                        first.entries >= LongPrefixBitmaps.minEntriesForSecond
                            && range.count <= first.entries / LongPrefixBitmaps.minReduction
                    } else { range.count <= LongPrefixBitmaps.maxEntries }
                if isWorthwhile {
                    chosen.append((length, range.count))
                    numbers.append(ranges.count)
                    ranges.append(range)
                }
                length += 1
            }
            lengths.append((chosen.first?.length ?? .max, chosen.count > 1 ? chosen[1].length : .max))
            for _ in chosen.count..<2 { numbers.append(-1) }
        }
        bits = .allocate(capacity: width * ranges.count + 1)
        bits.initialize(repeating: 0, count: width * ranges.count)
        let documents = prefixes.wordSuffixes.documents
        for (number, range) in ranges.enumerated() {
            let bitmap = bits + number * width
            for entry in range {
                guard let member = long.number(of: Int(documents[entry])) else { continue }
                bitmap[member >> 6] |= 1 << UInt64(member & 63)
            }
        }
    }

    deinit { bits.deallocate() }

    @inline(__always)
    func load(_ row: Int, block: Int) -> SIMD8<UInt64> {
        let number = numbers[row]
        if number < 0 { return .zero }
        return UnsafeRawPointer(bits + number * width + block * PrefixSignatures.blockWords).loadUnaligned(
            as: SIMD8<UInt64>.self)
    }
}
