// Each `unsafe` is safe because the position lies within a range of tokens that was checked.

/// Matches one document against all segmentations of the query into prefixes of the words of one value.
///
/// For each word of the value and each position of the query, the length of the longest common prefix over all
/// spellings comes from a ``CommonPrefixCache``; every shorter prefix matches, too. A quick test, which few documents
/// pass, checks for a segmentation that may use a word twice. Then the search remembers, in order, from which word on
/// each rest of the query fails; in any order, for which sets of used words. O(letters² · words) and O(letters² ·
/// 2^words). In any order, only the first ``maxWords`` words of a value are considered.
///
/// A search checks thousands of documents, so memory is allocated once and nothing in the loop counts references.
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

    private let tokens: PackedView<UInt32>
    private let forward: ForwardIndex
    private let count: Int
    /// The maximum cost of all pieces; see ``SearchTier/Splits``.
    private let maxCost: Int?
    private let commonPrefixes: CommonPrefixCache
    /// The first token of each word of the value, and the end of the last.
    private let slots: Scratch<Int>
    private var slotCount = 0
    /// For each word and position, the longest common prefix.
    private let lengths: Scratch<UInt8>
    /// For each position, the longest common prefix with any word of the value, in groups of eight.
    private let longest: Scratch<SIMD8<UInt8>>
    /// For each position, the first word from which the rest fails.
    private let failsFrom: Scratch<Int>
    /// For each position, a bit for each set of used words with which the rest fails.
    private let failsWith: Scratch<UInt64>
    /// For each position, the minimum number of pieces up to there, whichever words they match.
    private let minPieces: Scratch<Int>
    private let stack: Scratch<Step>
    private var depth = 0
    /// `true` if a value of the last document may match in some order.
    private(set) var mayMatchInAnyOrder = false

    init(field: Field, query: EncodedQuery, splits: SearchTier.Splits) {
        forward = field.forward
        tokens = field.forward.tokens
        count = query.bytes.count
        maxCost = splits.maxCost
        commonPrefixes = CommonPrefixCache(field.words, query)
        slots = Scratch(repeating: 0, count: SegmentationMatcher.maxOrderedWords + 1)
        lengths = Scratch(repeating: 0, count: SegmentationMatcher.maxOrderedWords * (count + 1))
        longest = Scratch(repeating: .zero, count: commonPrefixes.chunks)
        let states = (count + 1) * ((maxCost ?? 0) + 1)
        failsFrom = Scratch(repeating: 0, count: states)
        failsWith = Scratch(repeating: 0, count: states)
        minPieces = Scratch(repeating: 0, count: count + 1)
        stack = Scratch(repeating: Step(slot: 0, position: 0, length: 0), count: count + 1)
    }

    /// The pieces of the last match, in the order of the query.
    var pieces: [Piece] {
        (0..<depth).map { number in
            let step = stack[number]
            let spellings = slots[step.slot]..<slots[step.slot + 1]
            let token = spellings.first {
                commonPrefixes.length(of: ForwardIndex.word(tokens[$0]), step.position) >= step.length
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
        let (tokens, chunks) = (tokens, commonPrefixes.chunks)
        let range = forward.range(of: document)
        var position = range.lowerBound
        mayMatchInAnyOrder = false
        while position < range.upperBound {
            let start = position
            var words = 0
            longest.fill(0..<chunks, with: .zero)
            repeat {
                // Safe: the tokens of a document are inside the view.
                let token = unsafe tokens[unchecked: position]
                let row = commonPrefixes.row(of: ForwardIndex.word(token))
                for chunk in 0..<chunks {
                    longest[chunk] = pointwiseMax(longest[chunk], commonPrefixes.rows[row &+ chunk])
                }
                if token & ForwardIndex.otherSpelling == 0 { words &+= 1 }
                position &+= 1
            } while unsafe position < range.upperBound && tokens[unchecked: position] & ForwardIndex.valueStart == 0
            if canBeSegmented(words) {
                mayMatchInAnyOrder = true
                load(start..<position)
                if matches() { return true }
            }
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
                let known = commonPrefixes.row(of: ForwardIndex.word(tokens[token])) * 8
                for position in 0..<count {
                    lengths[row + position] = Swift.max(
                        lengths[row + position], commonPrefixes.rows.byte(known + position))
                }
                token += 1
            } while token < value.upperBound && tokens[token] & ForwardIndex.otherSpelling != 0
            slotCount += 1
            slots[slotCount] = token
        }
    }

    /// The longest common prefix of a word of the value and the query from a position on.
    @inline(__always)
    private func commonPrefix(_ slot: Int, _ position: Int) -> Int { Int(lengths[slot * (count + 1) + position]) }

    /// Returns `true` if the query splits into prefixes of words of the value, at most as many as there are words, if a
    /// word may be used twice. Almost no document that does not match passes. O(letters · words).
    @inline(__always)
    private func canBeSegmented(_ words: Int) -> Bool {
        // `reached` is the end of the longest prefix that can be segmented: every shorter piece is possible, too.
        let count = count
        minPieces[0] = 0
        var reached = 0
        var position = 0
        while position <= reached && position < count {
            if minPieces[position] < words {
                let end = position &+ Int(longest.byte(position))
                while reached < end {
                    reached &+= 1
                    minPieces[reached] = minPieces[position] &+ 1
                }
            }
            position &+= 1
        }
        return reached == count
    }

    @inline(__always)
    private func push(_ level: Int, _ slot: Int, _ position: Int, _ length: Int) {
        stack[level] = Step(slot: slot, position: position, length: length)
        depth = level + 1
    }

    /// The place in the memory of failures for the rest from a position, which depends on the cost that is left.
    @inline(__always)
    private func state(_ position: Int, _ costLeft: Int) -> Int {
        maxCost == nil ? position : costLeft * (count + 1) + position
    }

    /// The lengths to try for a piece from a position.
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
