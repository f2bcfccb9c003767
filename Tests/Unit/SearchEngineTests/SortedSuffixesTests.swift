import SwitchboardTestSupport
import Testing

@testable import SwitchboardSearchEngine

/// Sorted byte strings compared with a simple sort.
@Suite struct SortedSuffixesTests {
    /// Below and above the count that is worth several threads.
    @Test(arguments: [0, 1, 2, 300, 70_000])
    func areInTheOrderOfTheirBytesThenThoseThatComeFirstThenByNumber(count: Int) {
        var random = SplitMix(seed: UInt64(count))
        var bytes: [UInt8] = []
        var bounds: [Range<Int>] = []
        var isFirst: [Bool] = []
        for _ in 0..<count {
            // Few letters and short strings, so that many are equal or begin alike; some exceed the compared heads.
            let length = Int.random(in: 0...3, using: &random) * Int.random(in: 1...6, using: &random)
            bounds.append(bytes.count..<bytes.count + length)
            for _ in 0..<length { bytes.append(UInt8.random(in: 1...2, using: &random)) }
            isFirst.append(Bool.random(using: &random))
        }
        let (places, first) = (bounds, isFirst)
        let sorted = sortedByBytes(count: count, bytes: bytes, bounds: { places[$0] }, isFirst: { first[$0] })
        let expected = (0..<count).sorted { one, other in
            let (left, right) = (bytes[bounds[one]], bytes[bounds[other]])
            if left != right { return left.lexicographicallyPrecedes(right) }
            if isFirst[one] != isFirst[other] { return isFirst[one] }
            return one < other
        }
        #expect(sorted == expected.map { UInt32($0) })
    }

    /// Words beyond the length of a key, some with the same key, and values with several spellings, some of them repeated.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func ofValuesOfOneWordAreTheSameByCountingAsBySorting(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let letters = (0..<300).map { _ in
            let length = Int.random(in: 0...9, using: &random) == 0 ? 59...63 : 1...4
            return (0..<Int.random(in: length, using: &random)).map { _ in UInt8.random(in: 1...2, using: &random) }
        }
        let words = Set(letters).sorted { $0.lexicographicallyPrecedes($1) }
        var (offsets, tokens) = ([UInt32(0)], [UInt32]())
        for _ in 0..<200 {
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                for spelling in 0..<Int.random(in: 1...3, using: &random) {
                    let flag = spelling == 0 ? ForwardIndex.valueStart : ForwardIndex.otherSpelling
                    tokens.append(
                        ForwardIndex.token(of: UInt32.random(in: 0..<UInt32(words.count), using: &random)) | flag)
                }
            }
            offsets.append(UInt32(tokens.count))
        }
        let source = FieldSource(
            wordBytes: words.flatMap(\.self),
            wordOffsets: words.reduce(into: [0]) { $0.append(($0.last ?? 0) + UInt32($1.count)) },
            forwardOffsets: offsets, tokens: tokens)
        let (counted, sorted) = (SortedWordSuffixes(oneWordValuesOf: source), SortedWordSuffixes(valuesOf: source))
        #expect(counted.documents == sorted.documents && counted.starts == sorted.starts)
        for entry in sorted.documents.indices {
            let keys = [counted, sorted].map { suffixes in
                (0...WordSuffixArray.maxLength).map { suffixes.letter(entry, $0) }
            }
            #expect(keys[0] == keys[1])
        }
    }
}
