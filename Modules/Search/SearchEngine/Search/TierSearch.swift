/// Runs one tier for one spelling of the query: the best `wanted` records that were not seen yet, in order.
struct TierSearch {
    /// The tier's lane with the query in its codes, and the other lanes it may look into.
    let parts: [SearchPart]
    private let lane: Lane
    private let query: EncodedQuery
    let tier: LookupTier
    private let memory: SearchMemory
    let bounds: Range<Int>
    let wanted: Int
    private var seen: SeenRecords
    private var poll: CancellationPoll
    private var found: [Candidate] = []
    private var variant = 0

    init(
        parts: [SearchPart], tier: LookupTier, bounds: Range<Int>, wanted: Int, seen: SeenRecords,
        poll: CancellationPoll, memory: SearchMemory
    ) {
        self.parts = parts
        lane = parts[0].lane
        query = parts[0].query
        self.tier = tier
        self.memory = memory
        self.bounds = bounds
        self.wanted = wanted
        self.seen = seen
        self.poll = poll
    }

    /// How many records a search is usually asked for; memory for so many is taken at once.
    static let usuallyFound = 16

    /// - Parameter variant: which of the query's alternatives the parts are of.
    mutating func run(variant: Int) throws(LookupCancelled) -> [Candidate] {
        guard !query.bytes.isEmpty, !bounds.isEmpty else { return [] }
        self.variant = variant
        switch tier.kind {
        case .exact: try runs(exactly: true, aligned: true)
        case .prefix: try runs(exactly: false, aligned: true)
        case .joined: if query.hasGaps { try runs(exactly: false, aligned: false) }
        case .initials: try splits(inOrder: true)
        case .words:
            if tier.acrossFields {
                // A single word that begins a word is a prefix match, found before.
                if query.hasGaps { try acrossFields() }
            } else {
                try splits(inOrder: false)
            }
        case .infix: try infix()
        case .typo: try typos()
        }
        return found
    }

    /// Takes a record if it is new; false when there are enough.
    @inline(__always)
    private mutating func take(_ record: Int, halfEdits: Int = 0, isAcross: Bool = false) -> Bool {
        if record >= bounds.lowerBound && record < bounds.upperBound && seen.insert(record) {
            if found.isEmpty { found.reserveCapacity(min(wanted, TierSearch.usuallyFound)) }
            found.append(Candidate(record: record, halfEdits: halfEdits, isAcross: isAcross, variant: variant))
        }
        return found.count < wanted
    }

    // MARK: - Exact, prefix, joined

    private mutating func runs(exactly: Bool, aligned: Bool) throws(LookupCancelled) {
        guard let runs = lane.runs else { return }
        let checksGaps = aligned && query.hasGaps
        let firstWord = checksGaps ? firstTypedWord() : nil
        if checksGaps && firstWord == nil { return }
        let range = query.bytes.withUnsafeBufferPointer { exactly ? runs.exactRange(of: $0) : runs.range(of: $0) }
        if let firstWord, !exactly, let suffixes = lane.suffixes,
            suffixes.postingRange(of: firstWord).count < range.count
        {
            return try recordsOverGap(suffixes.postings(of: firstWord), isInside: false)
        }
        var heap = RankHeap(runs.minima)
        heap.add(range.lowerBound, range.upperBound)
        while let next = heap.next() {
            try poll.step()
            if next.record >= bounds.upperBound { return }
            if checksGaps && !isAligned(next, runs) { continue }
            if !take(next.record) { return }
        }
    }

    /// The first typed word, if it is a word of the lane; a run can only be divided as the query is if so.
    private func firstTypedWord() -> Int? {
        query.bytes[query.words[0]].withUnsafeBufferPointer { lane.words.find($0) }
    }

