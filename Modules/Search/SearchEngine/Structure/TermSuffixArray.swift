/// A suffix array over the distinct words, for infix search, and the posting list of each word.
///
/// Names are shared, so a million documents have few distinct words and suffixes. Each suffix carries the best document
/// of its word; a ``RangeMinimum`` over them finds the best word first, and its posting list (documents in ascending
/// order) yields the next ones. Suffixes that are whole words are left out, because they are prefix matches.
struct TermSuffixArray: Sendable {
    private let suffixWords: PackedView<UInt32>
    private let suffixOffsets: View<UInt8>
    let best: RangeMinimum<PackedView<UInt32>>
    private let postingOffsets: PackedView<UInt32>
    let postings: PackedView<UInt32>
    private let words: TermDictionary

    init(_ directory: SectionDirectory, field: Int, words: TermDictionary) throws(IndexFormatError) {
        suffixWords = try directory.packed(.suffixWords, field: field)
        suffixOffsets = try directory.view(.suffixOffsets, field: field)
        best = try directory.minima(
            of: try directory.packed(.suffixBest, field: field), .suffixMinima, .suffixChunkMinima, field: field)
        postingOffsets = try directory.packed(.postingOffsets, field: field)
        postings = try directory.packed(.postings, field: field)
        self.words = words
        guard suffixOffsets.count == suffixWords.count, best.values.count == suffixWords.count else {
            throw .section(SectionTag.suffixWords.rawValue)
        }
    }

    @inline(__always)
    private func letters(of suffix: Int) -> View<UInt8> {
        let word = words.letters(of: Int(suffixWords[suffix]))
        return word.slice(Int(suffixOffsets[suffix]), word.count)
    }

    /// Returns the suffixes that begin with the query. O(length · log suffixes).
    func range(of query: Span<UInt8>) -> Range<Int> {
        (0..<suffixWords.count).indices { letters(of: $0).comparePrefix(to: query) }
    }

    /// Returns the suffixes of a query's range that equal the query: they come first. O(log range).
    func exactEntries(in range: Range<Int>, length: Int) -> Range<Int> {
        range.lowerBound..<range.partitioningIndex { letters(of: $0).count != length }
    }

    /// Returns the posting list of the word of a suffix.
    @inline(__always)
    func postingRange(ofSuffix suffix: Int) -> Range<Int> { postingRange(of: Int(suffixWords[suffix])) }

    /// Returns the documents with a word, ascending, as a range of ``postings``.
    @inline(__always)
    func postingRange(of word: Int) -> Range<Int> { postingOffsets.range(at: word, within: postings.count) }
}
