/// WordSuffixes one tier for one spelling of the query: the best `wanted` documents that were not seen yet, in order.
struct TierSearch {
    /// The tier's field with the query in its codes, and the other fields it may look into.
    let fieldQueries: [FieldQuery]
    private let field: Field
    private let query: EncodedQuery
    let tier: SearchTier
    private let memory: SearchCache
    let bounds: Range<Int>
    let wanted: Int
    private var seen: VisitedSet
    private var poll: CancellationPoll
    private var found: [Candidate] = []
    private var expansion = 0

    init(
        fieldQueries: [FieldQuery], tier: SearchTier, bounds: Range<Int>, wanted: Int, seen: VisitedSet,
        poll: CancellationPoll, memory: SearchCache
    ) {
        self.fieldQueries = fieldQueries
        field = fieldQueries[0].field
        query = fieldQueries[0].query
        self.tier = tier
        self.memory = memory
        self.bounds = bounds
        self.wanted = wanted
        self.seen = seen
        self.poll = poll
    }

    /// How many documents a search is usually asked for; memory for so many is taken at once.
    static let usuallyFound = 16

    /// - Parameter expansion: which of the query's alternatives the fieldQueries are of.
    mutating func run(expansion: Int) throws(SearchCancelled) -> [Candidate] {
        guard !query.bytes.isEmpty, !bounds.isEmpty else { return [] }
        self.expansion = expansion
        switch tier.kind {
        case .exact: try wordSuffixes(exactly: true, aligned: true)
        case .prefix: try wordSuffixes(exactly: false, aligned: true)
        case .joined: if query.hasGaps { try wordSuffixes(exactly: false, aligned: false) }
        case .initials: try splits(inOrder: true)
        case .words:
            if tier.acrossValues {
                // A single word that begins a word is a prefix match, found before.
                if query.hasGaps { try acrossValues() }
            } else {
                try splits(inOrder: false)
            }
        case .infix: try infix()
        case .typo: try typos()
        }
        return found
    }

    /// Takes a document if it is new; false when there are enough.
    @inline(__always)
    private mutating func take(_ document: Int, halfEdits: Int = 0, isAcross: Bool = false) -> Bool {
        if document >= bounds.lowerBound && document < bounds.upperBound && seen.insert(document) {
            if found.isEmpty { found.reserveCapacity(min(wanted, TierSearch.usuallyFound)) }
            found.append(Candidate(document: document, halfEdits: halfEdits, isAcross: isAcross, expansion: expansion))
        }
        return found.count < wanted
    }

    // MARK: - Exact, prefix, joined

    private mutating func wordSuffixes(exactly: Bool, aligned: Bool) throws(SearchCancelled) {
        guard let wordSuffixes = field.wordSuffixes else { return }
        let checksGaps = aligned && query.hasGaps
        let firstWord = checksGaps ? firstTypedWord() : nil
        if checksGaps && firstWord == nil { return }
        let range = query.bytes.withUnsafeBufferPointer {
            exactly ? wordSuffixes.exactRange(of: $0) : wordSuffixes.range(of: $0)
        }
        if let firstWord, !exactly, let suffixes = field.suffixes,
            suffixes.postingRange(of: firstWord).count < range.count
        {
            return try documentsOverGap(suffixes.postings(of: firstWord), isInside: false)
        }
        var heap = TopKIterator(wordSuffixes.minima)
        heap.add(range.lowerBound, range.upperBound)
        while let next = heap.next() {
            try poll.step()
            if next.document >= bounds.upperBound { return }
            if checksGaps && !isAligned(next, wordSuffixes) { continue }
            if !take(next.document) { return }
        }
    }

    /// The first typed word, if it is a word of the field; a run can only be divided as the query is if so.
    private func firstTypedWord() -> Int? {
        query.bytes[query.words[0]].withUnsafeBufferPointer { field.words.find($0) }
    }

