/// Tells which of 512 long records may be split as a query asks, from bitmaps of how their words begin.
///
/// Let S(i) be the records whose words could take the query from byte i on. With B1, B2 and B3 the bitmaps of one, two and three first
/// letters,
///
///     S(end) = all,   S(i) = B1(i) & S(i + 1)  |  B2(i) & S(i + 2)  |  B3(i) & (S(i + 3) | S(i + 4) | … | S(end of the typed word))
///
/// so all splits (there are 2^(n-1)) cost n steps for a block of records. The order of the words plays no part, so
/// the same pass serves initials and words in any order; what it lets through is checked with ``SplitAlignment``.
///
/// A record with few words in its fields cannot take many pieces. With S(i, p) for at most p pieces, made of S(·, p - 1) in the same way,
/// a second pass keeps of the records with three words those in S(0, 3), of those with four those in S(0, 4); it costs four times as much,
/// and is only run where the first leaves anything.
final class SplitFilter {
    private static let levels = 3

    private let long: LongRecords
    private let count: Int
    /// For each letter the rows of its bitmaps: of one, two and three letters.
    private let rows: UnsafeMutablePointer<Int>
    private let wordEnds: UnsafeMutablePointer<Int>
    /// Bitmaps of the block under way: three for each letter, then the S(i, p) of two values of p.
    private let memory: UnsafeMutablePointer<SIMD8<UInt64>>

    init(_ long: LongRecords, query: EncodedQuery) {
        self.long = long
        let bytes = query.bytes
        count = bytes.count
        rows = .allocate(capacity: SplitFilter.levels * (count + 1))
        wordEnds = .allocate(capacity: count + 1)
        memory = .allocate(capacity: (SplitFilter.levels + 2) * (count + 1))
        for position in 0..<count {
            let end = query.wordEnds[position]
            wordEnds[position] = end
            let row = rows + SplitFilter.levels * position
            row[0] = StartBitmaps.single(bytes[position])
            row[1] = position + 1 < end ? StartBitmaps.pair(bytes[position], bytes[position + 1]) : row[0]
            row[2] =
                position + 2 < end
                ? LongRecords.triple(bytes[position], bytes[position + 1], bytes[position + 2]) : row[1]
        }
    }

    deinit {
        rows.deallocate()
        wordEnds.deallocate()
        memory.deallocate()
    }

    /// A bit for each record of the block that may match. O(letters²).
    func candidates(in block: Int) -> SIMD8<UInt64> {
        for number in 0..<SplitFilter.levels * count { memory[number] = long.load(rows[number], block: block) }
        var fewer = memory + SplitFilter.levels * (count + 1)
        var next = fewer + (count + 1)
        fewer[count] = SIMD8(repeating: .max)
        addPiece(to: fewer, into: fewer)
        let any = fewer[0]
        if any == .zero { return any }
        for position in 0..<count { fewer[position] = .zero }
        next[count] = SIMD8(repeating: .max)
        var found = long.load(LongRecords.fiveWords, block: block)
        for pieces in 1...4 {
            addPiece(to: fewer, into: next)
            swap(&fewer, &next)
            if pieces == 3 { found |= fewer[0] }
        }
        found |= long.load(LongRecords.fourWords, block: block) & fewer[0]
        return found & any
    }

    /// S(·, p) from S(·, p - 1); into itself, S for any number of pieces.
    @inline(__always)
    private func addPiece(
        to fewer: UnsafeMutablePointer<SIMD8<UInt64>>, into next: UnsafeMutablePointer<SIMD8<UInt64>>
    ) {
        var position = count - 1
        while position >= 0 {
            let masks = memory + SplitFilter.levels * position
            let end = wordEnds[position]
            var result = masks[0] & fewer[position + 1]
            if position + 2 <= end { result |= masks[1] & fewer[position + 2] }
            if position + 3 <= end {
                var rest = fewer[position + 3]
                var after = position + 4
                while after <= end {
                    rest |= fewer[after]
                    after += 1
                }
                result |= masks[2] & rest
            }
            next[position] = result
            position -= 1
        }
    }
}
