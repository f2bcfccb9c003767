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
    /// `true` if the last document, which does not match in order, matches in another order.
    private(set) var matchesOutOfOrder = false

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

    /// Returns `true` if a value of the document matches in order.
    func matchesInOrder(_ document: Int) -> Bool {
        matchesOutOfOrder = false
        let range = forward.range(of: document)
        var token = range.lowerBound
        while token < range.upperBound {
            if matches(from: &token, end: range.upperBound, inOrder: true) { return true }
        }
        return false
    }

    /// Returns `true` if a value of the document matches in any order.
    func matchesInAnyOrder(_ document: Int) -> Bool {
        let range = forward.range(of: document)
        var token = range.lowerBound
        while token < range.upperBound {
            matchesOutOfOrder = false
            _ = matches(from: &token, end: range.upperBound, inOrder: false)
            if matchesOutOfOrder { return true }
        }
        return false
    }

    /// Tests the value at a token and moves to the next one.
    private func matches(from token: inout Int, end: Int, inOrder: Bool) -> Bool {
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
            if reached & accepting != 0 { return true }
        } while !isValueEnd(token, end)
        if !matchesOutOfOrder, canBeSegmented(slots, begins) {
            let words = Swift.min(slots, SegmentationMatcher.maxWords)
            matchesOutOfOrder = maxCost == nil ? subsetMatches(words) : subsetMatchesAtLimitedCost(words)
        }
        return false
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
