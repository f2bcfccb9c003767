/// For every document, which prefixes its words have: a bit for each first letter and for each pair of first letters.
///
/// The bitmaps lie block by block (512 documents, eight machine words for each bitmap), so that a search in order of
/// rank reads the blocks one after another and stops when it has enough. False positives are settled by looking at
/// the document. 4 to 20 bytes a document (``SignatureLayout``).
struct PrefixSignatures: Sendable {
    static let blockDocuments = 512
    static let blockWords = 8

    let words: View<UInt64>
    let layout: SignatureLayout

    /// The bits of 64 documents, the `position`-th such group.
    @inline(__always)
    func load(_ row: Int, at position: Int) -> UInt64 {
        let (block, word) = (position / PrefixSignatures.blockWords, position % PrefixSignatures.blockWords)
        return words[(block * layout.rows + row) * PrefixSignatures.blockWords + word]
    }

    /// The bit of one document.
    @inline(__always)
    func isSet(_ row: Int, _ document: Int) -> Bool { load(row, at: document >> 6) & (1 << UInt64(document & 63)) != 0 }
}

/// Which rows the bitmaps of a field have, as its alphabet and its options say.
struct SignatureLayout: Sendable, Equatable {
    /// Rows for first letters, a power of two.
    let singles: Int
    /// Rows for pairs of first letters, a power of two, or none.
    let pairs: Int
    /// Whether each letter has a row of its own, and each pair of the first eight letters.
    private let isDirect: Bool

    var rows: Int { singles + pairs }

    /// - Few letters, such as keys: a row for each of up to sixteen, and 64 for pairs; of eight letters each pair has its own.
    /// - Else 32 rows for letters and 128 for pairs, hashed.
    /// - No pairs in a field that is only asked for typed words: rows are asked for words that an eighth of the documents have, and no pair
    ///   tells much more of those than a letter.
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

    /// The row of two first letters; that of the first where pairs have none.
    @inline(__always)
    func pair(_ first: UInt8, _ second: UInt8) -> Int {
        if pairs == 0 { return single(first) }
        if isDirect { return singles + ((Int(first &- 1) << 3 &+ Int(second &- 1)) & 63) }
        return singles + Int((((UInt32(first) << 8) | UInt32(second)) &* 0x9E37_79B1) >> 25)
    }

    /// The row of what letters begin with: two of them, or one if there is no other.
    @inline(__always)
    func row(of letters: ArraySlice<UInt8>) -> Int {
        guard let first = letters.first else { return 0 }
        return letters.count > 1 ? pair(first, letters[letters.startIndex + 1]) : single(first)
    }
}
