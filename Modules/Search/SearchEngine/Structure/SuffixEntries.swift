/// The entries of a ``DocumentSuffixArray``: the document, which of its tokens, and the byte at which the suffix begins, side by side in
/// as many bits as the largest of each needs.
///
/// There are some ten suffixes for each number of a document, more entries than in all other tables, so here bits are counted, not bytes.
///
/// A section is the number of entries (eight bytes), the bits of a document, of an token and of a place (a byte each, and five zeros),
/// the entries from the lowest bits on, and eight zeros, so that eight bytes can be read at each of them. Within an entry the document
/// comes first.
struct SuffixEntries: IntegerSequence, @unchecked Sendable {
    // Sendable: points into an `IndexBytes` that its index keeps alive and nobody writes.
    private let base: UnsafeRawPointer
    private let widths: Widths
    let count: Int

    /// Larger blocks than others have: there are many entries, and their ranges are short.
    static let blockShift = 7
    private static let headLength = 16
    private static let tailLength = 8

    struct Entry: Equatable {
        var document: UInt32
        /// Which token of the document, from 0.
        var ordinal: UInt8
        /// The byte of the word at which the suffix begins.
        var offset: UInt8
    }

    /// In bits. All three together are at most 48, so that an entry lies within eight bytes wherever it begins.
    private struct Widths {
        var document: Int
        var ordinal: Int
        var offset: Int

        @inline(__always)
        var entry: Int { document + ordinal + offset }

        var isValid: Bool { (0...32).contains(document) && (0...8).contains(ordinal) && (0...8).contains(offset) }
    }

    /// Nil if it is no such section.
    init?(_ section: UnsafeRawBufferPointer) {
        let overhead = SuffixEntries.headLength + SuffixEntries.tailLength
        guard let start = section.baseAddress, section.count >= overhead,
            let count = Int(exactly: section.loadUnaligned(as: UInt64.self))
        else { return nil }
        widths = Widths(document: Int(section[8]), ordinal: Int(section[9]), offset: Int(section[10]))
        let (bits, overflow) = count.multipliedReportingOverflow(by: widths.entry)
        guard widths.isValid, !overflow, bits / 8 < section.count, section.count == overhead + (bits + 7) / 8 else {
            return nil
        }
        base = start + SuffixEntries.headLength
        self.count = count
    }

    @inline(__always)
    private func bits(_ position: Int) -> UInt64 {
        assert(position >= 0 && position < count, "position \(position) outside a section of \(count)")
        let bitOffset = position &* widths.entry
        let bytes = base.loadUnaligned(fromByteOffset: bitOffset >> 3, as: UInt64.self)
        return bytes &>> UInt64(truncatingIfNeeded: bitOffset & 7)
    }

    @inline(__always)
    private static func low(_ bits: UInt64, _ width: Int) -> UInt64 {
        bits & (1 &<< UInt64(truncatingIfNeeded: width) &- 1)
    }

    /// The document of an entry.
    @inline(__always)
    subscript(position: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: SuffixEntries.low(bits(position), widths.document))
    }

    @inline(__always)
    func entry(_ position: Int) -> Entry {
        var bits = bits(position)
        let document = SuffixEntries.low(bits, widths.document)
        bits &>>= UInt64(truncatingIfNeeded: widths.document)
        let ordinal = SuffixEntries.low(bits, widths.ordinal)
        bits &>>= UInt64(truncatingIfNeeded: widths.ordinal)
        return Entry(
            document: UInt32(truncatingIfNeeded: document), ordinal: UInt8(truncatingIfNeeded: ordinal),
            offset: UInt8(truncatingIfNeeded: SuffixEntries.low(bits, widths.offset)))
    }

    /// The bytes of the section that holds some entries. O(entries).
    static func section(of entries: [Entry]) -> [UInt8] {
        func width(_ largest: UInt32?) -> Int { UInt32.bitWidth - (largest ?? 0).leadingZeroBitCount }
        let widths = Widths(
            document: width(entries.lazy.map(\.document).max()),
            ordinal: width(entries.lazy.map { UInt32($0.ordinal) }.max()),
            offset: width(entries.lazy.map { UInt32($0.offset) }.max()))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headLength + entries.count * widths.entry / 8 + 1 + tailLength)
        bytes += withUnsafeBytes(of: UInt64(entries.count).littleEndian) { Array($0) }
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
