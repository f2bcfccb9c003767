/// The records that may be split into one or two pieces as a query asks, whichever words they begin.
///
/// There are only n - 1 ways to split a query in two. Of each the piece is looked up that fewer runs begin with, and of these runs'
/// records those are kept whose ``StartBitmaps`` have the other piece. Where both pieces are common, as in short queries, the
/// bitmaps alone tell, 64 records at a time, when a search gets there.
struct PairCandidates {
    private let starts: StartBitmaps
    /// A bit for each record that was looked up.
    private var listed: [UInt64]
    private let end: Int
    /// Pairs of rows that a record may have instead.
    private var rows: [(first: Int, second: Int)] = []

    /// A piece is common if it begins this share of the runs.
    static let commonShare = 16

    /// O(entries of the rarer pieces).
    init(_ starts: StartBitmaps, _ beginnings: QueryBeginnings, query: EncodedQuery, records: Int) {
        self.starts = starts
        end = records
        listed = Array(repeating: 0, count: (records + 63) / 64)
        let count = query.bytes.count
        switch query.words.count {
        case 1:
            add((0, count), nil, beginnings, query)
            for length in 1..<count { add((0, length), (length, count - length), beginnings, query) }
        case 2:
            let length = query.words[0].count
            add((0, length), (length, count - length), beginnings, query)
        default: break
        }
    }

    /// Adds what has one piece, and the other if there is one; pieces by start and length.
    private mutating func add(
        _ one: (Int, Int), _ other: (Int, Int)?, _ beginnings: QueryBeginnings, _ query: EncodedQuery
    ) {
        let oneRange = beginnings.range(one.0, one.1)
        let oneRow = starts.shape.row(of: query.bytes[one.0..<one.0 + one.1])
        guard let other else {
            if isCommon(oneRange, beginnings) {
                rows.append((oneRow, oneRow))
            } else {
                list(oneRange, having: nil, beginnings.runs)
            }
            return
        }
        let otherRange = beginnings.range(other.0, other.1)
        let otherRow = starts.shape.row(of: query.bytes[other.0..<other.0 + other.1])
        if oneRange.isEmpty || otherRange.isEmpty { return }
        let isOneRarer = oneRange.count < otherRange.count
        let rarer = isOneRarer ? oneRange : otherRange
        if isCommon(rarer, beginnings) {
            rows.append((oneRow, otherRow))
        } else {
            list(rarer, having: isOneRarer ? otherRow : oneRow, beginnings.runs)
        }
    }

    private func isCommon(_ range: Range<Int>, _ beginnings: QueryBeginnings) -> Bool {
        range.count > beginnings.runs.count / PairCandidates.commonShare
    }

    private mutating func list(_ range: Range<Int>, having row: Int?, _ runs: RunTable) {
        let (records, starts, end) = (runs.records, starts, end)
        listed.withUnsafeMutableBufferPointer { listed in
            for entry in range {
                let record = Int(records[entry])
                if record >= end { continue }
                if let row, !starts.has(row, record) { continue }
                listed[record >> 6] |= 1 << UInt64(record & 63)
            }
        }
    }

    /// A bit for each of 64 records, the `position`-th such group, that may match.
    @inline(__always)
    func records(at position: Int) -> UInt64 {
        var bits = listed[position]
        for row in rows { bits |= starts.load(row.first, at: position) & starts.load(row.second, at: position) }
        return bits
    }
}
