// Each `unsafe` is safe because `slice` returns only sections within the bytes, and the index retains the bytes as long
// as its views.

/// Locates the sections of a block, after checking that the header is intact and that every section is inside the
/// block.
struct SectionDirectory {
    /// The location and the checksum of a section.
    struct Entry: Sendable {
        var tag: UInt32
        var field: UInt32
        var offset: Int
        var length: Int
        var checksum: UInt64
    }

    let bytes: IndexBytes
    let generation: UInt64
    let fingerprint: UInt64
    let documentCount: Int
    let fieldCount: Int
    /// About seventy sections, in the order of the file.
    private let sections: [Entry]

    /// Reads the directory. O(number of sections).
    init(_ bytes: IndexBytes) throws(IndexFormatError) {
        guard bytes.count >= IndexFormat.headerLength else { throw .truncated }
        guard bytes.load(0) == IndexFormat.magic, bytes.load(8) == SearchEngine.formatVersion else {
            throw .otherVersion
        }
        let sectionCount = Int(bytes.load(12, as: UInt32.self))
        let directoryEnd = IndexFormat.headerLength + sectionCount * IndexFormat.entryLength
        guard bytes.load(16) == UInt64(bytes.count), directoryEnd <= bytes.count else { throw .truncated }
        guard let before = bytes.checksum(0, 40), let after = bytes.checksum(48, directoryEnd - 48),
            headChecksum(before, after) == bytes.load(40)
        else { throw .checksum }
        fieldCount = Int(bytes.load(36, as: UInt32.self))
        guard fieldCount <= IndexFormat.maxFields, sectionCount <= SectionTag.allCases.count * (fieldCount + 1) else {
            throw .section(0)
        }
        var sections: [Entry] = []
        sections.reserveCapacity(sectionCount)
        var end = directoryEnd
        for start in stride(from: IndexFormat.headerLength, to: directoryEnd, by: IndexFormat.entryLength) {
            let tag = bytes.load(start, as: UInt32.self)
            guard let offset = Int(exactly: bytes.load(start + 8, as: UInt64.self)),
                let length = Int(exactly: bytes.load(start + 16, as: UInt64.self)),
                offset % 8 == 0, offset >= end, offset <= bytes.count, length <= bytes.count - offset,
                padded(offset + length) <= bytes.count
            else { throw .section(tag) }
            end = padded(offset + length)
            sections.append(
                Entry(
                    tag: tag, field: bytes.load(start + 4), offset: offset, length: length,
                    checksum: bytes.load(start + 24)))
        }
        self.bytes = bytes
        self.sections = sections
        generation = bytes.load(24)
        documentCount = Int(bytes.load(32, as: UInt32.self))
        fingerprint = bytes.load(48)
    }

    /// Returns `true` if the whole index has a section.
    func contains(_ tag: SectionTag) -> Bool { entry(of: tag, nil) != nil }

    private func entry(of tag: SectionTag, _ field: Int?) -> Entry? {
        let field = field.map { UInt32($0) } ?? IndexFormat.wholeIndex
        return sections.last { $0.tag == tag.rawValue && $0.field == field }
    }

    /// Returns a section as a view created by `make`, which returns nil if the section is malformed.
    private func section<View>(
        _ tag: SectionTag, _ field: Int?, _ make: (UnsafeRawBufferPointer) -> View?
    ) throws(IndexFormatError) -> View {
        // Safe: the view points into `bytes`, which the index retains with the view.
        guard let entry = entry(of: tag, field), let section = unsafe bytes.slice(entry.offset, entry.length),
            let view = unsafe make(section)
        else { throw .section(tag.rawValue) }
        return view
    }

    func view<Element: FixedWidthInteger & BitwiseCopyable>(
        _ tag: SectionTag, field: Int? = nil, of type: Element.Type = Element.self
    ) throws(IndexFormatError) -> View<Element> {
        // Safe: as above.
        try unsafe section(tag, field) { unsafe View($0) }
    }

    /// Returns a section of integers, each in as few bytes as the largest one needs.
    func packed<Value>(
        _ tag: SectionTag, field: Int? = nil, of type: Value.Type = UInt32.self
    ) throws(IndexFormatError) -> PackedView<Value> {
        // Safe: as above.
        try unsafe section(tag, field) { unsafe PackedView($0) }
    }

    func suffixEntries(field: Int) throws(IndexFormatError) -> SuffixEntries {
        // Safe: as above.
        try unsafe section(.suffixEntries, field) { unsafe SuffixEntries($0) }
    }

    /// Returns the range minima of the values, which are stored in two sections.
    func minima<Values>(
        of values: Values, _ levels: SectionTag, _ chunkMinima: SectionTag, field: Int
    ) throws(IndexFormatError) -> RangeMinimum<Values> {
        let minima = RangeMinimum(
            values: values, levels: try packed(levels, field: field), chunkMinima: try view(chunkMinima, field: field))
        guard let minima else { throw .section(levels.rawValue) }
        return minima
    }

    /// Returns the verifier of a field's sections, or of the sections of the whole index.
    func verifier(field: Int?) -> SectionVerifier {
        let entries = SectionTag.allCases.compactMap { tag in
            entry(of: tag, field).map { (group: tag.group, entry: $0) }
        }
        return SectionVerifier(bytes: bytes, entries: entries)
    }
}

/// Returns the end of a section including its zero padding, which the checksum covers.
func padded(_ offset: Int) -> Int { (offset + 7) & ~7 }

/// Returns the checksum of header and directory, combined from the checksums before and after the eight bytes that
/// store it.
func headChecksum(_ before: UInt64, _ after: UInt64) -> UInt64 { before &* 0x9E37_79B9_7F4A_7C15 ^ after }
