// The searches of the tiers.
//
// A request has tiers: each is a kind of match in one field. `SearchIndex.search` runs them in the caller's order until
// it has enough hits, so a query with ten exact matches never searches for typos. Each tier returns its best documents
// that no earlier tier found:
//
//     exact, prefix, joined    a range of word suffixes                        WordSuffixArray, TopKIterator
//     initials, words          segmentations of the query                      SegmentationCandidates
//     words across values      the documents of the rarest typed word          AllTermsCandidates
//     infix                    a range of suffixes of words                    TermSuffixArray, PostingMerge
//     typo                     ranges of word suffixes near the query          FuzzyWalk, TypoEvidence
//     typo with sound-alikes   ranges of word suffixes with another spelling   SpellingGraph
//
// A query of several words is searched for typos twice: joined, with one edit, and word by word (`FuzzyTermsMatcher`).
// The word that begins the fewest word suffixes, probably the misspelled one, is looked up first. If few documents have
// it, they are matched with the other words, which are then not looked up at all.

/// Runs one tier for one query expansion: finds its best documents, in order, that no earlier tier found.
struct TierSearch {
    /// The encoded query for the tier's field, followed by the encoded queries for its other fields.
    let fieldQueries: [FieldQuery]
    let tier: SearchTier
    let bounds: Range<Int>
    let limit: Int
    /// The number of documents that the answer has room for. More are found to be weighed.
    let room: Int
    var visited: VisitedSet
    /// Returns whether a document that matches is found; nil for all.
    let accepts: ((Int) -> Bool)?
    var cancellation: CancellationCheck
    let cache: SearchCache
    /// The number of the query expansion.
    let expansion: Int
    private(set) var found: [Candidate] = []

    private var field: Field { fieldQueries[0].field }
    private var query: EncodedQuery { fieldQueries[0].query }

    /// The maximum number of hits for which memory is reserved in advance.
    static let typicalLimit = 16

    mutating func run() throws(CancellationError) -> [Candidate] {
        guard !query.bytes.isEmpty, !bounds.isEmpty else { return [] }
        switch tier.match {
        case .exact: try wordSuffixes(exactly: true, aligned: true)
        case .prefix: try wordSuffixes(exactly: false, aligned: true)
        case .wholeWords: try wordSuffixes(exactly: false, aligned: true, wholeWords: true)
        case .joined: if query.isMultiWord { try wordSuffixes(exactly: false, aligned: false) }
        case .initials(let splits): try segmentations(splits, inOrder: true)
        case .words(let splits): try segmentations(splits, inOrder: false)
        // A single word would be a prefix match, which an earlier tier finds.
        case .wordsAcrossValues: if query.isMultiWord { try acrossValues() }
        case .infix: try infix()
        case .typo(let fuzziness, let slips, let otherFields):
            guard try typos(fuzziness, slips) else { break }
            if query.isMultiWord, otherFields != nil { try typosAcrossValues(fuzziness) }
        case .soundAlikes(let rules): try soundAlikes(rules)
        }
        return found
    }

    /// Appends a document if it is new and accepted. Returns false when the limit is reached.
    @inline(__always)
    private mutating func append(
        _ document: Int, halfEdits: Int = 0, weakness: Int = 0, isAcrossValues: Bool = false, isLate: Bool = false
    ) -> Bool {
        if document >= bounds.lowerBound && document < bounds.upperBound && isAccepted(document)
            && visited.insert(document)
        {
            if found.isEmpty { found.reserveCapacity(min(limit, TierSearch.typicalLimit)) }
            found.append(
                Candidate(
                    document: document, halfEdits: halfEdits, weakness: weakness, isAcrossValues: isAcrossValues,
                    isLate: isLate, expansion: expansion))
        }
        return found.count < limit
    }

    @inline(__always)
    private func isAccepted(_ document: Int) -> Bool {
        guard let accepts else { return true }
        return !visited.contains(document) && accepts(document)
    }

    /// An entry of the index and its document.
    private typealias Entry = (document: Int, entry: Int)

