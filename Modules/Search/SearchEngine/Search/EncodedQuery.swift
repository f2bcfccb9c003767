/// A query expansion in the codes of one field, with its words joined and their bounds.
///
/// A typed word can have alternatives: müller is also typed mueller. Each combination of alternatives is an expansion. A
/// tier searches them one after another and merges their hits by penalty and rank.
///
/// A class, because many values share it and copying one reference is cheaper than three.
final class EncodedQuery: Sendable {
    /// The codes of all words; at most ``WordSuffixArray/maxLength`` bytes.
    let bytes: [UInt8]
    /// For each byte, the end of its word.
    let wordEnds: [Int]
    /// The bounds of each word.
    let words: [Range<Int>]

    /// The number of the combination of alternatives.
    let expansion: Int
    private let source: SearchQuery

    var isMultiWord: Bool { words.count > 1 }

    /// The letters of each word, including letters that the field does not contain.
    var letters: [ArraySlice<UInt16>] {
        // As in ``expansions(of:in:)``, the last word's alternatives change slowest.
        var counts = [1]
        for word in source.words {
            counts.append(min(counts[counts.count - 1] * word.count, SearchQuery.maxExpansions))
        }
        var rest = expansion
        var letters: [ArraySlice<UInt16>] = []
        for (word, count) in zip(source.words, counts).reversed() {
            letters.append(word[rest / count].prefix(WordSuffixArray.maxLength))
            rest %= count
        }
        return letters.reversed().prefix(words.count).map { $0 }
    }

    /// Returns all combinations of a query's alternatives, at most ``SearchQuery/maxExpansions``; the same ones in
    /// every field.
    static func expansions(of query: SearchQuery, in alphabet: Alphabet) -> [EncodedQuery] {
        if query.words.count == 1, let word = query.words.first, word.count <= SearchQuery.maxExpansions {
            return word.enumerated().map { number, letters in
                var bytes: [UInt8] = []
                bytes.reserveCapacity(letters.count)
                alphabet.encode(letters, into: &bytes)
                return EncodedQuery(word: bytes, expansion: number, of: query)
            }
        }
        var combinations: [[[UInt8]]] = [[]]
        for word in query.words {
            var encoded: [[UInt8]] = []
            for alternative in word {
                var bytes: [UInt8] = []
                alphabet.encode(alternative, into: &bytes)
                encoded.append(bytes)
            }
            var next: [[[UInt8]]] = []
            for choice in encoded {
                for combination in combinations where next.count < SearchQuery.maxExpansions {
                    next.append(combination + [choice])
                }
            }
            combinations = next
        }
        return combinations.enumerated().compactMap { number, words in
            words.isEmpty ? nil : EncodedQuery(words: words, expansion: number, of: query)
        }
    }

    private init(word: [UInt8], expansion: Int, of source: SearchQuery) {
        self.expansion = expansion
        self.source = source
        bytes = word.count <= WordSuffixArray.maxLength ? word : Array(word.prefix(WordSuffixArray.maxLength))
        wordEnds = Array(repeating: bytes.count, count: bytes.count)
        words = bytes.isEmpty ? [] : [0..<bytes.count]
    }

    private init(words: [[UInt8]], expansion: Int, of source: SearchQuery) {
        self.expansion = expansion
        self.source = source
        var bytes: [UInt8] = []
        var ends: [Int] = []
        var bounds: [Range<Int>] = []
        ends.reserveCapacity(words.reduce(0) { $0 + $1.count })
        for word in words {
            let start = bytes.count
            let kept = word.prefix(WordSuffixArray.maxLength - start)
            if kept.isEmpty { break }
            bytes += kept
            bounds.append(start..<bytes.count)
            for _ in kept { ends.append(bytes.count) }
        }
        self.bytes = bytes
        wordEnds = ends
        self.words = bounds
    }
}

/// A query encoded for a field.
struct FieldQuery {
    let number: Int
    let field: Field
    let query: EncodedQuery
}

/// Encodes each query once for each field that is searched.
struct QueryEncoder {
    let fields: [Field]
    let queries: [SearchQuery]
    /// The expansions encoded so far. A search uses few fields, even if there are many.
    private var encoded: [(query: Int, field: Int, expansions: [EncodedQuery])] = []

    init(fields: [Field], queries: [SearchQuery]) {
        self.fields = fields
        self.queries = queries
    }

    mutating func expansions(of query: Int, field: Int) -> [EncodedQuery] {
        for known in encoded where known.query == query && known.field == field { return known.expansions }
        let expansions = EncodedQuery.expansions(of: queries[query], in: fields[field].alphabet)
        encoded.append((query, field, expansions))
        return expansions
    }

    /// Returns the queries for the tier's field, followed by the queries for its other fields.
    mutating func fieldQueries(of tier: SearchTier, expansion: Int) -> [FieldQuery] {
        var fieldQueries = [fieldQuery(of: tier, field: tier.field, expansion)]
        for field in tier.otherFields where fields.indices.contains(field) {
            fieldQueries.append(fieldQuery(of: tier, field: field, expansion))
        }
        return fieldQueries
    }

    private mutating func fieldQuery(of tier: SearchTier, field: Int, _ expansion: Int) -> FieldQuery {
        FieldQuery(number: field, field: fields[field], query: expansions(of: tier.query, field: field)[expansion])
    }
}

/// Intermediate results that the tiers of one search share.
final class SearchCache {
    private var outOfOrder: [(fieldQuery: Int, splits: SearchTier.Splits, found: [Candidate])] = []

    /// The documents that match a segmentation of a query expansion in a different order of words, or nil if not all
    /// documents were tested.
    subscript(outOfOrder fieldQuery: FieldQuery, query: Int, splits: SearchTier.Splits) -> [Candidate]? {
        get {
            let key = SearchCache.key(fieldQuery, query)
            return outOfOrder.first { $0.fieldQuery == key && $0.splits == splits }?.found
        }
        set {
            guard let newValue else { return }
            outOfOrder.append((SearchCache.key(fieldQuery, query), splits, newValue))
        }
    }

    private static func key(_ fieldQuery: FieldQuery, _ query: Int) -> Int {
        (fieldQuery.number << 32 | query) << 8 | fieldQuery.query.expansion
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
