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

/// The first two letters of each document's words, as a set of 64 bits, in a field of up to sixteen letters such as keys.
///
/// A document that matches pieces of several letters has words that begin with the first two of each. Among the documents
/// with a pair of words that begin with two pieces, this excludes most that lack a word for another piece, without
/// reading their words. Among many letters it would exclude few that ``WordPairs`` does not. Eight bytes per document.
struct WordSignatures: Sendable {
    /// The maximum number of letters in the alphabet of a field with signatures.
    static let maxLetters = 16

    private let signatures: View<UInt64>

    init(_ directory: SectionDirectory, field: Int) throws(IndexFormatError) {
        signatures = try directory.view(.wordSignatures, field: field)
        guard signatures.count == directory.documentCount else { throw .section(SectionTag.wordSignatures.rawValue) }
    }

    /// Returns the bit of two letters. With up to eight letters, each pair has its own bit.
    @inline(__always)
    static func bit(_ first: UInt8, _ second: UInt8) -> UInt64 { 1 << UInt64((first & 7) << 3 | second & 7) }

    /// Returns `true` if a document has words that begin with the letters of all bits.
    @inline(__always)
    func contain(_ required: UInt64, at document: Int) -> Bool { signatures[document] & required == required }
}

/// The documents with a value of more than ``WordPairs/maxWords`` words, such as long titles.
///
/// They have too many pairs of words to store. Instead, each has 64 bits: 32 for the first letters of the words of its
/// wide values and 32 for their first two letters, both hashed. A search reads them in order of rank until it has
/// enough.
struct WideValues: Sendable {
    /// The documents, ascending.
    let documents: PackedView<UInt32>
    /// The bits of each document.
    let signatures: View<UInt64>

    init(_ directory: SectionDirectory, field: Int) throws(IndexFormatError) {
        documents = try directory.packed(.wideDocuments, field: field)
        signatures = try directory.view(.wideSignatures, field: field)
        guard signatures.count == documents.count else { throw .section(SectionTag.wideDocuments.rawValue) }
    }

    /// Returns the bits of a word.
    static func signature(_ letters: ArraySlice<UInt8>) -> UInt64 {
        guard let first = letters.first else { return 0 }
        return single(first) | (letters.count > 1 ? pair(first, letters[letters.startIndex + 1]) : 0)
    }

    fileprivate static func single(_ letter: UInt8) -> UInt64 { 1 << UInt64((UInt32(letter) &* 0x9E37_79B1) >> 27) }

    fileprivate static func pair(_ first: UInt8, _ second: UInt8) -> UInt64 {
        1 << UInt64(32 + ((UInt32(first) << 8 | UInt32(second)) &* 0x9E37_79B1) >> 27)
    }

    /// A filter for documents whose words may match a query.
    struct Filter {
        /// For each position of the query, the bits of a piece of one letter and of a longer piece.
        private var bits: [(single: UInt64, pair: UInt64)] = []
        /// The ends of longer pieces: a bit for each position.
        private var ends: [UInt64] = []

        /// - Parameter ends: For each position of the query, the maximum end of a piece that begins there.
        init(_ query: EncodedQuery, ends: [Int]) {
            for (start, end) in ends.enumerated() {
                let letter = query.bytes[start]
                bits.append(
                    (end > start ? single(letter) : 0, end > start + 1 ? pair(letter, query.bytes[start + 1]) : 0))
                self.ends.append(end > start + 1 ? (1 << UInt64(end - start - 1) - 1) << UInt64(start + 2) : 0)
            }
        }

        /// Returns `true` if the query splits into pieces that may be prefixes of words. O(letters).
        @inline(__always)
        func mayMatch(_ signature: UInt64) -> Bool {
            var reached: UInt64 = 1
            for start in bits.indices where reached >> UInt64(start) & 1 != 0 {
                if signature & bits[start].single != 0 { reached |= 2 << UInt64(start) }
                if signature & bits[start].pair != 0 { reached |= ends[start] }
            }
            return reached >> UInt64(bits.count) & 1 != 0
        }
    }
}
