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
