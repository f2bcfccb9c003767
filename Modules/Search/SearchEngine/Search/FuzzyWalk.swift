// Typos: a walk over the trie.
//
// `grnade` is `grande` with two letters swapped. The walk follows the letters of the word in the `PrefixTrie` and tries
// an edit at each node on the way:
//
//     g r n a d e    an extra letter      skip a letter of the word, stay at the node
//                    a wrong letter       follow another child, skip a letter of the word
//                    a missing letter     follow another child, stay at the letter of the word
//                    swapped letters      follow the second letter, then the first
//
// In a larger trie, the node of `gr` has no child `n`, but a child `a` that has a child `n`. The swap is then the only
// edit, and the walk looks up `d` and `e` below. When the word ends, the whole range of the node matches, so typos in
// unfinished words are found, too. Leaves and the words of single documents are compared with the `EditAutomaton`.
//
//     grnade    ana grande: word 1, letters 0..<6
//               rio grande: word 1, letters 0..<6
//
// A wrong first letter counts as half an edit more. `Fuzziness` sets the allowed edits.
//
// Source for the walk of an automaton over a dictionary: Schulz and Mihov, "Fast string correction with Levenshtein
// automata" (IJDAR 5, 2002).

/// A walk over a trie for the word suffixes that have a prefix within one or two edits of a word.
///
/// It follows the letters of the word and branches off at each possible edit: an extra, wrong or missing letter, or two
/// swapped letters. After the last edit, only one child of each node can follow, so most of the walk looks up single
/// children instead of visiting all of them, as an automaton must. Edits are defined by optimal string alignment, as in
/// ``EditAutomaton``, and the entries are the same.
///
/// The number of visited nodes depends on the nodes near the word, not on the size of the dictionary below them.
///
/// The walk itself is immutable. Its mutable state is passed in parameters, which avoids copies and reference counting.
struct FuzzyWalk: ~Copyable {
    private let wordSuffixes: WordSuffixArray
    private let trie: PrefixTrie
    private let signatures: ChildSignatures
    private let bytes: Scratch<UInt8>
    let masks: Scratch<UInt64>
    private let automata: (one: EditAutomaton, two: EditAutomaton)

    /// The maximum number of visits per node on average. It bounds the walk in crafted indexes, whose nodes may share
    /// their children.
    private static let maxVisits = 256

    /// The entries found, in any order, and the number of nodes that may still be visited.
    private struct Found {
        var ranges: [Range<Int>] = []
        var nodesLeft: Int
    }

    /// The number of bytes of the word.
    var count: Int { bytes.count }

    /// Creates a walk over the trie of word suffixes, with the signatures of its nodes.
    init(_ wordSuffixes: WordSuffixArray, _ signatures: ChildSignatures, _ word: Span<UInt8>) {
        self.wordSuffixes = wordSuffixes
        self.signatures = signatures
        trie = wordSuffixes.trie
        bytes = Scratch(repeating: 0, count: word.count)
        for position in word.indices { bytes[position] = word[position] }
        masks = EditAutomaton.masks(of: word)
        automata = (EditAutomaton(length: word.count, edits: 1), EditAutomaton(length: word.count, edits: 2))
    }

    /// Returns the entries, separated into those that begin with the first letter of the word and all others.
    ///
    /// O(children of the nodes on the path of the word) for one edit, and the same for each of these children for two.
    func ranges(edits: Int, _ cancellation: inout CancellationCheck) throws(CancellationError) -> FuzzyRanges {
        var ranges = FuzzyRanges()
        if bytes.count == 0 { return ranges }
        let same = wordSuffixes.range(of: [bytes[0]].span)
        if bytes.count <= edits {
            ranges.sameFirstLetter = [same]
            ranges.otherFirstLetter = [0..<same.lowerBound, same.upperBound..<wordSuffixes.count].filter { !$0.isEmpty }
            return ranges
        }
        var found = Found(nodesLeft: FuzzyWalk.maxVisits * trie.count)
        try explore(trie.root, depth: 0, position: 0, edits: edits, &found, &cancellation)
        found.ranges.sort { $0.lowerBound < $1.lowerBound }
        for range in found.ranges { ranges.insert(range, sameFirstLetter: same.contains(range.lowerBound)) }
        return ranges
    }

