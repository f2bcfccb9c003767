// Initials and words in any order: the segmentations of a query.
//
// `rg` finds Rio Grande by its initials. A query of n letters has 2ⁿ⁻¹ segmentations into pieces that may be prefixes
// of words, and all of them are considered. Each of these structures excludes documents. There are false positives but
// no false negatives, and `SegmentationTest` checks the documents that are left:
//
//     PrefixRanges       the word suffixes that begin with a piece
//     WordPairs          the pairs of words that begin with two pieces
//     PrefixSignatures   the documents with words that begin with the first letters of the pieces
//     WordSignatures     the same for the first two letters, in a field of keys
//     WideValues         the documents with a value of too many words for pairs
//
// For example, `j s` has an anchor of more than 4,096 entries. Its signatures are intersected for 64 documents at a
// time when the search reaches them, and it usually has enough after a few hundred documents.
//
//     rg    rio grande: word 0, letters 0..<1; word 1, letters 0..<1

/// The documents that may match a segmentation of the query, in order of rank. They are checked with
/// ``SegmentationTest``.
///
/// A document that matches a segmentation has, for any of its pieces, a word suffix that begins with the piece and, for
/// any two, a pair of words in ``WordPairs``. The rarest of these is the *anchor* of the segmentation. Pieces are added
/// from the left until a segmentation has a rare anchor, which then serves all segmentations that begin with those
/// pieces. This keeps the number of anchors and of their documents small. Short queries have anchors with many
/// documents. Such an anchor is replaced by the ``PrefixSignatures`` of its letters, which are read when the search
/// reaches their documents, 64 at a time.
///
/// Documents with ``WideValues`` are filtered by their own bits, also when the search reaches them.
final class SegmentationCandidates {
    private struct Piece {
        var start: Int
        var end: Int

        var length: Int { end - start }
    }

    /// The rarest evidence for a segmentation: one piece (`first` equals `second`) or a pair of pieces, by their
    /// positions in ``pieces``.
    private struct Anchor {
        var first = 0
        var second = 0
        /// The expected number of documents.
        var estimate = Int.max
    }

    /// The entries of a pair of pieces that were looked up.
    private struct KnownPair {
        /// The pieces and the class; 0 if there are none.
        var key: UInt32 = 0
        /// The expected number of documents.
        var estimate: UInt32 = 0
        /// The bits that were required of other words when the documents were collected: their first letters, and their
        /// first two. All bits if the documents were not collected.
        var others = UInt32.max
        var words = UInt64.max
    }

    /// The pieces of a segmentation without a rare anchor.
    private struct LetterSet {
        /// Their first letters, by their first positions in the query.
        var letters: UInt64
        /// Their first two letters; see ``WordSignatures``.
        var words: UInt64

        /// Returns `true` if the documents of another set have the letters of this set, too.
        func covers(_ other: LetterSet) -> Bool { letters & ~other.letters == 0 && words & ~other.words == 0 }
    }

    /// The expected number of documents up to which an anchor is rare. No more pieces are added to its segmentation.
    private static let rareCount = 4
    /// The weight of a document of a single piece. Less is known about its other words than for a pair.
    private static let pieceWeight = 8
    /// The maximum number of segmentations. Only many similar words exceed it; then all documents are candidates.
    private static let maxSteps = 20_000
    /// The binary logarithm of the number of cached pairs.
    private static let knownPairsShift: UInt32 = 9

