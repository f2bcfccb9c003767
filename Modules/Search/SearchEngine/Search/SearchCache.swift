/// Intermediate results that the tiers of one search share.
final class SearchCache {
    private var outOfOrder: [(fieldQuery: Int, splits: SearchTier.Splits, documents: [UInt32])] = []

    /// The documents that match a segmentation of a query expansion in a different order of words, or nil if not all
    /// documents were tested.
    subscript(outOfOrder fieldQuery: FieldQuery, tier: SearchTier) -> [UInt32]? {
        get {
            let key = SearchCache.key(fieldQuery, tier.query)
            return outOfOrder.first { $0.fieldQuery == key && $0.splits == tier.splits }?.documents
        }
        set {
            guard let newValue else { return }
            outOfOrder.append((SearchCache.key(fieldQuery, tier.query), tier.splits, newValue))
        }
    }

    private static func key(_ fieldQuery: FieldQuery, _ query: Int) -> Int {
        (fieldQuery.number << 32 | query) << 8 | fieldQuery.query.expansion
    }

    private struct WordKey: Hashable {
        /// The key of field, query and expansion.
        var fieldQuery: Int
        var word: Int
    }

    private var wordSuffixRanges: [WordKey: Range<Int>] = [:]

    /// Returns the word suffixes of a field that begin with a word of a query.
    func wordSuffixes(_ wordSuffixes: WordSuffixArray, prefixWith word: Int, of fieldQuery: FieldQuery, query: Int)
        -> Range<Int>
    {
        let key = WordKey(fieldQuery: SearchCache.key(fieldQuery, query), word: word)
        if let known = wordSuffixRanges[key] { return known }
        let query = fieldQuery.query.bytes
        let range = wordSuffixes.range(of: query.span.extracting(fieldQuery.query.words[word]))
        wordSuffixRanges[key] = range
        return range
    }

    private var wordRanges: [WordKey: Range<UInt32>] = [:]

    /// Returns the numbers of the words of a field that begin with a word of a query.
    func words(prefixWith word: Int, of fieldQuery: FieldQuery, query: Int) -> Range<UInt32> {
        let key = WordKey(fieldQuery: SearchCache.key(fieldQuery, query), word: word)
        if let known = wordRanges[key] { return known }
        let query = fieldQuery.query.bytes
        let range = fieldQuery.field.words.range(ofPrefix: query.span.extracting(fieldQuery.query.words[word]))
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
        _ wordSuffixes: WordSuffixArray, of fieldQuery: FieldQuery, _ bytes: [UInt8], edits: Int,
        _ cancellation: inout CancellationCheck
    ) throws(CancellationError) -> FuzzyRanges {
        let key = FuzzyKey(field: fieldQuery.number, bytes: bytes, edits: edits)
        if let known = fuzzyRanges[key] { return known }
        let signatures = fieldQuery.field.childSignatures(of: wordSuffixes)
        let ranges = try FuzzyWalk(wordSuffixes, signatures, bytes.span).ranges(edits: edits, &cancellation)
        fuzzyRanges[key] = ranges
        return ranges
    }
}
