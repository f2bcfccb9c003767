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

    private let parts: [SearchPart]
    /// For each part and typed word.
    private var automata: [[EditAutomaton]] = []

    init(parts: [SearchPart], typos: TypoAllowance) {
        self.parts = parts
        automata = parts.map { part in
            part.query.words.map { typed in
                EditAutomaton(query: Array(part.query.bytes[typed]), edits: typos.edits(letters: typed.count))
            }
        }
    }

    /// The best piece for each typed word in turn, or nil if one finds none.
    func pieces(of record: Int) -> [Piece]? {
        var pieces: [Piece] = []
        for word in parts[0].query.words.indices {
            var best: Piece?
            for (number, part) in parts.enumerated() where word < automata[number].count {
                let automaton = automata[number][word]
                let forward = part.lane.forward
                let range = forward.range(of: record)
                var slot = range.lowerBound
                while slot < range.upperBound {
                    var end = slot + 1
                    while end < range.upperBound && forward.isOtherSpelling(end) { end += 1 }
                    let isUsed = pieces.contains {
                        $0.part == number && $0.occurrence >= slot && $0.occurrence < end
                    }
                    if !isUsed {
                        for occurrence in slot..<end {
                            let edits = edits(automaton, part.lane, occurrence, end: range.upperBound)
                            if let edits, edits < best?.edits ?? .max {
                                best = Piece(part: number, word: word, occurrence: occurrence, edits: edits)
                            }
                        }
                    }
                    slot = end
                }
            }
            guard let best else { return nil }
            pieces.append(best)
        }
        return pieces
    }

    /// How far the nearest beginning of the run from an occurrence is, or nil if it is too far.
    private func edits(_ automaton: EditAutomaton, _ lane: Lane, _ occurrence: Int, end: Int) -> Int? {
        var state = automaton.start
        var best: Int?
        let spelling = lane.forward.spelling(occurrence)
        var current: Int? = occurrence
        while let position = current {
            let word = lane.forward.word(position)
            let letters = lane.words.start(of: word)
            for letter in 0..<lane.words.length(of: word) {
                state = automaton.step(state, letters[letter])
                if let edits = automaton.editsIfAccepting(state) {
                    if edits == 0 { return 0 }
                    best = Swift.min(best ?? .max, edits)
                }
                if !automaton.isAlive(state) { return best }
            }
            current = lane.forward.next(after: position, spelling: spelling, end: end)
        }
        return best
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
