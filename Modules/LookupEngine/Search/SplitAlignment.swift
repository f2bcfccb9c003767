/// Checks one record for a split of the query into beginnings of the words of one field, and says which.
///
/// For each word of the field and each place in the query the length of the longest common beginning, over all
/// spellings, is found once and kept; every shorter one is a beginning too. In order, it is then known from which
/// word on each rest of the query fails; in any order, for which sets of used words: O(letters² · words) and
/// O(letters² · 2^words), for fields of up to ``mostWords`` words (later words of a longer field are not split in any
/// order). It runs for thousands of records a search, so its memory is taken once, and nothing in it counts
/// references.
final class SplitAlignment {
    struct Piece {
        var occurrence: Int
        var length: Int
    }

    /// In any order, so many words of a field are looked at: a set of them is one machine word's bit.
    static let mostWords = 6
    /// In order, so many.
    static let mostOrderedWords = 64

    private let occurrences: UnsafePointer<UInt32>
    private let forward: ForwardTable
    private let words: WordDictionary
    private let count: Int
    private let bytes: UnsafeMutablePointer<UInt8>
    private let wordEnds: UnsafeMutablePointer<Int>
    /// The first occurrence of each word of the field, and one past the last.
    private let slots: UnsafeMutablePointer<Int>
    private var slotCount = 0
    /// For each word and place: the longest common beginning, and the occurrence that has it; -1 if not known yet.
    private let lengths: UnsafeMutablePointer<Int8>
    private let bestOccurrences: UnsafeMutablePointer<Int>
    /// For each place: from which word on the rest fails.
    private let failsFrom: UnsafeMutablePointer<Int>
    /// For each place: a bit for each set of used words with which the rest fails.
    private let failsWith: UnsafeMutablePointer<UInt64>
    private let stack: UnsafeMutablePointer<Piece>
    private var depth = 0

    init(lane: Lane, query: EncodedQuery) {
        forward = lane.forward
        words = lane.words
        occurrences = lane.forward.occurrences.base
        count = query.bytes.count
        bytes = .allocate(capacity: count + 1)
        wordEnds = .allocate(capacity: count + 1)
        slots = .allocate(capacity: SplitAlignment.mostOrderedWords + 1)
        lengths = .allocate(capacity: SplitAlignment.mostOrderedWords * (count + 1))
        bestOccurrences = .allocate(capacity: SplitAlignment.mostOrderedWords * (count + 1))
        failsFrom = .allocate(capacity: count + 1)
        failsWith = .allocate(capacity: count + 1)
        stack = .allocate(capacity: count + 1)
        for position in 0..<count {
            bytes[position] = query.bytes[position]
            wordEnds[position] = query.wordEnds[position]
        }
    }

    deinit {
        bytes.deallocate()
        wordEnds.deallocate()
        slots.deallocate()
        lengths.deallocate()
        bestOccurrences.deallocate()
        failsFrom.deallocate()
        failsWith.deallocate()
        stack.deallocate()
    }

    /// The pieces of the last match, in the order of the query.
    var pieces: [Piece] { Array(UnsafeBufferPointer(start: stack, count: depth)) }

    /// Whether a field of the record has the query's beginnings in order.
    func matchesInOrder(_ record: Int) -> Bool {
        anyField(of: record) {
            for position in 0...count { failsFrom[position] = .max }
            return inOrder(0, 0)
        }
    }

    /// Whether a field has them in any order, with typed words split at will.
    func matchesInAnyOrder(_ record: Int) -> Bool {
        anyField(of: record) {
            for position in 0...count { failsWith[position] = 0 }
            slotCount = Swift.min(slotCount, SplitAlignment.mostWords)
            return inAnyOrder(0, 0)
        }
    }

    @inline(__always)
    private func anyField(of record: Int, _ matches: () -> Bool) -> Bool {
        let range = forward.range(of: record)
        var position = range.lowerBound
        while position < range.upperBound {
            slotCount = 0
            repeat {
                if slotCount < SplitAlignment.mostOrderedWords {
                    slots[slotCount] = position
                    slotCount += 1
                }
                position += 1
                while position < range.upperBound && occurrences[position] & ForwardTable.otherSpelling != 0 {
                    position += 1
                }
                slots[slotCount] = position
            } while position < range.upperBound && occurrences[position] & ForwardTable.fieldStart == 0
            for place in 0..<(slotCount * (count + 1)) { lengths[place] = -1 }
            depth = 0
            if matches() { return true }
        }
        return false
    }

    /// The longest beginning of a word of the field that the query has at a place.
    @inline(__always)
    private func commonPrefix(_ slot: Int, _ position: Int) -> Int {
        let place = slot * (count + 1) + position
        if lengths[place] >= 0 { return Int(lengths[place]) }
        let first = bytes[position]
        let most = wordEnds[position] - position
        var best = 0
        for occurrence in slots[slot]..<slots[slot + 1] {
            let word = Int(occurrences[occurrence] & ForwardTable.wordMask)
            let letters = words.start(of: word)
            if letters[0] != first { continue }
            let limit = Swift.min(words.length(of: word), most)
            var length = 1
            while length < limit && letters[length] == bytes[position + length] { length += 1 }
            if length > best {
                best = length
                bestOccurrences[place] = occurrence
            }
        }
        lengths[place] = Int8(truncatingIfNeeded: best)
        return best
    }

    @inline(__always)
    private func push(_ place: Int, _ slot: Int, _ position: Int, _ length: Int) {
        stack[place] = Piece(occurrence: bestOccurrences[slot * (count + 1) + position], length: length)
        depth = place + 1
    }

    private func inOrder(_ position: Int, _ from: Int) -> Bool {
        if position == count { return true }
        if from >= failsFrom[position] { return false }
        let place = depth
        var slot = from
        while slot < slotCount {
            var length = commonPrefix(slot, position)
            while length > 0 {
                push(place, slot, position, length)
                if inOrder(position + length, slot + 1) { return true }
                length -= 1
            }
            slot += 1
        }
        depth = place
        failsFrom[position] = from
        return false
    }

    private func inAnyOrder(_ position: Int, _ used: Int) -> Bool {
        if position == count { return true }
        if failsWith[position] & (1 << UInt64(used)) != 0 { return false }
        let place = depth
        for slot in 0..<slotCount where used & (1 << slot) == 0 {
            var length = commonPrefix(slot, position)
            while length > 0 {
                push(place, slot, position, length)
                if inAnyOrder(position + length, used | (1 << slot)) { return true }
                length -= 1
            }
        }
        depth = place
        failsWith[position] |= 1 << UInt64(used)
        return false
    }
}