    /// Finds the entries below a node that continue with the word from a position on, within at least one edit.
    private func explore(
        _ start: PrefixTrie.Node, depth: Int, position: Int, edits: Int, _ found: inout Found,
        _ cancellation: inout CancellationCheck
    ) throws(CancellationError) {
        try cancellation.step()
        var (node, depth, position) = (start, depth, position)
        // At most one step for each letter of the word.
        while bytes.count - position > edits {
            let children = trie.children(of: node.index)
            if children.isEmpty { return scan(node.range, depth, position, edits: edits, &found) }
            found.nodesLeft -= children.count
            if found.nodesLeft < 0 { return }
            let (letter, second) = (bytes[position], bytes[position + 1])
            let (letterBit, secondBit) = (ChildSignatures.bit(of: letter), ChildSignatures.bit(of: second))
            let third = bit(at: position + 2)
            // An extra letter.
            if edits > 1 {
                try explore(node, depth: depth, position: position + 1, edits: edits - 1, &found, &cancellation)
            } else {
                follow(node, depth, position + 1, &found)
            }
            var next: PrefixTrie.Node?
            for number in children {
                // Safe: `children(of:)` is within the letters.
                if unsafe trie.letters[unchecked: number] == letter {
                    next = child(number, before: children.upperBound, of: node)
                } else if edits == 1 {
                    guard
                        signatures.mayFollow(number, secondBit, then: third)
                            || signatures.mayFollow(number, letterBit, then: secondBit)
                    else { continue }
                    replaceOrInsert(number, before: children.upperBound, of: node, depth, position, &found)
                } else {
                    let child = child(number, before: children.upperBound, of: node)
                    if trie.isLeaf(number) {
                        scan(child.range, depth, position, edits: edits, &found)
                        continue
                    }
                    // A wrong or a missing letter. After the last edit, one of two letters must follow.
                    if signatures.mayFollowSoon(number, secondBit | third) {
                        try explore(
                            child, depth: depth + 1, position: position + 1, edits: edits - 1, &found, &cancellation)
                    }
                    if signatures.mayFollowSoon(number, letterBit | secondBit) {
                        try explore(
                            child, depth: depth + 1, position: position, edits: edits - 1, &found, &cancellation)
                    }
                }
            }
            // Two letters swapped.
            if second != letter, let swapped = trie.child(of: node, letter: second) {
                if trie.isLeaf(swapped.index) {
                    scan(swapped.range, depth, position, edits: edits, &found)
                } else if let last = trie.child(of: swapped, letter: letter) {
                    if edits > 1 {
                        try explore(
                            last, depth: depth + 2, position: position + 2, edits: edits - 1, &found, &cancellation)
                    } else {
                        follow(last, depth + 2, position + 2, &found)
                    }
                }
            }
            guard let next else { return }
            (node, depth, position) = (next, depth + 1, position + 1)
        }
        // The rest of the word may be missing.
        found.ranges.append(node.range)
    }

    /// Returns the set with the letter at a position of the word, or with all letters after the end of the word.
    @inline(__always)
    private func bit(at position: Int) -> UInt64 {
        position < bytes.count ? ChildSignatures.bit(of: bytes[position]) : .max
    }

    @inline(__always)
    private func child(_ number: Int, before end: Int, of node: PrefixTrie.Node) -> PrefixTrie.Node {
        PrefixTrie.Node(index: number, range: trie.range(of: number, before: end, in: node.range))
    }

