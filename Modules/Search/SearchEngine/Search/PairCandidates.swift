/// The documents that may be split into one or two pieces as a query asks, whichever words they begin.
///
/// There are only n - 1 ways to split a query in two. Of each the piece is looked up that fewer wordSuffixes begin with, and of these wordSuffixes'
/// documents those are kept whose ``PrefixSignatures`` have the other piece. Where both pieces are common, as in short queries, the
/// bitmaps alone tell, 64 documents at a time, when a search gets there.
struct PairCandidates {
    private let signatures: PrefixSignatures
    /// A bit for each document that was looked up.
    private var candidates: [UInt64]
    private let end: Int
    /// Pairs of rows that a document may have instead.
    private var rows: [(first: Int, second: Int)] = []

    /// A piece is common if it begins this share of the wordSuffixes.
    static let commonShare = 16

    /// O(entries of the rarer pieces).
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

    /// Adds what has one piece, and the other if there is one; pieces by start and length.
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
        let (documents, signatures, end) = (wordSuffixes.documents, signatures, end)
        candidates.withUnsafeMutableBufferPointer { candidates in
            for entry in range {
                let document = Int(documents[entry])
                if document >= end { continue }
                if let row, !signatures.isSet(row, document) { continue }
                candidates[document >> 6] |= 1 << UInt64(document & 63)
            }
        }
    }

    /// A bit for each of 64 documents, the `position`-th such group, that may match.
    @inline(__always)
    func documents(at position: Int) -> UInt64 {
        var bits = candidates[position]
        for row in rows { bits |= signatures.load(row.first, at: position) & signatures.load(row.second, at: position) }
        return bits
    }
}
