/// The prefixes of a ``WordSuffixArray`` as a trie, for finding a range letter by letter and for a ``FuzzyWalk``.
///
/// Nodes are numbered level by level. The children of a node are adjacent and in order of their letters, so choosing
/// one reads a few neighboring bytes. A node has a letter, the number of its first child (its last child precedes the
/// first child of the next node) and the first entry of its range. The range ends where the range of the next sibling
/// begins, or at the end of the parent's range. Word suffixes that end at a node come first in its range. Node 0 is the
/// root.
///
/// A node of at most ``bucket`` entries is a leaf: its entries are scanned. A larger one is a leaf if all its entries end
/// there. There are about entries/4 nodes of nine bytes. For each entry the first letter below its leaf is stored, which
/// excludes most entries during a walk without reading their documents. The trie of a field without typos is never
/// walked: its leaves have up to ``bucketWithoutTypos`` entries and no such letters, which halves the number of nodes.
struct PrefixTrie: Sendable {
    static let bucket = 4
    static let bucketWithoutTypos = 8

    let letters: View<UInt8>
    /// The first child of each node, and one more value at the end.
    private let children: PackedView<UInt32>
    private let low: PackedView<UInt32>
    /// The letter after the leaf of each entry, or 0. Empty in a field without typos.
    let nextLetters: View<UInt8>
    /// The number of entries in the suffix array.
    private let entries: Int

    init(_ directory: SectionDirectory, field: Int, entries: Int) throws(IndexFormatError) {
        letters = try directory.view(.trieLetters, field: field)
        children = try directory.packed(.trieChildren, field: field)
        low = try directory.packed(.trieLow, field: field)
        nextLetters = try directory.view(.nextLetters, field: field)
        self.entries = entries
        guard children.count == letters.count + 1, low.count == letters.count,
            nextLetters.count == 0 || nextLetters.count == entries
        else { throw .section(SectionTag.trieChildren.rawValue) }
    }

    var count: Int { letters.count }

    /// A node and its range of entries.
    struct Node {
        var index: Int
        var range: Range<Int>
    }

    @inline(__always)
    var root: Node { Node(index: 0, range: 0..<entries) }

    @inline(__always)
    func children(of node: Int) -> Range<Int> { children.range(at: node, within: letters.count) }

    @inline(__always)
    func isLeaf(_ node: Int) -> Bool { children(of: node).isEmpty }

    /// Returns the entries of a child, which are inside the range of its parent.
    @inline(__always)
    func range(of child: Int, before siblingsEnd: Int, in parent: Range<Int>) -> Range<Int> {
        let start = Swift.min(Swift.max(Int(low[child]), parent.lowerBound), parent.upperBound)
        if child + 1 >= siblingsEnd { return start..<parent.upperBound }
        return start..<Swift.min(Swift.max(Int(low[child + 1]), start), parent.upperBound)
    }

    /// Returns the child with a letter. O(log children).
    @inline(__always)
    func child(of parent: Node, letter: UInt8) -> Node? {
        let siblings = children(of: parent.index)
        guard let child = child(letter, among: siblings) else { return nil }
        return Node(index: child, range: range(of: child, before: siblings.upperBound, in: parent.range))
    }

    /// Returns the node with a letter among siblings, whose letters are ascending. O(log siblings).
    @inline(__always)
    func child(_ letter: UInt8, among siblings: Range<Int>) -> Int? {
        var (child, end) = (siblings.lowerBound, siblings.upperBound)
        // Safe: the callers pass `children(of:)`, which is within the letters.
        while end - child > 8 {
            let middle = (child + end) / 2
            if unsafe letters[unchecked: middle] <= letter { child = middle } else { end = middle }
        }
        while child < end {
            if unsafe letters[unchecked: child] == letter { return child }
            child += 1
        }
        return nil
    }

    /// Returns the entries that end exactly at an inner node.
    @inline(__always)
    func entriesEnding(at node: Node) -> Range<Int> {
        let start = node.range.lowerBound
        return start..<Swift.min(Swift.max(Int(low[Int(children[node.index])]), start), node.range.upperBound)
    }
}
