/// A word-aligned suffix array: for every word of every value, the run of words from there to the value's end,
/// written without gaps and cut at 60 letters, in sorted order.
///
/// A query that is a prefix of wordSuffixes is a range of the table, which a ``PrefixTrie`` leads to; so "riogr" and "grande"
/// both lead to Rio Grande in one look-up. Equal wordSuffixes are ordered: wordSuffixes that are a whole value first (they are
/// *exact* matches), then by document. A ``RangeMinimum`` over the documents gives the best of a range. Keys are not
/// stored twice: comparing walks the document's words in the dictionary.
struct WordSuffixArray: Sendable {
    static let maxLength = 60
    /// WordSuffixes start at the first so many tokens of a document in a field.
    static let maxTokens = 1 << 16

    let documents: PackedView<UInt32>
    /// Where each run starts, counted from the first token of its document.
    let starts: PackedView<UInt32>
    let forward: ForwardIndex
    let words: TermDictionary
    let minima: RangeMinimum<PackedView<UInt32>>
    let trie: PrefixTrie

    var count: Int { documents.count }

    /// The token that a run starts with.
    @inline(__always)
    func start(of entry: Int) -> Int { Int(forward.offsets[documents[entry]]) + Int(starts[entry]) }

    /// How a run stands to a query.
    struct Comparison {
        /// Below, at or above zero as the run sorts before the query, begins with it, or sorts after it.
        var order: Int
        /// If the run begins with the query: whether it ends with it too.
        var isWholeSuffix: Bool
    }

    @inline(__always)
    func compare(_ entry: Int, to query: UnsafeBufferPointer<UInt8>) -> Comparison {
        compare(from: start(of: entry), end: Int(forward.offsets[documents[entry] + 1]), to: query)
    }

    /// The same for the run from an token; `end` is the end of the document's range.
    @inline(__always)
    func compare(from start: Int, end: Int, to query: UnsafeBufferPointer<UInt8>) -> Comparison {
        var consumed = 0
        var token = start
        var track = -1
        while true {
            let word = forward.word(token)
            let bytes = words.start(of: word)
            let length = words.length(of: word)
            let common = Swift.min(length, query.count - consumed)
            var position = 0
            while position < common {
                let difference = Int(bytes[position]) - Int(query[consumed + position])
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

    /// Whether every typed word but the last is just one word of the run from an token, which begins with the query.
    func isAligned(from start: Int, end: Int, _ query: EncodedQuery) -> Bool {
        var token = start
        let track = forward.track(token)
        for typed in query.words.dropLast() {
            guard words.length(of: forward.word(token)) == typed.count,
                let next = forward.next(after: token, track: track, end: end)
            else { return false }
            token = next
        }
        return true
    }

    /// The entries that begin with the query: letter by letter down the trie, then among the few of a leaf. O(length · children).
    func range(of query: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        let (node, letters) = descend(query)
        return letters == query.count ? node.range : range(of: query, within: node.range)
    }

    /// The entries that are the query and a whole value, nothing more: the exact matches. O(length · children + log namesakes).
    func exactRange(of query: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        let (node, letters) = descend(query)
        if letters == query.count, !trie.isLeaf(node.index) {
            return exactPart(of: trie.ended(at: node), query: query)
        }
        return exactPart(of: range(of: query, within: node.range), query: query)
    }

    /// As far down the trie as it has the query: how many letters that is. Where it has no child for the next letter the range is empty.
    private func descend(_ query: UnsafeBufferPointer<UInt8>) -> (node: PrefixTrie.Node, letters: Int) {
        var node = trie.root
        for (position, letter) in query.enumerated() {
            if trie.isLeaf(node.index) { return (node, position) }
            guard let child = trie.child(of: node, letter: letter) else {
                return (PrefixTrie.Node(index: node.index, low: node.low, high: node.low), position)
            }
            node = child
        }
        return (node, query.count)
    }

    /// Those of some entries that begin with the query. O(length · log entries).
    private func range(of query: UnsafeBufferPointer<UInt8>, within bounds: Range<Int>) -> Range<Int> {
        var low = bounds.lowerBound
        var high = bounds.upperBound
        while low < high {
            let middle = (low + high) / 2
            if compare(middle, to: query).order < 0 { low = middle + 1 } else { high = middle }
        }
        let first = low
        high = bounds.upperBound
        while low < high {
            let middle = (low + high) / 2
            if compare(middle, to: query).order <= 0 { low = middle + 1 } else { high = middle }
        }
        return first..<low
    }

    /// The part of a query's range whose wordSuffixes are a whole value and nothing more: the exact matches, which come first.
    private func exactPart(of range: Range<Int>, query: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = (low + high) / 2
            let isExact =
                compare(middle, to: query).isWholeSuffix
                && forward.startsValue(forward.firstSpelling(start(of: middle)))
            if isExact { low = middle + 1 } else { high = middle }
        }
        return range.lowerBound..<low
    }

    /// Calls `body` with each letter of a run from `skipping` on until it returns false or the run ends.
    @inline(__always)
    func forEachLetter(of entry: Int, skipping: Int, _ body: (UInt8) -> Bool) {
        forEachLetter(
            from: start(of: entry), end: Int(forward.offsets[documents[entry] + 1]), skipping: skipping, body)
    }

    /// The same for the run from an token; `end` is the end of the document's range.
    @inline(__always)
    func forEachLetter(from start: Int, end: Int, skipping: Int, _ body: (UInt8) -> Bool) {
        var toSkip = skipping
        var left = WordSuffixArray.maxLength - skipping
        var token = start
        let track = forward.track(token)
        while true {
            let word = forward.word(token)
            let bytes = words.start(of: word)
            let length = words.length(of: word)
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
