/// A suffix array over the words of the documents, for infix search in words that few documents share, such as numbers.
///
/// A ``TermSuffixArray`` has a posting list for each word, which is mostly overhead if nearly every list has one
/// document. Here, each of the ``SuffixEntries`` is a suffix of a word in one document, and a ``RangeMinimum`` over
/// their documents finds the best one.
struct DocumentSuffixArray: Sendable {
    let minima: RangeMinimum<SuffixEntries>
    let forward: ForwardIndex
    let words: TermDictionary

    /// The number of tokens per document that have suffixes.
    static let maxTokens = 1 << 8

    @inline(__always)
    private func letters(of suffix: Int) -> View<UInt8> {
        let entry = minima.values.entry(suffix)
        let word = words.letters(of: forward.word(forward.start(of: entry.document) + Int(entry.ordinal)))
        return word.slice(Int(entry.offset), word.count)
    }

    /// Returns the suffixes that begin with the query. O(length · log suffixes).
    func range(of query: Span<UInt8>) -> Range<Int> {
        (0..<minima.values.count).indices { letters(of: $0).comparePrefix(to: query) }
    }
}
