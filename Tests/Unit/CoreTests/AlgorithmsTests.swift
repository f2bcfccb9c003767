import Testing

@testable import SwitchboardAlgorithms

struct AlgorithmsTests {
    // MARK: - Edit distance

    @Test(
        "The edit distance counts a transposition as one edit",
        arguments: [
            ("", "", 0), ("a", "", 1), ("", "ab", 2), ("dunes", "dunes", 0), ("dunes", "dune", 1),
            ("dunes", "dnues", 1), ("dunes", "tunas", 2), ("ca", "abc", 3), ("kitten", "sitting", 3),
            ("abcd", "badc", 2),
        ])
    func distance(_ one: String, _ other: String, _ edits: Int) {
        #expect(EditDistance.between(one.unicodeScalars, Array(other.unicodeScalars)) == edits)
        #expect(EditDistance.between(other.unicodeScalars, Array(one.unicodeScalars)) == edits)
    }

    @Test("Each prefix of a word has its own distance, until the caller has enough")
    func prefixes() {
        var edits: [Int] = []
        EditDistance.forEachPrefix(of: Array("gonzales".utf16)[...], near: Array("gnoz".utf16)[...]) {
            length, distance in
            edits.append(distance)
            return length < 6
        }
        #expect(edits == [3, 2, 2, 1, 2, 3])
    }

    // MARK: - Hash

    @Test("The hash is FNV-1a and independent of how the bytes are divided")
    func hash() {
        // The test vectors of the draft of the Internet Engineering Task Force.
        #expect(StableHash.of([]) == 0xCBF2_9CE4_8422_2325)
        #expect(StableHash.of(Array("a".utf8)) == 0xAF63_DC4C_8601_EC8C)
        #expect(StableHash.of(Array("foobar".utf8)) == 0x8594_4171_F739_67E8)
        var hash = StableHash()
        hash.add("foo".utf8)
        hash.add("bar".utf8)
        #expect(hash.value == StableHash.of(Array("foobar".utf8)))
        #expect(StableHash(seed: 7).value != StableHash().value)
    }

    // MARK: - Rank

    @Test("A use counts half as much after thirty days")
    func rank() {
        #expect(UseRank.rank(count: 2, last: 0) == UseRank.rank(count: 1, last: 30 * 86_400))
        #expect(UseRank.rank(count: 3, last: 86_400) > UseRank.rank(count: 3, last: 0))
        #expect(UseRank.rank(count: 0, last: 86_400) == -.infinity)
    }

    // MARK: - Concurrent map

    @Test("The results are in the order of the elements", arguments: [0, 1, 2, 3, 64, 1_000])
    func order(count: Int) {
        let numbers = Array(0..<count)
        #expect(numbers.concurrentMap(chunksOf: 3) { $0.map { $0 * 2 } }.flatMap(\.self) == numbers.map { $0 * 2 })
        #expect(numbers.concurrentMap(chunksOf: 2_000) { $0.count } == (count > 0 ? [count] : []))
    }

    private struct Unlucky: Error, Equatable { let number: Int }

    @Test("The error of the first elements that fail is thrown")
    func failure() {
        #expect(throws: Unlucky(number: 7)) {
            try Array(0..<100).concurrentMap(chunksOf: 1) { chunk throws(Unlucky) in
                if let number = chunk.first, number >= 7 { throw Unlucky(number: number) }
                return Array(chunk)
            }
        }
    }
}
