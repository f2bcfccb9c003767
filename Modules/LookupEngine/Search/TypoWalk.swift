/// Ranges of runs whose beginning is the query but for a number of edits.
struct TypoRanges {
    /// Those that begin with the query's first letter, and those that do not.
    var sameFirst: [Range<Int>] = []
    var otherFirst: [Range<Int>] = []

    fileprivate mutating func add(_ range: Range<Int>, sameFirst isSame: Bool) {
        if isSame { TypoRanges.extend(&sameFirst, range) } else { TypoRanges.extend(&otherFirst, range) }
    }

    private static func extend(_ ranges: inout [Range<Int>], _ range: Range<Int>) {
        if let last = ranges.last, last.upperBound == range.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
        } else {
            ranges.append(range)
        }
    }
}

extension RunTrie {
    /// Walks the trie with the automaton of a query: a node where the query is used up gives its whole range, a dead
    /// one is skipped with its subtree. Only nodes within the edits of a beginning of the query are visited, whatever
    /// the size of the dictionary below them.
    func ranges(
        runs: RunTable, query: [UInt8], edits: Int, poll: inout CancellationPoll
    ) throws(LookupCancelled) -> TypoRanges {
        var found = TypoRanges()
        guard let firstLetter = query.first, runs.count > 0 else { return found }
        let automaton = EditAutomaton(query: query, edits: edits)
        defer { automaton.deallocate() }
        let states = UnsafeMutablePointer<EditAutomaton.State>.allocate(capacity: RunTable.longestRun + 2)
        defer { states.deallocate() }
        states[0] = automaton.start
        if isLeaf(0) {
            scan(0..<runs.count, depth: 0, from: states[0], automaton, runs, sameFirst: nil, firstLetter, &found)
            return found
        }
        var node = 1
        var isSameFirst = false
        while node < count {
            try poll.step()
            let depth = Int(depths[node])
            let letter = letters[node]
            if depth == 1 { isSameFirst = letter == firstLetter }
            let state = automaton.step(states[depth - 1], letter)
            if automaton.accepts(state) {
                found.add(range(of: node), sameFirst: isSameFirst)
                node = Int(next[node])
            } else if !automaton.isAlive(state) {
                node = Int(next[node])
            } else if isLeaf(node) {
                scan(
                    range(of: node), depth: depth, from: state, automaton, runs, sameFirst: isSameFirst, firstLetter,
                    &found)
                node += 1
            } else {
                states[depth] = state
                node += 1
            }
        }
        return found
    }

    private func scan(
        _ range: Range<Int>, depth: Int, from state: EditAutomaton.State, _ automaton: EditAutomaton,
        _ runs: RunTable, sameFirst: Bool?, _ firstLetter: UInt8, _ found: inout TypoRanges
    ) {
        for entry in range {
            var current = state
            var isAccepted = false
            var isSame = sameFirst ?? false
            var isAtFirst = sameFirst == nil
            runs.forEachLetter(of: entry, skipping: depth) { letter in
                if isAtFirst {
                    isSame = letter == firstLetter
                    isAtFirst = false
                }
                current = automaton.step(current, letter)
                isAccepted = automaton.accepts(current)
                return !isAccepted && automaton.isAlive(current)
            }
            if isAccepted { found.add(entry..<(entry + 1), sameFirst: isSame) }
        }
    }
}

/// Asks the caller's cancellation check every few hundred steps.
struct CancellationPoll {
    let isCancelled: (@Sendable () -> Bool)?
    private var steps: UInt32 = 0

    init(_ isCancelled: (@Sendable () -> Bool)?) { self.isCancelled = isCancelled }

    @inline(__always)
    mutating func step() throws(LookupCancelled) {
        steps &+= 1
        if steps & 511 == 0, let isCancelled, isCancelled() { throw LookupCancelled() }
    }

    /// Asks at once.
    func now() throws(LookupCancelled) {
        if let isCancelled, isCancelled() { throw LookupCancelled() }
    }
}
