// Exact and prefix matches: word suffixes and their trie.
//
// A word suffix is a value from the start of one of its words to its end, without spaces. These are the word suffixes
// of "ana grande", "rio grande" and "mario diaz" in sorted order:
//
//     entry   word suffix   document   first token
//     0       anagrande     0          0
//     1       diaz          2          5
//     2       grande        0          1
//     3       grande        1          3
//     4       mariodiaz     2          4
//     5       riogrande     1          2
//
// The word suffixes that begin with a query are adjacent. `gra` is entries 2 and 3: Ana and Rio, by family name.
// `riogr` is entry 5: a query can cross from one word into the next. Exact matches are word suffixes that are a whole
// value.
//
// The trie finds the range in one step per letter. Its root has the children a, d, g, m and r, which are leaves here,
// because each has at most four entries.
//
// If a query has several words ("rio gr"), every typed word but the last must equal one word of the suffix. The kind
// `joined` ignores the spaces of the query: "frank furt" finds Frankfurt.
//
//     gra      ana grande: word 1, letters 0..<3
//              rio grande: word 1, letters 0..<3
//     riogr    rio grande: word 0, letters 0..<3; word 1, letters 0..<2
//
// Source: Manber and Myers, "Suffix arrays" (SIAM Journal on Computing 22(5), 1993).

/// A word-aligned suffix array: the suffixes of all values that start at a word, sorted, without spaces and cut at 60
/// letters.
///
/// A ``PrefixTrie`` finds the range of a query, and a ``RangeMinimum`` over the documents finds the best entry of a
/// range. Equal word suffixes are ordered: whole values first (*exact* matches), then by document. Keys are not stored:
/// a comparison walks the document's words in the dictionary.
struct WordSuffixArray: Sendable {
    static let maxLength = 60
    /// The number of tokens per document and field that start a word suffix.
    static let maxTokens = 1 << 16

    let documents: PackedView<UInt32>
    /// The first token of each word suffix, relative to its document.
    private let starts: PackedView<UInt32>
    private let forward: ForwardIndex
    private let words: TermDictionary
    let minima: RangeMinimum<PackedView<UInt32>>
    let trie: PrefixTrie

    init(
        _ directory: SectionDirectory, field: Int, forward: ForwardIndex, words: TermDictionary
    ) throws(IndexFormatError) {
        documents = try directory.packed(.wordSuffixDocuments, field: field)
        starts = try directory.packed(.wordSuffixTokens, field: field)
        guard starts.count == documents.count else { throw .section(SectionTag.wordSuffixTokens.rawValue) }
        self.forward = forward
        self.words = words
        minima = try directory.minima(of: documents, .wordSuffixMinima, .wordSuffixChunkMinima, field: field)
        trie = try PrefixTrie(directory, field: field, entries: documents.count)
    }

    var count: Int { documents.count }

    /// Returns the first token of a word suffix.
    @inline(__always)
    func start(of entry: Int) -> Int { forward.start(of: documents[entry]) + Int(starts[entry]) }

    /// The result of comparing a word suffix with a query.
    struct Comparison {
        /// Negative if the word suffix sorts before the query, zero if it begins with the query, positive if it sorts
        /// after it.
        var order: Int
        /// `true` if the word suffix equals the query.
        var isWholeSuffix: Bool
    }

    @inline(__always)
    func compare(_ entry: Int, to query: Span<UInt8>) -> Comparison {
        compare(from: start(of: entry), end: forward.end(of: documents[entry]), to: query)
    }

    /// Compares the word suffix at a token. `end` is the end of the document's range.
    @inline(__always)
    func compare(from start: Int, end: Int, to query: Span<UInt8>) -> Comparison {
        var consumed = 0
        var token = start
        var track = -1
        while true {
            let bytes = words.letters(of: forward.word(token))
            let length = bytes.count
            let common = Swift.min(length, query.count - consumed)
            var position = 0
            while position < common {
                // Safe: `common` letters are left in both.
                let difference = unsafe Int(bytes[unchecked: position]) - Int(query[unchecked: consumed + position])
                if difference != 0 { return Comparison(order: difference, isWholeSuffix: false) }
                position += 1
            }
            consumed += common
            if consumed == query.count && common < length { return Comparison(order: 0, isWholeSuffix: false) }
            if track < 0 { track = forward.track(token) }
            guard let next = forward.next(after: token, track: track, end: end) else {
                return Comparison(order: consumed == query.count ? 0 : -1, isWholeSuffix: consumed == query.count)
            }
            if consumed == query.count { return Comparison(order: 0, isWholeSuffix: false) }
            token = next
        }
    }

