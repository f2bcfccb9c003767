/// For every record, which beginnings its words have: a bit for each first letter and for each pair of first letters, hashed.
///
/// The bitmaps lie block by block (512 records, eight machine words for each bitmap), so that a search in order of
/// rank reads the blocks one after another and stops when it has enough. False positives are settled by looking at
/// the record. 20 bytes a record.
struct StartBitmaps: Sendable {
    static let blockRecords = 512
    static let blockWords = 8
    static let singles = 32
    static let pairs = 128
    static let rows = singles + pairs
    static let blockStride = rows * blockWords

    let words: View<UInt64>

    @inline(__always)
    static func single(_ letter: UInt8) -> Int { Int((UInt32(letter) &* 0x9E37_79B1) >> 27) }

    @inline(__always)
    static func pair(_ first: UInt8, _ second: UInt8) -> Int {
        singles + Int((((UInt32(first) << 8) | UInt32(second)) &* 0x9E37_79B1) >> 25)
    }

    /// The row of what letters begin with: two of them, or one if there is no other.
    @inline(__always)
    static func row(of letters: ArraySlice<UInt8>) -> Int {
        guard let first = letters.first else { return 0 }
        return letters.count > 1 ? pair(first, letters[letters.startIndex + 1]) : single(first)
    }

    /// The bits of 64 records, the `position`-th such group.
    @inline(__always)
    func load(_ row: Int, at position: Int) -> UInt64 {
        let (block, word) = (position / StartBitmaps.blockWords, position % StartBitmaps.blockWords)
        return words[block * StartBitmaps.blockStride + row * StartBitmaps.blockWords + word]
    }

    /// The bit of one record.
    @inline(__always)
    func has(_ row: Int, _ record: Int) -> Bool { load(row, at: record >> 6) & (1 << UInt64(record & 63)) != 0 }
}
