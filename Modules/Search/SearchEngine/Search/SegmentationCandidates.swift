/// The documents that may match a segmentation of the query, in order of rank: in two pieces (``PairCandidates``) and,
/// among the long-value documents, in more (``SegmentationFilter``). Candidates are checked with
/// ``SegmentationMatcher``.
struct SegmentationCandidates {
    private let pairs: PairCandidates
    private let long: LongValueDocuments
    private let filter: SegmentationFilter
    private let documentCount: Int

    init(
        _ signatures: PrefixSignatures, _ long: LongValueDocuments, _ wordSuffixes: WordSuffixArray,
        query: EncodedQuery,
        documents: Int
    ) {
        self.long = long
        documentCount = documents
        let prefixes = PrefixRanges(wordSuffixes, query: query)
        pairs = PairCandidates(signatures, prefixes, query: query, documents: documents)
        filter = SegmentationFilter(long, prefixes, query: query)
    }

    /// Calls `body` with each candidate until it returns false. Returns `true` if all candidates were visited.
    func forEach(
        upTo end: Int, _ cancellation: CancellationCheck, _ body: (Int) -> Bool
    ) throws(CancellationError) -> Bool {
        var longer = LongValueCandidates(long: long, filter: filter)
        var nextLong = longer.next() ?? .max
        for position in 0..<(documentCount + 63) / 64 {
            if position * 64 >= end { return true }
            if position & 255 == 0 { try cancellation.check() }
            var bits = pairs.documents(at: position)
            while nextLong < (position + 1) * 64 {
                bits |= 1 << UInt64(nextLong & 63)
                nextLong = longer.next() ?? .max
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
}

/// An iterator over the long-value documents that pass a filter.
private struct LongValueCandidates {
    let long: LongValueDocuments
    let filter: SegmentationFilter
    var block = -1
    var word = PrefixSignatures.blockWords
    var candidates = SIMD8<UInt64>.zero
    var bits: UInt64 = 0

    mutating func next() -> Int? {
        while bits == 0 {
            word += 1
            if word >= PrefixSignatures.blockWords {
                repeat {
                    block += 1
                    if block >= long.blockCount { return nil }
                    candidates = filter.candidates(in: block)
                } while candidates == .zero
                word = 0
            }
            bits = candidates[word]
        }
        let number = block * PrefixSignatures.blockDocuments + word * 64 + bits.trailingZeroBitCount
        bits &= bits &- 1
        return number < long.documents.count ? Int(long.documents[number]) : nil
    }
}
