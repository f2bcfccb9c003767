/// Matches all typed words of a query in one document, each within its edits of a prefix of a different word suffix.
///
/// Each typed word has an automaton for each field. A word suffix takes a few instructions per letter, and nothing is
/// allocated.
final class FuzzyTermsMatcher {
    struct Piece {
        var fieldQuery: Int
        var word: Int
        var token: Int
        var edits: Int
    }

    private let fieldQueries: UnsafeMutableBufferPointer<RawFieldQuery>
    private let wordCount: Int
    /// The automata of each field, one per typed word.
    private let automata: UnsafeMutablePointer<EditAutomaton>
    private let stack: UnsafeMutablePointer<Piece>
    private var depth = 0

    init(fieldQueries: [FieldQuery], typos: Fuzziness) {
        self.fieldQueries = RawFieldQuery.allocate(fieldQueries)
        wordCount = fieldQueries[0].query.words.count
        stack = .allocate(capacity: wordCount + 1)
        automata = .allocate(capacity: fieldQueries.count * wordCount + 1)
        for (number, fieldQuery) in fieldQueries.enumerated() {
            for word in 0..<wordCount {
                let typed = fieldQuery.query.words.indices.contains(word) ? fieldQuery.query.words[word] : 0..<0
                (automata + number * wordCount + word).initialize(
                    to: EditAutomaton(
                        query: Array(fieldQuery.query.bytes[typed]), edits: typos.edits(letters: typed.count)))
            }
        }
    }

    deinit {
        for number in 0..<fieldQueries.count * wordCount { automata[number].deallocate() }
        automata.deallocate()
        RawFieldQuery.deallocate(fieldQueries)
        stack.deallocate()
    }

    /// The pieces of the last match, in the order of the query.
    var pieces: [Piece] { Array(UnsafeBufferPointer(start: stack, count: depth)) }

    /// Finds the best piece for each typed word in turn, and returns the sum of their edits, or nil if a word has no
    /// match.
    func edits(of document: Int) -> Int? {
        depth = 0
        var sum = 0
        for word in 0..<wordCount {
            var best = Piece(fieldQuery: 0, word: word, token: -1, edits: .max)
            for number in 0..<fieldQueries.count where word < fieldQueries[number].wordCount {
                let fieldQuery = fieldQueries[number]
                let automaton = automata[number * wordCount + word]
                let range = fieldQuery.forward.range(of: document)
                var slot = range.lowerBound
                while slot < range.upperBound {
                    let end = fieldQuery.endOfSpellings(slot, range.upperBound)
                    if !isUsed(number, slot, end) {
                        for token in slot..<end {
                            let edits = FuzzyTermsMatcher.edits(automaton, fieldQuery, token, end: range.upperBound)
                            if edits < best.edits {
                                best = Piece(fieldQuery: number, word: word, token: token, edits: edits)
                            }
                        }
                    }
                    slot = end
                }
            }
            if best.token < 0 { return nil }
            stack[depth] = best
            depth += 1
            sum += best.edits
        }
        return sum
    }

    @inline(__always)
    private func isUsed(_ fieldQuery: Int, _ slot: Int, _ end: Int) -> Bool {
        for index in 0..<depth {
            let piece = stack[index]
            if piece.fieldQuery == fieldQuery && piece.token >= slot && piece.token < end { return true }
        }
        return false
    }

    /// The edits to the nearest prefix of the word suffix at a token, or `Int.max` if it is too far.
    @inline(__always)
    private static func edits(_ automaton: EditAutomaton, _ fieldQuery: RawFieldQuery, _ token: Int, end: Int) -> Int {
        var state = automaton.start
        var best = Int.max
        var position = token
        var track = -1
        while true {
            let word = fieldQuery.forward.word(position)
            let letters = fieldQuery.words.start(of: word)
            let length = fieldQuery.words.length(of: word)
            var letter = 0
            while letter < length {
                state = automaton.step(state, letters[letter])
                if let edits = automaton.editsIfAccepting(state) {
                    if edits == 0 { return 0 }
                    best = Swift.min(best, edits)
                }
                if !automaton.isAlive(state) { return best }
                letter += 1
            }
            if track < 0 { track = fieldQuery.forward.track(token) }
            guard let next = fieldQuery.forward.next(after: position, track: track, end: end) else { return best }
            position = next
        }
    }
}

extension Field {
    /// The letters of the word suffix at a token, at most `limit`. `end` is the end of the document's range.
    func letters(from token: Int, atMost limit: Int, end: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        let track = forward.track(token)
        var current: Int? = token
        while let position = current, bytes.count < limit {
            let word = forward.word(position)
            bytes += UnsafeBufferPointer(start: words.start(of: word), count: words.length(of: word))
            current = forward.next(after: position, track: track, end: end)
        }
        return Array(bytes.prefix(limit))
    }
}
