/// Checks one record for a split of the query into beginnings of its words, and says which.
///
/// In order, the search remembers from where each rest of the query is known to fail, so it takes O(letters² · occurrences) at
/// most; in any order it gives up after ``mostSteps``, which only contrived fields reach.
struct SplitAlignment {
    struct Piece {
        var occurrence: Int
        var length: Int
    }

    static let mostSteps = 20_000

    private let forward: ForwardTable
    private let words: WordDictionary
    private let query: EncodedQuery
    private var failsFrom: [Int]
    private var steps = 0
    /// The pieces of the last match, in the order of the query.
    private(set) var pieces: [Piece] = []

    init(lane: Lane, query: EncodedQuery) {
        forward = lane.forward
        words = lane.words
        self.query = query
        failsFrom = Array(repeating: .max, count: query.bytes.count + 1)
        pieces.reserveCapacity(8)
    }

    /// Whether a field of the record has the query's beginnings in order.
    mutating func matchesInOrder(_ record: Int) -> Bool {
        eachField(of: record) { alignment, field in
            for position in alignment.failsFrom.indices { alignment.failsFrom[position] = .max }
            return alignment.inOrder(0, from: field.lowerBound, end: field.upperBound)
        }
    }

    /// Whether a field has them in any order, with typed words split at will.
    mutating func matchesInAnyOrder(_ record: Int) -> Bool {
        eachField(of: record) { alignment, field in
            alignment.steps = 0
            return alignment.inAnyOrder(0, in: field, splitsWords: true)
        }
    }

    /// Whether every typed word begins a word of its own anywhere in the record.
    mutating func matchesAcrossFields(_ record: Int) -> Bool {
        pieces.removeAll(keepingCapacity: true)
        steps = 0
        return inAnyOrder(0, in: forward.range(of: record), splitsWords: false)
    }

    private mutating func eachField(of record: Int, _ body: (inout SplitAlignment, Range<Int>) -> Bool) -> Bool {
        let range = forward.range(of: record)
        var start = range.lowerBound
        while start < range.upperBound {
            var end = start + 1
            while end < range.upperBound && !forward.startsField(end) { end += 1 }
            pieces.removeAll(keepingCapacity: true)
            if body(&self, start..<end) { return true }
            start = end
        }
        return false
    }

    @inline(__always)
    private func commonPrefix(_ occurrence: Int, _ position: Int) -> Int {
        let word = forward.word(occurrence)
        let bytes = words.start(of: word)
        let limit = Swift.min(words.length(of: word), query.wordEnds[position] - position)
        var length = 0
        while length < limit && bytes[length] == query.bytes[position + length] { length += 1 }
        return length
    }

    private mutating func inOrder(_ position: Int, from: Int, end: Int) -> Bool {
        if position == query.bytes.count { return true }
        if from >= failsFrom[position] { return false }
        var occurrence = from
        while occurrence < end {
            var length = commonPrefix(occurrence, position)
            if length > 0 {
                var following = occurrence + 1
                while following < end && forward.isOtherSpelling(following) { following += 1 }
                let place = pieces.count
                while length > 0 {
                    pieces.append(Piece(occurrence: occurrence, length: length))
                    if inOrder(position + length, from: following, end: end) { return true }
                    pieces.removeLast(pieces.count - place)
                    length -= 1
                }
            }
            occurrence += 1
        }
        failsFrom[position] = from
        return false
    }

    private mutating func inAnyOrder(_ position: Int, in range: Range<Int>, splitsWords: Bool) -> Bool {
        if position == query.bytes.count { return true }
        let needed = query.wordEnds[position] - position
        var slot = range.lowerBound
        while slot < range.upperBound {
            var end = slot + 1
            while end < range.upperBound && forward.isOtherSpelling(end) { end += 1 }
            if !pieces.contains(where: { $0.occurrence >= slot && $0.occurrence < end }) {
                for occurrence in slot..<end {
                    steps += 1
                    if steps > SplitAlignment.mostSteps { return false }
                    var length = commonPrefix(occurrence, position)
                    let shortest = splitsWords ? 1 : needed
                    let place = pieces.count
                    while length >= shortest {
                        pieces.append(Piece(occurrence: occurrence, length: length))
                        if inAnyOrder(position + length, in: range, splitsWords: splitsWords) { return true }
                        pieces.removeLast(pieces.count - place)
                        length -= 1
                    }
                }
            }
            slot = end
        }
        return false
    }
}
