// Sound-alikes: words with another spelling of the same sound, such as Meyer and Maier.
//
// The spellings of a typed word form a graph. Each edge is a group of letters that may be written from one position of
// the word to another, with its cost:
//
//     0 -m- 1 -e- 2 -y- 3 -e- 4 -r- 5         cost 0
//           1 ---- ei, ai ---- 3              cost 1 each
//
// A search walks the trie of the word suffixes along all paths of the graph. Paths that the index does not contain end
// at the first missing node.

/// Groups of letters that sound alike, such as `ei`, `ai` and `ey`, for tiers that find words by their sound.
///
/// A search walks the words of the index along all spellings of the query at once, so the index stores nothing for it.
public final class SpellingRules: Sendable {
    /// Letters that may stand for each other.
    public struct Group: Sendable {
        /// The position in a word where the letters sound alike.
        public enum Place: Sendable {
            /// At any position.
            case anywhere
            /// At the beginning of a word.
            case start
            /// At the end of a word.
            case end
        }

        /// The spellings; an empty one stands for a silent letter.
        public var spellings: [[UInt16]]
        /// The position in a word where the spellings sound alike.
        public var place: Place
        /// The cost of taking one spelling for another, at least 1. Unlikely confusions cost more.
        public var cost: Int

        /// Creates a group.
        public init(_ spellings: [[UInt16]], place: Place = .anywhere, cost: Int = 1) {
            self.spellings = spellings
            self.place = place
            self.cost = cost
        }
    }

    /// Another spelling of typed letters.
    fileprivate struct Alternative {
        var letters: [UInt16]
        var place: Group.Place
        var cost: Int
    }

    /// The other spellings of each sequence of letters, by its first letter.
    fileprivate let alternatives: [UInt16: [(typed: [UInt16], others: [Alternative])]]
    /// The minimum number of letters of a word that is spelled in other ways.
    fileprivate let minLetters: Int
    /// The maximum cost of a spelling, for a long word.
    fileprivate let maxCost: Int

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - groups: The sequences of letters that stand for each other.
    ///   - minLetters: The minimum number of letters of a word that is spelled in other ways. Each further letter
    ///     allows one more unit of cost.
    ///   - maxCost: The maximum cost of a spelling.
    public init(_ groups: [Group], minLetters: Int = 4, maxCost: Int = 4) {
        var others: [[UInt16]: [Alternative]] = [:]
        for group in groups {
            for typed in group.spellings where !typed.isEmpty {
                for letters in group.spellings where letters != typed {
                    others[typed, default: []].append(
                        Alternative(letters: letters, place: group.place, cost: group.cost))
                }
            }
        }
        alternatives = Dictionary(grouping: others.map { (typed: $0.key, others: $0.value) }, by: { $0.typed[0] })
        self.minLetters = minLetters
        self.maxCost = maxCost
    }
}

extension SpellingRules: Hashable {
    /// Returns `true` if both values are the same object.
    public static func == (one: SpellingRules, other: SpellingRules) -> Bool { one === other }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The spellings of one typed word in the codes of a field: a graph from its first letter to its end.
final class SpellingGraph {
    /// Letters that may be written from a position of the typed word on.
    private struct Edge {
        /// The positions of the letters in ``SpellingGraph/letters``.
        var letters: Range<Int>
        var end: Int
        var cost: Int
    }

    private typealias Codes = SIMD4<UInt64>

    /// The number of letters of the typed word.
    private let length: Int
    /// The maximum cost of a spelling.
    let maxCost: Int
    private let letters: [UInt8]
    private let edges: [Edge]
    /// The first edge from each letter of the typed word, and one more value at the end.
    private let firstEdges: [Int]
    /// For each position, the codes with which a spelling of the rest of the typed word may begin.
    private let firstCodes: [Codes]
    /// For each position, the maximum number of letters of a spelling of the rest.
    private let maxLetters: [Int]
    /// For each position of the typed word, the lowest cost of each number of letters of the word that is compared.
    private let costs: Scratch<Int>

