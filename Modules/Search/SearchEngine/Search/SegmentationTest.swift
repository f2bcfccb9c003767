// Each `unsafe` is safe because the position lies within a range of tokens that was checked.

/// Tests whether a document matches a segmentation of the query into prefixes of the words of one value.
///
/// A set of positions of the query is one machine word: bit i is set if the words so far can match the first i letters.
/// In order, each word of the value extends the set once. In any order, there is a set for each subset of the first
/// ``SegmentationMatcher/maxWords`` words. O(words · letters) and O(2^words · letters).
///
/// A search tests hundreds of documents, so memory is allocated once, and the first eight letters of a word are
/// compared at once. ``SegmentationMatcher`` finds the pieces of the documents that match.
final class SegmentationTest {
    /// The number of costs, from 0 on, that are distinguished if ``SearchTier/Splits`` limits them.
    private static let costs = 8

    private let forward: ForwardIndex
    private let words: TermDictionary
    private let count: Int
    private let maxCost: Int?
    private let accepting: UInt64
    /// The letters of the query, and the end of the typed word of each.
    private let letters: Scratch<UInt8>
    private let wordEnds: Scratch<Int>
    /// For each position, eight letters of the query, the first in the lowest bits.
    private let eight: Scratch<UInt64>
    /// The positions of each letter in the query.
    private let masks: Scratch<UInt64>
    /// For each position, the positions reached by a piece that is a prefix of any word of the value.
    private let ends: Scratch<UInt64>
    /// The same for each word of the value.
    private let endsOfWord: Scratch<UInt64>
    /// For each word of the value, the positions at which it may begin.
    private let starts: Scratch<UInt64>
    /// The positions reached with each subset of the words and, if costs are limited, each cost.
    private let reached: Scratch<UInt64>

    init(field: Field, query: EncodedQuery, splits: SearchTier.Splits) {
        forward = field.forward
        words = field.words
        let bytes = query.bytes
        count = bytes.count
        maxCost = splits.maxCost
        accepting = 1 << UInt64(count)
        letters = Scratch(repeating: 0, count: count)
        wordEnds = Scratch(repeating: 0, count: count)
        eight = Scratch(repeating: 0, count: count)
        for position in bytes.indices.reversed() {
            letters[position] = bytes[position]
            wordEnds[position] = query.wordEnds[position]
            eight[position] = (position + 1 < count ? eight[position + 1] << 8 : 0) | UInt64(bytes[position])
        }
        masks = EditAutomaton.masks(of: bytes.span)
        ends = Scratch(repeating: 0, count: count)
        endsOfWord = Scratch(repeating: 0, count: (SegmentationMatcher.maxWords + 1) * count)
        starts = Scratch(repeating: 0, count: SegmentationMatcher.maxWords)
        let subsets = 1 << SegmentationMatcher.maxWords
        reached = Scratch(repeating: 0, count: subsets * (maxCost == nil ? 1 : SegmentationTest.costs))
    }

    /// Returns the positions that prefixes of a word reach from a position that has its first letter.
    @inline(__always)
    private func ends(_ word: UInt64, _ start: Int, _ length: Int, from position: Int) -> UInt64 {
        let limit = Swift.min(length, wordEnds[position] &- position)
        var common = Swift.min((word ^ eight[position]).trailingZeroBitCount >> 3, limit)
        if common == 8 {
            while common < limit, words.bytes[start &+ common] == letters[position &+ common] { common &+= 1 }
        }
        return (1 &<< UInt64(common) &- 1) &<< UInt64(position &+ 1)
    }

    /// The order of the words in which a value of a document matches.
    enum Order {
        case typed
        case other
    }

    /// Returns the best order in which a value of the document matches, or nil if none does.
    ///
    /// - Parameter inOrder: `false` to consider any order as ``Order/other``.
    func order(_ document: Int, inOrder: Bool) -> Order? {
        let range = forward.range(of: document)
        var token = range.lowerBound
        var found: Order?
        while token < range.upperBound, found == nil || inOrder {
            found = order(from: &token, end: range.upperBound, inOrder: inOrder, found)
            if found == .typed { break }
        }
        return found
    }

