/// A suffix array over the words of the records, for what stands inside words that few records share, such as numbers.
///
/// A ``SuffixTable`` has posting lists for each word; where nearly each word has a list of one that is mostly overhead. Here a suffix is
/// that of a word in a record: the record (of which a ``RangeMinimum`` gives the best), which of its occurrences, and the letter it
/// begins at. Six bytes a suffix and the minima.
struct RecordSuffixTable: Sendable {
    let records: View<UInt32>
    /// Which occurrence of the record, from 0.
    let ordinals: View<UInt8>
    /// The byte of the word at which the suffix begins.
    let offsets: View<UInt8>
    let minima: RangeMinimum
    let forward: ForwardTable
    let words: WordDictionary

    /// Occurrences of a record from here on have no suffixes.
    static let mostOccurrences = 1 << 8

    @inline(__always)
    private func compare(_ suffix: Int, to query: UnsafeBufferPointer<UInt8>) -> Int {
        let word = forward.word(Int(forward.offsets[records[suffix]]) + Int(ordinals[suffix]))
        let offset = Int(offsets[suffix])
        let length = words.length(of: word) - offset
        let order = compareBytes(
            words.start(of: word) + offset, Swift.min(length, query.count), query.baseAddress, query.count)
        return length >= query.count ? order : order == 0 ? -1 : order
    }

    /// The suffixes that begin with the query. O(length · log suffixes).
    func range(of query: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        var low = 0
        var high = records.count
        while low < high {
            let middle = (low + high) / 2
            if compare(middle, to: query) < 0 { low = middle + 1 } else { high = middle }
        }
        let first = low
        high = records.count
        while low < high {
            let middle = (low + high) / 2
            if compare(middle, to: query) <= 0 { low = middle + 1 } else { high = middle }
        }
        return first..<low
    }
}
