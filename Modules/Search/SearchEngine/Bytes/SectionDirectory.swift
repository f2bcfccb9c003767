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
        let buffer = bytes.buffer
        guard buffer.count >= IndexFormat.headerLength else { throw .truncated }
        guard buffer.load(as: UInt64.self) == IndexFormat.magic,
            buffer.load(fromByteOffset: 8, as: UInt32.self) == SearchEngine.formatVersion
        else { throw .otherVersion }
        let sectionCount = Int(buffer.load(fromByteOffset: 12, as: UInt32.self))
        guard buffer.load(fromByteOffset: 16, as: UInt64.self) == UInt64(buffer.count) else { throw .truncated }
        let directoryEnd = IndexFormat.headerLength + sectionCount * IndexFormat.entryLength
        guard directoryEnd <= buffer.count else { throw .truncated }
        guard
            headChecksum(of: UnsafeRawBufferPointer(rebasing: buffer[..<directoryEnd]))
                == buffer.load(fromByteOffset: 40, as: UInt64.self)
        else { throw .checksum }
        var sections: [Entry] = []
        sections.reserveCapacity(sectionCount)
        for number in 0..<sectionCount {
            let start = IndexFormat.headerLength + number * IndexFormat.entryLength
            let tag = buffer.loadUnaligned(fromByteOffset: start, as: UInt32.self)
            let field = buffer.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)
            let offset = buffer.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self)
            let length = buffer.loadUnaligned(fromByteOffset: start + 16, as: UInt64.self)
            guard offset % 8 == 0, offset <= UInt64(buffer.count), length <= UInt64(buffer.count) - offset,
                padded(Int(offset + length)) <= buffer.count
            else {
                throw .section(tag)
            }
            sections.append(
                Entry(
                    tag: tag, field: field, offset: Int(offset), length: Int(length),
                    checksum: buffer.loadUnaligned(fromByteOffset: start + 24, as: UInt64.self)))
        }
        self.bytes = bytes
        self.sections = sections
        generation = buffer.load(fromByteOffset: 24, as: UInt64.self)
        documentCount = Int(buffer.load(fromByteOffset: 32, as: UInt32.self))
        fieldCount = Int(buffer.load(fromByteOffset: 36, as: UInt32.self))
        fingerprint = buffer.load(fromByteOffset: 48, as: UInt64.self)
    }

    private func entry(of tag: SectionTag, _ field: Int?) -> Entry? {
        let field = field.map { UInt32($0) } ?? IndexFormat.wholeIndex
        return sections.last { $0.tag == tag.rawValue && $0.field == field }
    }

    func view<Element: FixedWidthInteger>(
        _ tag: SectionTag, field: Int? = nil, of type: Element.Type = Element.self
    ) throws(IndexFormatError) -> View<Element> {
        guard let entry = entry(of: tag, field),
            entry.length % MemoryLayout<Element>.stride == 0, let start = bytes.buffer.baseAddress
        else { throw .section(tag.rawValue) }
        let base = (start + entry.offset).assumingMemoryBound(to: Element.self)
        return View(base: base, count: entry.length / MemoryLayout<Element>.stride)
    }

    /// A section of integers in as few bytes as they need.
    func packed<Value>(
        _ tag: SectionTag, field: Int? = nil, of type: Value.Type = UInt32.self
    ) throws(IndexFormatError) -> PackedView<Value> {
        guard let entry = entry(of: tag, field), let view = PackedView<Value>(section(entry)) else {
            throw .section(tag.rawValue)
        }
        return view
    }

    func suffixEntries(field: Int) throws(IndexFormatError) -> SuffixEntries {
        guard let entry = entry(of: .suffixEntries, field), let entries = SuffixEntries(section(entry)) else {
            throw .section(SectionTag.suffixEntries.rawValue)
        }
        return entries
    }

    private func section(_ entry: Entry) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes.buffer[entry.offset..<entry.offset + entry.length])
    }

    /// The verifier of a field's sections, or of those of the whole index.
    func verifier(field: Int?) -> SectionVerifier {
        let entries = SectionTag.allCases.compactMap { tag in
            entry(of: tag, field).map { (group: tag.group, entry: $0) }
        }
        return SectionVerifier(bytes: bytes, entries: entries)
    }
}

