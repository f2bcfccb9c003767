/// Checks one record for a split of the query into beginnings of its words, and says which.
///
/// In order, the search remembers from where each rest of the query is known to fail, so it takes O(letters² · occurrences) at
/// most; in any order it gives up after ``mostSteps``, which only contrived fields reach. It runs for thousands of records a
/// search, so its memory is taken once, and nothing in it counts references.
final class SplitAlignment {
    struct Piece {
        var occurrence: Int
        var length: Int
    }

    static let mostSteps = 20_000

    private let occurrences: UnsafePointer<UInt32>
    private let forward: ForwardTable
    private let words: WordDictionary
    private let count: Int
    private let bytes: UnsafeMutablePointer<UInt8>
    private let wordEnds: UnsafeMutablePointer<Int>
    private let failsFrom: UnsafeMutablePointer<Int>
    private let stack: UnsafeMutablePointer<Piece>
    private var depth = 0
    private var steps = 0

    init(lane: Lane, query: EncodedQuery) {
        forward = lane.forward
        words = lane.words
        occurrences = lane.forward.occurrences.base
        count = query.bytes.count
        bytes = .allocate(capacity: count + 1)
        wordEnds = .allocate(capacity: count + 1)
        failsFrom = .allocate(capacity: count + 1)
        stack = .allocate(capacity: count + 1)
        for position in 0..<count {
            bytes[position] = query.bytes[position]
            wordEnds[position] = query.wordEnds[position]
        }
        for position in 0...count { failsFrom[position] = .max }
    }

    deinit {
        bytes.deallocate()
        wordEnds.deallocate()
        failsFrom.deallocate()
        stack.deallocate()
    }

    /// The pieces of the last match, in the order of the query.
    var pieces: [Piece] { Array(UnsafeBufferPointer(start: stack, count: depth)) }

    /// Whether a field of the record has the query's beginnings in order.
    func matchesInOrder(_ record: Int) -> Bool {
        let range = forward.range(of: record)
        var start = range.lowerBound
        while start < range.upperBound {
            let end = fieldEnd(start, range.upperBound)
            depth = 0
            for position in 0...count { failsFrom[position] = .max }
            if inOrder(0, start, end) { return true }
            start = end
        }
        return false
    }

    /// Whether a field has them in any order, with typed words split at will.
    func matchesInAnyOrder(_ record: Int) -> Bool {
        let range = forward.range(of: record)
        var start = range.lowerBound
        while start < range.upperBound {
            let end = fieldEnd(start, range.upperBound)
            depth = 0
            steps = 0
            if inAnyOrder(0, start, end) { return true }
            start = end
        }
        return false
    }

    @inline(__always)
    private func fieldEnd(_ start: Int, _ end: Int) -> Int {
        var position = start + 1
        while position < end && occurrences[position] & ForwardTable.fieldStart == 0 { position += 1 }
        return position
    }

    @inline(__always)
    private func slotEnd(_ occurrence: Int, _ end: Int) -> Int {
        var position = occurrence + 1
        while position < end && occurrences[position] & ForwardTable.otherSpelling != 0 { position += 1 }
        return position
    }

    @inline(__always)
    private func commonPrefix(_ occurrence: Int, _ position: Int) -> Int {
        let word = Int(occurrences[occurrence] & ForwardTable.wordMask)
        let letters = words.start(of: word)
        if letters[0] != bytes[position] { return 0 }
        let limit = Swift.min(words.length(of: word), wordEnds[position] - position)
        var length = 1
        while length < limit && letters[length] == bytes[position + length] { length += 1 }
        return length
    }

    private func inOrder(_ position: Int, _ from: Int, _ end: Int) -> Bool {
        if position == count { return true }
        if from >= failsFrom[position] { return false }
        var occurrence = from
        while occurrence < end {
            var length = commonPrefix(occurrence, position)
            if length > 0 {
                let following = slotEnd(occurrence, end)
                let place = depth
                while length > 0 {
                    stack[place] = Piece(occurrence: occurrence, length: length)
                    depth = place + 1
                    if inOrder(position + length, following, end) { return true }
                    length -= 1
                }
                depth = place
            }
            occurrence += 1
        }
        failsFrom[position] = from
        return false
    }

    private func isUsed(_ slot: Int, _ end: Int) -> Bool {
        for piece in 0..<depth where stack[piece].occurrence >= slot && stack[piece].occurrence < end { return true }
        return false
    }

    private func inAnyOrder(_ position: Int, _ low: Int, _ high: Int) -> Bool {
        if position == count { return true }
        var slot = low
        while slot < high {
            let end = slotEnd(slot, high)
            for occurrence in slot..<end {
                var length = commonPrefix(occurrence, position)
                if length == 0 || isUsed(slot, end) { continue }
                steps += 1
                if steps > SplitAlignment.mostSteps { return false }
                let place = depth
                while length > 0 {
                    stack[place] = Piece(occurrence: occurrence, length: length)
                    depth = place + 1
                    if inAnyOrder(position + length, low, high) { return true }
                    length -= 1
                }
                depth = place
            }
            slot = end
        }
        return false
    }
}
