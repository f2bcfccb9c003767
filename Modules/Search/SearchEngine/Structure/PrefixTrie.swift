/// The prefixes of a ``WordSuffixArray`` as a trie, for finding a range letter by letter and for the walk of an ``EditAutomaton``.
///
/// Nodes are numbered level by level, so that the children of a node stand side by side in order of their letters: choosing one reads
/// a few neighbouring bytes. A node is its letter, the number of its first child (its last child stands before the first one of the next node) and the
/// first entry of its range, which ends where that of the next sibling begins, or where its parent's ends. WordSuffixes that end at a
/// node come first in its range, before those of its children. A node of at most ``bucket`` entries has no children: its entries
/// are looked at one by one. So there are about entries/4 nodes of nine bytes. Of each entry the first letter below its leaf is kept, since most
/// entries that a walk comes to can be told by it not to match, without looking at their documents. A field without typos is never walked: it
/// has leaves of up to ``bucketWithoutTypos`` entries, half as many nodes, and no such letters. Node 0 is the root.
struct PrefixTrie: Sendable {
    static let bucket = 4
    static let bucketWithoutTypos = 8

    let letters: View<UInt8>
    /// The first child of each node, and one more at the end.
    let children: PackedView<UInt32>
    let low: PackedView<UInt32>
    /// For each entry the letter that follows those of its leaf; 0 if it has none. Empty where typos are not looked for.
    let nextLetters: View<UInt8>
    /// How many entries the table has.
    let entries: Int

    var count: Int { letters.count }

    /// A node with its range of entries.
    struct Node {
        var index: Int
        var low: Int
        var high: Int

        var range: Range<Int> { low..<high }
    }

    @inline(__always)
    var root: Node { Node(index: 0, low: 0, high: entries) }

    @inline(__always)
    func children(of node: Int) -> Range<Int> { Int(children[node])..<Int(children[node + 1]) }

    @inline(__always)
    func isLeaf(_ node: Int) -> Bool { children[node] == children[node + 1] }

    /// Where the range of a child ends.
    @inline(__always)
    func high(of child: Int, before siblingsEnd: Int, in parentHigh: Int) -> Int {
        child + 1 < siblingsEnd ? Int(low[child + 1]) : parentHigh
    }

    /// The child with a letter. O(children).
    @inline(__always)
    func child(of parent: Node, letter: UInt8) -> Node? {
        let siblings = children(of: parent.index)
        var child = siblings.lowerBound
        while child < siblings.upperBound {
            if letters[child] == letter {
                return Node(
                    index: child, low: Int(low[child]),
                    high: high(of: child, before: siblings.upperBound, in: parent.high))
            }
            child += 1
        }
        return nil
    }

    /// The entries that end at a node with children, having no letters more.
    @inline(__always)
    func ended(at node: Node) -> Range<Int> { node.low..<Int(low[Int(children[node.index])]) }
}
