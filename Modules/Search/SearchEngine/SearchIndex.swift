/// A finished index: opened over a block of bytes in O(number of sections), searched by any number of threads at once.
public final class SearchIndex: Sendable {
    /// The bytes it lives in, as they would be written to a file.
    public let bytes: IndexBytes
    /// The generation of the data it was built from, as given to the builder.
    public let generation: UInt64
    /// What the owner gave the builder to tell indexes of other rules apart, for example the version of its folding.
    public let fingerprint: UInt64
    /// How many documents it holds.
    public let documentCount: Int
    let fields: [Field]
    private let ids: PackedView<UInt64>
    /// Empty if each document's rank is its number.
    let ranks: PackedView<UInt64>
    private let documentsByID: PackedView<UInt32>
    let verifier: SectionVerifier

    /// When the checksums of an index are verified.
    public enum Verification: Sendable {
        /// At once: every byte is read, and no search can fail.
        case now
        /// Those of a section before a search uses it for the first time: opening reads only header and directory, and a search throws
        /// ``IndexFormatError/checksum`` if it would use a damaged section.
        case whenUsed
    }

    /// Opens a block of bytes.
    public convenience init(_ bytes: IndexBytes, verifying: Verification = .now) throws(IndexFormatError) {
        try self.init(bytes)
        if verifying == .now { try verify() }
    }

    /// Opens a block of bytes that were just made.
    convenience init(trusting bytes: IndexBytes) throws(IndexFormatError) {
        try self.init(bytes)
        verifier.markVerified()
        for field in fields { field.verifier.markVerified() }
    }

    /// Verifies all checksums that were not verified before. O(bytes).
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

    /// The caller's identifier of a document number.
    public func id(of document: Int) -> Int64 { Int64(bitPattern: ids[document]) }

    /// The number of the document with an identifier, or nil. O(log documents).
    ///
    /// - Throws: ``IndexFormatError/checksum`` if the index is verified when used, and damaged.
    public func document(ofID id: Int64) throws(IndexFormatError) -> Int? {
        try verifier.verify([.base, .identifiers])
        var low = 0
        var high = documentCount
        while low < high {
            let middle = (low + high) / 2
            if self.id(of: Int(documentsByID[middle])) < id { low = middle + 1 } else { high = middle }
        }
        guard low < documentCount, self.id(of: Int(documentsByID[low])) == id else { return nil }
        return Int(documentsByID[low])
    }

    /// The rank a document was given; smaller is better.
    public func rank(of document: Int) -> UInt64 { ranks.count == 0 ? UInt64(document) : ranks[document] }

    /// The best documents, whatever they hold, as an empty query finds them; 0 is all. Nothing of them matches.
    ///
    /// - Throws: ``IndexFormatError/checksum`` if the index is verified when used, and damaged.
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