    /// Returns `true` if every typed word but the last equals one word of the word suffix, which begins with the query.
    ///
    /// - Parameter wholeWords: `true` if the last must, too.
    func isAligned(from start: Int, end: Int, _ query: EncodedQuery, wholeWords: Bool = false) -> Bool {
        var token = start
        let track = forward.track(token)
        for (number, typed) in query.words.enumerated() {
            let isLast = number == query.words.count - 1
            if isLast && !wholeWords { return true }
            guard words.letters(of: forward.word(token)).count == typed.count else { return false }
            if isLast { return true }
            guard let next = forward.next(after: token, track: track, end: end) else { return false }
            token = next
        }
        return true
    }

    /// Returns the entries that begin with the query. Walks down the trie, then searches a leaf. O(length · children).
    func range(of query: Span<UInt8>) -> Range<Int> {
        let (node, letters) = descend(query)
        return letters == query.count ? node.range : range(of: query, within: node.range)
    }

    /// Returns the entries that equal the query and are a whole value: the exact matches. O(length · children + log
    /// namesakes).
    func exactRange(of query: Span<UInt8>) -> Range<Int> {
        let (node, letters) = descend(query)
        if letters == query.count, !trie.isLeaf(node.index) {
            return exactEntries(in: trie.entriesEnding(at: node), query: query)
        }
        return exactEntries(in: range(of: query, within: node.range), query: query)
    }

    /// Descends the trie as far as it contains the query, and returns the node and the number of letters. The node's
    /// range is empty if there is no child for the next letter.
    private func descend(_ query: Span<UInt8>) -> (node: PrefixTrie.Node, letters: Int) {
        var node = trie.root
        for position in query.indices {
            if trie.isLeaf(node.index) { return (node, position) }
            guard let child = trie.child(of: node, letter: query[position]) else {
                let start = node.range.lowerBound
                return (PrefixTrie.Node(index: node.index, range: start..<start), position)
            }
            node = child
        }
        return (node, query.count)
    }

    /// Returns the entries of a range that begin with the query. O(length · log entries).
    private func range(of query: Span<UInt8>, within bounds: Range<Int>) -> Range<Int> {
        bounds.indices { compare($0, to: query).order }
    }

    /// Returns the entries of a query's range that are a whole value: the exact matches, which come first.
    private func exactEntries(in range: Range<Int>, query: Span<UInt8>) -> Range<Int> {
        let end = range.partitioningIndex {
            !compare($0, to: query).isWholeSuffix || !forward.startsValue(forward.firstSpelling(start(of: $0)))
        }
        return range.lowerBound..<end
    }

    /// Calls `body` with each letter of a word suffix from `skipping` on, until it returns false or the suffix ends.
    @inline(__always)
    func forEachLetter(of entry: Int, skipping: Int, _ body: (UInt8) -> Bool) {
        forEachLetter(
            from: start(of: entry), end: forward.end(of: documents[entry]), skipping: skipping, body)
    }

    /// Calls `body` with each letter of the word suffix at a token. `end` is the end of the document's range.
    @inline(__always)
    func forEachLetter(from start: Int, end: Int, skipping: Int, _ body: (UInt8) -> Bool) {
        var toSkip = skipping
        var left = WordSuffixArray.maxLength - skipping
        var token = start
        let track = forward.track(token)
        while true {
            let bytes = words.letters(of: forward.word(token))
            let length = bytes.count
            var position = Swift.min(toSkip, length)
            toSkip -= position
            while position < length {
                if left <= 0 || !body(bytes[position]) { return }
                left -= 1
                position += 1
            }
            guard let next = forward.next(after: token, track: track, end: end) else { return }
            token = next
        }
    }
}

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

extension Range<Int> {
    /// Returns the first index at which a monotonic predicate holds, or the upper bound. O(log count).
    @inline(__always)
    func partitioningIndex(where predicate: (Int) -> Bool) -> Int {
        var low = lowerBound
        var high = upperBound
        while low < high {
            let middle = (low + high) / 2
            if predicate(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Returns the indices at which an ascending order is zero. O(log count).
    ///
    /// - Parameter order: Negative for the indices before, positive for those after.
    @inline(__always)
    func indices(where order: (Int) -> Int) -> Range<Int> {
        let low = partitioningIndex { order($0) >= 0 }
        return low..<(low..<upperBound).partitioningIndex { order($0) > 0 }
    }
}
