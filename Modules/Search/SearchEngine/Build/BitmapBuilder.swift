/// Makes ``StartBitmaps`` and ``LongRecords`` of a lane. O(occurrences).
struct BitmapBuilder {
    let source: LaneSource
    let shape: BitmapShape

    private var recordCount: Int { source.forwardOffsets.count - 1 }

    private static func blocks(_ records: Int) -> Int {
        (records + StartBitmaps.blockRecords - 1) / StartBitmaps.blockRecords
    }

    func startBitmaps() -> [UInt64] {
        var bitmaps = Array(
            repeating: UInt64(0), count: BitmapBuilder.blocks(recordCount) * shape.rows * StartBitmaps.blockWords)
        for record in 0..<recordCount {
            set(record, as: record, shape.rows, &bitmaps)
        }
        return bitmaps
    }

    /// The sections of ``LongRecords``.
    func longRecords() -> (records: [UInt32], members: [UInt64], ranks: [UInt32], bitmaps: [UInt64]) {
        let records = (0..<recordCount).filter { longestField($0) > 2 }
        var bitmaps = Array(
            repeating: UInt64(0),
            count: BitmapBuilder.blocks(records.count) * LongRecords.rows(shape) * StartBitmaps.blockWords)
        for (number, record) in records.enumerated() {
            set(record, as: number, LongRecords.rows(shape), &bitmaps)
            let words = longestField(record)
            for (least, row) in [(4, LongRecords.fourWords(shape)), (5, LongRecords.fiveWords(shape))]
            where words >= least {
                setBit(number, row, LongRecords.rows(shape), &bitmaps)
            }
        }
        var members = Array(repeating: UInt64(0), count: (recordCount + 63) / 64)
        for record in records { members[record >> 6] |= 1 << UInt64(record & 63) }
        var ranks: [UInt32] = []
        var before = 0
        for group in members {
            ranks.append(UInt32(before))
            before += group.nonzeroBitCount
        }
        return (records.map { UInt32($0) }, members, ranks, bitmaps)
    }

    /// How many words the longest field of a record has.
    private func longestField(_ record: Int) -> Int {
        var (longest, words) = (0, 0)
        for occurrence in source.occurrences[source.range(of: record)] {
            if occurrence & ForwardTable.fieldStart != 0 { words = 0 }
            if occurrence & ForwardTable.otherSpelling == 0 { words += 1 }
            longest = Swift.max(longest, words)
        }
        return longest
    }

    /// Sets the bits of how the words of a record begin.
    private func set(_ record: Int, as number: Int, _ rows: Int, _ bitmaps: inout [UInt64]) {
        for occurrence in source.occurrences[source.range(of: record)] {
            let letters = source.bytes(of: Int(ForwardTable.word(occurrence)))
            if letters.isEmpty { continue }
            setBit(number, shape.row(of: letters.prefix(1)), rows, &bitmaps)
            if letters.count > 1 { setBit(number, shape.row(of: letters), rows, &bitmaps) }
        }
    }

    @inline(__always)
    private func setBit(_ number: Int, _ row: Int, _ rows: Int, _ bitmaps: inout [UInt64]) {
        let place = number / StartBitmaps.blockRecords * rows + row
        let word = (number % StartBitmaps.blockRecords) / 64
        bitmaps[place * StartBitmaps.blockWords + word] |= 1 << UInt64(number % 64)
    }
}
