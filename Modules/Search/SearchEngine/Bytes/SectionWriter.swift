// Each `unsafe` is safe because the bytes are copied within the closure.

/// Collects sections and writes them after a header and a directory.
struct SectionWriter {
    private var sections: [(tag: SectionTag, field: UInt32, bytes: [UInt8])] = []

    mutating func add<Element: FixedWidthInteger>(_ tag: SectionTag, field: Int? = nil, _ values: [Element]) {
        // Safe: integers have no padding, so every byte is initialized.
        add(tag, field: field, section: unsafe values.withUnsafeBytes { unsafe [UInt8]($0) })
    }

    /// Adds a section of integers, each in as few bytes as the largest one needs.
    mutating func addPacked<Value: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
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
        let directoryEnd = IndexFormat.headerLength + sections.count * IndexFormat.entryLength
        let total = sections.reduce(directoryEnd) { padded($0 + $1.bytes.count) }
        let memory = MutableIndexBytes(count: total)
        var offset = directoryEnd
        for (number, section) in sections.enumerated() {
            let entry = IndexFormat.headerLength + number * IndexFormat.entryLength
            let end = padded(offset + section.bytes.count)
            memory.copy(section.bytes, to: offset)
            memory.store(section.tag.rawValue, at: entry)
            memory.store(section.field, at: entry + 4)
            memory.store(UInt64(offset), at: entry + 8)
            memory.store(UInt64(section.bytes.count), at: entry + 16)
            memory.store(memory.checksum(offset..<end), at: entry + 24)
            offset = end
        }
        memory.store(IndexFormat.magic, at: 0)
        memory.store(SearchEngine.formatVersion, at: 8)
        memory.store(UInt32(sections.count), at: 12)
        memory.store(UInt64(total), at: 16)
        memory.store(generation, at: 24)
        memory.store(UInt32(documents), at: 32)
        memory.store(UInt32(fields), at: 36)
        memory.store(fingerprint, at: 48)
        memory.store(headChecksum(memory.checksum(0..<40), memory.checksum(48..<directoryEnd)), at: 40)
        return IndexBytes(memory)
    }
}