    /// Takes those of the documents, ascending, in which the query is found over its gaps.
    private mutating func documentsOverGap(
        _ documents: some Sequence<UInt32>, isInside: Bool
    ) throws(SearchCancelled) {
        let continuation = GapContinuation(field: field, query: query, isInside: isInside)
        for document in documents {
            try poll.step()
            if Int(document) >= bounds.upperBound { return }
            if seen.contains(Int(document)) || continuation.place(in: Int(document)) == nil { continue }
            if !take(Int(document)) { return }
        }
    }

    private func isAligned(_ found: (document: Int, entry: Int), _ wordSuffixes: WordSuffixArray) -> Bool {
        wordSuffixes.isAligned(
            from: wordSuffixes.start(of: found.entry), end: field.forward.range(of: found.document).upperBound, query)
    }

    // MARK: - Initials, words

    private mutating func splits(inOrder: Bool) throws(SearchCancelled) {
        guard let starts = field.starts, let long = field.long, let wordSuffixes = field.wordSuffixes,
            query.bytes.count > 1
        else {
            return
        }
        let known = memory[splits: fieldQueries[0], tier.query]
        let alignment = known?.alignment ?? SegmentationMatcher(field: field, query: query)
        if !inOrder, let leftOver = known?.leftOver {
            // The tier of initials has been through all candidates and kept those that are out of order.
            for document in leftOver {
                try poll.step()
                if seen.contains(Int(document)) || !alignment.matchesInAnyOrder(Int(document)) { continue }
                if !take(Int(document)) { return }
            }
            return
        }
        let candidates = SegmentationCandidates(starts, long, wordSuffixes, query: query, documents: bounds.upperBound)
        var outOfOrder: [UInt32] = []
        let isComplete = try candidates.forEach(upTo: bounds.upperBound, poll) { document in
            if self.seen.contains(document) { return true }
            let matches = inOrder ? alignment.matchesInOrder(document) : alignment.matchesInAnyOrder(document)
            if matches { return self.take(document) }
            if inOrder && alignment.mayMatchInAnyOrder { outOfOrder.append(UInt32(document)) }
            return true
        }
        if inOrder {
            let leftOver = isComplete ? outOfOrder : nil
            memory[splits: fieldQueries[0], tier.query] = SearchCache.Segmentations(
                alignment: alignment, leftOver: leftOver)
        }
    }

    private mutating func acrossValues() throws(SearchCancelled) {
        let alignment = AllTermsMatcher(fieldQueries, query: tier.query, memory: memory)
        let words = query.words.indices.map { TermRanges(word: $0, fieldQueries, query: tier.query, memory: memory) }
        if words.contains(where: { $0.count == 0 }) { return }
        let candidates = AllTermsCandidates(fieldQueries, words: words, bounds: bounds)
        _ = try candidates.forEach(poll) { document in
            if self.seen.contains(document) || !alignment.matches(document) { return true }
            return self.take(document)
        }
    }

    // MARK: - Infix

    private mutating func infix() throws(SearchCancelled) {
        if let suffixes = field.documentSuffixes { return try infixByDocument(suffixes) }
        guard let suffixes = field.suffixes else { return }
        if query.hasGaps { return try infixOverGap() }
        let range = query.bytes.withUnsafeBufferPointer { suffixes.range(of: $0) }
        var merge = PostingMerge(suffixes)
        merge.add(range)
        while let next = merge.next() {
            try poll.step()
            if next.document >= bounds.upperBound { return }
            if !take(next.document) { return }
        }
    }

    private mutating func infixByDocument(_ suffixes: DocumentSuffixArray) throws(SearchCancelled) {
        if query.hasGaps { return }
        let range = query.bytes.withUnsafeBufferPointer { suffixes.range(of: $0) }
        var heap = TopKIterator(suffixes.minima)
        heap.add(range.lowerBound, range.upperBound)
        while let next = heap.next() {
            try poll.step()
            if next.document >= bounds.upperBound { return }
            if !take(next.document) { return }
        }
    }

