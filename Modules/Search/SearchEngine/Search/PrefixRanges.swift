/// The word suffixes that begin with the query from each position on, for every length.
///
/// One descent of the trie per position: O(letters² · log children).
struct PrefixRanges: ~Copyable {
    private let letters: Int
    /// For each position, the ranges of increasingly long prefixes, in ``letters`` slots. The last range also covers
    /// all longer prefixes: the entries of a leaf are not distinguished.
    private let ranges: Scratch<Range<UInt32>>
    /// For each position, the number of its ranges.
    private let counts: Scratch<Int>

    init(_ wordSuffixes: borrowing WordSuffixArray, query: EncodedQuery) {
        let bytes = query.bytes
        letters = bytes.count
        ranges = Scratch(repeating: 0..<0, count: bytes.count * bytes.count)
        counts = Scratch(repeating: 0, count: bytes.count)
        let trie = wordSuffixes.trie
        for start in bytes.indices {
            var node = trie.root
            var count = 0
            for position in start..<query.wordEnds[start] {
                if trie.isLeaf(node.index) { break }
                guard let child = trie.child(of: node, letter: bytes[position]) else {
                    ranges[start * letters + count] = 0..<0
                    count += 1
                    break
                }
                node = child
                ranges[start * letters + count] = UInt32(node.range.lowerBound)..<UInt32(node.range.upperBound)
                count += 1
            }
            if count == 0 {
                ranges[start * letters] = 0..<UInt32(wordSuffixes.count)
                count = 1
            }
            counts[start] = count
        }
    }

    /// Returns the word suffixes that begin with `length` letters of the query from `start` on. Below a leaf, the range
    /// may contain others.
    @inline(__always)
    func range(_ start: Int, _ length: Int) -> Range<Int> {
        let range = ranges[start * letters + Swift.min(length, counts[start]) - 1]
        return Int(range.lowerBound)..<Int(range.upperBound)
    }

    /// Returns an upper bound for the number of letters from `start` on that begin a word suffix.
    func longest(_ start: Int, atMost limit: Int) -> Int {
        ranges[start * letters + counts[start] - 1].isEmpty ? Swift.min(counts[start] - 1, limit) : limit
    }
}