    /// Appends the documents of entries, best first, if they match. Returns false when the limit is reached.
    @inline(__always)
    private mutating func append(
        _ entries: consuming some IteratorProtocol<Entry>, where isMatch: ((Entry) -> Bool)? = nil
    ) throws(CancellationError) -> Bool {
        while let next = entries.next() {
            try cancellation.step()
            if next.document >= bounds.upperBound { break }
            if let isMatch, visited.contains(next.document) || !isMatch(next) { continue }
            if !append(next.document) { return false }
        }
        return true
    }

    // MARK: - Exact, prefix, joined

    private mutating func wordSuffixes(
        exactly: Bool, aligned: Bool, wholeWords: Bool = false
    ) throws(CancellationError) {
        guard let wordSuffixes = field.wordSuffixes else { return }
        let checksWordBounds = aligned && (query.isMultiWord || wholeWords)
        let bytes = query.bytes
        let firstWord = checksWordBounds ? field.words.find(bytes.span.extracting(query.words[0])) : nil
        // If the field does not contain the first typed word, no word suffix has the word boundaries of the query.
        if checksWordBounds && firstWord == nil { return }
        let range = exactly ? wordSuffixes.exactRange(of: bytes.span) : wordSuffixes.range(of: bytes.span)
        if let firstWord, !exactly, let suffixes = field.termSuffixes,
            suffixes.postingRange(of: firstWord).count < range.count
        {
            let phrase = PhraseMatcher(field: field, query: query, startsInsideWord: false, wholeWords: wholeWords)
            let documents = suffixes.postingRange(of: firstWord).lazy.map {
                (document: Int(suffixes.postings[$0]), entry: $0)
            }
            _ = try append(documents.makeIterator()) { phrase.position(in: $0.document) != nil }
            return
        }
        let entries = TopKIterator(wordSuffixes.minima, range)
        if !checksWordBounds {
            _ = try append(entries)
            return
        }
        let (forward, query) = (field.forward, query)
        _ = try append(entries) { found in
            wordSuffixes.isAligned(
                from: wordSuffixes.start(of: found.entry), end: forward.range(of: found.document).upperBound, query,
                wholeWords: wholeWords)
        }
    }

    // MARK: - Initials, words

    /// The number of candidates that are tested for more documents than the answer has room for. Those found after it are
    /// not weighed, so the order does not depend on the room.
    private static let maxTestedToWeigh = 2048

    private mutating func segmentations(_ splits: SearchTier.Splits, inOrder: Bool) throws(CancellationError) {
        guard let wordSuffixes = field.wordSuffixes, let wordPairs = field.wordPairs, query.bytes.count > 1 else {
            return
        }
        if !inOrder, let outOfOrder = cache[outOfOrder: fieldQueries[0], tier.query, splits] {
            // The initials tier has tested all candidates.
            for found in outOfOrder {
                try cancellation.step()
                if !append(found.document, isLate: found.isLate) { break }
            }
            return
        }
        let test = SegmentationTest(field: field, query: query, splits: splits)
        let candidates = SegmentationCandidates(
            field, wordSuffixes, wordPairs, query: query, splits: splits, end: bounds.upperBound)
        var outOfOrder: [Candidate] = []
        var tested = 0
        let isComplete = try candidates.forEach(cancellation) { document in
            tested += 1
            if self.visited.contains(document) { return true }
            let isLate = tested > TierSearch.maxTestedToWeigh
            switch test.order(document, inOrder: inOrder) {
            case .other? where inOrder: outOfOrder.append(Candidate(document: document, isLate: isLate))
            case .some: if !self.append(document, isLate: isLate) { return false }
            case nil: break
            }
            return self.found.count < self.room || tested < TierSearch.maxTestedToWeigh
        }
        if inOrder && isComplete { cache[outOfOrder: fieldQueries[0], tier.query, splits] = outOfOrder }
    }

    private mutating func acrossValues() throws(CancellationError) {
        let matcher = AllTermsMatcher(fieldQueries)
        let words = query.words.indices.map { TermRanges(word: $0, fieldQueries) }
        if words.contains(where: { $0.count == 0 }) { return }
        let candidates = AllTermsCandidates(fieldQueries, words: words, bounds: bounds)
        _ = try candidates.forEach(cancellation) { document in
            if self.visited.contains(document) || !matcher.matches(document) { return true }
            return self.append(document)
        }
    }

