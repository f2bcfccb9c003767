/// Ranges of word suffixes that have a prefix within some edits of the query.
struct FuzzyRanges {
    /// Word suffixes that begin with the query's first letter, and those that do not.
    var sameFirstLetter: [Range<Int>] = []
    var otherFirstLetter: [Range<Int>] = []

    fileprivate mutating func add(_ range: Range<Int>, sameFirstLetter isSame: Bool) {
        if isSame { FuzzyRanges.extend(&sameFirstLetter, range) } else { FuzzyRanges.extend(&otherFirstLetter, range) }
    }

    private static func extend(_ ranges: inout [Range<Int>], _ range: Range<Int>) {
        if let last = ranges.last, last.upperBound == range.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
        } else {
            ranges.append(range)
        }
    }
}

extension PrefixTrie {
    /// Walks the trie with the automaton of a query. A node in an accepting state contributes its whole range; a dead
    /// one is skipped with its subtree. Only nodes within the edits of a prefix of the query are visited, regardless of
    /// the size of the dictionary below them.
    func ranges(
        wordSuffixes: WordSuffixArray, query: [UInt8], edits: Int, cancellation: inout CancellationCheck
    ) throws(CancellationError) -> FuzzyRanges {
        var found = FuzzyRanges()
        guard let firstLetter = query.first, wordSuffixes.count > 0 else { return found }
        let automaton = EditAutomaton(query: query, edits: edits)
        defer { automaton.deallocate() }
        if isLeaf(0) {
            scan(
                0..<wordSuffixes.count, depth: 0, from: automaton.start, automaton, wordSuffixes, sameFirstLetter: nil,
                firstLetter, &found)
            return found
        }
        let levels = UnsafeMutablePointer<Level>.allocate(capacity: WordSuffixArray.maxLength + 2)
        defer { levels.deallocate() }
        levels[0] = Level(children(of: 0), high: entries, automaton.start, automaton)
        var depth = 0
        var isSameFirstLetter = false
        while depth >= 0 {
            let node = levels[depth].child
            if node == levels[depth].end {
                depth -= 1
                continue
            }
            levels[depth].child = node + 1
            try cancellation.step()
            let letter = letters[node]
            if !automaton.canAdvance(letter, levels[depth].expected) { continue }
            let state = automaton.step(levels[depth].state, letter)
            if !automaton.isAlive(state) { continue }
            if depth == 0 { isSameFirstLetter = letter == firstLetter }
            let high = high(of: node, before: levels[depth].end, in: levels[depth].high)
            if automaton.accepts(state) {
                found.add(Int(low[node])..<high, sameFirstLetter: isSameFirstLetter)
            } else if isLeaf(node) {
                scan(
                    Int(low[node])..<high, depth: depth + 1, from: state, automaton, wordSuffixes,
                    sameFirstLetter: isSameFirstLetter,
                    firstLetter, &found)
            } else {
                depth += 1
                levels[depth] = Level(children(of: node), high: high, state, automaton)
            }
        }
        return found
    }

    /// The remaining children of a node, the end of its range, and its state.
    private struct Level {
        var child: Int
        var end: Int
        var high: Int
        var state: EditAutomaton.State
        var expected: UInt64

        init(_ children: Range<Int>, high: Int, _ state: EditAutomaton.State, _ automaton: EditAutomaton) {
            child = children.lowerBound
            end = children.upperBound
            self.high = high
            self.state = state
            expected = automaton.expectedPositions(state)
        }
    }

    private func scan(
        _ range: Range<Int>, depth: Int, from state: EditAutomaton.State, _ automaton: EditAutomaton,
        _ wordSuffixes: WordSuffixArray, sameFirstLetter: Bool?, _ firstLetter: UInt8, _ found: inout FuzzyRanges
    ) {
        let expected = automaton.expectedPositions(state)
        for entry in range {
            let next = nextLetters[entry]
            if next == 0 || !automaton.canAdvance(next, expected) { continue }
            let isSame = sameFirstLetter ?? (next == firstLetter)
            var current = automaton.step(state, next)
            var isAccepted = automaton.accepts(current)
            if !isAccepted {
                if !automaton.isAlive(current) { continue }
                wordSuffixes.forEachLetter(of: entry, skipping: depth + 1) { letter in
                    current = automaton.step(current, letter)
                    isAccepted = automaton.accepts(current)
                    return !isAccepted && automaton.isAlive(current)
                }
            }
            if isAccepted { found.add(entry..<(entry + 1), sameFirstLetter: isSame) }
        }
    }
}