    /// Takes those of the records, ascending, in which the query is found over its gaps.
    private mutating func recordsOverGap(
        _ records: some Sequence<UInt32>, isInside: Bool
    ) throws(LookupCancelled) {
        let continuation = GapContinuation(lane: lane, query: query, isInside: isInside)
        for record in records {
            try poll.step()
            if Int(record) >= bounds.upperBound { return }
            if seen.contains(Int(record)) || continuation.place(in: Int(record)) == nil { continue }
            if !take(Int(record)) { return }
        }
    }

    private func isAligned(_ found: (record: Int, entry: Int), _ runs: RunTable) -> Bool {
        runs.isAligned(from: runs.start(of: found.entry), end: lane.forward.range(of: found.record).upperBound, query)
    }

    // MARK: - Initials, words

    private mutating func splits(inOrder: Bool) throws(LookupCancelled) {
        guard let starts = lane.starts, let long = lane.long, let runs = lane.runs, query.bytes.count > 1 else {
            return
        }
        let known = memory[splits: parts[0], tier.query]
        let alignment = known?.alignment ?? SplitAlignment(lane: lane, query: query)
        if !inOrder, let leftOver = known?.leftOver {
            // The tier of initials has been through all candidates and kept those that are out of order.
            for record in leftOver {
                try poll.step()
                if seen.contains(Int(record)) || !alignment.matchesInAnyOrder(Int(record)) { continue }
                if !take(Int(record)) { return }
            }
            return
        }
        let candidates = SplitCandidates(starts, long, runs, query: query, records: bounds.upperBound)
        var outOfOrder: [UInt32] = []
        let isComplete = try candidates.forEach(upTo: bounds.upperBound, poll) { record in
            if self.seen.contains(record) { return true }
            let matches = inOrder ? alignment.matchesInOrder(record) : alignment.matchesInAnyOrder(record)
            if matches { return self.take(record) }
            if inOrder && alignment.mayMatchInAnyOrder { outOfOrder.append(UInt32(record)) }
            return true
        }
        if inOrder {
            let leftOver = isComplete ? outOfOrder : nil
            memory[splits: parts[0], tier.query] = SearchMemory.Splits(alignment: alignment, leftOver: leftOver)
        }
    }

    private mutating func acrossFields() throws(LookupCancelled) {
        let alignment = WordsAlignment(parts, query: tier.query, memory: memory)
        let words = query.words.indices.map { TypedWordRanges(word: $0, parts, query: tier.query, memory: memory) }
        if words.contains(where: { $0.count == 0 }) { return }
        let candidates = WordsCandidates(parts, words: words, bounds: bounds)
        _ = try candidates.forEach(poll) { record in
            if self.seen.contains(record) || !alignment.matches(record) { return true }
            return self.take(record)
        }
    }

    // MARK: - Infix

    private mutating func infix() throws(LookupCancelled) {
        if let suffixes = lane.recordSuffixes { return try infixByRecord(suffixes) }
        guard let suffixes = lane.suffixes else { return }
        if query.hasGaps { return try infixOverGap() }
        let range = query.bytes.withUnsafeBufferPointer { suffixes.range(of: $0) }
        var merge = PostingMerge(suffixes)
        merge.add(range)
        while let next = merge.next() {
            try poll.step()
            if next.record >= bounds.upperBound { return }
            if !take(next.record) { return }
        }
    }

    private mutating func infixByRecord(_ suffixes: RecordSuffixTable) throws(LookupCancelled) {
        if query.hasGaps { return }
        let range = query.bytes.withUnsafeBufferPointer { suffixes.range(of: $0) }
        var heap = RankHeap(suffixes.minima)
        heap.add(range.lowerBound, range.upperBound)
        while let next = heap.next() {
            try poll.step()
            if next.record >= bounds.upperBound { return }
            if !take(next.record) { return }
        }
    }