    // MARK: - Infix

    private mutating func infix() throws(CancellationError) {
        let bytes = query.bytes
        if let suffixes = field.documentSuffixes {
            if query.isMultiWord { return }
            _ = try append(TopKIterator(suffixes.minima, suffixes.range(of: bytes.span)))
        } else if let suffixes = field.termSuffixes {
            if query.isMultiWord { return try infixPhrase(suffixes) }
            _ = try append(PostingMerge(suffixes, suffixes.range(of: bytes.span)))
        }
    }

    /// Finds documents where the first typed word ends a word and the others follow as a phrase. Starts from the rarer
    /// of the two: the words with that ending, or the word suffixes that begin with the other typed words.
    private mutating func infixPhrase(_ suffixes: TermSuffixArray) throws(CancellationError) {
        guard let wordSuffixes = field.wordSuffixes else { return }
        let bytes = query.bytes
        let first = bytes.span.extracting(query.words[0])
        let ends = suffixes.exactEntries(in: suffixes.range(of: first), length: first.count)
        let rest = wordSuffixes.range(of: bytes.span.extracting(droppingFirst: query.words[1].lowerBound))
        if ends.isEmpty || rest.isEmpty { return }
        let phrase = PhraseMatcher(field: field, query: query, startsInsideWord: true)
        let isMatch = { (found: Entry) in phrase.position(in: found.document) != nil }
        if ends.count > rest.count || ends.reduce(0, { $0 + suffixes.postingRange(ofSuffix: $1).count }) > rest.count {
            _ = try append(TopKIterator(wordSuffixes.minima, rest), where: isMatch)
        } else {
            _ = try append(PostingMerge(suffixes, ends), where: isMatch)
        }
    }

    // MARK: - Sound-alikes

    private mutating func soundAlikes(_ rules: SpellingRules) throws(CancellationError) {
        guard let wordSuffixes = field.wordSuffixes, field.options.contains(.typos) else { return }
        if query.isMultiWord { return try soundAlikesAcrossValues(rules) }
        guard let word = query.letters.first else { return }
        let graph = SpellingGraph(word, rules, in: field.alphabet)
        for (cost, ranges) in try graph.ranges(in: wordSuffixes, &cancellation).enumerated() {
            var entries = TopKIterator(wordSuffixes.minima, ranges)
            while let next = entries.next(), next.document < bounds.upperBound {
                try cancellation.step()
                if !append(next.document, halfEdits: cost * 2) { return }
            }
        }
    }

    /// Finds documents that contain a spelling of every typed word, in any order and value. As many as are weighed are
    /// ordered by their spelling. Others follow in order of rank.
    private mutating func soundAlikesAcrossValues(_ rules: SpellingRules) throws(CancellationError) {
        let matcher = SoundMatcher(fieldQueries, rules)
        var words: [TermRanges] = []
        for word in wordsByRarity() where !TierSearch.isRare(words, allowing: 1) {
            var ranges = TermRanges(word: word, fieldQueries)
            for (number, fieldQuery) in fieldQueries.enumerated() {
                guard let wordSuffixes = fieldQuery.field.wordSuffixes else { continue }
                for found in try matcher.graphs[number][word].ranges(in: wordSuffixes, &cancellation) {
                    ranges.add(found, of: wordSuffixes)
                }
            }
            if ranges.count == 0 { return }
            words.append(ranges)
        }
        let most = matcher.graphs[0].reduce(0) { $0 + $1.maxCost }
        let candidates = AllTermsCandidates(fieldQueries, words: words, bounds: bounds)
        _ = try candidates.forEach(cancellation) { document in
            if self.visited.contains(document) { return true }
            guard let cost = matcher.cost(of: document) else { return true }
            let isOrdered = self.found.count < Likelihood.candidates
            let isOpen = self.append(document, halfEdits: cost * 2, weakness: isOrdered ? 0 : (most - cost) * 8)
            return isOpen || isOrdered
        }
        found.sort { ($0.penalty, $0.document) < ($1.penalty, $1.document) }
        found.removeLast(max(found.count - limit, 0))
    }

