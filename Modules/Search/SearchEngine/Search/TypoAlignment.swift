/// Checks one record for all typed words, each within its edits of the beginning of a run that starts at a word of
/// its own.
///
/// Every typed word has an automaton for each lane, so a run costs a few instructions a letter and nothing is
/// allocated.
final class TypoAlignment {
    struct Piece {
        var part: Int
        var word: Int
        var occurrence: Int
        var edits: Int
    }

    private let parts: UnsafeMutableBufferPointer<PlainPart>
    private let wordCount: Int
    /// Part by part, for each typed word.
    private let automata: UnsafeMutablePointer<EditAutomaton>
    private let stack: UnsafeMutablePointer<Piece>
    private var depth = 0

    init(parts: [SearchPart], typos: TypoAllowance) {
        self.parts = PlainPart.allocate(parts)
        wordCount = parts[0].query.words.count
        stack = .allocate(capacity: wordCount + 1)
        automata = .allocate(capacity: parts.count * wordCount + 1)
        for (number, part) in parts.enumerated() {
            for word in 0..<wordCount {
                let typed = part.query.words.indices.contains(word) ? part.query.words[word] : 0..<0
                (automata + number * wordCount + word).initialize(
                    to: EditAutomaton(
                        query: Array(part.query.bytes[typed]), edits: typos.edits(letters: typed.count)))
            }
        }
    }

    deinit {
        for number in 0..<parts.count * wordCount { automata[number].deallocate() }
        automata.deallocate()
        PlainPart.deallocate(parts)
        stack.deallocate()
    }

    /// The pieces of the last match, in the order of the query.
    var pieces: [Piece] { Array(UnsafeBufferPointer(start: stack, count: depth)) }

    /// Finds the best piece for each typed word in turn; the sum of their edits, or nil if one finds none.
    func edits(of record: Int) -> Int? {
        depth = 0
        var sum = 0
        for word in 0..<wordCount {
            var best = Piece(part: 0, word: word, occurrence: -1, edits: .max)
            for number in 0..<parts.count where word < parts[number].wordCount {
                let part = parts[number]
                let automaton = automata[number * wordCount + word]
                let range = part.forward.range(of: record)
                var slot = range.lowerBound
                while slot < range.upperBound {
                    let end = part.endOfSpellings(slot, range.upperBound)
                    if !isUsed(number, slot, end) {
                        for occurrence in slot..<end {
                            let edits = TypoAlignment.edits(automaton, part, occurrence, end: range.upperBound)
                            if edits < best.edits {
                                best = Piece(part: number, word: word, occurrence: occurrence, edits: edits)
                            }
                        }
                    }
                    slot = end
                }
            }
            if best.occurrence < 0 { return nil }
            stack[depth] = best
            depth += 1
            sum += best.edits
        }
        return sum
    }

    @inline(__always)
    private func isUsed(_ part: Int, _ slot: Int, _ end: Int) -> Bool {
        for place in 0..<depth {
            let piece = stack[place]
            if piece.part == part && piece.occurrence >= slot && piece.occurrence < end { return true }
        }
        return false
    }

    /// How far the nearest beginning of the run from an occurrence is, or `Int.max` if it is too far.
    @inline(__always)
    private static func edits(_ automaton: EditAutomaton, _ part: PlainPart, _ occurrence: Int, end: Int) -> Int {
        var state = automaton.start
        var best = Int.max
        var position = occurrence
        var spelling = -1
        while true {
            let word = part.forward.word(position)
            let letters = part.words.start(of: word)
            let length = part.words.length(of: word)
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
            if spelling < 0 { spelling = part.forward.spelling(occurrence) }
            guard let next = part.forward.next(after: position, spelling: spelling, end: end) else { return best }
            position = next
        }
    }
}

extension Lane {
    /// The letters of the run from an occurrence, at most so many; `end` is the end of the record's range.
    func letters(from occurrence: Int, atMost limit: Int, end: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        let spelling = forward.spelling(occurrence)
        var current: Int? = occurrence
        while let position = current, bytes.count < limit {
            let word = forward.word(position)
            bytes += UnsafeBufferPointer(start: words.start(of: word), count: words.length(of: word))
            current = forward.next(after: position, spelling: spelling, end: end)
        }
        return Array(bytes.prefix(limit))
    }
}