    /// With typed gaps the first typed word ends a word and the others go on from there. The search starts from what is rarer: the words
    /// that end so, or the runs that begin with the other typed words.
    private mutating func infixOverGap() throws(LookupCancelled) {
        guard let runs = lane.runs, let suffixes = lane.suffixes else { return }
        let first = Array(query.bytes[query.words[0]])
        let ends = first.withUnsafeBufferPointer { bytes in
            suffixes.exactPart(of: suffixes.range(of: bytes), length: bytes.count)
        }
        let rest = Array(query.bytes[query.words[1].lowerBound...])
        let range = rest.withUnsafeBufferPointer { runs.range(of: $0) }
        if ends.isEmpty || range.isEmpty { return }
        let continuation = GapContinuation(lane: lane, query: query, isInside: true)
        let (seen, end) = (self.seen, bounds.upperBound)
        if ends.count > range.count || ends.reduce(0, { $0 + suffixes.postingCount(of: $1) }) > range.count {
            var heap = RankHeap(runs.minima)
            heap.add(range.lowerBound, range.upperBound)
            while let next = heap.next() {
                try poll.step()
                if next.record >= end { return }
                if seen.contains(next.record) || continuation.place(in: next.record) == nil { continue }
                if !take(next.record) { return }
            }
        } else {
            var merge = PostingMerge(suffixes)
            merge.add(ends)
            while let next = merge.next() {
                try poll.step()
                if next.record >= end { return }
                if seen.contains(next.record) || continuation.place(in: next.record) == nil { continue }
                if !take(next.record) { return }
            }
        }
    }

    // MARK: - Typos

    private mutating func typos() throws(LookupCancelled) {
        guard let runs = lane.runs, lane.options.contains(.typos) else { return }
        let most = query.hasGaps ? typosOfJoinedWords() : tier.typos.edits(letters: query.bytes.count)
        if most > 0 {
            for edits in 1...most {
                let ranges = try memory.ranges(runs, lane: parts[0].number, query.bytes, edits: edits, &poll)
                for (isOther, part) in [(0, ranges.sameFirst), (1, ranges.otherFirst)] {
                    var heap = RankHeap(runs.minima)
                    for range in part { heap.add(range.lowerBound, range.upperBound) }
                    while let next = heap.next() {
                        try poll.step()
                        if next.record >= bounds.upperBound { break }
                        if !take(next.record, halfEdits: edits * 2 + isOther) { return }
                    }
                }
            }
        }
        if query.hasGaps && tier.acrossFields { try typosAcrossFields() }
    }

    /// Several typed words as one run may have one edit, if one of the words may; two typos are looked for word by
    /// word.
    private func typosOfJoinedWords() -> Int {
        query.words.contains { tier.typos.edits(letters: $0.count) > 0 } ? 1 : 0
    }

    /// Every typed word within its own edits, in any order and field.
    private mutating func typosAcrossFields() throws(LookupCancelled) {
        var words: [TypedWordRanges] = []
        for word in query.words.indices {
            var ranges = TypedWordRanges(word: word, parts, query: tier.query, memory: memory)
            for part in parts {
                guard let runs = part.lane.runs, part.lane.options.contains(.typos),
                    part.query.words.indices.contains(word)
                else { continue }
                let bytes = Array(part.query.bytes[part.query.words[word]])
                let edits = tier.typos.edits(letters: bytes.count)
                guard edits > 0 else { continue }
                let near = try memory.ranges(runs, lane: part.number, bytes, edits: edits, &poll)
                ranges.add(near.sameFirst, of: runs)
                ranges.add(near.otherFirst, of: runs)
            }
            if ranges.count == 0 { return }
            words.append(ranges)
        }
        let alignment = TypoAlignment(parts: parts, typos: tier.typos)
        _ = try WordsCandidates(parts, words: words, mayCrossWords: true, bounds: bounds).forEach(poll) { record in
            if self.seen.contains(record) { return true }
            guard let edits = alignment.edits(of: record) else { return true }
            return self.take(record, halfEdits: edits * 2, isAcross: true)
        }
    }
}
