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
}
