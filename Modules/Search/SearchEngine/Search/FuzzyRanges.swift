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
        let automaton = EditAutomaton(length: query.count, edits: edits)
        let masks = EditAutomaton.masks(of: query.span)
        if isLeaf(0) {
            scan(
                root.range, depth: 0, from: automaton.start, automaton, masks, wordSuffixes, sameFirstLetter: nil,
                firstLetter, &found)
            return found
        }
        // A trie has no cycles and is at most as deep as a key is long. A crafted one is left when that is exceeded.
        let levels = Scratch(
            repeating: Level(0..<0, automaton.start, automaton), count: WordSuffixArray.maxLength + 1)
        levels[0] = Level(children(of: 0), automaton.start, automaton)
        var nodesLeft = count
        var depth = 0
        var isSameFirstLetter = false
        while depth >= 0 {
            let (first, end) = (levels[depth].child, levels[depth].end)
            var node = first
            let expected = levels[depth].expected
            if expected != .max {
                // Safe: `children(of:)` is within the letters.
                while node < end, unsafe masks[Int(letters[unchecked: node])] & expected == 0 { node &+= 1 }
            }
            nodesLeft -= node - first
            if node == end {
                depth -= 1
                continue
            }
            levels[depth].child = node + 1
            try cancellation.step()
            nodesLeft -= 1
            if nodesLeft < 0 { break }
            // Safe: as above.
            let letter = unsafe letters[unchecked: node]
            let mask = masks[Int(letter)]
            let state = automaton.step(levels[depth].state, mask)
            if !automaton.isAlive(state) { continue }
            if depth == 0 { isSameFirstLetter = letter == firstLetter }
            if automaton.accepts(state) {
                found.add(range(at: depth, of: levels), sameFirstLetter: isSameFirstLetter)
                continue
            }
            let children = children(of: node)
            if children.isEmpty || depth == WordSuffixArray.maxLength {
                scan(
                    range(at: depth, of: levels), depth: depth + 1, from: state, automaton, masks, wordSuffixes,
                    sameFirstLetter: isSameFirstLetter, firstLetter, &found)
            } else {
                depth += 1
                levels[depth] = Level(children, state, automaton)
            }
        }
        return found
    }

    /// The remaining children of a node, and its state.
    private struct Level {
        var child: Int
        var end: Int
        var state: EditAutomaton.State
        var expected: UInt64

        init(_ children: Range<Int>, _ state: EditAutomaton.State, _ automaton: EditAutomaton) {
            child = children.lowerBound
            end = children.upperBound
            self.state = state
            expected = automaton.expectedPositions(state)
        }
    }

    /// The entries of the child that was visited last at a depth. Most nodes of a walk are left without looking them up.
    private func range(at depth: Int, of levels: borrowing Scratch<Level>) -> Range<Int> {
        let start = firstEntry(of: levels[depth].child - 1)
        // The entries of a last child end where those of its parent do.
        var depth = depth
        while depth >= 0, levels[depth].child == levels[depth].end { depth -= 1 }
        return start..<Swift.max(start, depth < 0 ? root.range.upperBound : firstEntry(of: levels[depth].child))
    }

    private func scan(
        _ range: Range<Int>, depth: Int, from state: EditAutomaton.State, _ automaton: EditAutomaton,
        _ masks: borrowing Scratch<UInt64>, _ wordSuffixes: WordSuffixArray, sameFirstLetter: Bool?,
        _ firstLetter: UInt8, _ found: inout FuzzyRanges
    ) {
        let expected = automaton.expectedPositions(state)
        // Entries that end at the leaf come first: thousands if the word is common.
        for entry in range.partitioningIndex(where: { nextLetters[$0] > 0 })..<range.upperBound {
            let next = nextLetters[entry]
            let mask = masks[Int(next)]
            if mask & expected == 0 && expected != .max { continue }
            let isSame = sameFirstLetter ?? (next == firstLetter)
            var current = automaton.step(state, mask)
            var isAccepted = automaton.accepts(current)
            if !isAccepted {
                if !automaton.isAlive(current) { continue }
                wordSuffixes.forEachLetter(of: entry, skipping: depth + 1) { letter in
                    current = automaton.step(current, masks[Int(letter)])
                    isAccepted = automaton.accepts(current)
                    return !isAccepted && automaton.isAlive(current)
                }
            }
            if isAccepted { found.add(entry..<(entry + 1), sameFirstLetter: isSame) }
        }
    }
}