    private let field: Field
    private let wordPairs: WordPairs
    private let query: EncodedQuery
    private let count: Int
    private let end: Int
    private let documents: PackedView<UInt32>
    private let prefixes: PrefixRanges
    /// For each position, the maximum end of a piece that begins there.
    private let ends: Scratch<Int>
    /// For each position, the minimum number of pieces to the end of the query.
    private let fewestPieces: Scratch<Int>
    private let pieces: Scratch<Piece>
    private var pieceCount = 0
    /// For each piece, by start and length, the bits that were required of other words when its documents were
    /// collected: their first letters, as positions of the query, and their first two. All bits if the documents were
    /// not collected.
    private let knownPieces: Scratch<(others: UInt64, words: UInt64)>
    /// For each position, the first position with the same letter, as a bit.
    private let firstPositions: Scratch<UInt64>
    /// The pairs looked up last, by a hash of their pieces.
    private let knownPairs: Scratch<KnownPair>
    private var pairClass = 0
    private var maxPieces = 0
    /// `true` if splits are limited. Then at least one piece is long.
    private let isLimited: Bool
    /// The estimate up to which a piece is rare. No more pieces are added to a segmentation with a rare piece, whose
    /// documents serve all segmentations with that piece.
    private let rarePiece: Int
    /// The maximum expected number of documents for which the documents of an anchor are collected. Otherwise all
    /// documents are filtered by their letters, which takes longer the more there are.
    private let maxCollected: Int
    private var steps = 0
    /// For each position, its bit among the first letters of other words, and the first letters of pieces of up to
    /// ``PairLayout/maxLetters`` letters.
    private let letterBits: Scratch<UInt64>
    /// For each position, the bit of a piece of several letters in ``WordSignatures``.
    private let wordBits: Scratch<UInt64>
    private let letters: Scratch<PairLayout.Letters>
    private let collected: CandidateList
    /// A document with words that begin with all letters of a set is a candidate, too.
    private var letterSets: [LetterSet] = []
    private var wide: WideValues.Filter?

    /// - Parameter end: The end of the documents to search.
    init(
        _ field: Field, _ wordSuffixes: WordSuffixArray, _ wordPairs: WordPairs, query: EncodedQuery,
        splits: SearchTier.Splits, end: Int
    ) {
        self.field = field
        self.wordPairs = wordPairs
        self.query = query
        self.end = end
        documents = wordSuffixes.documents
        isLimited = splits != .all
        rarePiece = isLimited ? 16 * SegmentationCandidates.pieceWeight : SegmentationCandidates.rareCount
        maxCollected = max(4096, end / 64)
        let bytes = query.bytes
        count = bytes.count
        prefixes = PrefixRanges(wordSuffixes, query: query)
        ends = Scratch(repeating: 0, count: count)
        fewestPieces = Scratch(repeating: WordPairs.maxWords + 1, count: count + 1)
        pieces = Scratch(repeating: Piece(start: 0, end: 0), count: WordPairs.maxWords + 1)
        knownPieces = Scratch(repeating: (others: .max, words: .max), count: count * count)
        firstPositions = Scratch(repeating: 0, count: count + 1)
        letterBits = Scratch(repeating: 0, count: count + 1)
        wordBits = Scratch(repeating: 0, count: count)
        letters = Scratch(repeating: PairLayout.Letters(), count: count * PairLayout.maxLetters)
        knownPairs = Scratch(repeating: KnownPair(), count: 1 << Int(SegmentationCandidates.knownPairsShift))
        collected = CandidateList(end: end)
        for start in 0..<count { ends[start] = start + prefixes.longest(start, atMost: query.wordEnds[start] - start) }
        fewestPieces[count] = 0
        for start in (0..<count).reversed() where ends[start] > start {
            var fewest = fewestPieces[start + 1]
            for end in start + 1...ends[start] { fewest = Swift.min(fewest, fewestPieces[end]) }
            fewestPieces[start] = 1 + fewest
        }
        if let values = field.wideValues, values.documents.count > 0 {
            var lasts: [Int] = []
            for start in 0..<count { lasts.append(ends[start]) }
            wide = WideValues.Filter(query, ends: lasts)
        }
        guard fewestPieces[0] <= WordPairs.maxWords else { return }
        let layout = wordPairs.layout
        for start in 0..<count {
            letterBits[start] = layout.bit(bytes[start])
            if start + 1 < count { wordBits[start] = WordSignatures.bit(bytes[start], bytes[start + 1]) }
            firstPositions[start] = 1 << UInt64(bytes.firstIndex(of: bytes[start]) ?? start)
            var known = PairLayout.Letters()
            for length in 0..<PairLayout.maxLetters {
                if start + length < count { layout.add(bytes[start + length], length, to: &known) }
                letters[start * PairLayout.maxLetters + length] = known
            }
        }
        for (number, words) in WordPairs.maxWordsOfClass.enumerated() where fewestPieces[0] <= words {
            (pairClass, maxPieces) = (number, words)
            addPieces(Anchor(), costLeft: splits.maxCost ?? .max)
        }
    }

