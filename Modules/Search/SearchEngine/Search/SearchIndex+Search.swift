extension SearchIndex {
    /// Searches: tier after tier, best documents first, until the limit is reached. A document appears once, in its best
    /// tier.
    ///
    /// Complexity: a prefix of any length O(length + k · log k) for the best k documents; initials, words
    /// and typos as described at `SegmentationCandidates` and `PrefixTrie`. With `limit` 0 the number of matches takes the
    /// place of k.
    ///
    /// - Throws: ``SearchCancelled`` when the request's check says so; ``IndexFormatError/checksum`` if the index is verified when used, and
    ///   damaged.
    public func search(_ request: SearchRequest) throws -> [SearchHit] {
        try checks.verify(.base)
        let limit = request.limit == 0 ? Int.max : request.limit
        var hits: [SearchHit] = []
        hits.reserveCapacity(min(limit, documentCount, TierSearch.usuallyFound))
        var seen = VisitedSet(count: documentCount, excluded: request.excluded)
        var encoder = QueryEncoder(fields: fields, queries: request.queries)
        let memory = SearchCache()
        let poll = CancellationPoll(request.isCancelled)
        let bounds = request.documents.clamped(to: 0..<documentCount)
        for (number, tier) in request.tiers.enumerated() {
            if hits.count >= limit { break }
            try poll.now()
            guard fields.indices.contains(tier.field), request.queries.indices.contains(tier.query) else { continue }
            let groups = tier.groups(hasGaps: request.queries[tier.query].words.count > 1).union(.base)
            try fields[tier.field].checks.verify(groups)
            for field in tier.otherFields where fields.indices.contains(field) {
                try fields[field].checks.verify(groups)
            }
            let expansions = encoder.expansions(of: tier.query, field: tier.field)
            var candidates: [Candidate] = []
            for expansion in expansions.indices {
                var search = TierSearch(
                    fieldQueries: encoder.fieldQueries(of: tier, expansion: expansion), tier: tier, bounds: bounds,
                    wanted: limit - hits.count, seen: seen, poll: poll,
                    memory: memory)
                let found = try search.run(expansion: expansion)
                if candidates.isEmpty { candidates = found } else { candidates += found }
            }
            if expansions.count > 1 {
                candidates.sort {
                    $0.penalty == $1.penalty ? $0.document < $1.document : $0.penalty < $1.penalty
                }
            }
            var locators = MatchLocators(tier: tier, memory: memory, count: candidates.isEmpty ? 0 : expansions.count)
            for candidate in candidates where hits.count < limit && seen.insert(candidate.document) {
                let matches =
                    request.findsMatches
                    ? locators.locator(of: candidate.expansion, &encoder).matches(of: candidate) : []
                hits.append(
                    SearchHit(
                        document: candidate.document, id: id(of: candidate.document), tier: number, field: tier.field,
                        kind: tier.kind, edits: Double(candidate.halfEdits) / 2, penalty: candidate.penalty,
                        matches: matches, expansion: candidate.expansion))
            }
        }
        return hits
    }

    /// What a hit of a search that did not find matches matches: O(letters of the document).
    ///
    /// - Parameters:
    ///   - hit: one of the search's hits.
    ///   - request: the search that found it.
    public func matches(of hit: SearchHit, in request: SearchRequest) -> [WordMatch] {
        guard request.tiers.indices.contains(hit.tier), (0..<documentCount).contains(hit.document) else { return [] }
        let tier = request.tiers[hit.tier]
        guard fields.indices.contains(tier.field), request.queries.indices.contains(tier.query) else { return [] }
        var encoder = QueryEncoder(fields: fields, queries: request.queries)
        guard encoder.expansions(of: tier.query, field: tier.field).indices.contains(hit.expansion) else { return [] }
        let candidate = Candidate(
            document: hit.document, halfEdits: Int(hit.edits * 2), isAcross: hit.penalty == Candidate.acrossPenalty,
            expansion: hit.expansion)
        let fieldQueries = encoder.fieldQueries(of: tier, expansion: hit.expansion)
        return MatchLocator(fieldQueries: fieldQueries, tier: tier, memory: SearchCache()).matches(of: candidate)
    }
}

/// The locators of a tier, one for each combination of the query's alternatives, made when they are first needed.
private struct MatchLocators {
    let tier: SearchTier
    let memory: SearchCache
    private var locators: [MatchLocator?]