/// The end of a section including its zero padding, which the checksum covers.
func padded(_ offset: Int) -> Int { (offset + 7) & ~7 }

/// Collects sections and writes them after a header and a directory.
struct SectionWriter {
    private var sections: [(tag: SectionTag, field: UInt32, bytes: [UInt8])] = []

    mutating func add<Element: FixedWidthInteger>(_ tag: SectionTag, field: Int? = nil, _ values: [Element]) {
        add(tag, field: field, section: values.withUnsafeBytes { [UInt8]($0) })
    }

    /// Adds a section of integers in as few bytes as they need.
    mutating func addPacked<Value: FixedWidthInteger & UnsignedInteger>(
        _ tag: SectionTag, field: Int? = nil, _ values: [Value]
    ) {
        add(tag, field: field, section: PackedView.section(of: values))
    }

    mutating func add(_ tag: SectionTag, field: Int?, section bytes: [UInt8]) {
        sections.append((tag, field.map { UInt32($0) } ?? IndexFormat.wholeIndex, bytes))
    }

    /// Adds the sections of another writer.
    mutating func add(_ other: SectionWriter) { sections += other.sections }

    consuming func finish(documents: Int, fields: Int, generation: UInt64, fingerprint: UInt64) -> IndexBytes {
        var offset = IndexFormat.headerLength + sections.count * IndexFormat.entryLength
        var offsets: [Int] = []
        for section in sections {
            offset = padded(offset)
            offsets.append(offset)
            offset += section.bytes.count
        }
        let total = padded(offset)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: total, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        for (number, section) in sections.enumerated() {
            let start = IndexFormat.headerLength + number * IndexFormat.entryLength
            memory.storeBytes(of: section.tag.rawValue, toByteOffset: start, as: UInt32.self)
            memory.storeBytes(of: section.field, toByteOffset: start + 4, as: UInt32.self)
            memory.storeBytes(of: UInt64(offsets[number]), toByteOffset: start + 8, as: UInt64.self)
            memory.storeBytes(of: UInt64(section.bytes.count), toByteOffset: start + 16, as: UInt64.self)
            let target = UnsafeMutableRawBufferPointer(
                rebasing: memory[offsets[number]..<padded(offsets[number] + section.bytes.count)])
            target.copyBytes(from: section.bytes)
            memory.storeBytes(
                of: checksum(of: UnsafeRawBufferPointer(target)), toByteOffset: start + 24, as: UInt64.self)
        }
        memory.storeBytes(of: IndexFormat.magic, as: UInt64.self)
        memory.storeBytes(of: SearchEngine.formatVersion, toByteOffset: 8, as: UInt32.self)
        memory.storeBytes(of: UInt32(sections.count), toByteOffset: 12, as: UInt32.self)
        memory.storeBytes(of: UInt64(total), toByteOffset: 16, as: UInt64.self)
        memory.storeBytes(of: generation, toByteOffset: 24, as: UInt64.self)
        memory.storeBytes(of: UInt32(documents), toByteOffset: 32, as: UInt32.self)
        memory.storeBytes(of: UInt32(fields), toByteOffset: 36, as: UInt32.self)
        memory.storeBytes(of: fingerprint, toByteOffset: 48, as: UInt64.self)
        let head = IndexFormat.headerLength + sections.count * IndexFormat.entryLength
        memory.storeBytes(
            of: headChecksum(of: UnsafeRawBufferPointer(rebasing: memory[..<head])), toByteOffset: 40, as: UInt64.self)
        return IndexBytes(UnsafeRawBufferPointer(memory)) { $0.deallocate() }
    }
}
