/// The letters that follow each node of a trie, one and two letters below it, as sets of their codes modulo 64.
///
/// A walk skips a node without reading its children if none of the letters that must follow is in its sets. Computed in
/// two passes over the trie before the first search for typos; sixteen bytes for each node.
final class ChildSignatures: Sendable {
    /// The letters below a node.
    private struct Letters {
        var first: UInt64 = 0
        /// All bits if the letters are stored with the documents only.
        var second: UInt64 = 0
    }

    private let letters: [Letters]

    init(_ trie: PrefixTrie) {
        var letters = [Letters](repeating: Letters(), count: trie.count)
        var ranges = [Range<Int>](repeating: 0..<0, count: trie.count)
        if trie.count > 0 { ranges[0] = trie.root.range }
        // A node comes before its children.
        for node in letters.indices {
            let children = trie.children(of: node)
            if children.isEmpty {
                for entry in ranges[node] { letters[node].first |= ChildSignatures.bit(of: trie.nextLetters[entry]) }
                letters[node].second = .max
                continue
            }
            for child in children {
                letters[node].first |= ChildSignatures.bit(of: trie.letters[child])
                ranges[child] = trie.range(of: child, before: children.upperBound, in: ranges[node])
            }
        }
        for node in letters.indices {
            for child in trie.children(of: node) { letters[node].second |= letters[child].first }
        }
        self.letters = letters
    }

    /// The set with one letter.
    @inline(__always)
    static func bit(of letter: UInt8) -> UInt64 { 1 << UInt64(letter & 63) }

    /// Returns `true` if one of some letters may follow a node.
    @inline(__always)
    func mayFollow(_ node: Int, _ letters: UInt64) -> Bool { self.letters[node].first & letters != 0 }

    /// Returns `true` if a letter may follow a node, and then one of some others.
    @inline(__always)
    func mayFollow(_ node: Int, _ first: UInt64, then second: UInt64) -> Bool {
        letters[node].first & first != 0 && letters[node].second & second != 0
    }

    /// Returns `true` if one of some letters may follow a node, or the letter after the next.
    @inline(__always)
    func mayFollowSoon(_ node: Int, _ letters: UInt64) -> Bool {
        (self.letters[node].first | self.letters[node].second) & letters != 0
    }
}