    /// With typed gaps the first typed word ends a word and the others go on from there. The search starts from what is rarer: the words
    /// that end so, or the wordSuffixes that begin with the other typed words.
    private mutating func infixOverGap() throws(SearchCancelled) {
        guard let wordSuffixes = field.wordSuffixes, let suffixes = field.suffixes else { return }
        let first = Array(query.bytes[query.words[0]])
        let ends = first.withUnsafeBufferPointer { bytes in
            suffixes.exactPart(of: suffixes.range(of: bytes), length: bytes.count)
        }
        let rest = Array(query.bytes[query.words[1].lowerBound...])
        let range = rest.withUnsafeBufferPointer { wordSuffixes.range(of: $0) }
        if ends.isEmpty || range.isEmpty { return }
        let continuation = GapContinuation(field: field, query: query, isInside: true)
        let (seen, end) = (self.seen, bounds.upperBound)
        if ends.count > range.count || ends.reduce(0, { $0 + suffixes.postingCount(of: $1) }) > range.count {
            var heap = TopKIterator(wordSuffixes.minima)
            heap.add(range.lowerBound, range.upperBound)
            while let next = heap.next() {
                try poll.step()
                if next.document >= end { return }
                if seen.contains(next.document) || continuation.place(in: next.document) == nil { continue }
                if !take(next.document) { return }
            }
        } else {
            var merge = PostingMerge(suffixes)
            merge.add(ends)
            while let next = merge.next() {
                try poll.step()
                if next.document >= end { return }
                if seen.contains(next.document) || continuation.place(in: next.document) == nil { continue }
                if !take(next.document) { return }
            }
        }
    }

    // MARK: - Typos

    private mutating func typos() throws(SearchCancelled) {
        guard let wordSuffixes = field.wordSuffixes, field.options.contains(.typos) else { return }
        let most = query.hasGaps ? typosOfJoinedWords() : tier.typos.edits(letters: query.bytes.count)
        if most > 0 {
            for edits in 1...most {
                let ranges = try memory.ranges(
                    wordSuffixes, field: fieldQueries[0].number, query.bytes, edits: edits, &poll)
                for (isOther, fieldQuery) in [(0, ranges.sameFirst), (1, ranges.otherFirst)] {
                    var heap = TopKIterator(wordSuffixes.minima)
                    for range in fieldQuery { heap.add(range.lowerBound, range.upperBound) }
                    while let next = heap.next() {
                        try poll.step()
                        if next.document >= bounds.upperBound { break }
                        if !take(next.document, halfEdits: edits * 2 + isOther) { return }
                    }
                }
            }
        }
        if query.hasGaps && tier.acrossValues { try typosAcrossValues() }
    }

    /// Several typed words as one run may have one edit, if one of the words may; two typos are looked for word by
    /// word.
    private func typosOfJoinedWords() -> Int {
        query.words.contains { tier.typos.edits(letters: $0.count) > 0 } ? 1 : 0
    }

    /// Every typed word within its own edits, in any order and value.
    private mutating func typosAcrossValues() throws(SearchCancelled) {
        var words: [TermRanges] = []
        for word in query.words.indices {
            var ranges = TermRanges(word: word, fieldQueries, query: tier.query, memory: memory)
            for fieldQuery in fieldQueries {
                guard let wordSuffixes = fieldQuery.field.wordSuffixes, fieldQuery.field.options.contains(.typos),
                    fieldQuery.query.words.indices.contains(word)
                else { continue }
                let bytes = Array(fieldQuery.query.bytes[fieldQuery.query.words[word]])
                let edits = tier.typos.edits(letters: bytes.count)
                guard edits > 0 else { continue }
                let near = try memory.ranges(wordSuffixes, field: fieldQuery.number, bytes, edits: edits, &poll)
                ranges.add(near.sameFirst, of: wordSuffixes)
                ranges.add(near.otherFirst, of: wordSuffixes)
            }
            if ranges.count == 0 { return }
            words.append(ranges)
        }
        let alignment = FuzzyTermsMatcher(fieldQueries: fieldQueries, typos: tier.typos)
        _ = try AllTermsCandidates(fieldQueries, words: words, mayCrossWords: true, bounds: bounds).forEach(poll) {
            document in
            if self.seen.contains(document) { return true }
            guard let edits = alignment.edits(of: document) else { return true }
            return self.take(document, halfEdits: edits * 2, isAcross: true)
        }
    }
}