    /// Returns the typed words, rarest first, by the number of word suffixes that begin with them. A misspelled word is
    /// likely to come first.
    private func wordsByRarity() -> [Int] {
        let counts = query.words.indices.map { TermRanges(word: $0, fieldQueries).count }
        return counts.indices.sorted { (counts[$0], $0) < (counts[$1], $1) }
    }

    /// Returns `true` if one of the words has so few documents that matching them costs less than looking up another
    /// word with edits.
    private static func isRare(_ words: [TermRanges], allowing edits: Int) -> Bool {
        words.contains { $0.count <= (edits > 1 ? 128 : 32) }
    }

    // MARK: - Typos

    /// Finds the joined words with a slip. Returns false when the limit is reached or the field has no typos.
    private mutating func typos(_ fuzziness: Fuzziness, _ slips: SearchTier.Slips) throws(CancellationError) -> Bool {
        guard let wordSuffixes = field.wordSuffixes, field.options.contains(.typos) else { return false }
        // One edit in joined words, if one of them may have an edit. Two typos are searched word by word.
        let maxEdits =
            query.isMultiWord
            ? query.words.contains { fuzziness.edits(letters: $0.count) > 0 } ? 1 : 0
            : fuzziness.edits(letters: query.bytes.count)
        if maxEdits > 0 {
            for edits in 1...maxEdits {
                let ranges = try cache.ranges(
                    wordSuffixes, of: fieldQueries[0], query.bytes, edits: edits, &cancellation)
                let evidence = TypoEvidence(
                    field, wordSuffixes, query, edits: edits, withinWords: slips == .withinWords)
                for (isOtherFirst, entries) in [(0, ranges.sameFirstLetter), (1, ranges.otherFirstLetter)] {
                    if isOtherFirst > 0 && slips == .likely { break }
                    let isOpen = try appendTypos(
                        TopKIterator(wordSuffixes.minima, entries), halfEdits: edits * 2 + isOtherFirst, evidence,
                        maxWeakness: slips == .likely ? 0 : TypoEvidence.maxWeakness)
                    if !isOpen { return false }
                }
            }
        }
        return true
    }

    /// The maximum number of entries with equal edits that are ordered by their evidence. Others follow in order of rank.
    static let maxOrderedTypos = 256

    /// Appends the documents of entries, the least evidence against them first. Returns false when the limit is reached.
    private mutating func appendTypos(
        _ entries: TopKIterator<PackedView<UInt32>>, halfEdits: Int, _ evidence: borrowing TypoEvidence,
        maxWeakness: Int
    ) throws(CancellationError) -> Bool {
        var entries = entries
        var first: [(weakness: Int, document: Int)] = []
        while first.count < TierSearch.maxOrderedTypos, let next = entries.next(), next.document < bounds.upperBound {
            try cancellation.step()
            if visited.contains(next.document) { continue }
            if let weakness = evidence.weakness(of: next.entry), weakness <= maxWeakness, isAccepted(next.document) {
                first.append((weakness, next.document))
            }
        }
        first.sort { ($0.weakness, $0.document) < ($1.weakness, $1.document) }
        for (weakness, document) in first {
            if !append(document, halfEdits: halfEdits, weakness: weakness) { return false }
        }
        while let next = entries.next(), next.document < bounds.upperBound {
            try cancellation.step()
            if visited.contains(next.document) { continue }
            guard let weakness = evidence.weakness(of: next.entry), weakness <= maxWeakness else { continue }
            if !append(next.document, halfEdits: halfEdits, weakness: TypoEvidence.maxWeakness) { return false }
        }
        return true
    }

