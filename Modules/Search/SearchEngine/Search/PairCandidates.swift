/// The documents that may match a query in one or two pieces.
///
/// A query of n letters splits in two in only n - 1 ways. For each of them, the word suffixes that begin with the rarer
/// piece are looked up, and their documents kept if their ``PrefixSignatures`` contain the other piece. If both pieces
/// are common, as in short queries, the signatures of both are intersected when the search reaches their documents, 64
/// at a time.
struct PairCandidates {
    private let signatures: PrefixSignatures
    /// A bit for each document that was looked up.
    private var candidates: [UInt64]
    private let end: Int
    /// Pairs of signature rows; a document that has both is a candidate, too.
    private var rows: [(first: Int, second: Int)] = []

    /// A piece is common if more than one in this many word suffixes begins with it.
    static let commonShare = 16

    /// Looks up the rarer pieces. O(their entries).
    init(_ signatures: PrefixSignatures, _ prefixes: PrefixRanges, query: EncodedQuery, documents: Int) {
        self.signatures = signatures
        end = documents
        candidates = Array(repeating: 0, count: (documents + 63) / 64)
        let count = query.bytes.count
        switch query.words.count {
        case 1:
            add((0, count), nil, prefixes, query)
            for length in 1..<count { add((0, length), (length, count - length), prefixes, query) }
        case 2:
            let length = query.words[0].count
            add((0, length), (length, count - length), prefixes, query)
        default: break
        }
    }

    /// Adds the documents that have one piece, and the other piece if there is one. Pieces are given by start and
    /// length.
    private mutating func add(
        _ one: (Int, Int), _ other: (Int, Int)?, _ prefixes: PrefixRanges, _ query: EncodedQuery
    ) {
        let oneRange = prefixes.range(one.0, one.1)
        let oneRow = signatures.layout.row(of: query.bytes[one.0..<one.0 + one.1])
        guard let other else {
            if isCommon(oneRange, prefixes) {
                rows.append((oneRow, oneRow))
            } else {
                addDocuments(of: oneRange, having: nil, prefixes.wordSuffixes)
            }
            return
        }
        let otherRange = prefixes.range(other.0, other.1)
        let otherRow = signatures.layout.row(of: query.bytes[other.0..<other.0 + other.1])
        if oneRange.isEmpty || otherRange.isEmpty { return }
        let isOneRarer = oneRange.count < otherRange.count
        let rarer = isOneRarer ? oneRange : otherRange
        if isCommon(rarer, prefixes) {
            rows.append((oneRow, otherRow))
        } else {
            addDocuments(of: rarer, having: isOneRarer ? otherRow : oneRow, prefixes.wordSuffixes)
        }
    }

    private func isCommon(_ range: Range<Int>, _ prefixes: PrefixRanges) -> Bool {
        range.count > prefixes.wordSuffixes.count / PairCandidates.commonShare
    }

    private mutating func addDocuments(of range: Range<Int>, having row: Int?, _ wordSuffixes: WordSuffixArray) {
        let documents = wordSuffixes.documents
        for entry in range {
            let document = Int(documents[entry])
            if document >= end { continue }
            if let row, !signatures.isSet(row, document) { continue }
            candidates[document >> 6] |= 1 << UInt64(document & 63)
        }
    }

    /// The candidates in the `position`-th group of 64 documents.
    @inline(__always)
    func documents(at position: Int) -> UInt64 {
        var bits = candidates[position]
        for row in rows { bits |= signatures.load(row.first, at: position) & signatures.load(row.second, at: position) }
        return bits
    }
}