    // MARK: - Collecting

    /// Collects the documents of all segmentations that begin with the current pieces.
    private func addPieces(_ anchor: Anchor, costLeft: Int) {
        if anchor.estimate == 0 { return }
        let start = pieceCount == 0 ? 0 : pieces[pieceCount - 1].end
        if start == count || isRare(anchor, next: start) {
            collect(anchor, next: start)
            return
        }
        steps += 1
        if steps > SegmentationCandidates.maxSteps { return }
        var end = start + 1
        while end <= ends[start] {
            let left = costLeft - SearchTier.Splits.cost(ofLength: end - start)
            // The rest takes at least one longer piece, or only single letters.
            if pieceCount + 1 + fewestPieces[end] <= maxPieces, left >= min(3, count - end) {
                pieces[pieceCount] = Piece(start: start, end: end)
                pieceCount += 1
                addPieces(rarest(anchor), costLeft: left)
                pieceCount -= 1
            }
            end += 1
        }
    }

    /// Returns `true` if an anchor has few documents. Each further piece keeps about one in four documents of a pair.
    private func isRare(_ anchor: Anchor, next: Int) -> Bool {
        if anchor.estimate > maxCollected { return false }
        if anchor.first == anchor.second { return anchor.estimate <= rarePiece }
        // In long values, the other words cover most first letters.
        let shift = letters(ofOthersThan: anchor, next: next).nonzeroBitCount * (pairClass < 2 ? 2 : 1)
        return anchor.estimate >> shift <= SegmentationCandidates.rareCount
    }

    /// Returns the first letters of the pieces outside an anchor, and of the next piece.
    @inline(__always)
    private func letters(ofOthersThan anchor: Anchor, next: Int) -> UInt64 {
        var others = letterBits[next]
        for number in 0..<pieceCount where number != anchor.first && number != anchor.second {
            others |= letterBits[pieces[number].start]
        }
        return others
    }

    /// Returns the rarest of an anchor, the last piece, and the pairs of the last piece with earlier ones, the longest
    /// first.
    private func rarest(_ anchor: Anchor) -> Anchor {
        let last = pieceCount - 1
        let piece = pieces[last]
        var rarest = anchor
        let count = prefixes.range(piece.start, piece.length).count * SegmentationCandidates.pieceWeight
        if count < rarest.estimate { rarest = Anchor(first: last, second: last, estimate: count) }
        if last == 0 || rarest.first == rarest.second && rarest.estimate <= rarePiece {
            return rarest
        }
        var longest = 0
        for first in 1..<max(last, 1) where pieces[first].length >= pieces[longest].length { longest = first }
        func consider(_ first: Int) {
            // A single letter beside a longer piece leads to many heads. If splits are limited, the longer piece is
            // rare.
            let lengths = (min(pieces[first].length, piece.length), max(pieces[first].length, piece.length))
            if isLimited, rarest.estimate < 1024, lengths.0 == 1, lengths.1 > 2 { return }
            let estimate = Int(knownPairs[lookUp(pieces[first], piece)].estimate)
            if estimate < rarest.estimate { rarest = Anchor(first: first, second: last, estimate: estimate) }
        }
        consider(longest)
        for first in 0..<last where first != longest && rarest.estimate > 512 { consider(first) }
        return rarest
    }

    /// Returns the position in ``letters`` of those letters of a piece that are part of a key.
    @inline(__always)
    private func lettersOfKey(_ piece: Piece) -> Int {
        piece.start * PairLayout.maxLetters + min(piece.length, PairLayout.maxLetters) - 1
    }

    /// Returns the position of two pieces in ``knownPairs``, after estimating them if necessary.
    private func lookUp(_ first: Piece, _ second: Piece) -> Int {
        let (one, other) = (lettersOfKey(first), lettersOfKey(second))
        // A query has at most 60 letters, so each fits in eight bits.
        let key = UInt32(pairClass << 16 | one << 8 | other) + 1
        let position = Int((key &* 0x9E37_79B1) >> (32 - SegmentationCandidates.knownPairsShift))
        if knownPairs[position].key != key {
            let estimate = wordPairs.estimate(class: pairClass, letters[one], letters[other])
            knownPairs[position] = KnownPair(key: key, estimate: UInt32(min(estimate, Int(UInt32.max))))
        }
        return position
    }

