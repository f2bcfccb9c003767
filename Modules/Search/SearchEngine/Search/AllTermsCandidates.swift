/// The word suffixes that begin with one typed word, in all fields of a tier.
struct TermRanges {
    /// A range of word suffixes of one field.
    struct FieldRanges {
        var wordSuffixes: WordSuffixArray
        var ranges: [Range<Int>]
    }

    private(set) var fields: [FieldRanges] = []
    private(set) var count = 0
    /// `true` if the ranges include edits. Then the ``PrefixSignatures`` of the typed word do not apply.
    private(set) var hasEdits = false

    /// Looks up the word suffixes that begin with a typed word.
    ///
    /// - Parameter query: The index of the query in the request.
    init(word: Int, _ fieldQueries: [FieldQuery], query: Int, cache: SearchCache) {
        for fieldQuery in fieldQueries {
            guard let wordSuffixes = fieldQuery.field.wordSuffixes, fieldQuery.query.words.indices.contains(word) else {
                continue
            }
            let range = cache.wordSuffixes(wordSuffixes, prefixWith: word, of: fieldQuery, query: query)
            append([range], of: wordSuffixes)
        }
    }

    mutating func add(_ added: [Range<Int>], of wordSuffixes: WordSuffixArray) {
        hasEdits = true
        append(added, of: wordSuffixes)
    }

    private mutating func append(_ added: [Range<Int>], of wordSuffixes: WordSuffixArray) {
        let entries = added.reduce(0) { $0 + $1.count }
        if entries == 0 { return }
        count += entries
        fields.append(FieldRanges(wordSuffixes: wordSuffixes, ranges: added))
    }
}

/// The documents that may contain all typed words, in order of rank.
///
/// Bitmaps of the documents that contain a rare word are intersected, the rarest first, as long as that is cheaper than
/// checking the remaining documents. Common words are filtered with ``PrefixSignatures``. The result must be checked.
/// O(entries of the rare words + documents / 64).
struct AllTermsCandidates {
    private let fieldQueries: [FieldQuery]
    private let end: Int
    /// A bit for each document that contains the rare words, or nil if there are no such words.
    private var common: [UInt64]?
    /// The typed words that are filtered with signatures.
    private var filtered: [Int] = []

    /// A word is common if more than one in this many documents contains it.
    static let rareShare = 8

    init(_ fieldQueries: [FieldQuery], words: [TermRanges], bounds: Range<Int>) {
        self.fieldQueries = fieldQueries
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
            // Checking a document costs as much as about thirty entries of a bitmap.
            if common != nil && count / 32 > left { continue }
            left = intersect(words[word])
            if left == 0 { return }
        }
    }

    /// Keeps the documents that contain a word, and returns their number.
    private mutating func intersect(_ word: TermRanges) -> Int {
        var bits = [UInt64](repeating: 0, count: (end + 63) / 64)
        for field in word.fields {
            let documents = field.wordSuffixes.documents
            for range in field.ranges {
                for entry in range {
                    let document = Int(documents[entry])
                    if document < end { bits[document >> 6] |= 1 << UInt64(document & 63) }
                }
            }
        }
        if let common {
            for position in bits.indices { bits[position] &= common[position] }
        }
        common = bits
        return bits.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    /// Calls `body` with each candidate until it returns false. Returns `true` if all candidates were visited.
    func forEach(
        _ cancellation: CancellationCheck, _ body: (Int) -> Bool
    ) throws(CancellationError) -> Bool {
        var cancellation = cancellation
        // The signatures and the first letter of each filtered word in the fields that have it.
        let rows = filtered.map { word in
            fieldQueries.compactMap { fieldQuery -> (PrefixSignatures, UInt8)? in
                let query = fieldQuery.query
                guard let signatures = fieldQuery.field.signatures, query.words.indices.contains(word) else {
                    return nil
                }
                return (signatures, query.bytes[query.words[word].lowerBound])
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
}
