/// Matches typed words in one document: the pieces found so far, and the words of the document that they use.
///
/// A search checks thousands of documents, so memory is allocated once and nothing in a loop counts references.
class TermsMatcher {
    /// The place where a typed word matches.
    struct Piece {
        var fieldQuery: Int
        var token: Int
    }

    /// The structures of a field that a loop over documents reads.
    struct FieldView {
        let forward: ForwardIndex
        let words: TermDictionary
        /// The number of typed words.
        let wordCount: Int
    }

    final let fields: Scratch<FieldView>
    final let wordCount: Int
    /// A piece for each of the first ``depth`` typed words.
    private final let stack: Scratch<Piece>
    private final var depth = 0

    init(_ fieldQueries: [FieldQuery]) {
        let views = fieldQueries.map {
            FieldView(forward: $0.field.forward, words: $0.field.words, wordCount: $0.query.words.count)
        }
        wordCount = views[0].wordCount
        fields = Scratch(repeating: views[0], count: views.count)
        for (number, view) in views.enumerated() { fields[number] = view }
        stack = Scratch(repeating: Piece(fieldQuery: 0, token: 0), count: wordCount)
    }

    /// The pieces of the last match, one per typed word.
    final var pieces: [Piece] { (0..<depth).map { stack[$0] } }

    @inline(__always)
    final func reset() { depth = 0 }

    @inline(__always)
    final func push(_ piece: Piece) {
        stack[depth] = piece
        depth += 1
    }

    @inline(__always)
    final func pop() { depth -= 1 }

    /// Returns `true` if a piece uses one of the spellings of a word.
    @inline(__always)
    final func isUsed(_ fieldQuery: Int, _ low: Int, _ high: Int) -> Bool {
        for index in 0..<depth {
            let piece = stack[index]
            if piece.fieldQuery == fieldQuery && piece.token >= low && piece.token < high { return true }
        }
        return false
    }
}

/// Matches all typed words of a query in one document, each as a prefix of a different word, in any value of any of the
/// fields.
///
/// O(typed words · tokens) unless typed words compete for the same words; a step limit bounds that case.
final class AllTermsMatcher: TermsMatcher {
    static let maxSteps = 20_000

    /// For each field and typed word, the numbers of the words that begin with it.
    private let prefixes: Scratch<Range<UInt32>>
    private var steps = 0

    init(_ fieldQueries: [FieldQuery], query: Int, cache: SearchCache) {
        let count = fieldQueries[0].query.words.count
        prefixes = Scratch(repeating: 0..<0, count: fieldQueries.count * count)
        for (number, fieldQuery) in fieldQueries.enumerated() {
            for word in 0..<Swift.min(count, fieldQuery.query.words.count) {
                prefixes[number * count + word] = cache.words(prefixWith: word, of: fieldQuery, query: query)
            }
        }
        super.init(fieldQueries)
    }

    func matches(_ document: Int) -> Bool {
        reset()
        steps = 0
        return matches(document, from: 0)
    }

    private func matches(_ document: Int, from word: Int) -> Bool {
        if word == wordCount { return true }
        for number in 0..<fields.count where word < fields[number].wordCount {
            let field = fields[number]
            let prefix = prefixes[number * wordCount + word]
            let range = field.forward.range(of: document)
            var slot = range.lowerBound
            while slot < range.upperBound {
                let end = field.forward.endOfSpellings(slot, range.upperBound)
                var token = slot
                // Safe: `end` is at most the number of tokens.
                while unsafe token < end && !prefix.contains(ForwardIndex.word(field.forward.tokens[unchecked: token]))
                {
                    token += 1
                }
                // Other spellings of the same word lead to the same matches.
                if token < end && !isUsed(number, slot, end) {
                    steps += 1
                    if steps > AllTermsMatcher.maxSteps { return false }
                    push(Piece(fieldQuery: number, token: token))
                    if matches(document, from: word + 1) { return true }
                    pop()
                }
                slot = end
            }
        }
        return false
    }
}

/// Matches all typed words of a query in one document, each within its edits of a prefix of a different word suffix.
///
/// Each typed word has an automaton for each field. A word suffix takes a few instructions per letter, and nothing is
/// allocated.
final class FuzzyTermsMatcher: TermsMatcher {
    /// The automata of each field, one per typed word.
    private let automata: Scratch<EditAutomaton>
    /// The masks of each automaton, 256 each.
    private let masks: Scratch<UInt64>

    init(_ fieldQueries: [FieldQuery], typos: Fuzziness) {
        let count = fieldQueries[0].query.words.count
        automata = Scratch(repeating: EditAutomaton(length: 0, edits: 0), count: fieldQueries.count * count)
        masks = Scratch(repeating: 0, count: fieldQueries.count * count * 256)
        for (number, fieldQuery) in fieldQueries.enumerated() {
            let bytes = fieldQuery.query.bytes
            for word in 0..<Swift.min(count, fieldQuery.query.words.count) {
                let typed = fieldQuery.query.words[word]
                let automaton = number * count + word
                automata[automaton] = EditAutomaton(length: typed.count, edits: typos.edits(letters: typed.count))
                EditAutomaton.addMasks(of: bytes.span.extracting(typed), to: masks, at: automaton * 256)
            }
        }
        super.init(fieldQueries)
    }

    /// Finds the best piece for each typed word in turn, and returns the sum of their edits, or nil if a word has no
    /// match.
    func edits(of document: Int) -> Int? {
        reset()
        var sum = 0
        for word in 0..<wordCount {
            var best: (piece: Piece, edits: Int)?
            for number in 0..<fields.count where word < fields[number].wordCount {
                let field = fields[number]
                let range = field.forward.range(of: document)
                var slot = range.lowerBound
                while slot < range.upperBound {
                    let end = field.forward.endOfSpellings(slot, range.upperBound)
                    if !isUsed(number, slot, end) {
                        for token in slot..<end {
                            let edits = edits(number * wordCount + word, field, token, end: range.upperBound)
                            if edits < best?.edits ?? .max { best = (Piece(fieldQuery: number, token: token), edits) }
                        }
                    }
                    slot = end
                }
            }
            guard let best else { return nil }
            push(best.piece)
            sum += best.edits
        }
        return sum
    }

    /// Returns the edits to the nearest prefix of the word suffix at a token, or `Int.max` if it is too far.
    @inline(__always)
    private func edits(_ number: Int, _ field: FieldView, _ token: Int, end: Int) -> Int {
        let automaton = automata[number]
        var state = automaton.start
        var best = Int.max
        var position = token
        var track = -1
        while true {
            let letters = field.words.letters(of: field.forward.word(position))
            var letter = 0
            while letter < letters.count {
                // Safe: `letter` is less than the count.
                state = unsafe automaton.step(state, masks[number &<< 8 | Int(letters[unchecked: letter])])
                if let edits = automaton.editsIfAccepting(state) {
                    if edits == 0 { return 0 }
                    best = Swift.min(best, edits)
                }
                if !automaton.isAlive(state) { return best }
                letter += 1
            }
            if track < 0 { track = field.forward.track(token) }
            guard let next = field.forward.next(after: position, track: track, end: end) else { return best }
            position = next
        }
    }
}