    /// Collects the documents of an anchor of the current pieces, the next of which begins at a position.
    private func collect(_ anchor: Anchor, next: Int) {
        if anchor.estimate > maxCollected * (pieceCount > 4 ? 8 : 1) {
            let set = LetterSet(letters: firstPositions(next: next), words: words())
            if !letterSets.contains(where: { $0.covers(set) }) { letterSets.append(set) }
        } else if anchor.first == anchor.second {
            collect(
                pieces[anchor.first], others: firstPositions(except: anchor.first, next: next),
                words: words(except: anchor))
        } else {
            let others = letters(ofOthersThan: anchor, next: next)
            let words = words(except: anchor)
            let position = lookUp(pieces[anchor.first], pieces[anchor.second])
            if UInt64(knownPairs[position].others) & ~others == 0, knownPairs[position].words & ~words == 0 { return }
            (knownPairs[position].others, knownPairs[position].words) = (UInt32(others), words)
            let (one, other) = (lettersOfKey(pieces[anchor.first]), lettersOfKey(pieces[anchor.second]))
            wordPairs.forEachDocument(class: pairClass, letters[one], letters[other], others: others) {
                if contains(words, $0) { collected.insert($0) }
            }
        }
    }

    /// Returns the bits of the pieces of several letters, except those of an anchor.
    @inline(__always)
    private func words(except anchor: Anchor? = nil) -> UInt64 {
        var words: UInt64 = 0
        if field.wordSignatures == nil { return words }
        for number in 0..<pieceCount
        where pieces[number].length > 1 && number != anchor?.first && number != anchor?.second {
            words |= wordBits[pieces[number].start]
        }
        return words
    }

    @inline(__always)
    private func contains(_ words: UInt64, _ document: Int) -> Bool {
        words == 0 || field.wordSignatures?.contain(words, at: document) ?? true
    }

    /// Returns the first letters of all pieces except one, and of the next piece.
    private func firstPositions(except piece: Int? = nil, next: Int) -> UInt64 {
        var others = firstPositions[next]
        for number in 0..<pieceCount where number != piece { others |= firstPositions[pieces[number].start] }
        return others
    }

    /// Collects the documents of a piece whose words have the given first letters and the given first two letters.
    private func collect(_ piece: Piece, others: UInt64, words: UInt64) {
        let known = piece.start * count + piece.length - 1
        if knownPieces[known].others & ~others == 0, knownPieces[known].words & ~words == 0 { return }
        knownPieces[known] = (others, words)
        for entry in prefixes.range(piece.start, piece.length) {
            let document = Int(documents[entry])
            if !contains(words, document) { continue }
            var left = others
            if let signatures = field.signatures {
                while left != 0 {
                    let letter = query.bytes[left.trailingZeroBitCount]
                    if signatures.load(letter, at: document >> 6) >> UInt64(document & 63) & 1 == 0 { break }
                    left &= left &- 1
                }
            } else {
                left = 0
            }
            if left == 0 { collected.insert(document) }
        }
    }

    // MARK: - Visiting

    /// Calls `body` with each candidate until it returns false. Returns `true` if all candidates were visited.
    func forEach(
        _ cancellation: CancellationCheck, _ body: (Int) -> Bool
    ) throws(CancellationError) -> Bool {
        collected.sort()
        if steps > SegmentationCandidates.maxSteps || !letterSets.isEmpty {
            return try forEachInGroups(cancellation, body)
        }
        var cancellation = cancellation
        var cursor = CandidateList.Cursor()
        var nextWide = -1
        var wideDocument = moveToWide(&nextWide)
        while true {
            let listed = collected.document(at: &cursor)
            let document = min(listed, wideDocument)
            if document >= end { return true }
            if document == listed { collected.advance(&cursor) }
            if document == wideDocument { wideDocument = moveToWide(&nextWide) }
            try cancellation.step()
            if !body(document) { return false }
        }
    }

