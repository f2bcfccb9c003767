/// A suffix array over the distinct words, for infix search, and the posting list of each word.
///
/// Names are shared, so a million documents have few distinct words and suffixes. Each suffix carries the best document
/// of its word; a ``RangeMinimum`` over them finds the best word first, and its posting list (documents in ascending
/// order) yields the next ones. Suffixes that are whole words are left out, because they are prefix matches.
struct TermSuffixArray: Sendable {
    let suffixWords: PackedView<UInt32>
    let suffixOffsets: View<UInt8>
    let best: RangeMinimum<PackedView<UInt32>>
    let postingOffsets: PackedView<UInt32>
    let postings: PackedView<UInt32>
    let words: TermDictionary

    @inline(__always)
    private func compare(_ suffix: Int, to query: UnsafeBufferPointer<UInt8>) -> Int {
        let word = Int(suffixWords[suffix])
        let offset = Int(suffixOffsets[suffix])
        let length = Swift.min(words.length(of: word) - offset, query.count)
        return compareBytes(words.start(of: word) + offset, length, query.baseAddress, query.count)
    }

    /// The suffixes that begin with the query. O(length · log suffixes).
    func range(of query: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        let low = (0..<suffixWords.count).partitioningIndex { compare($0, to: query) >= 0 }
        return low..<(low..<suffixWords.count).partitioningIndex { compare($0, to: query) > 0 }
    }

    /// The suffixes of a query's range that equal the query: they come first. O(log range).
    func exactEntries(in range: Range<Int>, length: Int) -> Range<Int> {
        let end = range.partitioningIndex {
            words.length(of: Int(suffixWords[$0])) - Int(suffixOffsets[$0]) != length
        }
        return range.lowerBound..<end
    }

    /// The number of documents with the word of a suffix.
    @inline(__always)
    func postingCount(of suffix: Int) -> Int { postingRange(of: Int(suffixWords[suffix])).count }

    /// The documents with a word, ascending.
    func postings(of word: Int) -> some Sequence<UInt32> { postingRange(of: word).lazy.map { postings[$0] } }

    /// The posting list of a word, as a range of ``postings``.
    @inline(__always)
    func postingRange(of word: Int) -> Range<Int> { Int(postingOffsets[word])..<Int(postingOffsets[word + 1]) }
}