    /// - Parameter isPart: `true` for one of several words. As the others must match too, it may be a letter shorter and
    ///   its spelling may cost one more.
    init(_ word: ArraySlice<UInt16>, _ rules: SpellingRules, in alphabet: Alphabet, isPart: Bool = false) {
        let minLetters = isPart ? rules.minLetters - 1 : rules.minLetters
        let maxCost = word.count < minLetters ? 0 : min(rules.maxCost, word.count - minLetters + (isPart ? 2 : 1))
        var letters: [UInt8] = []
        var edges: [Edge] = []
        var firstEdges = [0]
        func addEdge(_ spelling: some Collection<UInt16>, end: Int, cost: Int) {
            let start = letters.count
            guard alphabet.encodeKnown(spelling, into: &letters) else { return }
            edges.append(Edge(letters: start..<letters.count, end: end - word.startIndex, cost: cost))
        }
        for position in word.indices {
            addEdge(word[position...position], end: position + 1, cost: 0)
            for (typed, others) in maxCost == 0 ? [] : rules.alternatives[word[position]] ?? [] {
                guard word[position...].starts(with: typed) else { continue }
                let end = position + typed.count
                for other in others where other.cost <= maxCost {
                    if other.place == .start && position > word.startIndex { continue }
                    if other.place == .end && end < word.endIndex { continue }
                    addEdge(other.letters, end: end, cost: other.cost)
                }
            }
            firstEdges.append(edges.count)
        }
        var firstCodes = [Codes](repeating: .zero, count: word.count + 1)
        firstCodes[word.count] = Codes(repeating: .max)
        var maxLetters = [Int](repeating: 0, count: word.count + 1)
        for position in (0..<word.count).reversed() {
            for edge in edges[firstEdges[position]..<firstEdges[position + 1]] {
                maxLetters[position] = max(maxLetters[position], edge.letters.count + maxLetters[edge.end])
                if edge.letters.isEmpty {
                    firstCodes[position] |= firstCodes[edge.end]
                } else {
                    let code = letters[edge.letters.lowerBound]
                    firstCodes[position][Int(code >> 6)] |= 1 << UInt64(code & 63)
                }
            }
        }
        length = word.count
        self.maxCost = maxCost
        self.letters = letters
        self.edges = edges
        self.firstEdges = firstEdges
        self.firstCodes = firstCodes
        self.maxLetters = maxLetters
        costs = Scratch(repeating: .max, count: (word.count + 1) * SpellingGraph.columns)
    }

    /// Returns `true` if a spelling of the rest of the typed word may begin with a code.
    @inline(__always)
    fileprivate func mayBegin(with code: UInt8, from position: Int = 0) -> Bool {
        firstCodes[position][Int(code >> 6)] >> UInt64(code & 63) & 1 != 0
    }

    // MARK: - One word

    /// Allocates memory for the letters of a word suffix.
    fileprivate static func letters() -> Scratch<UInt8> { Scratch(repeating: 0, count: WordSuffixArray.maxLength) }

    /// The number of lengths of a word suffix.
    private static let columns = WordSuffixArray.maxLength + 1

    /// Finds the cheapest spelling that is a prefix of the letters, or the longest of equally cheap ones, and returns
    /// its length and cost.
    ///
    /// - Parameters:
    ///   - letters: The letters. Only the first `count` are read.
    ///   - cost: The cost of the letters before.
    fileprivate func match(
        _ letters: borrowing Scratch<UInt8>, count: Int, from start: Int = 0, cost: Int = 0
    ) -> (length: Int, cost: Int)? {
        let columns = SpellingGraph.columns
        func clear(_ position: Int) { costs.fill(position * columns..<position * columns + count + 1, with: .max) }
        clear(start)
        costs[start * columns] = cost
        // A silent letter leads to the next position of the typed word, so one pass over the positions is enough.
        var furthest = start
        for position in start..<length {
            if position > furthest { return nil }
            for offset in 0...count {
                let cost = costs[position * columns + offset]
                if cost == .max || offset < count && !mayBegin(with: letters[offset], from: position) { continue }
                for edge in edges[firstEdges[position]..<firstEdges[position + 1]] where cost + edge.cost <= maxCost {
                    guard begins(letters, offset, count, with: edge) else { continue }
                    while furthest < edge.end {
                        furthest += 1
                        clear(furthest)
                    }
                    let target = edge.end * columns + offset + edge.letters.count
                    costs[target] = min(costs[target], cost + edge.cost)
                }
            }
        }
        if furthest < length { return nil }
        var best: (length: Int, cost: Int)?
        for offset in 0...count {
            let cost = costs[length * columns + offset]
            if cost != .max, cost <= best?.cost ?? .max { best = (offset, cost) }
        }
        return best
    }

    private func begins(_ word: borrowing Scratch<UInt8>, _ offset: Int, _ count: Int, with edge: Edge) -> Bool {
        if edge.letters.count > count - offset { return false }
        var offset = offset
        for position in edge.letters {
            if word[offset] != letters[position] { return false }
            offset += 1
        }
        return true
    }

    // MARK: - The words of an index

    /// Returns the word suffixes that begin with a spelling of the typed word, by the cost of the spelling.
    ///
    /// O(spellings that the index contains), each a step in the trie.
    func ranges(
        in wordSuffixes: WordSuffixArray, _ cancellation: inout CancellationCheck
    ) throws(CancellationError) -> [[Range<Int>]] {
        var walk = Walk(self, in: wordSuffixes, cancellation)
        try walk.follow(wordSuffixes.trie.root, depth: 0, from: 0, cost: 0)
        cancellation = walk.cancellation
        return walk.found.map { ranges in Set(ranges).sorted { $0.lowerBound < $1.lowerBound } }
    }

    /// Follows the paths of the graph and of the trie at once.
    private struct Walk: ~Copyable {
        /// The maximum number of edges followed. Typical words take about a hundred.
        private static let maxSteps = 16_384

