/// Checks one document for a split of the query into prefixes of the words of one value, and says which.
///
/// For each word of the value and each place in the query the length of the longest common prefix, over all
/// spellings, is known from ``CommonPrefixCache``; every shorter one is a prefix too. A first look tells whether the query can be split at
/// all if words could be used twice, which few documents pass. Then, in order, it is found from which
/// word on each rest of the query fails; in any order, for which sets of used words: O(letters² · words) and
/// O(letters² · 2^words), for values of up to ``maxWords`` words (later words of a longer value are not split in any
/// order). It wordSuffixes for thousands of documents a search, so its memory is taken once, and nothing in it counts
/// references.
final class SegmentationMatcher {
    struct Piece {
        var token: Int
        var length: Int
    }

    private struct Place {
        var slot: Int
        var position: Int
        var length: Int
    }

    /// In any order, so many words of a value are looked at: a set of them is one machine word's bit.
    static let maxWords = 6
    /// In order, so many.
    static let maxOrderedWords = 64

    private let tokens: PackedView<UInt32>
    private let forward: ForwardIndex
    private let count: Int
    private var commonPrefixes: CommonPrefixCache
    /// The first token of each word of the value, and one past the last.
    private let slots: UnsafeMutablePointer<Int>
    private var slotCount = 0
    /// For each word and place: the longest common prefix.
    private let lengths: UnsafeMutablePointer<UInt8>
    /// For each place, eight together: the longest common prefix with any word of the value.
    private let longest: UnsafeMutablePointer<SIMD8<UInt8>>
    /// For each place: from which word on the rest fails.
    private let failsFrom: UnsafeMutablePointer<Int>
    /// For each place: a bit for each set of used words with which the rest fails.
    private let failsWith: UnsafeMutablePointer<UInt64>
    /// For each place, into how many pieces at least the query can be split up to there, whichever words they begin.
    private let minPieces: UnsafeMutablePointer<Int>
    private let stack: UnsafeMutablePointer<Place>
    private var depth = 0
    /// Whether a value of the document asked last could be split in some order.
    private(set) var mayMatchInAnyOrder = false

    init(field: Field, query: EncodedQuery) {
        forward = field.forward
        tokens = field.forward.tokens
        count = query.bytes.count
        commonPrefixes = CommonPrefixCache(field.words, query)
        slots = .allocate(capacity: SegmentationMatcher.maxOrderedWords + 1)
        lengths = .allocate(capacity: SegmentationMatcher.maxOrderedWords * (count + 1))
        longest = .allocate(capacity: commonPrefixes.chunks)
        failsFrom = .allocate(capacity: count + 1)
        failsWith = .allocate(capacity: count + 1)
        minPieces = .allocate(capacity: count + 1)
        stack = .allocate(capacity: count + 1)
    }

    deinit {
        commonPrefixes.deallocate()
        slots.deallocate()
        lengths.deallocate()
        longest.deallocate()
        failsFrom.deallocate()
        failsWith.deallocate()
        minPieces.deallocate()
        stack.deallocate()
    }

    /// The pieces of the last match, in the order of the query.
    var pieces: [Piece] {
        (0..<depth).map { number in
            let place = stack[number]
            let spellings = slots[place.slot]..<slots[place.slot + 1]
            let token = spellings.first {
                commonPrefixes.bytes(of: ForwardIndex.word(tokens[$0]))[place.position] >= place.length
            }
            return Piece(token: token ?? spellings.lowerBound, length: place.length)
        }
    }

    /// Whether a value of the document has the query's prefixes in order.
    func matchesInOrder(_ document: Int) -> Bool {
        anyValue(of: document) {
            for position in 0...count { failsFrom[position] = .max }
            return inOrder(0, 0)
        }
    }

    /// Whether a value has them in any order, with typed words split at will.
    func matchesInAnyOrder(_ document: Int) -> Bool {
        anyValue(of: document) {
            for position in 0...count { failsWith[position] = 0 }
            slotCount = Swift.min(slotCount, SegmentationMatcher.maxWords)
            return inAnyOrder(0, 0)
        }
    }

