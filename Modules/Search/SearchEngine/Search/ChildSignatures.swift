/// The letters that follow the first nodes of a trie, one and two letters below each, as sets of their codes modulo 64.
///
/// A walk skips a node without reading its children if its sets contain none of the letters that must follow. The sets
/// take sixteen bytes per node; computing them takes about as long as a hundred walks.
final class ChildSignatures: Sendable {
    /// The letters below a node.
    private struct Letters {
        var first: UInt64 = 0
        /// All bits are set if the letters are only stored with the documents.
        var second: UInt64 = 0
    }

    /// The maximum number of nodes with sets, starting at the root. Walks visit these nodes most. For the other nodes,
    /// a walk reads the children.
    private static let maxNodes = 8_192

    /// Empty signatures: a walk reads the children of each node.
    static let none = ChildSignatures([])

    private let letters: [Letters]

    private init(_ letters: [Letters]) { self.letters = letters }

    init(_ trie: PrefixTrie) {
        let count = min(trie.count, ChildSignatures.maxNodes)
        var letters = [Letters](repeating: Letters(), count: count)
        var ranges = [Range<Int>](repeating: 0..<0, count: count)
        if count > 0 { ranges[0] = trie.root.range }
        // A node comes before its children. Each is read at most twice, unless an index was crafted.
        var nodesLeft = 2 * trie.count
        for node in 0..<count {
            let children = trie.children(of: node)
            nodesLeft -= children.count
            if nodesLeft < 0 { break }
            letters[node].first = ChildSignatures.letters(below: node, ranges[node], in: trie)
            if children.isEmpty { letters[node].second = .max }
            for child in children where child < count {
                ranges[child] = trie.range(of: child, before: children.upperBound, in: ranges[node])
            }
        }
        for node in 0..<count {
            let children = trie.children(of: node)
            for child in children {
                if child < count {
                    letters[node].second |= letters[child].first
                } else {
                    nodesLeft -= trie.children(of: child).count
                    if nodesLeft < 0 { break }
                    let range = trie.range(of: child, before: children.upperBound, in: ranges[node])
                    letters[node].second |= ChildSignatures.letters(below: child, range, in: trie)
                }
            }
        }
        self.letters = letters
    }

    /// Returns the letters that follow a node with a range of entries.
    private static func letters(below node: Int, _ range: Range<Int>, in trie: PrefixTrie) -> UInt64 {
        let children = trie.children(of: node)
        if !children.isEmpty { return children.reduce(0) { $0 | bit(of: trie.letters[$1]) } }
        // All entries of a large leaf end at it.
        return range.prefix(PrefixTrie.bucket).reduce(0) { $0 | bit(of: trie.nextLetters[$1]) }
    }

    /// Returns the set with one letter.
    @inline(__always)
    static func bit(of letter: UInt8) -> UInt64 { 1 << UInt64(letter & 63) }

    /// Returns `true` if one of the given letters may follow a node.
    @inline(__always)
    func mayFollow(_ node: Int, _ letters: UInt64) -> Bool {
        node >= self.letters.count || self.letters[node].first & letters != 0
    }

    /// Returns `true` if a letter may follow a node, and then one of the second letters.
    @inline(__always)
    func mayFollow(_ node: Int, _ first: UInt64, then second: UInt64) -> Bool {
        node >= letters.count || letters[node].first & first != 0 && letters[node].second & second != 0
    }

    /// Returns `true` if one of the given letters may follow a node, either as the next letter or as the letter after
    /// it.
    @inline(__always)
    func mayFollowSoon(_ node: Int, _ letters: UInt64) -> Bool {
        node >= self.letters.count || (self.letters[node].first | self.letters[node].second) & letters != 0
    }
}
