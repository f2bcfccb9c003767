/// Checks one record for all typed words, each within its edits of the beginning of a run that starts at a word of its own.
struct TypoAlignment {
    struct Piece {
        var part: Int
        var occurrence: Int
        var length: Int
        var edits: Int
    }

    let parts: [SearchPart]
    let typos: TypoAllowance

    /// The best piece for each typed word in turn, or nil if one finds none.
    func pieces(of record: Int) -> [Piece]? {
        var pieces: [Piece] = []
        for word in parts[0].query.words.indices {
            var best: Piece?
            for (number, part) in parts.enumerated() where part.query.words.indices.contains(word) {
                let typed = part.query.words[word]
                let allowed = typos.edits(letters: typed.count)
                let forward = part.lane.forward
                let range = forward.range(of: record)
                var slot = range.lowerBound
                while slot < range.upperBound {
                    var end = slot + 1
                    while end < range.upperBound && forward.isOtherSpelling(end) { end += 1 }
                    let isUsed = pieces.contains {
                        $0.part == number && $0.occurrence >= slot && $0.occurrence < end
                    }
                    for occurrence in slot..<end where !isUsed {
                        let run = part.lane.letters(from: occurrence, atMost: typed.count + 3, end: range.upperBound)
                        let near = PrefixDistance(query: part.query.bytes[typed], word: run)
                        if near.edits <= allowed, near.edits < best?.edits ?? .max {
                            best = Piece(
                                part: number, occurrence: occurrence, length: near.length, edits: near.edits)
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
