/// The word suffixes that begin with the query from each position on, for every length.
///
/// One descent of the trie per position: O(letters² · children).
struct PrefixRanges {
    let wordSuffixes: WordSuffixArray
    /// For each position, the ranges of ever longer prefixes. The last one also covers all longer prefixes: the entries
    /// of a leaf are not distinguished.
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

    /// The word suffixes that begin with `length` letters of the query from `start` on. Below a leaf, the range may
    /// contain others.
    @inline(__always)
    func range(_ start: Int, _ length: Int) -> Range<Int> { ranges[start][Swift.min(length, ranges[start].count) - 1] }

    /// An upper bound for the number of letters from `start` on with which a word suffix begins.
    func longest(_ start: Int, atMost limit: Int) -> Int {
        guard let last = ranges[start].last, last.isEmpty else { return limit }
        return Swift.min(ranges[start].count - 1, limit)
    }
}