    @inline(__always)
    private func anyValue(of document: Int, _ matches: () -> Bool) -> Bool {
        let (tokens, commonPrefixes, longest) = (tokens, commonPrefixes, longest)
        let chunks = commonPrefixes.chunks
        let range = forward.range(of: document)
        var position = range.lowerBound
        mayMatchInAnyOrder = false
        while position < range.upperBound {
            let start = position
            var words = 0
            for chunk in 0..<chunks { longest[chunk] = .zero }
            repeat {
                let known = commonPrefixes.row(of: ForwardIndex.word(tokens[position]))
                for chunk in 0..<chunks { longest[chunk] = pointwiseMax(longest[chunk], known[chunk]) }
                if tokens[position] & ForwardIndex.otherSpelling == 0 { words &+= 1 }
                position &+= 1
            } while position < range.upperBound && tokens[position] & ForwardIndex.valueStart == 0
            if SegmentationMatcher.canBeSegmented(count, longest, words, minPieces) {
                mayMatchInAnyOrder = true
                take(start..<position)
                if matches() { return true }
            }
        }
        return false
    }

    /// Takes the words of a value, and for each the longest prefixes over its spellings.
    private func take(_ value: Range<Int>) {
        depth = 0
        slotCount = 0
        var position = value.lowerBound
        while position < value.upperBound && slotCount < SegmentationMatcher.maxOrderedWords {
            let row = lengths + slotCount * (count + 1)
            slots[slotCount] = position
            for place in 0..<count { row[place] = 0 }
            repeat {
                let known = commonPrefixes.bytes(of: ForwardIndex.word(tokens[position]))
                for place in 0..<count { row[place] = Swift.max(row[place], known[place]) }
                position += 1
            } while position < value.upperBound && tokens[position] & ForwardIndex.otherSpelling != 0
            slotCount += 1
            slots[slotCount] = position
        }
    }

    /// The longest prefix of a word of the value that the query has at a place.
    @inline(__always)
    private func commonPrefix(_ slot: Int, _ position: Int) -> Int { Int(lengths[slot * (count + 1) + position]) }

    /// Whether the query can be split into prefixes of words of the value, no more pieces than words, if a word may be used twice.
    /// Almost no document that cannot match passes. O(letters · words).
    @inline(__always)
    private static func canBeSegmented(
        _ count: Int, _ longest: UnsafeMutablePointer<SIMD8<UInt8>>, _ words: Int, _ fewest: UnsafeMutablePointer<Int>
    ) -> Bool {
        // `reached` is the end of what can be split up to now, since with a longer piece every shorter one is possible.
        let longest = UnsafeRawPointer(longest)
        fewest[0] = 0
        var reached = 0
        var position = 0
        while position <= reached && position < count {
            if fewest[position] < words {
                let end = position &+ Int(longest.load(fromByteOffset: position, as: UInt8.self))
                while reached < end {
                    reached &+= 1
                    fewest[reached] = fewest[position] &+ 1
                }
            }
            position &+= 1
        }
        return reached == count
    }

    @inline(__always)
    private func push(_ place: Int, _ slot: Int, _ position: Int, _ length: Int) {
        stack[place] = Place(slot: slot, position: position, length: length)
        depth = place + 1
    }

    private func inOrder(_ position: Int, _ from: Int) -> Bool {
        if position == count { return true }
        if from >= failsFrom[position] { return false }
        let place = depth
        var slot = from
        while slot < slotCount {
            var length = commonPrefix(slot, position)
            if slot == slotCount - 1 {
                // The last word has to take all that is left.
                if length < count - position { break }
                push(place, slot, position, count - position)
                return true
            }
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
        let isLast = used.nonzeroBitCount == slotCount - 1
        for slot in 0..<slotCount where used & (1 << slot) == 0 {
            var length = commonPrefix(slot, position)
            if isLast {
                if length < count - position { break }
                push(place, slot, position, count - position)
                return true
            }
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
