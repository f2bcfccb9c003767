/// Checks one record for all typed words, each the beginning of a word of its own, in any field of any of the lanes.
///
/// Few words and a step limit keep it cheap: O(typed words · occurrences) unless typed words compete for the same ones.
/// It runs for thousands of records a search: its memory is taken once, and nothing in it counts references.
final class WordsAlignment {
    struct Piece {
        var part: Int
        var occurrence: Int
        var length: Int
    }

    static let mostSteps = 20_000

    private let parts: UnsafeMutableBufferPointer<PlainPart>
    private let wordCount: Int
    private let stack: UnsafeMutablePointer<Piece>
    private var depth = 0
    private var steps = 0

    /// - Parameters:
    ///   - query: which of the request's queries the parts are of.
    ///   - memory: what other tiers have found out about it.
    init(_ parts: [SearchPart], query: Int, memory: SearchMemory) {
        self.parts = PlainPart.allocate(parts) { memory.words(beginningWith: $1, of: $0, query: query) }
        wordCount = parts[0].query.words.count
        stack = .allocate(capacity: wordCount + 1)
    }

    deinit {
        PlainPart.deallocate(parts)
        stack.deallocate()
    }

    /// The pieces of the last match, in the order of the query.
    var pieces: [Piece] { Array(UnsafeBufferPointer(start: stack, count: depth)) }

    func matches(_ record: Int) -> Bool {
        depth = 0
        steps = 0
        return matches(record, from: 0)
    }

    private func matches(_ record: Int, from word: Int) -> Bool {
        if word == wordCount { return true }
        for number in 0..<parts.count where word < parts[number].wordCount {
            let part = parts[number]
            let range = part.forward.range(of: record)
            var slot = range.lowerBound
            while slot < range.upperBound {
                let end = part.endOfSpellings(slot, range.upperBound)
                var occurrence = slot
                while occurrence < end && !part.begins(occurrence, with: word) { occurrence += 1 }
                // Another spelling of the same word leads nowhere else.
                if occurrence < end && !isUsed(number, slot, end) {
                    steps += 1
                    if steps > WordsAlignment.mostSteps { return false }
                    let length = part.bounds[word + 1] - part.bounds[word]
                    stack[depth] = Piece(part: number, occurrence: occurrence, length: length)
                    depth += 1
                    if matches(record, from: word + 1) { return true }
                    depth -= 1
                }
                slot = end
            }
        }
        return false
    }

    @inline(__always)
    private func isUsed(_ part: Int, _ slot: Int, _ end: Int) -> Bool {
        for place in 0..<depth {
            let piece = stack[place]
            if piece.part == part && piece.occurrence >= slot && piece.occurrence < end { return true }
        }
        return false
    }
}
