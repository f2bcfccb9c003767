/// A suffix array over the words of the documents, for infix search in words that few documents share, such as numbers.
///
/// A ``TermSuffixArray`` has a posting list for each word. If nearly every list has one document, that is mostly
/// overhead. Here each of the ``SuffixEntries`` is a suffix of a word in one document, and a ``RangeMinimum`` over
/// their documents finds the best one.
struct DocumentSuffixArray: Sendable {
    let entries: SuffixEntries
    let minima: RangeMinimum<SuffixEntries>
    let forward: ForwardIndex
    let words: TermDictionary

    /// The number of tokens per document that have suffixes.
    static let maxTokens = 1 << 8

    @inline(__always)
    private func compare(_ suffix: Int, to query: UnsafeBufferPointer<UInt8>) -> Int {
        let entry = entries.entry(suffix)
        let word = forward.word(Int(forward.offsets[entry.document]) + Int(entry.ordinal))
        let offset = Int(entry.offset)
        let length = Swift.min(words.length(of: word) - offset, query.count)
        return compareBytes(words.start(of: word) + offset, length, query.baseAddress, query.count)
    }

    /// The suffixes that begin with the query. O(length · log suffixes).
    func range(of query: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        let low = (0..<entries.count).partitioningIndex { compare($0, to: query) >= 0 }
        return low..<(low..<entries.count).partitioningIndex { compare($0, to: query) > 0 }
    }
}
