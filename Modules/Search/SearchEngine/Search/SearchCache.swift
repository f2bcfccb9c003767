/// What one search found out and another tier of it may ask again.
final class SearchCache {
    /// How a spelling of a query is split over the words of a field.
    struct Segmentations {
        var matcher: SegmentationMatcher
        /// Documents that may be split as the query asks, but not in order; nil if not all were looked at.
        var outOfOrder: [UInt32]?
    }

    private var segmentations: [Int: Segmentations] = [:]

    /// What is known of the segmentations of a query, by field and query.
    subscript(segmentations fieldQuery: FieldQuery, query: Int) -> Segmentations? {
        get { segmentations[SearchCache.key(fieldQuery, query)] }
        set { segmentations[SearchCache.key(fieldQuery, query)] = newValue }
    }

    private static func key(_ fieldQuery: FieldQuery, _ query: Int) -> Int {
        (fieldQuery.number << 32 | query) << 8 | fieldQuery.query.expansion
    }

    private struct WordKey: Hashable {
        /// Which field, query and expansion of it.
        var fieldQuery: Int
        var word: Int
    }

    private var wordSuffixRanges: [WordKey: Range<Int>] = [:]

    /// The wordSuffixes of a field that begin with a word of a query; several tiers ask for the same.
    func wordSuffixes(_ wordSuffixes: WordSuffixArray, prefixWith word: Int, of fieldQuery: FieldQuery, query: Int)
        -> Range<Int>
    {
        let key = WordKey(fieldQuery: SearchCache.key(fieldQuery, query), word: word)
        if let known = wordSuffixRanges[key] { return known }
        let range = fieldQuery.query.bytes.withUnsafeBufferPointer {
            wordSuffixes.range(of: UnsafeBufferPointer(rebasing: $0[fieldQuery.query.words[word]]))
        }
        wordSuffixRanges[key] = range
        return range
    }

    private var wordRanges: [WordKey: Range<UInt32>] = [:]

    /// The wordRanges of the words of a field that begin with a word of a query.
    func words(prefixWith word: Int, of fieldQuery: FieldQuery, query: Int) -> Range<UInt32> {
        let key = WordKey(fieldQuery: SearchCache.key(fieldQuery, query), word: word)
        if let known = wordRanges[key] { return known }
        let range = fieldQuery.query.bytes.withUnsafeBufferPointer {
            fieldQuery.field.words.range(ofPrefix: UnsafeBufferPointer(rebasing: $0[fieldQuery.query.words[word]]))
        }
        let numbers = UInt32(range.lowerBound)..<UInt32(range.upperBound)
        wordRanges[key] = numbers
        return numbers
    }

    private struct FuzzyKey: Hashable {
        var field: Int
        var bytes: [UInt8]
        var edits: Int
    }

    private var fuzzyRanges: [FuzzyKey: FuzzyRanges] = [:]

    func ranges(
        _ wordSuffixes: WordSuffixArray, field: Int, _ bytes: [UInt8], edits: Int, _ cancellation: inout CancellationCheck
    ) throws(SearchCancelled) -> FuzzyRanges {
        let key = FuzzyKey(field: field, bytes: bytes, edits: edits)
        if let known = fuzzyRanges[key] { return known }
        let ranges = try wordSuffixes.trie.ranges(wordSuffixes: wordSuffixes, query: bytes, edits: edits, cancellation: &cancellation)
        fuzzyRanges[key] = ranges
        return ranges
    }
}
