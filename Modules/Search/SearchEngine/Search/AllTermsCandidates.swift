/// The word suffixes that begin with one typed word, in all fields of a tier.
struct TermRanges {
    /// A range of word suffixes of one field.
    struct FieldRanges {
        var wordSuffixes: WordSuffixArray
        var ranges: [Range<Int>]
    }

    /// The number of the typed word.
    let word: Int
    private(set) var fields: [FieldRanges] = []
    private(set) var count = 0
    /// `true` if the ranges include edits. Then the ``PrefixSignatures`` of the typed word do not apply.
    private(set) var hasEdits = false

    /// Looks up the word suffixes that begin with a typed word.
    ///
    /// - Parameter query: The index of the query in the request.
    init(word: Int, _ fieldQueries: [FieldQuery], query: Int, cache: SearchCache) {
        self.word = word
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
/// The documents of the rarest word form a list or, if sorting it takes longer than a pass over a bitmap, a bitmap. The
/// documents of the other words are intersected with it, the rarest word first, as long as that is cheaper than
/// checking the remaining documents. Common words are filtered with ``PrefixSignatures``. The candidates must still be
/// checked. O(entries of the rare words), and O(documents / 64) if all words have many entries.
struct AllTermsCandidates {
    /// A word is common if more than one in this many documents contains it.
    static let rareShare = 8
    /// The number of bits in a filter of listed documents, a power of two. At most two percent of the bits are set.
    private static let filterBits = 1 << 16

    private let fieldQueries: [FieldQuery]
    private let end: Int
    /// The maximum number of entries of the rarest word for which its documents are listed.
    private let maxListed: Int
    /// The documents that contain the rare words: a list if the rarest word has few entries, otherwise a bitmap. Both
    /// are nil if there are no rare words.
    private var listed: [UInt32]?
    private var common: [UInt64]?
    /// The typed words that are filtered with signatures.
    private var filtered: [Int] = []

    /// - Parameter words: Some or all of the typed words.
    init(_ fieldQueries: [FieldQuery], words: [TermRanges], bounds: Range<Int>) {
        self.fieldQueries = fieldQueries
        end = bounds.upperBound
        // Sorting one entry costs about as much as scanning 1,000 bits.
        maxListed = min(16 + end / 1_024, 1_024)
        let haveSignatures = fieldQueries.allSatisfy { $0.field.signatures != nil }
        var left = Int.max
        for word in words.sorted(by: { $0.count < $1.count }) {
            let canFilter = haveSignatures && !word.hasEdits
            if canFilter && word.count > end / AllTermsCandidates.rareShare {
                filtered.append(word.word)
                continue
            }
            if left == .max {
                left = word.count <= maxListed ? list(word) : intersect(word)
            } else if word.count / 32 <= left {
                // Checking one document costs about as much as scanning thirty entries.
                left = listed == nil ? intersect(word) : filter(word)
            }
            if left == 0 { return }
        }
    }

    /// Calls `body` with the documents of a word.
    @inline(__always)
    private func forEachDocument(of word: TermRanges, _ body: (Int) -> Void) {
        for field in word.fields {
            let documents = field.wordSuffixes.documents
            for range in field.ranges {
                for entry in range {
                    let document = Int(documents[entry])
                    if document < end { body(document) }
                }
            }
        }
    }

    /// Lists the documents that contain a word, and returns their number.
    private mutating func list(_ word: TermRanges) -> Int {
        var documents: [UInt32] = []
        documents.reserveCapacity(word.count)
        forEachDocument(of: word) { documents.append(UInt32($0)) }
        documents.sort()
        listed = documents
        return documents.count
    }

    /// Keeps the listed documents that contain a word, and a few false positives, and returns their number.
    private mutating func filter(_ word: TermRanges) -> Int {
        let mask = AllTermsCandidates.filterBits - 1
        let known = Scratch<UInt64>(repeating: 0, count: AllTermsCandidates.filterBits / 64)
        let found = Scratch<UInt64>(repeating: 0, count: AllTermsCandidates.filterBits / 64)
        for document in listed ?? [] { known[(Int(document) & mask) >> 6] |= 1 << UInt64(document & 63) }
        forEachDocument(of: word) { document in
            let position = (document & mask) >> 6
            found[position] |= known[position] & 1 << UInt64(document & 63)
        }
        listed?.removeAll { found[(Int($0) & mask) >> 6] >> UInt64($0 & 63) & 1 == 0 }
        return listed?.count ?? 0
    }

    /// Keeps the documents that contain a word, and returns their number.
    private mutating func intersect(_ word: TermRanges) -> Int {
        var bits = [UInt64](repeating: 0, count: (end + 63) / 64)
        var count = 0
        forEachDocument(of: word) { document in
            let bit: UInt64 = 1 << UInt64(document & 63)
            if bits[document >> 6] & bit != 0 || common.map({ $0[document >> 6] & bit == 0 }) ?? false { return }
            bits[document >> 6] |= bit
            count += 1
        }
        common = bits
        return count
    }

    /// Calls `body` with each candidate until it returns false. Returns `true` if all candidates were visited.
    func forEach(
        _ cancellation: CancellationCheck, _ body: (Int) -> Bool
    ) throws(CancellationError) -> Bool {
        var cancellation = cancellation
        if let listed {
            var last = UInt32.max
            for document in listed where document != last {
                last = document
                try cancellation.step()
                if !body(Int(document)) { return false }
            }
            return true
        }
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