    init(tier: SearchTier, memory: SearchCache, count: Int) {
        self.tier = tier
        self.memory = memory
        locators = Array(repeating: nil, count: count)
    }

    mutating func locator(of expansion: Int, _ encoder: inout QueryEncoder) -> MatchLocator {
        if let known = locators[expansion] { return known }
        let locator = MatchLocator(
            fieldQueries: encoder.fieldQueries(of: tier, expansion: expansion), tier: tier, memory: memory)
        locators[expansion] = locator
        return locator
    }
}

/// What one search found out and another tier of it may ask again.
final class SearchCache {
    /// How a spelling of a query is split over the words of a field.
    struct Segmentations {
        var alignment: SegmentationMatcher
        /// Documents that may be split as the query asks, but not in order; nil if not all were looked at.
        var leftOver: [UInt32]?
    }

    private var splits: [Int: Segmentations] = [:]

    /// What is known of the splits of a query, by field and query.
    subscript(splits fieldQuery: FieldQuery, query: Int) -> Segmentations? {
        get { splits[SearchCache.key(fieldQuery, query)] }
        set { splits[SearchCache.key(fieldQuery, query)] = newValue }
    }

    private static func key(_ fieldQuery: FieldQuery, _ query: Int) -> Int {
        (fieldQuery.number << 32 | query) << 8 | fieldQuery.query.expansion
    }

    private struct Word: Hashable {
        /// Which field, query and expansion of it.
        var fieldQuery: Int
        var word: Int
    }

    private var begun: [Word: Range<Int>] = [:]

    /// The wordSuffixes of a field that begin with a word of a query; several tiers ask for the same.
    func wordSuffixes(_ wordSuffixes: WordSuffixArray, prefixWith word: Int, of fieldQuery: FieldQuery, query: Int)
        -> Range<Int>
    {
        let question = Word(fieldQuery: SearchCache.key(fieldQuery, query), word: word)
        if let known = begun[question] { return known }
        let range = fieldQuery.query.bytes.withUnsafeBufferPointer {
            wordSuffixes.range(of: UnsafeBufferPointer(rebasing: $0[fieldQuery.query.words[word]]))
        }
        begun[question] = range
        return range
    }

    private var numbers: [Word: Range<UInt32>] = [:]

    /// The numbers of the words of a field that begin with a word of a query.
    func words(prefixWith word: Int, of fieldQuery: FieldQuery, query: Int) -> Range<UInt32> {
        let question = Word(fieldQuery: SearchCache.key(fieldQuery, query), word: word)
        if let known = numbers[question] { return known }
        let range = fieldQuery.query.bytes.withUnsafeBufferPointer {
            fieldQuery.field.words.range(ofPrefix: UnsafeBufferPointer(rebasing: $0[fieldQuery.query.words[word]]))
        }
        let numbers = UInt32(range.lowerBound)..<UInt32(range.upperBound)
        self.numbers[question] = numbers
        return numbers
    }

    private struct Question: Hashable {
        var field: Int
        var bytes: [UInt8]
        var edits: Int
    }

    private var near: [Question: FuzzyRanges] = [:]

    func ranges(
        _ wordSuffixes: WordSuffixArray, field: Int, _ bytes: [UInt8], edits: Int, _ poll: inout CancellationPoll
    ) throws(SearchCancelled) -> FuzzyRanges {
        let question = Question(field: field, bytes: bytes, edits: edits)
        if let known = near[question] { return known }
        let ranges = try wordSuffixes.trie.ranges(wordSuffixes: wordSuffixes, query: bytes, edits: edits, poll: &poll)
        near[question] = ranges
        return ranges
    }
}

/// A field and the query in its codes.
struct FieldQuery {
    let number: Int
    let field: Field
    let query: EncodedQuery
}

/// Encodes each query once for each field that is searched.
struct QueryEncoder {
    let fields: [Field]
    let queries: [SearchQuery]
    /// What was asked for so far: a search looks into few fields, though there may be many.
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

    /// The tier's field first, then the others it may look into.
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

/// A document that one tier found, with what is needed to tell later where it matched.
struct Candidate {
    var document: Int
    /// Twice the number of edits, and one more for a wrong first letter.
    var halfEdits = 0
    /// Whether the typos are in words that stand in different places: those come last.
    var isAcross = false
    var expansion = 0

    var penalty: Int { isAcross ? Candidate.acrossPenalty : halfEdits }

    static let acrossPenalty = 1 << 16
}
