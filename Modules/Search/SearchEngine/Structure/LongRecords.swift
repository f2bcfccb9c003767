/// The records with a field of three or more words, numbered among themselves, and how their words begin.
///
/// A name of two words can be split in two and no more. What can be split in three is rarer, and costs more to find, so it is
/// kept apart: such records have the rows of ``StartBitmaps`` once more, side by side, and a bit for a field of at least four and of
/// five words. 10 or 20 bytes and 2 bits a long record, and its number; for every record a bit and a half to find that by.
struct LongRecords: Sendable {
    /// The records, ascending.
    let records: PackedView<UInt32>
    /// A bit for each record of the lane, and how many are long before each 64 of them.
    let members: View<UInt64>
    let ranks: PackedView<UInt32>
    let words: View<UInt64>
    let shape: BitmapShape

    /// How many rows a block has, and those of the records with a field of at least four and five words.
    static func rows(_ shape: BitmapShape) -> Int { shape.rows + 2 }
    static func fourWords(_ shape: BitmapShape) -> Int { shape.rows }
    static func fiveWords(_ shape: BitmapShape) -> Int { shape.rows + 1 }

    var blockCount: Int { words.count / (LongRecords.rows(shape) * StartBitmaps.blockWords) }

    /// The number of a record among the long ones, if it is one.
    @inline(__always)
    func number(of record: Int) -> Int? {
        let group = members[record >> 6]
        let bit = UInt64(1) << UInt64(record & 63)
        return group & bit == 0 ? nil : Int(ranks[record >> 6]) + (group & (bit - 1)).nonzeroBitCount
    }

    @inline(__always)
    func load(_ row: Int, block: Int) -> SIMD8<UInt64> {
        let place = words.base + (block * LongRecords.rows(shape) + row) * StartBitmaps.blockWords
        return UnsafeRawPointer(place).loadUnaligned(as: SIMD8<UInt64>.self)
    }
}
