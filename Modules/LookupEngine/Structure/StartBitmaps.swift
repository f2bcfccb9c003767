/// For every record, which beginnings its words have: a bit for each first letter and for each pair of first letters,
/// hashed, and for having a field of three, four, five words.
///
/// The bitmaps lie block by block (512 records, eight machine words for each bitmap), so that a search in order of
/// rank reads the blocks one after another and stops when it has enough. They answer "may this record be split as the
/// query asks" for all splits of the query at once (see ``SplitFilter``); false positives are settled by looking at
/// the record. 20 bytes and 3 bits a record.
struct StartBitmaps: Sendable {
    static let blockRecords = 512
    static let blockWords = 8
    static let singles = 32
    static let pairs = 128
    static let rows = singles + pairs + 3
    /// The rows of the records that have a field of at least three, four, five words.
    static let wordCountRows = (singles + pairs)..<rows
    static let blockStride = rows * blockWords

    let words: View<UInt64>

    var blockCount: Int { words.count / StartBitmaps.blockStride }

    @inline(__always)
    static func single(_ letter: UInt8) -> Int { Int((UInt32(letter) &* 0x9E37_79B1) >> 27) }

    @inline(__always)
    static func pair(_ first: UInt8, _ second: UInt8) -> Int {
        singles + Int((((UInt32(first) << 8) | UInt32(second)) &* 0x9E37_79B1) >> 25)
    }

    /// The bits of 64 records, the `position`-th such group.
    @inline(__always)
    func load(_ row: Int, at position: Int) -> UInt64 {
        let (block, word) = (position / StartBitmaps.blockWords, position % StartBitmaps.blockWords)
        return words[block * StartBitmaps.blockStride + row * StartBitmaps.blockWords + word]
    }

    @inline(__always)
    func load(_ row: Int, block: Int) -> SIMD8<UInt64> {
        let place = words.base + block * StartBitmaps.blockStride + row * StartBitmaps.blockWords
        return UnsafeRawPointer(place).loadUnaligned(as: SIMD8<UInt64>.self)
    }
}
