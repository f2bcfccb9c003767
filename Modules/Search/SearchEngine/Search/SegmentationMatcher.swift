// Each `unsafe` is safe because the position lies within a range of tokens that was checked.

/// Finds the pieces with which a document matches a segmentation of the query into prefixes of the words of one value.
///
/// The search for pieces is memoized. In order, it remembers from which word on each rest of the query fails; in any
/// order, for which sets of used words it fails. O(letters² · words) and O(letters² · 2^words). In any order, only the
/// first ``maxWords`` words of a value are considered. ``SegmentationTest`` is faster for documents that may not match.
final class SegmentationMatcher {
    struct Piece {
        var token: Int
        var length: Int
    }

    private struct Step {
        var slot: Int
        var position: Int
        var length: Int
    }

    /// The maximum number of words in any order: a set of them is one bit of a machine word.
    static let maxWords = 6
    /// The maximum number of words in order.
    static let maxOrderedWords = 64

    private let query: EncodedQuery
    private let words: TermDictionary
    private let tokens: PackedView<UInt32>
    private let forward: ForwardIndex
    private let count: Int
    /// The maximum cost of all pieces; see ``SearchTier/Splits``.
    private let maxCost: Int?
    /// The first token of each word of the value, and the end of the last.
    private let slots: Scratch<Int>
    private var slotCount = 0
    /// For each word and position, the longest common prefix.
    private let lengths: Scratch<UInt8>
    /// For each position, the first word from which the rest fails.
    private let failsFrom: Scratch<Int>
    /// For each position, a bit for each set of used words with which the rest fails.
    private let failsWith: Scratch<UInt64>
    private let stack: Scratch<Step>
    private var depth = 0

    init(field: Field, query: EncodedQuery, splits: SearchTier.Splits) {
        self.query = query
        words = field.words
        forward = field.forward
        tokens = field.forward.tokens
        count = query.bytes.count
        maxCost = splits.maxCost
        slots = Scratch(repeating: 0, count: SegmentationMatcher.maxOrderedWords + 1)
        lengths = Scratch(repeating: 0, count: SegmentationMatcher.maxOrderedWords * (count + 1))
        let states = (count + 1) * ((maxCost ?? 0) + 1)
        failsFrom = Scratch(repeating: 0, count: states)
        failsWith = Scratch(repeating: 0, count: states)
        stack = Scratch(repeating: Step(slot: 0, position: 0, length: 0), count: count + 1)
    }

    /// The pieces of the last match, in the order of the query.
    var pieces: [Piece] {
        (0..<depth).map { number in
            let step = stack[number]
            let spellings = slots[step.slot]..<slots[step.slot + 1]
            let token = spellings.first {
                commonPrefix(words.letters(of: forward.word($0)), step.position) >= step.length
            }
            return Piece(token: token ?? spellings.lowerBound, length: step.length)
        }
    }

    /// Returns `true` if a value of the document matches in order.
    func matchesInOrder(_ document: Int) -> Bool {
        anyValue(of: document) {
            failsFrom.fill(0..<failsFrom.count, with: .max)
            return inOrder(0, 0, maxCost ?? .max)
        }
    }

    /// Returns `true` if a value of the document matches in any order.
    func matchesInAnyOrder(_ document: Int) -> Bool {
        anyValue(of: document) {
            failsWith.fill(0..<failsWith.count, with: 0)
            slotCount = Swift.min(slotCount, SegmentationMatcher.maxWords)
            return inAnyOrder(0, 0, maxCost ?? .max)
        }
    }

    @inline(__always)
    private func anyValue(of document: Int, _ matches: () -> Bool) -> Bool {
        let range = forward.range(of: document)
        var position = range.lowerBound
        while position < range.upperBound {
            let start = position
            repeat {
                position += 1
                // Safe: the tokens of a document are inside the view.
            } while unsafe position < range.upperBound && tokens[unchecked: position] & ForwardIndex.valueStart == 0
            load(start..<position)
            if matches() { return true }
        }
        return false
    }

