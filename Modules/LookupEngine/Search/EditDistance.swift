/// The beginning of a word that is nearest to a query, with insertions, deletions, substitutions and transpositions of neighbours
/// as one edit each (optimal string alignment), by the dynamic programme of Wagner and Fischer. O(query · word).
struct PrefixDistance {
    /// How many edits away the nearest beginning is.
    let edits: Int
    /// How many bytes of the word that beginning has.
    let length: Int

    /// Of equally near beginnings the one that ends in the query's last letter is taken, else the longest no longer than the query.
    init(query: ArraySlice<UInt8>, word: [UInt8]) {
        let query = Array(query)
        let rows = query.count + 1
        var beforeLast = [Int](repeating: 0, count: rows)
        var last = Array(0..<rows)
        var best = (edits: last[rows - 1], length: 0, fit: 0)
        for (column, letter) in word.enumerated() {
            var current = [Int](repeating: 0, count: rows)
            current[0] = column + 1
            for row in 1..<rows {
                let cost = query[row - 1] == letter ? 0 : 1
                var value = Swift.min(last[row - 1] + cost, last[row] + 1, current[row - 1] + 1)
                if row > 1, column > 0, query[row - 1] == word[column - 1], query[row - 2] == letter {
                    value = Swift.min(value, beforeLast[row - 2] + 1)
                }
                current[row] = value
            }
            let edits = current[rows - 1]
            var fit = column + 1 <= query.count ? 1 : 0
            if letter == query.last { fit += 2 }
            if edits < best.edits || (edits == best.edits && fit >= best.fit) {
                best = (edits, column + 1, fit)
            }
            if column > query.count + 3 { break }
            beforeLast = last
            last = current
        }
        edits = best.edits
        length = best.length
    }
}

/// Checks one record for all typed words, each within its edits of the beginning of a run that starts at a word of its own.
struct TypoAlignment {
    struct Piece {
        var occurrence: Int
        var length: Int
        var edits: Int
    }

    let lane: Lane
    let query: EncodedQuery
    let typos: TypoAllowance

    /// The best piece for each typed word in turn, or nil if one finds none.
    func pieces(of record: Int) -> [Piece]? {
        let range = lane.forward.range(of: record)
        var pieces: [Piece] = []
        for typed in query.words {
            let allowed = typos.edits(letters: typed.count)
            var best: Piece?
            var slot = range.lowerBound
            while slot < range.upperBound {
                var end = slot + 1
                while end < range.upperBound && lane.forward.isOtherSpelling(end) { end += 1 }
                if !pieces.contains(where: { $0.occurrence >= slot && $0.occurrence < end }) {
                    for occurrence in slot..<end {
                        let run = run(from: occurrence, atMost: typed.count + 3, end: range.upperBound)
                        let near = PrefixDistance(query: query.bytes[typed], word: run)
                        if near.edits <= allowed, near.edits < best?.edits ?? .max {
                            best = Piece(occurrence: occurrence, length: near.length, edits: near.edits)
                        }
                    }
                }
                slot = end
            }
            guard let best else { return nil }
            pieces.append(best)
        }
        return pieces
    }

    /// The letters of a run, at most so many.
    func run(from occurrence: Int, atMost limit: Int, end: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        let spelling = lane.forward.spelling(occurrence)
        var current: Int? = occurrence
        while let position = current, bytes.count < limit {
            let word = lane.forward.word(position)
            bytes += UnsafeBufferPointer(start: lane.words.start(of: word), count: lane.words.length(of: word))
            current = lane.forward.next(after: position, spelling: spelling, end: end)
        }
        return Array(bytes.prefix(limit))
    }
}
