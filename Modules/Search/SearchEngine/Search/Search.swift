extension LookupIndex {
    /// Searches: tier after tier, best records first, until the limit is reached. A record appears once, in its best
    /// tier.
    ///
    /// Complexity: a prefix of any length O(length + k · log k) for the best k records; initials, words
    /// and typos as described at `SplitCandidates` and `RunTrie`. With `limit` 0 the number of matches takes the
    /// place of k.
    ///
    /// - Throws: ``LookupCancelled`` when the request's check says so; ``IndexFormatError/checksum`` if the index is verified when used, and
    ///   damaged.
    public func search(_ request: LookupRequest) throws -> [LookupHit] {
        try checks.verify(.base)
        let limit = request.limit == 0 ? Int.max : request.limit
        var hits: [LookupHit] = []
        hits.reserveCapacity(min(limit, recordCount, TierSearch.usuallyFound))
        var seen = SeenRecords(count: recordCount, excluded: request.excluded)
        var encoder = QueryEncoder(lanes: lanes, queries: request.queries)
        let memory = SearchMemory()
        let poll = CancellationPoll(request.isCancelled)
        let bounds = request.records.clamped(to: 0..<recordCount)
        for (number, tier) in request.tiers.enumerated() {
            if hits.count >= limit { break }
            try poll.now()
            guard lanes.indices.contains(tier.lane), request.queries.indices.contains(tier.query) else { continue }
            let groups = tier.groups(hasGaps: request.queries[tier.query].words.count > 1).union(.base)
            try lanes[tier.lane].checks.verify(groups)
            for lane in tier.otherLanes where lanes.indices.contains(lane) { try lanes[lane].checks.verify(groups) }
            let variants = encoder.variants(of: tier.query, lane: tier.lane)
            var candidates: [Candidate] = []
            for variant in variants.indices {
                var search = TierSearch(
                    parts: encoder.parts(of: tier, variant: variant), tier: tier, bounds: bounds,
                    wanted: limit - hits.count, seen: seen, poll: poll,
                    memory: memory)
                let found = try search.run(variant: variant)
                if candidates.isEmpty { candidates = found } else { candidates += found }
            }
            if variants.count > 1 {
                candidates.sort {
                    $0.grade == $1.grade ? $0.record < $1.record : $0.grade < $1.grade
                }
            }
            var finders = MatchFinders(tier: tier, memory: memory, count: candidates.isEmpty ? 0 : variants.count)
            for candidate in candidates where hits.count < limit && seen.insert(candidate.record) {
                let matches =
                    request.findsMatches
                    ? finders.finder(of: candidate.variant, &encoder).matches(of: candidate) : []
                hits.append(
                    LookupHit(
                        record: candidate.record, id: id(of: candidate.record), tier: number, lane: tier.lane,
                        kind: tier.kind, edits: Double(candidate.halfEdits) / 2, grade: candidate.grade,
                        matches: matches, variant: candidate.variant))
            }
        }
        return hits
    }

    /// What a hit of a search that did not find matches matches: O(letters of the record).
    ///
    /// - Parameters:
    ///   - hit: one of the search's hits.
    ///   - request: the search that found it.
    public func matches(of hit: LookupHit, in request: LookupRequest) -> [WordMatch] {
        guard request.tiers.indices.contains(hit.tier), (0..<recordCount).contains(hit.record) else { return [] }
        let tier = request.tiers[hit.tier]
        guard lanes.indices.contains(tier.lane), request.queries.indices.contains(tier.query) else { return [] }
        var encoder = QueryEncoder(lanes: lanes, queries: request.queries)
        guard encoder.variants(of: tier.query, lane: tier.lane).indices.contains(hit.variant) else { return [] }
        let candidate = Candidate(
            record: hit.record, halfEdits: Int(hit.edits * 2), isAcross: hit.grade == Candidate.acrossGrade,
            variant: hit.variant)
        let parts = encoder.parts(of: tier, variant: hit.variant)
        return MatchFinder(parts: parts, tier: tier, memory: SearchMemory()).matches(of: candidate)
    }
}

/// The finders of a tier, one for each combination of the query's alternatives, made when they are first needed.
private struct MatchFinders {
    let tier: LookupTier
    let memory: SearchMemory
    private var finders: [MatchFinder?]

    init(tier: LookupTier, memory: SearchMemory, count: Int) {
        self.tier = tier
        self.memory = memory
        finders = Array(repeating: nil, count: count)
    }

    mutating func finder(of variant: Int, _ encoder: inout QueryEncoder) -> MatchFinder {
        if let known = finders[variant] { return known }
        let finder = MatchFinder(parts: encoder.parts(of: tier, variant: variant), tier: tier, memory: memory)
        finders[variant] = finder
        return finder
    }
}

