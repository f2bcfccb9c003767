/// The beginnings of a ``RunTable`` as a trie in preorder, for the walk of an ``EditAutomaton``.
///
/// A node is a letter, its depth, the number of the node after its whole subtree, and the first entry of its range;
/// the range ends where the next node that is not below it begins. A node of at most ``bucket`` entries has no
/// children: its entries are looked at one by one. So the trie has about entries/4 nodes of ten bytes, and a walk
/// reads memory forwards, skipping dead subtrees. Node 0 is the root (depth 0); one node more than the real ones
/// stands at the end.
struct RunTrie: Sendable {
    static let bucket = 4

    let letters: View<UInt8>
    let depths: View<UInt8>
    let next: View<UInt32>
    let low: View<UInt32>

    /// Real nodes, without the one at the end.
    var count: Int { letters.count - 1 }

    @inline(__always)
    func range(of node: Int) -> Range<Int> { Int(low[node])..<Int(low[next[node]]) }

    @inline(__always)
    func isLeaf(_ node: Int) -> Bool { Int(next[node]) == node + 1 }
}