    /// Loads the words of a value, with the longest prefixes over their spellings.
    private func load(_ value: Range<Int>) {
        depth = 0
        slotCount = 0
        var token = value.lowerBound
        while token < value.upperBound && slotCount < SegmentationMatcher.maxOrderedWords {
            let row = slotCount * (count + 1)
            slots[slotCount] = token
            lengths.fill(row..<row + count, with: 0)
            repeat {
                let word = words.letters(of: forward.word(token))
                for position in 0..<count {
                    lengths[row + position] = Swift.max(
                        lengths[row + position], UInt8(truncatingIfNeeded: commonPrefix(word, position)))
                }
                token += 1
            } while token < value.upperBound && tokens[token] & ForwardIndex.otherSpelling != 0
            slotCount += 1
            slots[slotCount] = token
        }
    }

    /// Returns the common prefix of a word and the query from a position on.
    @inline(__always)
    private func commonPrefix(_ word: View<UInt8>, _ position: Int) -> Int {
        let limit = Swift.min(word.count, query.wordEnds[position] - position)
        var length = 0
        while length < limit, word[length] == query.bytes[position + length] { length += 1 }
        return length
    }

    /// Returns the longest common prefix of a word of the value and the query from a position on.
    @inline(__always)
    private func commonPrefix(_ slot: Int, _ position: Int) -> Int { Int(lengths[slot * (count + 1) + position]) }

    @inline(__always)
    private func push(_ level: Int, _ slot: Int, _ position: Int, _ length: Int) {
        stack[level] = Step(slot: slot, position: position, length: length)
        depth = level + 1
    }

    /// Returns the index of the remembered failure for the rest from a position and the cost that is left.
    @inline(__always)
    private func state(_ position: Int, _ costLeft: Int) -> Int {
        maxCost == nil ? position : costLeft * (count + 1) + position
    }

    /// Returns the lengths to try for a piece from a position.
    @inline(__always)
    private func lengths(_ slot: Int, _ position: Int, isLastWord: Bool) -> (longest: Int, shortest: Int) {
        let length = commonPrefix(slot, position)
        // The last word must match the rest.
        return isLastWord ? (length, count - position) : (length, 1)
    }

    private func inOrder(_ position: Int, _ from: Int, _ costLeft: Int) -> Bool {
        if position == count { return true }
        let (level, state) = (depth, state(position, costLeft))
        if from >= failsFrom[state] { return false }
        var slot = from
        while slot < slotCount {
            let (longest, shortest) = lengths(slot, position, isLastWord: slot == slotCount - 1)
            for length in stride(from: longest, through: shortest, by: -1) {
                let left = costLeft - SearchTier.Splits.cost(ofLength: length)
                if left >= 0 {
                    push(level, slot, position, length)
                    if inOrder(position + length, slot + 1, left) { return true }
                }
            }
            slot += 1
        }
        depth = level
        failsFrom[state] = from
        return false
    }

    private func inAnyOrder(_ position: Int, _ used: Int, _ costLeft: Int) -> Bool {
        if position == count { return true }
        let (level, state) = (depth, state(position, costLeft))
        if failsWith[state] & (1 << UInt64(used)) != 0 { return false }
        let isLast = used.nonzeroBitCount == slotCount - 1
        for slot in 0..<slotCount where used & (1 << slot) == 0 {
            let (longest, shortest) = lengths(slot, position, isLastWord: isLast)
            for length in stride(from: longest, through: shortest, by: -1) {
                let left = costLeft - SearchTier.Splits.cost(ofLength: length)
                if left >= 0 {
                    push(level, slot, position, length)
                    if inAnyOrder(position + length, used | (1 << slot), left) { return true }
                }
            }
        }
        depth = level
        failsWith[state] |= 1 << UInt64(used)
        return false
    }
}
