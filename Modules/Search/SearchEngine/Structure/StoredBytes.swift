/// The bytes that the builder's caller stored with each document.
///
/// A document's bytes are followed by their checksum, so reading the bytes of one document does not read all the
/// others.
struct StoredBytes: Sendable {
    private static let checksumLength = 4

    private let offsets: PackedView<UInt32>
    private let bytes: View<UInt8>

    /// Returns nil if nothing is stored.
    init?(_ directory: SectionDirectory, documents: Int) throws(IndexFormatError) {
        guard directory.contains(.storedOffsets) else { return nil }
        offsets = try directory.packed(.storedOffsets)
        bytes = try directory.view(.storedBytes)
        guard offsets.count == documents + 1 else { throw .section(SectionTag.storedOffsets.rawValue) }
    }

    static func write(_ documents: [ArraySlice<UInt8>], to writer: inout SectionWriter) {
        var offsets: [UInt32] = [0]
        var bytes: [UInt8] = []
        bytes.reserveCapacity(documents.reduce(0) { $0 + $1.count + checksumLength })
        for document in documents {
            if !document.isEmpty, bytes.count + document.count < UInt32.max - 1_000 {
                bytes += document
                let checksum = checksum(of: Array(document))
                for byte in 0..<checksumLength { bytes.append(UInt8(truncatingIfNeeded: checksum >> (8 * byte))) }
            }
            offsets.append(UInt32(bytes.count))
        }
        writer.addPacked(.storedOffsets, offsets)
        writer.add(.storedBytes, bytes)
    }

    /// Returns the bytes of a document; empty if it has none.
    ///
    /// - Throws: ``IndexFormatError/checksum`` if they are corrupt.
    subscript(document: Int) -> [UInt8] {
        get throws(IndexFormatError) {
            let range = offsets.range(at: document, within: bytes.count)
            if range.isEmpty { return [] }
            guard range.count > Self.checksumLength else { throw .checksum }
            var stored = bytes.array(range)
            var expected: UInt32 = 0
            for _ in 0..<Self.checksumLength { expected = expected << 8 | UInt32(stored.removeLast()) }
            guard Self.checksum(of: stored) == expected else { throw .checksum }
            return stored
        }
    }

    /// Returns the lower half of ``ByteHash/checksum(of:)``, which mixes both halves of the hash.
    private static func checksum(of bytes: [UInt8]) -> UInt32 {
        // Safe: the buffer is used during the call only.
        unsafe bytes.withUnsafeBytes { unsafe UInt32(truncatingIfNeeded: ByteHash.checksum(of: $0)) }
    }
}
