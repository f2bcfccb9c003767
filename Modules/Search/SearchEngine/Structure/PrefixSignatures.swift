/// The first letters of each document's words: a bit for each.
///
/// The bitmaps are stored in blocks of 512 documents, eight machine words per bitmap. A search for common letters in
/// order of rank therefore reads memory sequentially and stops when it has enough. False positives are resolved by
/// looking at the document. 2 or 4 bytes per document.
struct PrefixSignatures: Sendable {
    static let blockDocuments = 512
    static let blockWords = 8

    private let words: View<UInt64>
    private let layout: SignatureLayout

    init(
        _ directory: SectionDirectory, field: Int, layout: SignatureLayout
    ) throws(IndexFormatError) {
        words = try directory.view(.prefixSignatures, field: field)
        self.layout = layout
        guard
            words.count == PrefixSignatures.blocks(directory.documentCount) * layout.rows * PrefixSignatures.blockWords
        else { throw .section(SectionTag.prefixSignatures.rawValue) }
    }

    /// Returns the number of blocks for a number of documents.
    static func blocks(_ documents: Int) -> Int { (documents + blockDocuments - 1) / blockDocuments }

    /// Returns the documents with a word that begins with a letter, in the `position`-th group of 64.
    @inline(__always)
    func load(_ letter: UInt8, at position: Int) -> UInt64 {
        let (block, word) = (position / PrefixSignatures.blockWords, position % PrefixSignatures.blockWords)
        return words[(block * layout.rows + layout.row(letter)) * PrefixSignatures.blockWords + word]
    }
}

/// The rows of a field's bitmaps, determined by its alphabet.
struct SignatureLayout: Sendable, Equatable {
    /// The number of rows, a power of two: 16 for up to sixteen letters, such as keys, one row each; or 32, hashed.
    let rows: Int

    init(letters: Int) { rows = letters <= 16 ? 16 : 32 }

    /// Returns the row of a first letter.
    @inline(__always)
    func row(_ letter: UInt8) -> Int {
        rows == 16 ? Int(letter &- 1) & 15 : Int((UInt32(letter) &* 0x9E37_79B1) >> 27)
    }
}
