/// The prefixes of each document's words: a bit for each first letter and for each pair of first letters.
///
/// The bitmaps are stored in blocks of 512 documents, eight machine words per bitmap. A search in order of rank
/// therefore reads memory sequentially and stops when it has enough. False positives are resolved by looking at the
/// document. 4 to 20 bytes per document (``SignatureLayout``).
struct PrefixSignatures: Sendable {
    static let blockDocuments = 512
    static let blockWords = 8

    private let words: View<UInt64>
    let layout: SignatureLayout

    init(
        _ directory: SectionDirectory, field: Int, layout: SignatureLayout
    ) throws(IndexFormatError) {
        words = try directory.view(.prefixSignatures, field: field)
        self.layout = layout
        guard
            words.count == PrefixSignatures.blocks(directory.documentCount) * layout.rows * PrefixSignatures.blockWords
        else { throw .section(SectionTag.prefixSignatures.rawValue) }
    }

    /// The number of blocks for a number of documents.
    static func blocks(_ documents: Int) -> Int { (documents + blockDocuments - 1) / blockDocuments }

    /// The bits of the `position`-th group of 64 documents.
    @inline(__always)
    func load(_ row: Int, at position: Int) -> UInt64 {
        let (block, word) = (position / PrefixSignatures.blockWords, position % PrefixSignatures.blockWords)
        return words[(block * layout.rows + row) * PrefixSignatures.blockWords + word]
    }

    /// The bit of one document.
    @inline(__always)
    func isSet(_ row: Int, _ document: Int) -> Bool { load(row, at: document >> 6) & (1 << UInt64(document & 63)) != 0 }
}

/// The rows of a field's bitmaps, determined by its alphabet and options.
struct SignatureLayout: Sendable, Equatable {
    /// The number of rows for first letters, a power of two.
    let singles: Int
    /// The number of rows for pairs of first letters: a power of two, or 0.
    let pairs: Int
    /// `true` if each letter has its own row, and each pair of the first eight letters.
    private let isDirect: Bool

    var rows: Int { singles + pairs }

    /// Creates the layout of a field:
    ///
    /// - Up to sixteen letters, such as keys: 16 rows for letters and 64 for pairs. Each pair of eight letters has its
    ///   own row.
    /// - More letters: 32 rows for letters and 128 for pairs, hashed.
    /// - No pairs without ``FieldOptions/initials``: signatures are then only used for words that an eighth of the
    ///   documents contain, and pairs are hardly more selective than letters for those.
    init(letters: Int, options: FieldOptions) {
        isDirect = letters <= 16
        singles = isDirect ? 16 : 32
        pairs = !options.contains(.initials) ? 0 : isDirect ? 64 : 128
    }

    /// The row of a first letter.
    @inline(__always)
    func single(_ letter: UInt8) -> Int {
        isDirect ? Int(letter &- 1) & 15 : Int((UInt32(letter) &* 0x9E37_79B1) >> 27)
    }

    /// The row of a pair of first letters, or of the first letter if there are no rows for pairs.
    @inline(__always)
    func pair(_ first: UInt8, _ second: UInt8) -> Int {
        if pairs == 0 { return single(first) }
        if isDirect { return singles + ((Int(first &- 1) << 3 &+ Int(second &- 1)) & 63) }
        return singles + Int((((UInt32(first) << 8) | UInt32(second)) &* 0x9E37_79B1) >> 25)
    }

    /// The row of a prefix: of its first two letters, or of its only one.
    @inline(__always)
    func row(of letters: ArraySlice<UInt8>) -> Int {
        guard let first = letters.first else { return 0 }
        return letters.count > 1 ? pair(first, letters[letters.startIndex + 1]) : single(first)
    }
}
