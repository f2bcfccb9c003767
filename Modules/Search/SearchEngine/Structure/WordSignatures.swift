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
