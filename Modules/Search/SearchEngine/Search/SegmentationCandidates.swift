/// The documents that may match a segmentation of the query, in order of rank. They are checked with
/// ``SegmentationMatcher``.
///
/// A document that matches a segmentation has, for any of its pieces, a word suffix that begins with the piece and, for
/// any two, a pair of words in ``WordPairs``. The rarest of these is the *anchor* of the segmentation. Pieces are added
/// from the left until a segmentation has a rare anchor, which then serves all segmentations that begin with those
/// pieces; so there are few, and together they have few documents. An anchor with many documents, as short queries have,
/// is replaced by the ``PrefixSignatures`` of its letters, which are read when the search reaches their documents, 64 at
/// a time.
///
/// Documents with ``WideValues`` are filtered by their own bits, also when the search reaches them.
struct SegmentationCandidates {
    /// A piece of a segmentation.
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

    /// The entries for the first letters of two pieces.
    private struct PairRuns {
        /// The range in ``runs``.
        var low: UInt32 = 0
        var high: UInt32 = 0
        /// The expected number of documents, or the maximum before the first lookup.
        var estimate = UInt32.max
        /// The first letters of other words that were required when the entries were collected, or all bits.
        var others = UInt32.max
    }

    /// No more pieces are added to a segmentation with an anchor of at most this many expected documents.
    private static let rareCount = 4
    /// The documents of an anchor are not collected if there are more.
    private static let maxCollected = 4096
    /// The maximum number of segmentations, which only many similar words exceed. Then all documents are candidates.
    private static let maxSteps = 20_000

    private let field: Field
    private let query: EncodedQuery
    private let end: Int
    private let prefixes: PrefixRanges
    /// For each position, the maximum end of a piece that begins there.
    private var ends: [Int] = []
    /// For each position, the minimum number of pieces to the end of the query.
    private var fewestPieces: [Int]
    private var pieces: [Piece] = []
    private var pairs: [PairRuns] = []
    private var runs: [WordPairs.Run] = []
    private var pairClass = 0
    private var maxPieces = 0
    private var steps = 0
    /// For each position, its bit among the first letters of other words, and the first letters of pieces of up to
    /// ``PairLayout/maxLetters`` letters.
    private var letterBits: [UInt64] = []
    private var letters: [PairLayout.Letters] = []
    /// A bit for each document that was collected.
    private var collected: [UInt64]
    /// Sets of letters, by their positions in the query. A document with words that begin with all letters of a set is a
    /// candidate, too.
    private var letterSets: [UInt64] = []
    private var wide: WideValues.Filter?

    /// - Parameter end: The end of the documents to search.
    init(_ field: Field, _ wordSuffixes: WordSuffixArray, query: EncodedQuery, splits: SearchTier.Splits, end: Int) {
        self.field = field
        self.query = query
        self.end = end
        prefixes = PrefixRanges(wordSuffixes, query: query)
        let count = query.bytes.count
        fewestPieces = Array(repeating: WordPairs.maxWords + 1, count: count) + [0]
        collected = Array(repeating: 0, count: (end + 63) / 64)
        for start in 0..<count {
            ends.append(start + prefixes.longest(start, atMost: query.wordEnds[start] - start))
        }
        for start in (0..<count).reversed() where ends[start] > start {
            fewestPieces[start] = 1 + (fewestPieces[start + 1...ends[start]].min() ?? count)
        }
        if let values = field.wideValues, values.documents.count > 0 { wide = WideValues.Filter(query, ends: ends) }
        if fewestPieces[0] <= WordPairs.maxWords {
            let positions = count * PairLayout.maxLetters
            pairs = Array(repeating: PairRuns(), count: positions * positions)
            prepareLetters()
            for (number, words) in WordPairs.maxWordsOfClass.enumerated() where fewestPieces[0] <= words {
                (pairClass, maxPieces) = (number, words)
                if number > 0 { for position in pairs.indices { pairs[position] = PairRuns() } }
                addPieces(Anchor(), costLeft: splits.maxCost ?? .max)
            }
        }
    }

    private mutating func prepareLetters() {
        guard let layout = field.wordPairs?.layout else { return }
        for start in query.bytes.indices {
            letterBits.append(layout.bit(query.bytes[start]))
            for length in 1...PairLayout.maxLetters {
                letters.append(layout.letters(query.bytes[start..<min(start + length, query.bytes.count)]))
            }
        }
    }

    // MARK: - Collecting

    /// Collects the documents of all segmentations that begin with the current pieces.
    private mutating func addPieces(_ anchor: Anchor, costLeft: Int) {
        let start = pieces.last?.end ?? 0
        if start == query.bytes.count || isRare(anchor, next: start) {
            collect(anchor, next: start)
            return
        }
        steps += 1
        if steps > SegmentationCandidates.maxSteps { return }
        var end = start + 1
        while end <= ends[start] {
            let left = costLeft - SearchTier.Splits.cost(ofLength: end - start)
            // The rest costs at least a longer piece or a letter each.
            if pieces.count + 1 + fewestPieces[end] <= maxPieces, left >= min(3, query.bytes.count - end) {
                pieces.append(Piece(start: start, end: end))
                addPieces(rarest(anchor), costLeft: left)
                pieces.removeLast()
            }
            end += 1
        }
    }

