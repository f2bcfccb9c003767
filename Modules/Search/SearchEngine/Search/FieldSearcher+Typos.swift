extension FieldSearcher {
    /// Appends the documents with a value that begins with the query, apart from typos. Each document appears once, in
    /// the order of a tier of the kind ``MatchKind/typo``.
    ///
    /// - Parameters:
    ///   - spellings: The alternative spellings of the query.
    ///   - fuzziness: The edits allowed for each of them.
    ///   - limit: The maximum number of hits; 0 for all.
    ///   - isCancelled: Polled during the search.
    public func appendTypos(
        of spellings: [[UInt16]], fuzziness: Fuzziness, limit: Int, isCancelled: (@Sendable () -> Bool)?,
        to hits: inout [CompactHit]
    ) throws(CancellationError) {
        guard field.options.contains(.typos) else { return }
        let limit = limit == 0 ? Int.max : limit
        let spellings = spellings.prefix(SearchQuery.maxExpansions)
        let start = hits.count
        for (number, letters) in spellings.enumerated() {
            let word = encode(letters)
            let maxEdits = fuzziness.edits(letters: word.count)
            if maxEdits == 0 { continue }
            var search = TypoSearch(
                field, wordSuffixes,
                FuzzyWalk(
                    wordSuffixes, field.childSignatures(of: wordSuffixes),
                    word.bytes.span.extracting(first: word.count)),
                expansion: number,
                documents: index.documentCount, limit: limit, cancellation: CancellationCheck(isCancelled))
            try search.run(maxEdits: maxEdits, &hits)
        }
        if spellings.count > 1 { FieldSearcher.mergeTypos(&hits, from: start, limit: limit) }
    }

    /// Merges the hits of several spellings in order of penalty and document. Each document appears once.
    private static func mergeTypos(_ hits: inout [CompactHit], from start: Int, limit: Int) {
        let all = hits[start...].sorted {
            ($0.penalty, $0.document, $0.expansion) < ($1.penalty, $1.document, $1.expansion)
        }
        hits.removeSubrange(start...)
        var seen: Set<Int32> = []
        for hit in all where hits.count - start < limit && seen.insert(hit.document).inserted { hits.append(hit) }
    }
}

/// The search for one spelling with typos.
private struct TypoSearch: ~Copyable {
    private let field: Field
    private let wordSuffixes: WordSuffixArray
    private let walk: FuzzyWalk
    private let expansion: Int
    private let limit: Int
    private var cancellation: CancellationCheck
    private var visited: VisitedSet

    init(
        _ field: Field, _ wordSuffixes: WordSuffixArray, _ walk: consuming FuzzyWalk, expansion: Int, documents: Int,
        limit: Int, cancellation: CancellationCheck
    ) {
        visited = VisitedSet(count: documents, excluded: DocumentSet())
        self.field = field
        self.wordSuffixes = wordSuffixes
        self.expansion = expansion
        self.limit = limit
        self.cancellation = cancellation
        self.walk = walk
    }

    mutating func run(maxEdits: Int, _ hits: inout [CompactHit]) throws(CancellationError) {
        let start = hits.count
        for edits in 1...maxEdits {
            let ranges = try walk.ranges(edits: edits, &cancellation)
            for (isOtherFirst, entries) in [(0, ranges.sameFirstLetter), (1, ranges.otherFirstLetter)] {
                if entries.isEmpty { continue }
                try append(entries, edits: edits, isOtherFirst: isOtherFirst, from: start, &hits)
                if hits.count - start >= limit { return }
            }
        }
    }

    /// Appends the documents of entries, the least evidence against them first; see ``TypoEvidence``.
    private mutating func append(
        _ ranges: [Range<Int>], edits: Int, isOtherFirst: Int, from start: Int, _ hits: inout [CompactHit]
    ) throws(CancellationError) {
        let automaton = EditAutomaton(length: walk.count, edits: edits)
        // The candidates in order of their documents.
        var first: [(weakness: Int, document: Int)] = []
        var entries = TopKIterator(wordSuffixes.minima, ranges)
        while first.count < TierSearch.maxOrderedTypos, let next = entries.next() {
            try cancellation.step()
            if visited.contains(next.document) { continue }
            first.append((weakness(of: next.entry, automaton), next.document))
        }
        first.sort { ($0.weakness, $0.document) < ($1.weakness, $1.document) }
        let halfEdits = edits * 2 + isOtherFirst
        for (weakness, document) in first where visited.insert(document) {
            hits.append(
                CompactHit(
                    document: document, kind: .typo, expansion: expansion, halfEdits: halfEdits, weakness: weakness))
            if hits.count - start >= limit { return }
        }
        while let next = entries.next() {
            try cancellation.step()
            if !visited.insert(next.document) { continue }
            hits.append(
                CompactHit(
                    document: next.document, kind: .typo, expansion: expansion, halfEdits: halfEdits,
                    weakness: TypoEvidence.maxWeakness))
            if hits.count - start >= limit { return }
        }
    }

    /// Returns the amount of evidence against an entry; see ``TypoEvidence``. O(letters).
    private func weakness(of entry: Int, _ automaton: EditAutomaton) -> Int {
        let length = walk.count
        var state = automaton.start
        var hasLetterTooMany = true
        var letters = 0
        wordSuffixes.forEachLetter(of: entry, skipping: 0) { letter in
            letters += 1
            state = automaton.step(state, walk.masks[Int(letter)])
            if letters >= length, automaton.accepts(state) { hasLetterTooMany = false }
            return hasLetterTooMany && automaton.isAlive(state)
        }
        let startsValue = field.forward.startsValue(field.forward.firstSpelling(wordSuffixes.start(of: entry)))
        return (startsValue ? 0 : 1) + (hasLetterTooMany ? 1 : 0)
    }
}
