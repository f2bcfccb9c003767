/// Where the wordSuffixes stand that begin with the letters of a query from some letter on, for every letter and length.
///
/// The trie tells it on one way down from each letter: O(letters² · children).
struct PrefixRanges {
    let wordSuffixes: WordSuffixArray
    /// For each letter the ranges of ever longer prefixes. The last one stands for all that are longer: below a leaf the trie knows
    /// no more, and its few entries are not told apart.
    private var ranges: [[Range<Int>]] = []

    init(_ wordSuffixes: WordSuffixArray, query: EncodedQuery) {
        self.wordSuffixes = wordSuffixes
        let trie = wordSuffixes.trie
        for start in query.bytes.indices {
            var node = trie.root
            var known: [Range<Int>] = []
            for position in start..<query.wordEnds[start] {
                if trie.isLeaf(node.index) { break }
                guard let child = trie.child(of: node, letter: query.bytes[position]) else {
                    known.append(0..<0)
                    break
                }
                node = child
                known.append(node.range)
            }
            if known.isEmpty { known.append(0..<wordSuffixes.count) }
            ranges.append(known)
        }
    }

    /// The wordSuffixes that begin with so many letters of the query from `start` on, and perhaps a few more.
    @inline(__always)
    func range(_ start: Int, _ length: Int) -> Range<Int> { ranges[start][Swift.min(length, ranges[start].count) - 1] }

    /// How many letters of the query from `start` on a run begins with, or at least may, for below a leaf that is not known.
    func longest(_ start: Int, atMost most: Int) -> Int {
        guard let last = ranges[start].last, last.isEmpty else { return most }
        return Swift.min(ranges[start].count - 1, most)
    }
}
