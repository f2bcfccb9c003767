/// Finds the sections of a block, after checking that the header fits and every section lies inside.
struct SectionDirectory {
    let bytes: IndexBytes
    let generation: UInt64
    let fingerprint: UInt64
    let recordCount: Int
    let laneCount: Int
    private let sections: [UInt64: (offset: Int, length: Int)]

    /// O(number of sections), and O(bytes) more if the checksum is to be verified.
    init(_ bytes: IndexBytes, verifyingChecksum: Bool) throws(IndexFormatError) {
        let buffer = bytes.buffer
        guard buffer.count >= IndexFormat.headerLength else { throw .truncated }
        guard buffer.load(as: UInt64.self) == IndexFormat.magic,
            buffer.load(fromByteOffset: 8, as: UInt32.self) == LookupEngine.formatVersion
        else { throw .otherVersion }
        let sectionCount = Int(buffer.load(fromByteOffset: 12, as: UInt32.self))
        guard buffer.load(fromByteOffset: 16, as: UInt64.self) == UInt64(buffer.count) else { throw .truncated }
        let directoryEnd = IndexFormat.headerLength + sectionCount * IndexFormat.entryLength
        guard directoryEnd <= buffer.count else { throw .truncated }
        if verifyingChecksum {
            let body = UnsafeRawBufferPointer(rebasing: buffer[IndexFormat.headerLength...])
            guard checksum(of: body) == buffer.load(fromByteOffset: 40, as: UInt64.self) else { throw .checksum }
        }
        var sections: [UInt64: (offset: Int, length: Int)] = [:]
        for number in 0..<sectionCount {
            let entry = IndexFormat.headerLength + number * IndexFormat.entryLength
            let tag = buffer.loadUnaligned(fromByteOffset: entry, as: UInt32.self)
            let lane = buffer.loadUnaligned(fromByteOffset: entry + 4, as: UInt32.self)
            let offset = buffer.loadUnaligned(fromByteOffset: entry + 8, as: UInt64.self)
            let length = buffer.loadUnaligned(fromByteOffset: entry + 16, as: UInt64.self)
            guard offset % 8 == 0, offset <= UInt64(buffer.count), length <= UInt64(buffer.count) - offset else {
                throw .section(tag)
            }
            sections[UInt64(tag) << 32 | UInt64(lane)] = (Int(offset), Int(length))
        }
        self.bytes = bytes
        self.sections = sections
        generation = buffer.load(fromByteOffset: 24, as: UInt64.self)
        recordCount = Int(buffer.load(fromByteOffset: 32, as: UInt32.self))
        laneCount = Int(buffer.load(fromByteOffset: 36, as: UInt32.self))
        fingerprint = buffer.load(fromByteOffset: 48, as: UInt64.self)
    }

    func view<Element: FixedWidthInteger>(
        _ tag: SectionTag, lane: Int? = nil, of type: Element.Type = Element.self
    ) throws(IndexFormatError) -> View<Element> {
        let key = UInt64(tag.rawValue) << 32 | UInt64(lane.map { UInt32($0) } ?? IndexFormat.wholeIndex)
        guard let place = sections[key], place.length % MemoryLayout<Element>.stride == 0,
            let start = bytes.buffer.baseAddress
        else { throw .section(tag.rawValue) }
        let base = (start + place.offset).assumingMemoryBound(to: Element.self)
        return View(base: base, count: place.length / MemoryLayout<Element>.stride)
    }
}

/// Writes sections one after another and puts header and directory in front.
struct SectionWriter {
    private var sections: [(tag: SectionTag, lane: UInt32, bytes: [UInt8])] = []

    mutating func add<Element: FixedWidthInteger>(_ tag: SectionTag, lane: Int? = nil, _ values: [Element]) {
        let bytes = values.withUnsafeBytes { [UInt8]($0) }
        sections.append((tag, lane.map { UInt32($0) } ?? IndexFormat.wholeIndex, bytes))
    }

    consuming func finish(records: Int, lanes: Int, generation: UInt64, fingerprint: UInt64) -> IndexBytes {
        var offset = IndexFormat.headerLength + sections.count * IndexFormat.entryLength
        var places: [Int] = []
        for section in sections {
            offset = (offset + 7) & ~7
            places.append(offset)
            offset += section.bytes.count
        }
        let total = offset
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: total, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        for (number, section) in sections.enumerated() {
            let entry = IndexFormat.headerLength + number * IndexFormat.entryLength
            memory.storeBytes(of: section.tag.rawValue, toByteOffset: entry, as: UInt32.self)
            memory.storeBytes(of: section.lane, toByteOffset: entry + 4, as: UInt32.self)
            memory.storeBytes(of: UInt64(places[number]), toByteOffset: entry + 8, as: UInt64.self)
            memory.storeBytes(of: UInt64(section.bytes.count), toByteOffset: entry + 16, as: UInt64.self)
            UnsafeMutableRawBufferPointer(rebasing: memory[places[number]...]).copyBytes(from: section.bytes)
        }
        memory.storeBytes(of: IndexFormat.magic, as: UInt64.self)
        memory.storeBytes(of: LookupEngine.formatVersion, toByteOffset: 8, as: UInt32.self)
        memory.storeBytes(of: UInt32(sections.count), toByteOffset: 12, as: UInt32.self)
        memory.storeBytes(of: UInt64(total), toByteOffset: 16, as: UInt64.self)
        memory.storeBytes(of: generation, toByteOffset: 24, as: UInt64.self)
        memory.storeBytes(of: UInt32(records), toByteOffset: 32, as: UInt32.self)
        memory.storeBytes(of: UInt32(lanes), toByteOffset: 36, as: UInt32.self)
        memory.storeBytes(of: fingerprint, toByteOffset: 48, as: UInt64.self)
        let body = UnsafeRawBufferPointer(rebasing: memory[IndexFormat.headerLength...])
        memory.storeBytes(of: checksum(of: body), toByteOffset: 40, as: UInt64.self)
        return IndexBytes(UnsafeRawBufferPointer(memory)) { $0.deallocate() }
    }
}
