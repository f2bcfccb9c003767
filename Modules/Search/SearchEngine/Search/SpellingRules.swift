/// Groups of letters that sound alike, such as `ei`, `ai` and `ey`, for tiers that find words by their sound.
///
/// A search walks the words of the index along all spellings of the query at once, so the index stores nothing for it.
public final class SpellingRules: Sendable {
    /// Letters that may stand for each other.
    public struct Group: Sendable {
        /// Where in a word the letters sound alike.
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
        /// The place.
        public var place: Place
        /// How unlikely one spelling is meant by another, from 1.
        public var cost: Int

        /// Creates a group.
        public init(_ spellings: [[UInt16]], place: Place = .anywhere, cost: Int = 1) {
            self.spellings = spellings
            self.place = place
            self.cost = cost
        }
    }

    let groups: [Group]
    /// The minimum number of letters of a word that is spelt in other ways.
    let minLetters: Int
    /// The maximum cost of a spelling, for a long word.
    let maxCost: Int

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - minLetters: The minimum number of letters of a word that is spelt in other ways. Each further letter allows
    ///     one more unit of cost.
    ///   - maxCost: The maximum cost of a spelling.
    public init(_ groups: [Group], minLetters: Int = 4, maxCost: Int = 4) {
        self.groups = groups
        self.minLetters = minLetters
        self.maxCost = maxCost
    }
}

extension SpellingRules: Hashable {
    /// Returns whether two values are the same object.
    public static func == (one: SpellingRules, other: SpellingRules) -> Bool { one === other }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The spellings of one typed word in the codes of a field: a graph from its first letter to its end.
struct SpellingGraph {
    /// Letters that may be written from a position of the typed word on.
    private struct Edge {
        var letters: [UInt8]
        var end: Int
        var cost: Int
    }

    /// The edges from each letter of the typed word; first the one for the letter itself.
    private var edges: [[Edge]]
    private let maxCost: Int

    /// The maximum number of spellings that are looked up. Typical words have some hundred that an index contains.
    private static let maxSteps = 4_096

    /// - Parameter isPart: `true` for one of several words. As the others must match too, it may be a letter shorter and
    ///   its spelling may cost one more.
    init(_ word: ArraySlice<UInt16>, _ rules: SpellingRules, in alphabet: Alphabet, isPart: Bool = false) {
        let word = Array(word)
        edges = word.indices.map { position in
            alphabet.known([word[position]]).map { [Edge(letters: $0, end: position + 1, cost: 0)] } ?? []
        }
        let minLetters = isPart ? rules.minLetters - 1 : rules.minLetters
        maxCost = word.count < minLetters ? 0 : min(rules.maxCost, word.count - minLetters + (isPart ? 2 : 1))
        if maxCost == 0 { return }
        for group in rules.groups {
            let spellings = group.spellings.map { (letters: $0, bytes: alphabet.known($0)) }
            for position in word.indices where group.place != .start || position == 0 {
                for typed in spellings where !typed.letters.isEmpty && word[position...].starts(with: typed.letters) {
                    let end = position + typed.letters.count
                    if group.place == .end && end < word.count { continue }
                    for other in spellings where other.letters != typed.letters {
                        guard let bytes = other.bytes else { continue }
                        edges[position].append(Edge(letters: bytes, end: end, cost: group.cost))
                    }
                }
            }
        }
    }

    /// Calls `body` with the word suffixes that begin with a spelling of the word, and its cost.
    ///
    /// O(spellings that the index contains), each a look-up of its length.
    func forEachRange(
        in wordSuffixes: WordSuffixArray, _ cancellation: inout CancellationCheck, _ body: (Range<Int>, Int) -> Void
    ) throws(CancellationError) {
        struct Step: Hashable {
            var position: Int
            var letters: [UInt8]
        }
        var known: [Step: Int] = [:]
        var open = [(step: Step(position: 0, letters: []), cost: 0)]
        while let (step, cost) = open.popLast(), known.count < Self.maxSteps {
            try cancellation.step()
            if let earlier = known[step], earlier <= cost { continue }
            known[step] = cost
            let range = wordSuffixes.range(of: step.letters.span)
            if range.isEmpty { continue }
            if step.position == edges.count {
                body(range, cost)
                continue
            }
            for edge in edges[step.position] where cost + edge.cost <= maxCost {
                open.append((Step(position: edge.end, letters: step.letters + edge.letters), cost + edge.cost))
            }
        }
    }

    /// Returns the length and cost of the cheapest spelling, and the longest of those, that begins some letters.
    func match(_ letters: [UInt8]) -> (length: Int, cost: Int)? {
        let columns = letters.count + 1
        var costs = [Int](repeating: .max, count: (edges.count + 1) * columns)
        costs[0] = 0
        // A silent letter leads to the next position of the typed word, so one pass over the positions is enough.
        for position in edges.indices {
            for offset in 0...letters.count {
                let cost = costs[position * columns + offset]
                if cost == .max { continue }
                for edge in edges[position] where cost + edge.cost <= maxCost {
                    guard letters[offset...].starts(with: edge.letters) else { continue }
                    let target = edge.end * columns + offset + edge.letters.count
                    costs[target] = min(costs[target], cost + edge.cost)
                }
            }
        }
        var best: (length: Int, cost: Int)?
        for length in 0...letters.count {
            let cost = costs[edges.count * columns + length]
            if cost != .max, cost <= best?.cost ?? .max { best = (length, cost) }
        }
        return best
    }
}

/// Matches the typed words of a query in one document by their sound, each in a different word, in any order and field.
struct SoundMatcher {
    /// The place where a typed word matches.
    struct Piece {
        var fieldQuery: Int
        var token: Int
        var length: Int
        var cost: Int
    }

    private let fieldQueries: [FieldQuery]
    /// The graphs of the typed words, by field.
    let graphs: [[SpellingGraph]]

    init(_ fieldQueries: [FieldQuery], _ rules: SpellingRules) {
        self.fieldQueries = fieldQueries
        let words = fieldQueries[0].query.letters
        graphs = fieldQueries.map { fieldQuery in
            words.map { SpellingGraph($0, rules, in: fieldQuery.field.alphabet, isPart: words.count > 1) }
        }
    }

    /// Returns the best place of each typed word, or nil if one has no match. O(letters of the document).
    func pieces(of document: Int) -> [Piece]? {
        var pieces: [Piece] = []
        for word in graphs[0].indices {
            var best: Piece?
            for number in fieldQueries.indices where word < graphs[number].count {
                let field = fieldQueries[number].field
                guard let wordSuffixes = field.wordSuffixes else { continue }
                let range = field.forward.range(of: document)
                for token in range where !pieces.contains(where: { $0.fieldQuery == number && $0.token == token }) {
                    var letters: [UInt8] = []
                    wordSuffixes.forEachLetter(from: token, end: range.upperBound, skipping: 0) { letter in
                        letters.append(letter)
                        return true
                    }
                    if let found = graphs[number][word].match(letters), found.cost < best?.cost ?? .max {
                        best = Piece(fieldQuery: number, token: token, length: found.length, cost: found.cost)
                    }
                }
            }
            guard let best else { return nil }
            pieces.append(best)
        }
        return pieces
    }
}