    /// Tests the value at a token and moves to the next one.
    private func order(from token: inout Int, end: Int, inOrder: Bool, _ found: Order?) -> Order? {
        var slots = 0
        // The positions at which a word begins, the positions reached and, if costs are limited, the positions reached at
        // each cost.
        var begins: UInt64 = 0
        var reached: UInt64 = inOrder ? 1 : 0
        var atCost = SIMD8<UInt64>(reached, 0, 0, 0, 0, 0, 0, 0)
        repeat {
            let isCounted = slots < SegmentationMatcher.maxOrderedWords
            // Words beyond the limit for any order share the last row, which is not read.
            let row = Swift.min(slots, SegmentationMatcher.maxWords) &* count
            var beginsOfWord: UInt64 = 0
            var (next, nextAtCost) = (reached, atCost)
            var last = UInt32.max
            repeat {
                // Safe: `token` is less than `end`, which is at most the number of tokens.
                let number = unsafe ForwardIndex.word(forward.tokens[unchecked: token])
                token &+= 1
                // A word with few spellings repeats the last one on the other tracks.
                if number == last { continue }
                last = number
                let (start, length) = words.location(of: Int(number))
                if length == 0 { continue }
                let word = words.bytes.word(from: start)
                var positions = masks[Int(word & 0xff)]
                while positions != 0 {
                    let position = positions.trailingZeroBitCount
                    let bit = positions & (0 &- positions)
                    positions ^= bit
                    let ends = ends(word, start, length, from: position)
                    endsOfWord[row &+ position] = beginsOfWord & bit == 0 ? ends : endsOfWord[row &+ position] | ends
                    beginsOfWord |= bit
                    if isCounted, reached & bit != 0 {
                        next |= maxCost == nil ? ends : extend(atCost, position, ends, &nextAtCost)
                    }
                }
                // Safe: as above.
            } while unsafe token < end
                && forward.tokens[unchecked: token] & ForwardIndex.flags == ForwardIndex.otherSpelling
            if slots < SegmentationMatcher.maxWords { starts[slots] = beginsOfWord }
            var positions = beginsOfWord
            while positions != 0 {
                let position = positions.trailingZeroBitCount
                let bit = positions & (0 &- positions)
                positions ^= bit
                let endsOfWord = endsOfWord[row &+ position]
                ends[position] = begins & bit == 0 ? endsOfWord : ends[position] | endsOfWord
            }
            begins |= beginsOfWord
            slots &+= 1
            (reached, atCost) = (next, nextAtCost)
            if reached & accepting != 0 { return .typed }
        } while !isValueEnd(token, end)
        if found == nil, canBeSegmented(slots, begins) {
            let words = Swift.min(slots, SegmentationMatcher.maxWords)
            if maxCost == nil ? subsetMatches(words) : subsetMatchesAtLimitedCost(words) { return .other }
        }
        return found
    }

    @inline(__always)
    private func isValueEnd(_ token: Int, _ end: Int) -> Bool {
        // Safe: `token` is less than `end`, which is at most the number of tokens.
        unsafe token >= end || forward.tokens[unchecked: token] & ForwardIndex.valueStart != 0
    }

    /// Adds the positions that a word reaches from a position, for each cost at which the position is reached, and
    /// returns them.
    @inline(__always)
    private func extend(
        _ reached: SIMD8<UInt64>, _ position: Int, _ reachable: UInt64, _ next: inout SIMD8<UInt64>
    ) -> UInt64 {
        let one = UInt64(2) << UInt64(position)
        let maxCost = maxCost ?? 0
        var added: UInt64 = 0
        for cost in 0..<maxCost where reached[cost] >> UInt64(position) & 1 != 0 {
            next[cost + SearchTier.Splits.cost(ofLength: 1)] |= one
            added |= one
            let longer = cost + SearchTier.Splits.cost(ofLength: 2)
            if longer <= maxCost {
                next[longer] |= reachable & ~one
                added |= reachable
            }
        }
        return added
    }

    /// Returns `true` if the query splits into up to the given number of prefixes of words of the value, where a word
    /// may be used twice. False positives are rare. O(letters).
    private func canBeSegmented(_ words: Int, _ begins: UInt64) -> Bool {
        var (reached, fringe): (UInt64, UInt64) = (1, 1)
        for _ in 0..<words {
            var next: UInt64 = 0
            fringe &= begins
            while fringe != 0 {
                next |= ends[fringe.trailingZeroBitCount]
                fringe &= fringe &- 1
            }
            if next & accepting != 0 { return true }
            fringe = next & ~reached
            if fringe == 0 { return false }
            reached |= next
        }
        return false
    }

    /// Returns `true` if a subset of the loaded words matches the query.
    private func subsetMatches(_ words: Int) -> Bool {
        reached.fill(0..<1 << words, with: 0)
        reached[0] = 1
        for used in 0..<1 << words {
            let known = reached[used]
            if known == 0 { continue }
            for word in 0..<words where used & (1 << word) == 0 {
                var (positions, next) = (known & starts[word], UInt64(0))
                while positions != 0 {
                    next |= endsOfWord[word &* count &+ positions.trailingZeroBitCount]
                    positions &= positions &- 1
                }
                if next & accepting != 0 { return true }
                reached[used | 1 << word] |= next
            }
        }
        return false
    }

    private func subsetMatchesAtLimitedCost(_ words: Int) -> Bool {
        let costs = SegmentationTest.costs
        reached.fill(0..<costs << words, with: 0)
        reached[0] = 1
        for used in 0..<1 << words {
            var (known, all) = (SIMD8<UInt64>(), UInt64(0))
            for cost in 0..<costs {
                known[cost] = reached[used * costs + cost]
                all |= known[cost]
            }
            if all == 0 { continue }
            for word in 0..<words where used & (1 << word) == 0 {
                var (positions, next) = (all & starts[word], SIMD8<UInt64>())
                while positions != 0 {
                    let position = positions.trailingZeroBitCount
                    positions &= positions &- 1
                    let reachable = endsOfWord[word * count + position]
                    if extend(known, position, reachable, &next) & accepting != 0 { return true }
                }
                let row = (used | 1 << word) * costs
                for cost in 0..<costs { reached[row + cost] |= next[cost] }
            }
        }
        return false
    }
}

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
