// Each `unsafe` is safe because a position is compared with the count before a read, or by the caller of an `@unsafe`
// function, and because the section ends with padding and the index retains it.

/// The entries of a ``DocumentSuffixArray``: document, token of that document and byte offset of the suffix, each in
/// the number of bits that its largest value needs.
///
/// There are about ten suffixes per number of a document, more entries than in all other tables. They are therefore
/// packed by bits instead of bytes.
///
/// The section contains the number of entries (eight bytes); the widths of document, token and offset in bits (one byte
/// each, then five zeros); the entries from the lowest bits up, the document first; and eight zeros, so that eight
/// bytes can be read at each entry.
@safe struct SuffixEntries: IntegerSequence, @unchecked Sendable {
    // Sendable: points into an `IndexBytes` that the index retains and that is never written.
    private let base: UnsafeRawPointer
    private let widths: Widths
    let count: Int

    /// Larger blocks than for other values, because there are many entries and ranges are short.
    static let blockShift = 7
    private static let headLength = 16
    private static let tailLength = 8

    struct Entry: Equatable {
        var document: UInt32
        /// The number of the token in its document.
        var ordinal: UInt8
        /// The byte offset of the suffix in the word.
        var offset: UInt8
    }

    /// Widths in bits. Their sum is at most 48, so an entry fits within eight bytes wherever it starts.
    private struct Widths {
        var document: Int
        var ordinal: Int
        var offset: Int

        @inline(__always)
        var entry: Int { document + ordinal + offset }

        var isValid: Bool { (0...32).contains(document) && (0...8).contains(ordinal) && (0...8).contains(offset) }
    }

    /// Returns nil if the section is malformed.
    @unsafe init?(_ section: UnsafeRawBufferPointer) {
        // Safe: the section has at least a head.
        let overhead = SuffixEntries.headLength + SuffixEntries.tailLength
        guard let start = section.baseAddress, section.count >= overhead,
            let count = UInt32(exactly: unsafe section.loadUnaligned(as: UInt64.self))
        else { return nil }
        self.count = Int(count)
        // Safe: the head has sixteen bytes.
        widths = unsafe Widths(document: Int(section[8]), ordinal: Int(section[9]), offset: Int(section[10]))
        guard count < UInt32.max, widths.isValid, section.count == overhead + (self.count * widths.entry + 7) / 8 else {
            return nil
        }
        unsafe base = start + SuffixEntries.headLength
    }

    /// Returns the bits of an entry. The position must be in `0 ..< count`.
    @unsafe @inline(__always)
    private func bits(_ position: Int) -> UInt64 {
        assert(position >= 0 && position < count, "position \(position) outside a section of \(count)")
        let bitOffset = position &* widths.entry
        // Safe: eight bytes follow the last entry.
        let bytes = unsafe base.loadUnaligned(fromByteOffset: bitOffset >> 3, as: UInt64.self)
        return bytes &>> UInt64(truncatingIfNeeded: bitOffset & 7)
    }

    @inline(__always)
    private static func low(_ bits: UInt64, _ width: Int) -> UInt64 {
        bits & (1 &<< UInt64(truncatingIfNeeded: width) &- 1)
    }

    /// The document of an entry, or 0 if the entry does not exist.
    @inline(__always)
    subscript(position: Int) -> UInt32 {
        guard UInt(bitPattern: position) < UInt(bitPattern: count) else { return 0 }
        // Safe: the position was checked.
        return unsafe self[unchecked: position]
    }

    @unsafe @inline(__always)
    subscript(unchecked position: Int) -> UInt32 {
        // Safe: the caller has checked the position.
        UInt32(truncatingIfNeeded: SuffixEntries.low(unsafe bits(position), widths.document))
    }

    /// Returns an entry, or zeros if the entry does not exist.
    @inline(__always)
    func entry(_ position: Int) -> Entry {
        // Safe: the position was checked.
        var bits = UInt(bitPattern: position) < UInt(bitPattern: count) ? unsafe bits(position) : 0
        let document = SuffixEntries.low(bits, widths.document)
        bits &>>= UInt64(truncatingIfNeeded: widths.document)
        let ordinal = SuffixEntries.low(bits, widths.ordinal)
        bits &>>= UInt64(truncatingIfNeeded: widths.ordinal)
        return Entry(
            document: UInt32(truncatingIfNeeded: document), ordinal: UInt8(truncatingIfNeeded: ordinal),
            offset: UInt8(truncatingIfNeeded: SuffixEntries.low(bits, widths.offset)))
    }

    /// Returns the bytes of a section with these entries. O(entries).
    static func section(of entries: [Entry]) -> [UInt8] {
        func width(_ largest: UInt32?) -> Int { UInt32.bitWidth - (largest ?? 0).leadingZeroBitCount }
        let widths = Widths(
            document: width(entries.lazy.map(\.document).max()),
            ordinal: width(entries.lazy.map { UInt32($0.ordinal) }.max()),
            offset: width(entries.lazy.map { UInt32($0.offset) }.max()))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headLength + entries.count * widths.entry / 8 + 1 + tailLength)
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: entries.count >> (8 * $0)) }
        bytes += [UInt8(widths.document), UInt8(widths.ordinal), UInt8(widths.offset), 0, 0, 0, 0, 0]
        var pending: UInt64 = 0
        var pendingCount = 0
        for entry in entries {
            let location = UInt64(entry.ordinal) | UInt64(entry.offset) << UInt64(widths.ordinal)
            pending |= (UInt64(entry.document) | location << UInt64(widths.document)) << UInt64(pendingCount)
            pendingCount += widths.entry
            while pendingCount >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: pending))
                pending >>= 8
                pendingCount -= 8
            }
        }
        if pendingCount > 0 { bytes.append(UInt8(truncatingIfNeeded: pending)) }
        return bytes + [UInt8](repeating: 0, count: tailLength)
    }
}
