/// The documents with a value of three or more words, numbered among themselves, with the prefixes of their words.
///
/// A value of two words can only match in two pieces. Matches in three or more pieces are rarer and more expensive to
/// find, so these documents have the rows of ``PrefixSignatures`` a second time, side by side, and one bit each for a
/// value of at least four and of at least five words. 10 or 20 bytes, 2 bits and a number per long-value document; one
/// and a half bits per document of the field for the lookup.
struct LongValueDocuments: Sendable {
    /// The documents, ascending.
    let documents: PackedView<UInt32>
    /// A bit for each document of the field, and the number of set bits before each group of 64.
    let members: View<UInt64>
    let ranks: PackedView<UInt32>
    let words: View<UInt64>
    let layout: SignatureLayout

    /// The number of rows in a block, and the rows of documents with a value of at least four and of at least five
    /// words.
    static func rows(_ layout: SignatureLayout) -> Int { layout.rows + 2 }
    static func fourWords(_ layout: SignatureLayout) -> Int { layout.rows }
    static func fiveWords(_ layout: SignatureLayout) -> Int { layout.rows + 1 }

    var blockCount: Int { words.count / (LongValueDocuments.rows(layout) * PrefixSignatures.blockWords) }

    /// The number of a document among the long-value documents, or nil.
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