/// What one search found out and another tier of it may ask again.
final class SearchMemory {
    /// How a spelling of a query is split over the words of a lane.
    struct Splits {
        var alignment: SplitAlignment
        /// Records that may be split as the query asks, but not in order; nil if not all were looked at.
        var leftOver: [UInt32]?
    }

    private var splits: [Int: Splits] = [:]

    /// What is known of the splits of a query, by lane and query.
    subscript(splits part: SearchPart, query: Int) -> Splits? {
        get { splits[SearchMemory.key(part, query)] }
        set { splits[SearchMemory.key(part, query)] = newValue }
    }

    private static func key(_ part: SearchPart, _ query: Int) -> Int {
        (part.number << 32 | query) << 8 | part.query.variant
    }

    private struct Word: Hashable {
        /// Which lane, query and variant of it.
        var part: Int
        var word: Int
    }

    private var begun: [Word: Range<Int>] = [:]

    /// The runs of a lane that begin with a word of a query; several tiers ask for the same.
    func runs(_ runs: RunTable, beginningWith word: Int, of part: SearchPart, query: Int) -> Range<Int> {
        let question = Word(part: SearchMemory.key(part, query), word: word)
        if let known = begun[question] { return known }
        let range = part.query.bytes.withUnsafeBufferPointer {
            runs.range(of: UnsafeBufferPointer(rebasing: $0[part.query.words[word]]))
        }
        begun[question] = range
        return range
    }

    private var numbers: [Word: Range<UInt32>] = [:]

    /// The numbers of the words of a lane that begin with a word of a query.
    func words(beginningWith word: Int, of part: SearchPart, query: Int) -> Range<UInt32> {
        let question = Word(part: SearchMemory.key(part, query), word: word)
        if let known = numbers[question] { return known }
        let range = part.query.bytes.withUnsafeBufferPointer {
            part.lane.words.range(ofBeginning: UnsafeBufferPointer(rebasing: $0[part.query.words[word]]))
        }
        let numbers = UInt32(range.lowerBound)..<UInt32(range.upperBound)
        self.numbers[question] = numbers
        return numbers
    }

    private struct Question: Hashable {
        var lane: Int
        var bytes: [UInt8]
        var edits: Int
    }

    private var near: [Question: TypoRanges] = [:]

    func ranges(
        _ runs: RunTable, lane: Int, _ bytes: [UInt8], edits: Int, _ poll: inout CancellationPoll
    ) throws(LookupCancelled) -> TypoRanges {
        let question = Question(lane: lane, bytes: bytes, edits: edits)
        if let known = near[question] { return known }
        let ranges = try runs.trie.ranges(runs: runs, query: bytes, edits: edits, poll: &poll)
        near[question] = ranges
        return ranges
    }
}

/// A lane and the query in its codes.
struct SearchPart {
    let number: Int
    let lane: Lane
    let query: EncodedQuery
}

/// Encodes each query once for each lane that is searched.
struct QueryEncoder {
    let lanes: [Lane]
    let queries: [LookupQuery]
    /// What was asked for so far: a search looks into few lanes, though there may be many.
    private var encoded: [(query: Int, lane: Int, variants: [EncodedQuery])] = []

    init(lanes: [Lane], queries: [LookupQuery]) {
        self.lanes = lanes
        self.queries = queries
    }

    mutating func variants(of query: Int, lane: Int) -> [EncodedQuery] {
        for known in encoded where known.query == query && known.lane == lane { return known.variants }
        let variants = EncodedQuery.variants(of: queries[query], in: lanes[lane].alphabet)
        encoded.append((query, lane, variants))
        return variants
    }

    /// The tier's lane first, then the others it may look into.
    mutating func parts(of tier: LookupTier, variant: Int) -> [SearchPart] {
        var parts = [part(of: tier, lane: tier.lane, variant)]
        for lane in tier.otherLanes where lanes.indices.contains(lane) {
            parts.append(part(of: tier, lane: lane, variant))
        }
        return parts
    }

    private mutating func part(of tier: LookupTier, lane: Int, _ variant: Int) -> SearchPart {
        SearchPart(number: lane, lane: lanes[lane], query: variants(of: tier.query, lane: lane)[variant])
    }
}

/// A record that one tier found, with what is needed to tell later where it matched.
struct Candidate {
    var record: Int
    /// Twice the number of edits, and one more for a wrong first letter.
    var halfEdits = 0
    /// Whether the typos are in words that stand in different places: those come last.
    var isAcross = false
    var variant = 0

    var grade: Int { isAcross ? Candidate.acrossGrade : halfEdits }

    static let acrossGrade = 1 << 16
}
