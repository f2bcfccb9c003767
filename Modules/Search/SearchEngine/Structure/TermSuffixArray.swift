/// A suffix array over the distinct words, for what stands inside a word, and the posting list of each word.
///
/// Since people share names, the distinct words of a million documents are few and their suffixes too. Each suffix
/// carries the best document of its word, so that a ``RangeMinimum`` leads to the best word first; its posting list
/// (documents in ascending order) gives the next ones. Prefixes of words are not in the table: they are prefix
/// matches.
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
        let bytes = words.start(of: word) + offset
        let length = words.length(of: word) - offset
        let common = Swift.min(length, query.count)
        var position = 0
        while position < common {
            let difference = Int(bytes[position]) - Int(query[position])
            if difference != 0 { return difference }
            position += 1
        }
        return length < query.count ? -1 : 0
    }

    /// The suffixes that begin with the query. O(length · log suffixes).
    func range(of query: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        var low = 0
        var high = suffixWords.count
        while low < high {
            let middle = (low + high) / 2
            if compare(middle, to: query) < 0 { low = middle + 1 } else { high = middle }
        }
        let first = low
        high = suffixWords.count
        while low < high {
            let middle = (low + high) / 2
            if compare(middle, to: query) <= 0 { low = middle + 1 } else { high = middle }
        }
        return first..<low
    }

    /// The part of a query's range whose suffixes are the query and nothing more: they come first. O(log range).
    func exactPart(of range: Range<Int>, length: Int) -> Range<Int> {
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = (low + high) / 2
            if words.length(of: Int(suffixWords[middle])) - Int(suffixOffsets[middle]) == length {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return range.lowerBound..<low
    }

    /// How many documents have the word of a suffix.
    @inline(__always)
    func postingCount(of suffix: Int) -> Int { postingRange(of: Int(suffixWords[suffix])).count }

    /// The documents that have a word, ascending.
    func postings(of word: Int) -> some Sequence<UInt32> { postingRange(of: word).lazy.map { postings[$0] } }

    /// The posting list of a word: a range of ``postings``.
    @inline(__always)
    func postingRange(of word: Int) -> Range<Int> { Int(postingOffsets[word])..<Int(postingOffsets[word + 1]) }
}
