/// A finished index, opened over a block of bytes in O(number of sections). Any number of threads can search it at
/// once.
public final class SearchIndex: Sendable {
    /// The bytes of the index, as they are written to a file.
    public let bytes: IndexBytes
    /// The generation of the data that the index was built from.
    public let generation: UInt64
    /// The fingerprint given to the builder. It distinguishes indexes that were built by different rules, for example
    /// by another version of text folding.
    public let fingerprint: UInt64
    /// The number of documents.
    public let documentCount: Int
    let fields: [Field]
    private let ids: PackedView<UInt64>
    /// Empty if the rank of each document equals its number.
    let ranks: PackedView<UInt64>
    private let documentsByID: PackedView<UInt32>
    private let stored: StoredBytes?
    let verifier: SectionVerifier

    /// The time at which the checksums of an index are verified.
    public enum Verification: Sendable {
        /// When the index is opened. Every byte is read, and no search can fail.
        case eager
        /// Before a search uses a section for the first time. Opening reads only the header and the directory, and a
        /// search throws ``IndexFormatError/checksum`` if it would use a corrupt section.
        case lazy
        /// Never, because the caller knows that the bytes have not changed since they were built. Corrupt bytes can
        /// only cause wrong hits.
        case never
    }

    /// Opens a block of bytes.
    public convenience init(_ bytes: IndexBytes, verifying: Verification = .eager) throws(IndexFormatError) {
        try self.init(bytes)
        switch verifying {
        case .eager: try verify()
        case .lazy: break
        case .never: markVerified()
        }
    }

    /// Opens a block of bytes that was just built, without verifying it.
    convenience init(trusting bytes: IndexBytes) throws(IndexFormatError) {
        try self.init(bytes)
        markVerified()
    }

    private func markVerified() {
        verifier.markVerified()
        for field in fields { field.verifier.markVerified() }
    }

    /// Verifies all checksums that have not been verified yet. O(bytes).
    ///
    /// - Throws: ``IndexFormatError/checksum``.
    public func verify() throws(IndexFormatError) {
        try verifier.verify(.all)
        for field in fields { try field.verifier.verify(.all) }
    }

    private init(_ bytes: IndexBytes) throws(IndexFormatError) {
        let directory = try SectionDirectory(bytes)
        self.bytes = bytes
        verifier = directory.verifier(field: nil)
        generation = directory.generation
        fingerprint = directory.fingerprint
        documentCount = directory.documentCount
        ids = try directory.packed(.documentIDs, of: UInt64.self)
        ranks = try directory.packed(.documentRanks, of: UInt64.self)
        documentsByID = try directory.packed(.documentsByID)
        stored = try StoredBytes(directory, documents: documentCount)
        guard ids.count == documentCount, ranks.count == documentCount || ranks.count == 0,
            documentsByID.count == documentCount
        else {
            throw .section(SectionTag.documentIDs.rawValue)
        }
        var fields: [Field] = []
        for field in 0..<directory.fieldCount {
            fields.append(try Field(directory, field: field))
        }
        self.fields = fields
    }

    /// Returns the caller's identifier of a document, or 0 if the document does not exist.
    public func id(of document: Int) -> Int64 { Int64(bitPattern: ids[document]) }

    /// Returns the number of the document with an identifier, or nil. O(log documents).
    ///
    /// - Throws: ``IndexFormatError/checksum`` if the index is verified lazily and is corrupt.
    public func document(ofID id: Int64) throws(IndexFormatError) -> Int? {
        try verifier.verify([.base, .identifiers])
        let index = (0..<documentCount).partitioningIndex { self.id(of: Int(documentsByID[$0])) >= id }
        let document = Int(documentsByID[index])
        return document < documentCount && self.id(of: document) == id ? document : nil
    }

    /// Returns the bytes that were stored with a document; empty if there are none.
    ///
    /// - Throws: ``IndexFormatError/checksum`` if they are corrupt.
    public func storedBytes(of document: Int) throws(IndexFormatError) -> [UInt8] {
        guard let stored, (0..<documentCount).contains(document) else { return [] }
        try verifier.verify(.storedOffsets)
        return try stored[document]
    }

    /// Returns the rank of a document. Smaller ranks are better.
    public func rank(of document: Int) -> UInt64 { ranks.count == 0 ? UInt64(document) : ranks[document] }

    /// Returns the best documents regardless of their content, as for an empty query. The hits carry no match ranges.
    ///
    /// - Parameter limit: The maximum number of hits; 0 for all.
    /// - Throws: ``IndexFormatError/checksum`` if the index is verified lazily and is corrupt.
    public func best(
        _ limit: Int, excluding excluded: DocumentSet = DocumentSet()
    ) throws(IndexFormatError) -> [SearchHit] {
        try verifier.verify(.base)
        var hits: [SearchHit] = []
        for document in 0..<documentCount where !excluded.contains(document) {
            if limit != 0 && hits.count == limit { break }
            hits.append(
                SearchHit(
                    document: document, id: id(of: document), tier: 0, field: 0, kind: .prefix, edits: 0, penalty: 0,
                    matches: []
                ))
        }
        return hits
    }
}