    /// Returns `true` if an anchor has few documents. Of a pair, the first letter of each other piece leaves a quarter.
    private func isRare(_ anchor: Anchor, next: Int) -> Bool {
        if anchor.estimate > SegmentationCandidates.maxCollected { return false }
        if anchor.first == anchor.second { return anchor.estimate <= SegmentationCandidates.rareCount }
        // The other words of a long value have most first letters.
        let shift = letters(ofOthersThan: anchor, next: next).nonzeroBitCount * (pairClass < 2 ? 2 : 1)
        return anchor.estimate >> shift <= SegmentationCandidates.rareCount
    }

    /// The first letters of the pieces other than those of an anchor, and of the next.
    @inline(__always)
    private func letters(ofOthersThan anchor: Anchor, next: Int) -> UInt64 {
        var others = next < letterBits.count ? letterBits[next] : 0
        for number in pieces.indices where number != anchor.first && number != anchor.second {
            others |= letterBits[pieces[number].start]
        }
        return others
    }

    /// The rarest of an anchor, the last piece, and its pair with the longest of the pieces before.
    private mutating func rarest(_ anchor: Anchor) -> Anchor {
        let last = pieces.count - 1
        let piece = pieces[last]
        var rarest = anchor
        let count = prefixes.range(piece.start, piece.end - piece.start).count * 8
        if count < rarest.estimate { rarest = Anchor(first: last, second: last, estimate: count) }
        if last == 0 { return rarest }
        var longest = 0
        for first in 1..<max(last, 1) where pieces[first].length >= pieces[longest].length { longest = first }
        func consider(_ first: Int) {
            let estimate = Int(pairs[lookUp(pieces[first], piece)].estimate)
            if estimate < rarest.estimate { rarest = Anchor(first: first, second: last, estimate: estimate) }
        }
        consider(longest)
        for first in 0..<last where first != longest && rarest.estimate > 512 { consider(first) }
        return rarest
    }

    /// The position in ``pairs`` of the entries for two pieces.
    private mutating func lookUp(_ first: Piece, _ second: Piece) -> Int {
        let lengths = PairLayout.maxLetters
        let one = first.start * lengths + min(first.length, lengths) - 1
        let other = second.start * lengths + min(second.length, lengths) - 1
        let position = one * letters.count + other
        if pairs[position].estimate == .max, let wordPairs = field.wordPairs {
            let start = runs.count
            wordPairs.appendRuns(class: pairClass, letters[one], letters[other], to: &runs)
            var estimate = 0
            for run in start..<runs.count { estimate += runs[run].estimate }
            pairs[position] = PairRuns(
                low: UInt32(start), high: UInt32(runs.count), estimate: UInt32(min(estimate, Int(UInt32.max) - 1)))
        }
        return position
    }

    /// Collects the documents of an anchor of the current pieces, the next of which begins at a position.
    private mutating func collect(_ anchor: Anchor, next: Int) {
        if anchor.estimate > SegmentationCandidates.maxCollected * (pieces.count > 4 ? 8 : 1) {
            let letters = pieces.reduce(UInt64(0)) { $0 | 1 << UInt64($1.start) }
            if !letterSets.contains(letters) { letterSets.append(letters) }
        } else if anchor.first == anchor.second {
            let piece = pieces[anchor.first]
            let documents = prefixes.wordSuffixes.documents
            for entry in prefixes.range(piece.start, piece.length) { insert(Int(documents[entry])) }
        } else if let wordPairs = field.wordPairs {
            let others = letters(ofOthersThan: anchor, next: next)
            let position = lookUp(pieces[anchor.first], pieces[anchor.second])
            let collected = pairs[position].others
            if UInt64(collected) & ~others == 0 { return }
            pairs[position].others = UInt32(others)
            for run in pairs[position].low..<pairs[position].high {
                wordPairs.forEachDocument(in: runs[Int(run)], others: others) { insert($0) }
            }
        }
    }

    @inline(__always)
    private mutating func insert(_ document: Int) {
        if document < end { collected[document >> 6] |= 1 << UInt64(document & 63) }
    }

    // MARK: - Visiting

    /// Calls `body` with each candidate until it returns false. Returns `true` if all candidates were visited.
    func forEach(_ cancellation: CancellationCheck, _ body: (Int) -> Bool) throws(CancellationError) -> Bool {
        var nextWide = 0
        for position in 0..<collected.count {
            if position & 255 == 0 { try cancellation.check() }
            var bits = collected[position] | documents(at: position)
            if let wide, let values = field.wideValues {
                while nextWide < values.documents.count, values.documents[nextWide] < (position + 1) * 64 {
                    if wide.mayMatch(values.signatures[nextWide]) {
                        bits |= 1 << UInt64(values.documents[nextWide] & 63)
                    }
                    nextWide += 1
                }
            }
            while bits != 0 {
                let document = position * 64 + bits.trailingZeroBitCount
                bits &= bits &- 1
                if document >= end { return true }
                if !body(document) { return false }
            }
        }
        return true
    }

    /// The documents with the letters of one of the sets, in the `position`-th group of 64.
    @inline(__always)
    private func documents(at position: Int) -> UInt64 {
        if steps > SegmentationCandidates.maxSteps { return .max }
        guard let signatures = field.signatures else { return 0 }
        var found: UInt64 = 0
        for letters in letterSets {
            var (bits, left) = (UInt64.max, letters)
            while left != 0, bits != 0 {
                bits &= signatures.load(query.bytes[left.trailingZeroBitCount], at: position)
                left &= left &- 1
            }
            found |= bits
        }
        return found
    }
}