    /// Finds documents that contain every typed word within its own edits, in any order and value.
    private mutating func typosAcrossValues(_ fuzziness: Fuzziness) throws(CancellationError) {
        // Words that are too short for edits are found as prefixes.
        guard query.words.contains(where: { fuzziness.edits(letters: $0.count) > 0 }) else { return }
        var words: [TermRanges] = []
        for word in wordsByRarity() {
            let typed = query.words[word]
            if TierSearch.isRare(words, allowing: fuzziness.edits(letters: typed.count)) { continue }
            var ranges = TermRanges(word: word, fieldQueries)
            for fieldQuery in fieldQueries {
                guard let wordSuffixes = fieldQuery.field.wordSuffixes, fieldQuery.field.options.contains(.typos),
                    fieldQuery.query.words.indices.contains(word)
                else { continue }
                let bytes = Array(fieldQuery.query.bytes[fieldQuery.query.words[word]])
                let edits = fuzziness.edits(letters: bytes.count)
                guard edits > 0 else { continue }
                let similar = try cache.ranges(
                    wordSuffixes, of: fieldQuery, bytes, edits: edits, &cancellation)
                ranges.add(similar.sameFirstLetter + similar.otherFirstLetter, of: wordSuffixes)
            }
            if ranges.count == 0 { return }
            words.append(ranges)
        }
        let matcher = FuzzyTermsMatcher(fieldQueries, typos: fuzziness)
        let candidates = AllTermsCandidates(fieldQueries, words: words, bounds: bounds)
        _ = try candidates.forEach(cancellation) { document in
            if self.visited.contains(document) { return true }
            guard let edits = matcher.edits(of: document) else { return true }
            return self.append(document, halfEdits: edits * 2, isAcrossValues: true)
        }
    }
}

/// A document found by a tier, with the data needed to locate its matches later.
struct Candidate {
    var document: Int
    /// Twice the number of edits, plus one for a wrong first letter.
    var halfEdits = 0
    /// The evidence against a typo, from 0; see ``TypoEvidence``.
    var weakness = 0
    /// `true` if words with typos match in different values. Such candidates come last.
    var isAcrossValues = false
    /// `true` if the document was found after as many tests as the answer needs to be in order. Such candidates are not
    /// weighed.
    var isLate = false
    var expansion = 0

    var penalty: Int { isAcrossValues ? Candidate.acrossValuesPenalty : halfEdits * 4 + weakness }

    static let acrossValuesPenalty = 1 << 16
}

/// The documents found so far: a list of up to 32, then a bitmap.
///
/// The list is stored inline, so a tier copies it without allocating.
struct VisitedSet {
    private static let maxListed = 32

    private let count: Int
    private var listed = InlineArray<32, UInt32>(repeating: .max)
    private var listedCount = 0
    private var bits: [UInt64] = []
    private let excluded: DocumentSet

    /// Creates a set in which the excluded documents count as visited.
    init(count: Int, excluded: DocumentSet) {
        self.count = count
        self.excluded = excluded
    }

    @inline(__always)
    func contains(_ document: Int) -> Bool {
        if excluded.contains(document) { return true }
        if !bits.isEmpty { return bits[document >> 6] & (1 << UInt64(document & 63)) != 0 }
        for index in 0..<listedCount where listed[index] == UInt32(truncatingIfNeeded: document) { return true }
        return false
    }

    /// Inserts a document. Returns true if it is new.
    @inline(__always)
    mutating func insert(_ document: Int) -> Bool {
        if contains(document) { return false }
        if bits.isEmpty, listedCount < VisitedSet.maxListed {
            listed[listedCount] = UInt32(truncatingIfNeeded: document)
            listedCount += 1
            return true
        }
        if bits.isEmpty { makeBitmap() }
        bits[document >> 6] |= 1 << UInt64(document & 63)
        return true
    }

    private mutating func makeBitmap() {
        bits = Array(repeating: 0, count: (count + 63) / 64)
        for index in 0..<listedCount {
            let document = Int(listed[index])
            bits[document >> 6] |= 1 << UInt64(document & 63)
        }
    }
}

/// Calls the caller's cancellation check every 512 steps.
struct CancellationCheck {
    let isCancelled: (@Sendable () -> Bool)?
    private var steps: UInt32 = 0

    init(_ isCancelled: (@Sendable () -> Bool)?) { self.isCancelled = isCancelled }

    @inline(__always)
    mutating func step() throws(CancellationError) {
        steps &+= 1
        if steps & 511 == 0, let isCancelled, isCancelled() { throw CancellationError() }
    }

    /// Calls the check immediately.
    func check() throws(CancellationError) {
        if let isCancelled, isCancelled() { throw CancellationError() }
    }
}