    /// Moves on to the next document with a wide value that may match, and returns it, or `Int.max` at the end.
    private func moveToWide(_ number: inout Int) -> Int {
        guard let wide, let values = field.wideValues else { return .max }
        number += 1
        while number < values.documents.count {
            if wide.mayMatch(values.signatures[number]) { return Int(values.documents[number]) }
            number += 1
        }
        return .max
    }

    /// Visits the candidates in groups of 64 documents, including documents with the letters of one of the sets.
    private func forEachInGroups(
        _ cancellation: CancellationCheck, _ body: (Int) -> Bool
    ) throws(CancellationError) -> Bool {
        var cancellation = cancellation
        var cursor = CandidateList.Cursor()
        var nextWide = -1
        var wideDocument = moveToWide(&nextWide)
        for position in 0..<(end + 63) / 64 {
            if position & 255 == 0 { try cancellation.check() }
            var bits = collected.group(position, &cursor) | documents(at: position)
            while wideDocument >> 6 <= position {
                if wideDocument >> 6 == position { bits |= 1 << UInt64(wideDocument & 63) }
                wideDocument = moveToWide(&nextWide)
            }
            while bits != 0 {
                let document = position * 64 + bits.trailingZeroBitCount
                bits &= bits &- 1
                if document >= end { return true }
                try cancellation.step()
                if !body(document) { return false }
            }
        }
        return true
    }

    /// Returns the documents with the letters of one of the sets, in the `position`-th group of 64.
    @inline(__always)
    private func documents(at position: Int) -> UInt64 {
        if steps > SegmentationCandidates.maxSteps { return .max }
        guard let signatures = field.signatures else { return 0 }
        var found: UInt64 = 0
        for set in letterSets {
            var (bits, left) = (UInt64.max, set.letters)
            while left != 0, bits != 0 {
                bits &= signatures.load(query.bytes[left.trailingZeroBitCount], at: position)
                left &= left &- 1
            }
            bits &= ~found
            if set.words != 0 {
                left = bits
                while left != 0 {
                    let document = position * 64 + left.trailingZeroBitCount
                    if document >= end || !contains(set.words, document) { bits &= ~(left & (0 &- left)) }
                    left &= left &- 1
                }
            }
            found |= bits
        }
        return found
    }
}

/// The word suffixes that begin with the query from each position on, for every length.
///
/// One descent of the trie per position: O(letters² · log children).
private struct PrefixRanges: ~Copyable {
    private let letters: Int
    /// For each position, the ranges of increasingly long prefixes, in ``letters`` slots. The last range also covers
    /// all longer prefixes: the entries of a leaf are not distinguished.
    private let ranges: Scratch<Range<UInt32>>
    /// For each position, the number of its ranges.
    private let counts: Scratch<Int>

    init(_ wordSuffixes: borrowing WordSuffixArray, query: EncodedQuery) {
        let bytes = query.bytes
        letters = bytes.count
        ranges = Scratch(repeating: 0..<0, count: bytes.count * bytes.count)
        counts = Scratch(repeating: 0, count: bytes.count)
        let trie = wordSuffixes.trie
        for start in bytes.indices {
            var node = trie.root
            var count = 0
            for position in start..<query.wordEnds[start] {
                if trie.isLeaf(node.index) { break }
                guard let child = trie.child(of: node, letter: bytes[position]) else {
                    ranges[start * letters + count] = 0..<0
                    count += 1
                    break
                }
                node = child
                ranges[start * letters + count] = UInt32(node.range.lowerBound)..<UInt32(node.range.upperBound)
                count += 1
            }
            if count == 0 {
                ranges[start * letters] = 0..<UInt32(wordSuffixes.count)
                count = 1
            }
            counts[start] = count
        }
    }

    /// Returns the word suffixes that begin with `length` letters of the query from `start` on. Below a leaf, the range
    /// may contain others.
    @inline(__always)
    func range(_ start: Int, _ length: Int) -> Range<Int> {
        let range = ranges[start * letters + Swift.min(length, counts[start]) - 1]
        return Int(range.lowerBound)..<Int(range.upperBound)
    }