        private let graph: SpellingGraph
        private let wordSuffixes: WordSuffixArray
        private let letters = SpellingGraph.letters()
        private(set) var cancellation: CancellationCheck
        /// The ranges found, by cost. A range can occur twice.
        private(set) var found: [[Range<Int>]]
        private var steps = 0

        init(_ graph: SpellingGraph, in wordSuffixes: WordSuffixArray, _ cancellation: CancellationCheck) {
            self.graph = graph
            self.wordSuffixes = wordSuffixes
            self.cancellation = cancellation
            found = Array(repeating: [], count: graph.maxCost + 1)
        }

        /// Follows all edges from a position of the typed word, below a node of the trie.
        mutating func follow(
            _ node: PrefixTrie.Node, depth: Int, from position: Int, cost: Int
        ) throws(CancellationError) {
            let (graph, trie) = (graph, wordSuffixes.trie)
            if position == graph.length {
                found[cost].append(node.range)
                return
            }
            if trie.isLeaf(node.index) { return try scan(node, depth: depth, from: position, cost: cost) }
            edges: for edge in graph.edges[graph.firstEdges[position]..<graph.firstEdges[position + 1]]
            where cost + edge.cost <= graph.maxCost && steps < Walk.maxSteps {
                steps += 1
                try cancellation.step()
                var (child, childDepth) = (node, depth)
                for letter in edge.letters {
                    if trie.isLeaf(child.index) {
                        try scan(child, depth: depth, from: position, cost: cost)
                        continue edges
                    }
                    guard let next = trie.child(of: child, letter: graph.letters[letter]) else { continue edges }
                    child = next
                    childDepth += 1
                }
                try follow(child, depth: childDepth, from: edge.end, cost: cost + edge.cost)
            }
        }

        /// Compares the entries of a leaf with the rest of the typed word from a position on.
        private mutating func scan(
            _ leaf: PrefixTrie.Node, depth: Int, from position: Int, cost: Int
        ) throws(CancellationError) {
            let maxCount = graph.maxLetters[position]
            for entry in leaf.range {
                try cancellation.step()
                var count = 0
                wordSuffixes.forEachLetter(of: entry, skipping: depth) { letter in
                    if count == maxCount { return false }
                    letters[count] = letter
                    count += 1
                    return true
                }
                if let match = graph.match(letters, count: count, from: position, cost: cost) {
                    found[match.cost].append(entry..<entry + 1)
                }
            }
        }
    }
}

/// Matches the typed words of a query in one document by their sound, each in a different word, in any order and field.
final class SoundMatcher: TermsMatcher {
    /// The length of the match and the cost of a typed word.
    private typealias Match = (length: Int, cost: Int)

    /// The graphs of the typed words, by field.
    let graphs: [[SpellingGraph]]
    private let letters = SpellingGraph.letters()
    private let lengths: Scratch<Int>

    init(_ fieldQueries: [FieldQuery], _ rules: SpellingRules) {
        let words = fieldQueries[0].query.letters
        graphs = fieldQueries.map { fieldQuery in
            words.map { SpellingGraph($0, rules, in: fieldQuery.field.alphabet, isPart: words.count > 1) }
        }
        lengths = Scratch(repeating: 0, count: words.count)
        super.init(fieldQueries)
    }

    /// The place of each typed word in the last document, and the length of its match.
    var matches: [(piece: Piece, length: Int)] { pieces.enumerated().map { ($1, lengths[$0]) } }

    /// Finds the best place for each typed word in turn, and returns the sum of their costs, or nil if a word has no
    /// match. O(letters of the document).
    func cost(of document: Int) -> Int? {
        reset()
        var sum = 0
        for word in graphs[0].indices {
            var best: (piece: Piece, match: Match)?
            for number in 0..<fields.count {
                let field = fields[number]
                let range = field.forward.range(of: document)
                var slot = range.lowerBound
                while slot < range.upperBound {
                    let end = field.forward.endOfSpellings(slot, range.upperBound)
                    if !isUsed(number, slot, end) {
                        for token in slot..<end {
                            guard let match = match(graphs[number][word], field, token, end: range.upperBound),
                                match.cost < best?.match.cost ?? .max
                            else { continue }
                            best = (Piece(fieldQuery: number, token: token), match)
                        }
                    }
                    slot = end
                }
            }
            guard let best else { return nil }
            lengths[word] = best.match.length
            push(best.piece)
            sum += best.match.cost
        }
        return sum
    }

    /// Compares the word suffix at a token.
    @inline(__always)
    private func match(_ graph: SpellingGraph, _ field: FieldView, _ token: Int, end: Int) -> Match? {
        var position = token
        var count = 0
        var track = -1
        while true {
            let word = field.words.letters(of: field.forward.word(position))
            if count == 0, word.count > 0, !graph.mayBegin(with: word[0]) { return nil }
            var letter = 0
            while letter < word.count && count < letters.count {
                letters[count] = word[letter]
                letter += 1
                count += 1
            }
            if track < 0 { track = field.forward.track(token) }
            guard count < letters.count, let next = field.forward.next(after: position, track: track, end: end) else {
                return graph.match(letters, count: count)
            }
            position = next
        }
    }
}
