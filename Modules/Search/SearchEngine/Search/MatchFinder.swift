/// Tells for a hit which letters of which words matched: of several places the first one, whatever else the index holds.
///
/// One serves all hits of a tier, since what it makes of the query is made once.
final class MatchFinder {
    let parts: [SearchPart]
    let tier: LookupTier
    private let lane: Lane
    private let query: EncodedQuery
    private let memory: SearchMemory
    private lazy var words = WordsAlignment(parts, query: tier.query, memory: memory)
    private lazy var split = SplitAlignment(lane: lane, query: query)
    private lazy var typos = TypoAlignment(parts: parts, typos: tier.typos)

    init(parts: [SearchPart], tier: LookupTier, memory: SearchMemory) {
        self.parts = parts
        self.tier = tier
        self.memory = memory
        lane = parts[0].lane
        query = parts[0].query
    }

    /// O(letters of the record) for one hit; only the hits that are handed out are asked.
    func matches(of candidate: Candidate) -> [WordMatch] {
        switch tier.kind {
        case .exact, .prefix, .joined:
            guard let occurrence = firstRun(candidate.record) else { return [] }
            return run(0, occurrence, candidate.record, length: query.bytes.count)
        case .words where tier.acrossFields:
            guard words.matches(candidate.record) else { return [] }
            return sorted(
                words.pieces.flatMap { run($0.part, $0.occurrence, candidate.record, length: $0.length) })
        case .initials, .words:
            let isMatch =
                tier.kind == .initials
                ? split.matchesInOrder(candidate.record) : split.matchesInAnyOrder(candidate.record)
            guard isMatch else { return [] }
            return sorted(split.pieces.flatMap { run(0, $0.occurrence, candidate.record, length: $0.length) })
        case .infix: return infix(candidate)
        case .typo: return typo(candidate)
        }
    }

    private func infix(_ candidate: Candidate) -> [WordMatch] {
        if query.hasGaps { return overGap(candidate, isInside: true) }
        for occurrence in lane.forward.range(of: candidate.record) {
            let word = lane.forward.word(occurrence)
            let letters = UnsafeBufferPointer(start: lane.words.start(of: word), count: lane.words.length(of: word))
            var offset = Alphabet.byteCount(letters, at: 0)
            while offset + query.bytes.count <= letters.count {
                if letters[offset..<offset + query.bytes.count].elementsEqual(query.bytes) {
                    return run(0, occurrence, candidate.record, skipping: offset, length: query.bytes.count)
                }
                offset += Alphabet.byteCount(letters, at: offset)
            }
        }
        return []
    }

    /// The first occurrence whose run begins with the query, and for an exact match is a whole field.
    private func firstRun(_ record: Int) -> Int? {
        guard let runs = lane.runs else { return nil }
        let range = lane.forward.range(of: record)
        let checksGaps = query.hasGaps && tier.kind != .joined
        return query.bytes.withUnsafeBufferPointer { bytes in
            range.first { occurrence in
                let found = runs.compare(from: occurrence, end: range.upperBound, to: bytes)
                guard found.order == 0 else { return false }
                if tier.kind == .exact {
                    let startsField = lane.forward.startsField(lane.forward.firstSpelling(occurrence))
                    guard found.isWholeRun, startsField else { return false }
                }
                return !checksGaps || runs.isAligned(from: occurrence, end: range.upperBound, query)
            }
        }
    }

    /// The first occurrence whose run is within the edits of a hit, and begins with the same letter if that one does.
    private func firstNearRun(_ candidate: Candidate) -> Int? {
        guard let runs = lane.runs else { return nil }
        let automaton = EditAutomaton(query: query.bytes, edits: candidate.halfEdits / 2)
        defer { automaton.deallocate() }
        let range = lane.forward.range(of: candidate.record)
        return range.first { occurrence in
            let isSameFirst = lane.words.start(of: lane.forward.word(occurrence))[0] == query.bytes[0]
            guard isSameFirst == (candidate.halfEdits & 1 == 0) else { return false }
            var state = automaton.start
            var isNear = automaton.accepts(state)
            runs.forEachLetter(from: occurrence, end: range.upperBound, skipping: 0) { letter in
                state = automaton.step(state, letter)
                isNear = isNear || automaton.accepts(state)
                return !isNear && automaton.isAlive(state)
            }
            return isNear
        }
    }

    /// The match goes on into the next words, whose letters follow in the run.
    private func overGap(_ candidate: Candidate, isInside: Bool) -> [WordMatch] {
        let continuation = GapContinuation(lane: lane, query: query, isInside: isInside)
        guard let place = continuation.place(in: candidate.record) else { return [] }
        return run(0, place.occurrence, candidate.record, skipping: place.offset, length: query.bytes.count)
    }

    private func typo(_ candidate: Candidate) -> [WordMatch] {
        if !candidate.isAcross {
            guard let start = firstNearRun(candidate) else { return [] }
            let end = lane.forward.range(of: candidate.record).upperBound
            let bytes = lane.letters(from: start, atMost: query.bytes.count + 3, end: end)
            let near = PrefixDistance(query: query.bytes[...], word: bytes)
            return run(0, start, candidate.record, length: near.length)
        }
        guard typos.edits(of: candidate.record) != nil else { return [] }
        return sorted(
            typos.pieces.flatMap { piece in
                let part = parts[piece.part]
                let typed = part.query.words[piece.word]
                let end = part.lane.forward.range(of: candidate.record).upperBound
                let bytes = part.lane.letters(from: piece.occurrence, atMost: typed.count + 3, end: end)
                let near = PrefixDistance(query: part.query.bytes[typed], word: bytes)
                return run(piece.part, piece.occurrence, candidate.record, length: near.length)
            })
    }

    private func sorted(_ matches: [WordMatch]) -> [WordMatch] {
        matches.sorted {
            ($0.lane, $0.field, $0.word, $0.letters.lowerBound) < ($1.lane, $1.field, $1.word, $1.letters.lowerBound)
        }
    }

    /// The letters of a run from an occurrence on, as pieces of words.
    private func run(
        _ part: Int, _ occurrence: Int, _ record: Int, skipping: Int = 0, length: Int
    ) -> [WordMatch] {
        let lane = parts[part].lane
        let range = lane.forward.range(of: record)
        var (field, word) = (-1, -1)
        for position in range.lowerBound...occurrence {
            if lane.forward.startsField(position) {
                field += 1
                word = 0
            } else if !lane.forward.isOtherSpelling(position) {
                word += 1
            }
        }
        let spelling = lane.forward.spelling(occurrence)
        var matches: [WordMatch] = []
        var left = length
        var offset = skipping
        var current: Int? = occurrence
        while let position = current, left > 0 {
            let number = lane.forward.word(position)
            let taken = Swift.min(left, lane.words.length(of: number) - offset)
            let bytes = lane.words.start(of: number)
            let low = Alphabet.letterCount(bytes, offset)
            let high = Alphabet.letterCount(bytes, offset + taken)
            matches.append(
                WordMatch(
                    lane: parts[part].number, field: field, word: word, spelling: lane.forward.givenSpelling(position),
                    letters: low..<high))
            left -= taken
            offset = 0
            word += 1
            current = lane.forward.next(after: position, spelling: spelling, end: range.upperBound)
        }
        return matches
    }
}