    /// Spends the last edit on a child whose letter differs from the letter of the word: a wrong letter, or a missing
    /// one before it.
    @inline(__always)
    private func replaceOrInsert(
        _ number: Int, before end: Int, of node: PrefixTrie.Node, _ depth: Int, _ position: Int,
        _ found: inout Found
    ) {
        let (letter, second) = (bytes[position], bytes[position + 1])
        let children = trie.children(of: number)
        if children.isEmpty {
            return addEntries(of: child(number, before: end, of: node).range, to: &found) { entry in
                let next = trie.nextLetters[entry]
                return next == second && continues(entry, skipping: depth + 1, from: position + 1)
                    || next == letter && continues(entry, skipping: depth + 1, from: position)
            }
        }
        let parent = child(number, before: end, of: node)
        if let next = trie.child(second, among: children) {
            follow(child(next, before: children.upperBound, of: parent), depth + 2, position + 2, &found)
        }
        if let next = trie.child(letter, among: children) {
            follow(child(next, before: children.upperBound, of: parent), depth + 2, position + 1, &found)
        }
    }

    /// Finds the entries below a node that continue with the word from a position on.
    private func follow(_ start: PrefixTrie.Node, _ depth: Int, _ position: Int, _ found: inout Found) {
        var (node, depth, position) = (start, depth, position)
        while position < bytes.count {
            let letter = bytes[position]
            if !signatures.mayFollow(node.index, ChildSignatures.bit(of: letter)) { return }
            if trie.isLeaf(node.index) {
                return addEntries(of: node.range, to: &found) { entry in
                    trie.nextLetters[entry] == letter && continues(entry, skipping: depth, from: position)
                }
            }
            guard let child = trie.child(of: node, letter: letter) else { return }
            (node, depth, position) = (child, depth + 1, position + 1)
        }
        found.ranges.append(node.range)
    }

    // MARK: - Leaves

    /// Adds the entries of a leaf that match.
    @inline(__always)
    private func addEntries(of leaf: Range<Int>, to found: inout Found, where isMatch: (Int) -> Bool) {
        // All entries of a large leaf end at it, thousands if a word is common.
        if leaf.count > PrefixTrie.bucket {
            if isMatch(leaf.lowerBound) { found.ranges.append(leaf) }
            return
        }
        for entry in leaf where isMatch(entry) { found.ranges.append(entry..<entry + 1) }
    }

    /// Returns `true` if an entry continues with the word from a position on, after its first letters. Compares the
    /// letters themselves, because 0 is both the next letter of an entry that ends and the code of an unknown letter of
    /// the word.
    private func continues(_ entry: Int, skipping: Int, from start: Int) -> Bool {
        var position = start
        if position < bytes.count {
            wordSuffixes.forEachLetter(of: entry, skipping: skipping) { letter in
                if letter != bytes[position] { return false }
                position += 1
                return position < bytes.count
            }
        }
        return position == bytes.count
    }

    /// Compares the entries of a leaf, from a position of the word on, within a number of edits.
    private func scan(
        _ entries: Range<Int>, _ depth: Int, _ position: Int, edits: Int, _ found: inout Found
    ) {
        let automaton = edits == 1 ? automata.one : automata.two
        let start = automaton.start(at: position)
        addEntries(of: entries, to: &found) { entry in
            var state = start
            var isAccepted = false
            wordSuffixes.forEachLetter(of: entry, skipping: depth) { letter in
                state = automaton.step(state, masks[Int(letter)])
                isAccepted = automaton.accepts(state)
                return !isAccepted && automaton.isAlive(state)
            }
            return isAccepted
        }
    }
}

extension EditAutomaton {
    /// Returns the state after the first letters of the query without edits, if more letters are left than edits.
    fileprivate func start(at position: Int) -> State {
        State(
            exact: 1 << UInt64(position), one: edits > 0 ? 0b11 << UInt64(position) : 0,
            two: edits > 1 ? 0b111 << UInt64(position) : 0)
    }
}

/// Ranges of word suffixes that have a prefix within a number of edits of the query.
struct FuzzyRanges {
    /// Word suffixes that begin with the query's first letter, and those that do not.
    var sameFirstLetter: [Range<Int>] = []
    var otherFirstLetter: [Range<Int>] = []