    /// Returns an upper bound for the number of letters from `start` on that begin a word suffix.
    func longest(_ start: Int, atMost limit: Int) -> Int {
        ranges[start * letters + counts[start] - 1].isEmpty ? Swift.min(counts[start] - 1, limit) : limit
    }
}

/// The documents that a search collects before it checks them in order of rank: a sorted list of up to 1,024, then a
/// bitmap.
///
/// Most searches collect a few dozen. A bitmap would have to be cleared and read for all documents of the index.
private final class CandidateList {
    private static let maxListed = 1024

    private let end: Int
    private let listed = Scratch<UInt32>(repeating: 0, count: CandidateList.maxListed)
    private var count = 0
    private var bits: [UInt64] = []

    /// - Parameter end: The end of the documents that are collected.
    init(end: Int) { self.end = end }

    @inline(__always)
    func insert(_ document: Int) {
        if document >= end { return }
        if !bits.isEmpty {
            bits[document >> 6] |= 1 << UInt64(document & 63)
            return
        }
        if count > 0, listed[count - 1] == UInt32(truncatingIfNeeded: document) { return }
        if count == CandidateList.maxListed { return insertIntoBitmap(document) }
        listed[count] = UInt32(truncatingIfNeeded: document)
        count += 1
    }

    private func insertIntoBitmap(_ document: Int) {
        sort()
        if count <= CandidateList.maxListed / 2 { return insert(document) }
        bits = Array(repeating: 0, count: (end + 63) / 64)
        for position in 0..<count { insert(Int(listed[position])) }
        insert(document)
    }

    /// Sorts the list and removes duplicates. Call it before reading the documents.
    func sort() {
        guard bits.isEmpty, count > 1 else { return }
        if count > 32 { sortByDigits() } else { listed.sort(count) }
        var last = 0
        for position in 1..<count where listed[position] != listed[last] {
            last += 1
            listed[last] = listed[position]
        }
        count = last + 1
    }

    /// Sorts by eight bits at a time, from the lowest on: O(count), without comparisons that a processor could not
    /// predict.
    private func sortByDigits() {
        let sorted = Scratch<UInt32>(repeating: 0, count: count)
        let ends = Scratch<Int>(repeating: 0, count: 256)
        var shift: UInt32 = 0
        while shift < UInt32.bitWidth, (end - 1) >> Int(shift) > 0 {
            ends.fill(0..<256, with: 0)
            for position in 0..<count { ends[Int(listed[position] >> shift & 255)] += 1 }
            for digit in 1..<256 { ends[digit] += ends[digit - 1] }
            for position in (0..<count).reversed() {
                let digit = Int(listed[position] >> shift & 255)
                ends[digit] -= 1
                sorted[ends[digit]] = listed[position]
            }
            for position in 0..<count { listed[position] = sorted[position] }
            shift += 8
        }
    }

    /// A position in the documents, in ascending order.
    struct Cursor {
        fileprivate var next = 0
    }

    /// Returns the first document from a cursor on, or `Int.max` at the end.
    @inline(__always)
    func document(at cursor: inout Cursor) -> Int {
        if bits.isEmpty { return cursor.next < count ? Int(listed[cursor.next]) : .max }
        while cursor.next >> 6 < bits.count {
            let left = bits[cursor.next >> 6] >> UInt64(cursor.next & 63)
            if left != 0 {
                cursor.next += left.trailingZeroBitCount
                return cursor.next
            }
            cursor.next = (cursor.next >> 6 + 1) << 6
        }
        return .max
    }

    /// Moves a cursor past its document.
    @inline(__always)
    func advance(_ cursor: inout Cursor) { cursor.next += 1 }

    /// Returns the documents of the `position`-th group of 64, and moves the cursor past them.
    @inline(__always)
    func group(_ position: Int, _ cursor: inout Cursor) -> UInt64 {
        if !bits.isEmpty { return bits[position] }
        var group: UInt64 = 0
        while cursor.next < count, Int(listed[cursor.next]) >> 6 == position {
            group |= 1 << UInt64(listed[cursor.next] & 63)
            cursor.next += 1
        }
        return group
    }
}
