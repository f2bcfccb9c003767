/// A word-aligned suffix array: the suffixes of all values that start at a word, sorted, without spaces and cut at 60
/// letters.
///
/// The word suffixes that begin with a query form one range, found with a ``PrefixTrie``. "riogr" and "grande" both
/// find Rio Grande in one lookup. Equal word suffixes are ordered: whole values first (*exact* matches), then by
/// document. A ``RangeMinimum`` over the documents finds the best of a range. Keys are not stored: a comparison walks
/// the document's words in the dictionary.
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
