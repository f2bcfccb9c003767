/// Where the wordSuffixes stand that begin with one typed word, in all the fields that are looked into.
struct TermRanges {
    /// A range of wordSuffixes of one field.
    struct FieldRange {
        var wordSuffixes: WordSuffixArray
        var range: Range<Int>
    }

    var ranges: [FieldRange] = []
    /// Whether the ranges allow edits, so that the ``PrefixSignatures`` of what was typed say nothing.
    var hasEdits = false

    var count: Int { ranges.reduce(0) { $0 + $1.range.count } }

    /// The wordSuffixes that begin with a typed word as it is.
    ///
    /// - Parameter query: which of the request's queries the fieldQueries are of.
    init(word: Int, _ fieldQueries: [FieldQuery], query: Int, cache: SearchCache) {
        for fieldQuery in fieldQueries {
            guard let wordSuffixes = fieldQuery.field.wordSuffixes, fieldQuery.query.words.indices.contains(word) else {
                continue
            }
            let range = cache.wordSuffixes(wordSuffixes, prefixWith: word, of: fieldQuery, query: query)
            if !range.isEmpty { ranges.append(FieldRange(wordSuffixes: wordSuffixes, range: range)) }
        }
    }

    mutating func add(_ added: [Range<Int>], of wordSuffixes: WordSuffixArray) {
        hasEdits = true
        for range in added { ranges.append(FieldRange(wordSuffixes: wordSuffixes, range: range)) }
    }
}

/// The documents that may have all typed words, in order of rank.
///
/// Rare words come first: a bitmap of the documents that have one is intersected with that of the next, as long as that is cheaper than looking
/// at what is left. A common word is left to the ``PrefixSignatures``. Either way what comes out has to be checked. O(entries
/// of the rare words + documents / 64).
struct AllTermsCandidates {
    private let fieldQueries: [FieldQuery]
    private let end: Int
    private let mayCrossWords: Bool
    /// A bit for each document that has the rare words; nil if there is none.
    private var common: [UInt64]?
    /// The typed words that are left to the bitmaps of prefixes.
    private var filtered: [Int] = []

    /// A word is rare up to this share of the documents.
    static let rareShare = 8

    /// Candidates for typed words that stand at the prefix of a word each; if they may cross words, they may go on in the next one.
    init(_ fieldQueries: [FieldQuery], words: [TermRanges], mayCrossWords: Bool = false, bounds: Range<Int>) {
        self.fieldQueries = fieldQueries
        self.mayCrossWords = mayCrossWords
        end = bounds.upperBound
        let haveSignatures = fieldQueries.allSatisfy { $0.field.signatures != nil }
        var left = Int.max
        for word in words.indices.sorted(by: { words[$0].count < words[$1].count }) {
            let count = words[word].count
            let canFilter = haveSignatures && !words[word].hasEdits
            if canFilter && count > end / AllTermsCandidates.rareShare {
                filtered.append(word)
                continue
            }
            // A check of a document is worth some thirty entries of a bitmap.
            if common != nil && count / 32 > left { continue }
            left = intersect(words[word])
            if left == 0 { return }
        }
    }

    /// Keeps the documents that have a word; tells how many.
    private mutating func intersect(_ word: TermRanges) -> Int {
        var bits = [UInt64](repeating: 0, count: (end + 63) / 64)
        let end = self.end
        var left = 0
        bits.withUnsafeMutableBufferPointer { bits in
            for fieldRange in word.ranges {
                let documents = fieldRange.wordSuffixes.documents
                for entry in fieldRange.range {
                    let document = Int(documents[entry])
                    if document >= end { continue }
                    let bit = UInt64(1) << UInt64(document & 63)
                    if bits[document >> 6] & bit == 0 { left += 1 }
                    bits[document >> 6] |= bit
                }
            }
            guard let common else { return }
            left = 0
            common.withUnsafeBufferPointer { common in
                for position in bits.indices {
                    let both = bits[position] & common[position]
                    bits[position] = both
                    if both != 0 { left += both.nonzeroBitCount }
                }
            }
        }
        common = bits
        return left
    }

    /// Calls `body` with each candidate until it returns false; tells whether all were visited.
    func forEach(
        _ cancellation: CancellationCheck, _ body: (Int) -> Bool
    ) throws(SearchCancelled) -> Bool {
        var cancellation = cancellation
        let rows = filtered.map { word in
            fieldQueries.compactMap { fieldQuery in
                fieldQuery.field.signatures.map { ($0, row(of: word, fieldQuery.query, $0.layout)) }
            }
        }
        for position in 0..<(end + 63) / 64 {
            var bits = common.map { $0[position] } ?? .max
            if bits == 0 { continue }
            for fields in rows where bits != 0 {
                bits &= fields.reduce(into: 0) { $0 |= $1.0.load($1.1, at: position) }
            }
            try cancellation.step()
            while bits != 0 {
                let document = position * 64 + bits.trailingZeroBitCount
                bits &= bits &- 1
                try cancellation.step()
                if document >= end { return true }
                if !body(document) { return false }
            }
        }
        return true
    }

    /// The row of a typed word that is not split; if it may go on in the next word, that of its first letter.
    private func row(of word: Int, _ query: EncodedQuery, _ layout: SignatureLayout) -> Int {
        let letters = query.words.indices.contains(word) ? query.bytes[query.words[word]] : []
        return layout.row(of: mayCrossWords ? letters.prefix(1) : letters)
    }
}
