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
    private let members: View<UInt64>
    private let ranks: PackedView<UInt32>
    private let words: View<UInt64>
    let layout: SignatureLayout

    init(_ directory: SectionDirectory, field: Int, layout: SignatureLayout) throws(IndexFormatError) {
        documents = try directory.packed(.longValueDocuments, field: field)
        members = try directory.view(.longValueMembers, field: field)
        ranks = try directory.packed(.longValueRanks, field: field)
        words = try directory.view(.longValueBitmaps, field: field)
        self.layout = layout
        let rows = LongValueDocuments.rows(layout)
        guard words.count == PrefixSignatures.blocks(documents.count) * rows * PrefixSignatures.blockWords else {
            throw .section(SectionTag.longValueBitmaps.rawValue)
        }
    }

    /// The number of rows in a block, and the rows of documents with a value of at least four and of at least five
    /// words.
    static func rows(_ layout: SignatureLayout) -> Int { layout.rows + 2 }
    static func fourWords(_ layout: SignatureLayout) -> Int { layout.rows }
    static func fiveWords(_ layout: SignatureLayout) -> Int { layout.rows + 1 }

    var blockCount: Int { PrefixSignatures.blocks(documents.count) }

    /// The number of a document among the long-value documents, or nil.
    @inline(__always)
    func number(of document: Int) -> Int? {
        let group = members[document >> 6]
        let bit = UInt64(1) << UInt64(document & 63)
        if group & bit == 0 { return nil }
        let number = Int(ranks[document >> 6]) + (group & (bit - 1)).nonzeroBitCount
        return number < documents.count ? number : nil
    }

    @inline(__always)
    func load(_ row: Int, block: Int) -> SIMD8<UInt64> {
        words.eight(from: (block * LongValueDocuments.rows(layout) + row) * PrefixSignatures.blockWords)
    }
}
