/// For each position of a query, two bitmaps of the long-value documents that contain a longer, more selective prefix
/// from there on.
///
/// Built for one search from ranges of word suffixes: O(entries of the ranges + long-value documents / 64 per bitmap).
final class LongPrefixBitmaps {
    /// The lengths of the prefixes of a position's two bitmaps; `Int.max` for a missing one.
    typealias Lengths = (first: Int, second: Int)

    /// The maximum number of entries of a prefix that gets a bitmap. A second, longer prefix gets one if the first has
    /// at least ``minEntriesForSecond`` entries and the second at most 1/``minReduction`` of them.
    static let maxEntries = 4096
    static let minEntriesForSecond = 128
    static let minReduction = 6
    /// The minimum length. Shorter prefixes have bitmaps in the index.
    static let minLength = 3

    private(set) var lengths: [Lengths] = []
    /// The bitmap numbers, two per position; -1 for a missing one.
    private var numbers: [Int] = []
    private let bits: Scratch<SIMD8<UInt64>>
    private let blocks: Int

    init(_ prefixes: PrefixRanges, query: EncodedQuery, _ long: LongValueDocuments) {
        blocks = long.blockCount
        var ranges: [Range<Int>] = []
        for start in query.bytes.indices {
            let longest = prefixes.longest(start, atMost: query.wordEnds[start] - start)
            var chosen: [(length: Int, entries: Int)] = []
            var length = LongPrefixBitmaps.minLength
            while length <= longest, chosen.count < 2 {
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
        bits = Scratch(repeating: .zero, count: blocks * ranges.count)
        let documents = prefixes.wordSuffixes.documents
        for (number, range) in ranges.enumerated() {
            for entry in range {
                guard let member = long.number(of: Int(documents[entry])) else { continue }
                bits[number * blocks + member >> 9][member >> 6 & 7] |= 1 << UInt64(member & 63)
            }
        }
    }

    @inline(__always)
    func load(_ row: Int, block: Int) -> SIMD8<UInt64> {
        let number = numbers[row]
        return number < 0 ? .zero : bits[number * blocks + block]
    }
}
