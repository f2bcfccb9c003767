/// The letters that follow each node of a trie, as a set of their codes modulo 64.
///
/// A walk skips a node without reading its children if the letter that must follow is not in the set. Computed in one
/// pass over the trie before the first search for typos; eight bytes for each node.
final class ChildSignatures: Sendable {
    private let bits: [UInt64]

    init(_ trie: PrefixTrie) {
        var bits = [UInt64](repeating: 0, count: trie.count)
        var ranges = [Range<Int>](repeating: 0..<0, count: trie.count)
        if trie.count > 0 { ranges[0] = trie.root.range }
        // A node comes before its children.
        for node in bits.indices {
            let children = trie.children(of: node)
            if children.isEmpty {
                for entry in ranges[node] { bits[node] |= ChildSignatures.bit(of: trie.nextLetters[entry]) }
                continue
            }
            for child in children {
                bits[node] |= ChildSignatures.bit(of: trie.letters[child])
                ranges[child] = trie.range(of: child, before: children.upperBound, in: ranges[node])
            }
        }
        self.bits = bits
    }

    /// The set with one letter.
    @inline(__always)
    static func bit(of letter: UInt8) -> UInt64 { 1 << UInt64(letter & 63) }

    /// Returns `true` if one of some letters may follow a node.
    @inline(__always)
    func mayFollow(_ node: Int, _ letters: UInt64) -> Bool { bits[node] & letters != 0 }
}