    /// Adds a range that begins after the previous ones begin, and may overlap with them.
    fileprivate mutating func insert(_ range: Range<Int>, sameFirstLetter isSame: Bool) {
        if isSame {
            FuzzyRanges.extend(&sameFirstLetter, by: range)
        } else {
            FuzzyRanges.extend(&otherFirstLetter, by: range)
        }
    }

    private static func extend(_ ranges: inout [Range<Int>], by range: Range<Int>) {
        if let last = ranges.last, last.upperBound >= range.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
        } else {
            ranges.append(range)
        }
    }
}

/// The letters that follow the first nodes of a trie, one and two letters below each, as sets of their codes modulo 64.
///
/// A walk skips a node without reading its children if its sets contain none of the letters that must follow. The sets
/// take sixteen bytes per node; computing them takes about as long as a hundred walks.
final class ChildSignatures: Sendable {
    /// The letters below a node.
    private struct Letters {
        var first: UInt64 = 0
        /// All bits are set if the letters are only stored with the documents.
        var second: UInt64 = 0
    }

    /// The maximum number of nodes with sets, starting at the root. Walks visit these nodes most. For the other nodes,
    /// a walk reads the children.
    private static let maxNodes = 8_192

    /// Empty signatures: a walk reads the children of each node.
    static let none = ChildSignatures([])

    private let letters: [Letters]

    private init(_ letters: [Letters]) { self.letters = letters }

    init(_ trie: PrefixTrie) {
        let count = min(trie.count, ChildSignatures.maxNodes)
        var letters = [Letters](repeating: Letters(), count: count)
        var ranges = [Range<Int>](repeating: 0..<0, count: count)
        if count > 0 { ranges[0] = trie.root.range }
        // A node comes before its children. Each is read at most twice, unless an index was crafted.
        var nodesLeft = 2 * trie.count
        for node in 0..<count {
            let children = trie.children(of: node)
            nodesLeft -= children.count
            if nodesLeft < 0 { break }
            letters[node].first = ChildSignatures.letters(below: node, ranges[node], in: trie)
            if children.isEmpty { letters[node].second = .max }
            for child in children where child < count {
                ranges[child] = trie.range(of: child, before: children.upperBound, in: ranges[node])
            }
        }
        for node in 0..<count {
            let children = trie.children(of: node)
            for child in children {
                if child < count {
                    letters[node].second |= letters[child].first
                } else {
                    nodesLeft -= trie.children(of: child).count
                    if nodesLeft < 0 { break }
                    let range = trie.range(of: child, before: children.upperBound, in: ranges[node])
                    letters[node].second |= ChildSignatures.letters(below: child, range, in: trie)
                }
            }
        }
        self.letters = letters
    }

    /// Returns the letters that follow a node with a range of entries.
    private static func letters(below node: Int, _ range: Range<Int>, in trie: PrefixTrie) -> UInt64 {
        let children = trie.children(of: node)
        if !children.isEmpty { return children.reduce(0) { $0 | bit(of: trie.letters[$1]) } }
        // All entries of a large leaf end at it.
        return range.prefix(PrefixTrie.bucket).reduce(0) { $0 | bit(of: trie.nextLetters[$1]) }
    }

    /// Returns the set with one letter.
    @inline(__always)
    static func bit(of letter: UInt8) -> UInt64 { 1 << UInt64(letter & 63) }

    /// Returns `true` if one of the given letters may follow a node.
    @inline(__always)
    func mayFollow(_ node: Int, _ letters: UInt64) -> Bool {
        node >= self.letters.count || self.letters[node].first & letters != 0
    }

    /// Returns `true` if a letter may follow a node, and then one of the second letters.
    @inline(__always)
    func mayFollow(_ node: Int, _ first: UInt64, then second: UInt64) -> Bool {
        node >= letters.count || letters[node].first & first != 0 && letters[node].second & second != 0
    }

    /// Returns `true` if one of the given letters may follow a node, either as the next letter or as the letter after
    /// it.
    @inline(__always)
    func mayFollowSoon(_ node: Int, _ letters: UInt64) -> Bool {
        node >= self.letters.count || (self.letters[node].first | self.letters[node].second) & letters != 0
    }
}
