/// The documents with a value of three or more words, numbered among themselves, and how their words begin.
///
/// A name of two words can be split in two and no more. What can be split in three is rarer, and costs more to find, so it is
/// kept apart: such documents have the rows of ``PrefixSignatures`` once more, side by side, and a bit for a value of at least four and of
/// five words. 10 or 20 bytes and 2 bits a long document, and its number; for every document a bit and a half to find that by.
struct LongValueDocuments: Sendable {
    /// The documents, ascending.
    let documents: PackedView<UInt32>
    /// A bit for each document of the field, and how many are long before each 64 of them.
    let members: View<UInt64>
    let ranks: PackedView<UInt32>
    let words: View<UInt64>
    let layout: SignatureLayout

    /// How many rows a block has, and those of the documents with a value of at least four and five words.
    static func rows(_ layout: SignatureLayout) -> Int { layout.rows + 2 }
    static func fourWords(_ layout: SignatureLayout) -> Int { layout.rows }
    static func fiveWords(_ layout: SignatureLayout) -> Int { layout.rows + 1 }

    var blockCount: Int { words.count / (LongValueDocuments.rows(layout) * PrefixSignatures.blockWords) }

    /// The number of a document among the long ones, if it is one.
    @inline(__always)
    func number(of document: Int) -> Int? {
        let group = members[document >> 6]
        let bit = UInt64(1) << UInt64(document & 63)
        return group & bit == 0 ? nil : Int(ranks[document >> 6]) + (group & (bit - 1)).nonzeroBitCount
    }

    @inline(__always)
    func load(_ row: Int, block: Int) -> SIMD8<UInt64> {
        let start = words.base + (block * LongValueDocuments.rows(layout) + row) * PrefixSignatures.blockWords
        return UnsafeRawPointer(start).loadUnaligned(as: SIMD8<UInt64>.self)
    }
}
