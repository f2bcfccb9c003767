@_exported public import SwitchboardErrors
import Synchronization

/// The layout of an index: a header, a directory of sections, then the sections, each aligned to eight bytes.
///
/// All integers are little-endian. The header has 64 bytes:
///
/// | offset | bytes | content |
/// | --- | --- | --- |
/// | 0 | 8 | magic `SWBDLKUP` |
/// | 8 | 4 | format version |
/// | 12 | 4 | number of sections |
/// | 16 | 8 | length of the whole block in bytes |
/// | 24 | 8 | generation of the data it was built from |
/// | 32 | 4 | number of documents |
/// | 36 | 4 | number of fields |
/// | 40 | 8 | checksum of the directory and of the header without this value |
/// | 48 | 8 | fingerprint chosen by the owner (for example of the folding tables) |
/// | 56 | 8 | zero |
///
/// A directory entry has 32 bytes: tag (4), field (4), offset from the start of the block (8), length in bytes (8),
/// checksum of the section (8). Sections follow each other in the order of the directory; zeros may separate the first one
/// from it. Checksums are FNV-1a over 64-bit words in four chains. Sections are verified when the index is opened or before their first use
/// (`SectionVerifier`). Checksums only detect accidental corruption. The views of the sections (`View`) keep every
/// access inside the block, whatever it contains.
public enum IndexFormat {
    static let magic: UInt64 = 0x5055_4B4C_4442_5753  // "SWBDLKUP"
    static let headerLength = 64
    static let entryLength = 32
    /// The maximum number of fields, which bounds the time for reading a directory.
    static let maxFields = 256
    /// The field number of sections that belong to the whole index.
    static let wholeIndex: UInt32 = .max
}

/// The content of a section. The raw value is the tag in the directory.
enum SectionTag: UInt32, CaseIterable {
    case documentIDs = 1
    case documentRanks
    case fieldOptions
    case alphabet
    case wordOffsets
    case wordBytes
    case forwardOffsets
    case tokens
    case wordSuffixDocuments
    case wordSuffixTokens
    case wordSuffixMinima
    case trieLetters
    case trieChildren
    case trieLow
    case suffixWords
    case suffixOffsets
    case suffixBest
    case suffixMinima
    case postingOffsets
    case postings
    case prefixSignatures
    case documentsByID
    case suffixEntries
    case wordSuffixChunkMinima
    case nextLetters
    case wordPairHeads
    case wordPairStarts
    case wordPairEntries
    case wideDocuments
    case suffixChunkMinima
    case wideSignatures
    case storedOffsets
    case storedBytes
    case wordPairGroups
    case wordSignatures
    case replacedDocuments
}

/// An error in the bytes of an index, or of its file. The remedy for bytes is to rebuild the index from the documents.
public enum IndexFormatError: CodedError, Equatable {
    /// The block is shorter than a header or than the length in its header.
    case truncated
    /// The magic number or the version differs.
    case otherVersion
    /// The checksum does not match the bytes.
    case checksum
    /// A section is missing, malformed or outside the block.
    case section(UInt32)
    /// The file cannot be read or written.
    case file(path: String, reason: String)

    /// The code, the category and the message.
    public var details: ErrorDetails {
        switch self {
        case .truncated: .init("truncatedIndex", .malformed, "the index is truncated; rebuild it")
        case .otherVersion: .init("otherIndexVersion", .malformed, "the index has another format version; rebuild it")
        case .checksum: .init("corruptIndex", .malformed, "the index is corrupt; rebuild it")
        case .section(let tag):
            .init("corruptIndex", .malformed, "section \(tag) of the index is missing or malformed; rebuild it")
        case .file(let path, let reason):
            .init(
                "unreadable", .io,
                "cannot use the index \(path): \(reason); correct the path or its permissions")
        }
    }
}

/// Locates the sections of a block, after checking that the header is intact and that every section is inside the
/// block.
///
/// Opening checks magic, version, length and the checksum of header and directory, and that the sections are inside the
/// block, in the order of the directory, and do not overlap. The structures then check that the numbers of elements of
/// sections that are read together fit each other and the number of documents. No section is read.
struct SectionDirectory {
    /// The location and the checksum of a section.
    struct Entry: Sendable {
        var tag: UInt32
        var field: UInt32
        var offset: Int
        var length: Int
        var checksum: UInt64
    }

    // Safe: each `unsafe` here concerns a section from `slice`, which is within the bytes, and the index retains the
    // bytes as long as its views.
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

/// Collects sections and writes them after a header and a directory, or passes them to a stream.
struct SectionWriter {
    private let stream: SectionStream?
    private var sections: [(tag: SectionTag, field: UInt32, bytes: [UInt8])] = []

    /// - Parameter stream: Receives the sections; nil to collect them.
    init(_ stream: SectionStream? = nil) { self.stream = stream }

    mutating func add<Element: FixedWidthInteger>(_ tag: SectionTag, field: Int? = nil, _ values: [Element]) {
        // Safe: integers have no padding, so every byte is initialized, and the bytes are copied within the closure.
        add(tag, field: field, section: unsafe values.withUnsafeBytes { unsafe [UInt8]($0) })
    }

    /// Adds a section of integers, each in as few bytes as the largest one needs.
    mutating func addPacked<Value: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ tag: SectionTag, field: Int? = nil, _ values: some Collection<Value>
    ) {
        add(tag, field: field, section: PackedView.section(of: values))
    }

    mutating func add(_ tag: SectionTag, field: Int?, section bytes: [UInt8]) {
        let field = field.map { UInt32($0) } ?? IndexFormat.wholeIndex
        if let stream { stream.write(tag, field: field, bytes) } else { sections.append((tag, field, bytes)) }
    }

    /// Adds the sections of another writer.
    mutating func add(_ other: SectionWriter) { sections += other.sections }

    consuming func finish(documents: Int, fields: Int, generation: UInt64, fingerprint: UInt64) -> IndexBytes {
        let directoryEnd = IndexFormat.headerLength + sections.count * IndexFormat.entryLength
        let total = sections.reduce(directoryEnd) { padded($0 + $1.bytes.count) }
        let memory = MutableIndexBytes(count: total)
        var entries: [SectionDirectory.Entry] = []
        var offset = directoryEnd
        for number in sections.indices {
            let section = sections[number]
            // Frees each section once it is copied, so that at most one is in memory twice.
            sections[number].bytes = []
            let end = padded(offset + section.bytes.count)
            memory.copy(section.bytes, to: offset)
            entries.append(
                SectionDirectory.Entry(
                    tag: section.tag.rawValue, field: section.field, offset: offset, length: section.bytes.count,
                    checksum: memory.checksum(offset..<end)))
            offset = end
        }
        memory.storeHead(
            entries, total: total, documents: documents, fields: fields, generation: generation,
            fingerprint: fingerprint)
        return IndexBytes(memory)
    }
}

/// Writes sections to a file as they are made, so that a large index is never in memory as a whole. The header and the
/// directory are written last. Several threads may write; then the order of the sections differs from time to time.
final class SectionStream: Sendable {
    private struct State {
        var entries: [SectionDirectory.Entry] = []
        var checksum = ByteHash.Chains()
        var offset: Int
        /// The first error of the output, after which nothing is written.
        var error: (any Error)?
    }

    private let output: IndexOutput
    private let state: Mutex<State>

    /// Creates a stream. The directory gets room for every section of the fields.
    init(fields: Int, to output: @escaping IndexOutput) {
        self.output = output
        state = Mutex(
            State(
                offset: IndexFormat.headerLength
                    + SectionTag.allCases.count * (fields + 1) * IndexFormat.entryLength))
    }

    /// Writes a section.
    func write(_ tag: SectionTag, field: UInt32, _ bytes: [UInt8]) {
        state.withLock { state in
            begin(tag, field: field, &state)
            append(bytes, &state)
            end(&state)
        }
    }

    /// Begins a section that is written in pieces. No other section may be written until it ends.
    func begin(_ tag: SectionTag) { state.withLock { begin(tag, field: IndexFormat.wholeIndex, &$0) } }

    /// Appends bytes to the section: a multiple of ``ByteHash/Chains/blockLength``, but for the last ones.
    func append(_ bytes: [UInt8]) { state.withLock { append(bytes, &$0) } }

    /// Ends the section.
    func end() { state.withLock { end(&$0) } }

    private func begin(_ tag: SectionTag, field: UInt32, _ state: inout State) {
        state.entries.append(
            SectionDirectory.Entry(tag: tag.rawValue, field: field, offset: state.offset, length: 0, checksum: 0))
        state.checksum = ByteHash.Chains()
    }

    private func append(_ bytes: [UInt8], _ state: inout State) {
        state.entries[state.entries.count - 1].length += bytes.count
        // Without a copy of all bytes, only the last ones are padded.
        let whole = bytes.count - bytes.count % ByteHash.Chains.blockLength
        let end = bytes[whole...] + [UInt8](repeating: 0, count: padded(bytes.count) - bytes.count)
        // Safe: the buffers are used during the calls only.
        unsafe bytes.withUnsafeBytes {
            unsafe state.checksum.add(UnsafeRawBufferPointer(rebasing: $0[..<whole]))
        }
        unsafe end.withUnsafeBytes { unsafe state.checksum.add($0) }
        write(bytes, to: state.offset, &state)
        write(Array(end.dropFirst(bytes.count - whole)), to: state.offset + bytes.count, &state)
        state.offset += whole + end.count
    }

    private func write(_ bytes: [UInt8], to offset: Int, _ state: inout State) {
        guard state.error == nil, !bytes.isEmpty else { return }
        do { try output(bytes, offset) } catch { state.error = error }
    }

    private func end(_ state: inout State) {
        state.entries[state.entries.count - 1].checksum = state.checksum.checksum
    }

    /// Writes the header and the directory.
    ///
    /// - Throws: The first error of the output.
    func finish(documents: Int, fields: Int, generation: UInt64, fingerprint: UInt64) throws {
        try state.withLock { state in
            if let error = state.error { throw error }
            let head = MutableIndexBytes(
                count: IndexFormat.headerLength + state.entries.count * IndexFormat.entryLength)
            head.storeHead(
                state.entries, total: state.offset, documents: documents, fields: fields, generation: generation,
                fingerprint: fingerprint)
            // Safe: the buffer is used during the call only.
            try output(unsafe IndexBytes(head).withUnsafeBytes { unsafe Array($0) }, 0)
        }
    }
}

/// Writes bytes of an index at an offset of its file. Called on several threads, but never at the same time.
public typealias IndexOutput = @Sendable (_ bytes: [UInt8], _ offset: Int) throws -> Void

extension MutableIndexBytes {
    /// Writes the header and the directory.
    fileprivate func storeHead(
        _ entries: [SectionDirectory.Entry], total: Int, documents: Int, fields: Int, generation: UInt64,
        fingerprint: UInt64
    ) {
        var end = IndexFormat.headerLength
        for entry in entries {
            store(entry.tag, at: end)
            store(entry.field, at: end + 4)
            store(UInt64(entry.offset), at: end + 8)
            store(UInt64(entry.length), at: end + 16)
            store(entry.checksum, at: end + 24)
            end += IndexFormat.entryLength
        }
        store(IndexFormat.magic, at: 0)
        store(SearchEngine.formatVersion, at: 8)
        store(UInt32(entries.count), at: 12)
        store(UInt64(total), at: 16)
        store(generation, at: 24)
        store(UInt32(documents), at: 32)
        store(UInt32(fields), at: 36)
        store(fingerprint, at: 48)
        store(headChecksum(checksum(0..<40), checksum(48..<end)), at: 40)
    }
}

/// Sections that a search uses together.
struct SectionGroup: OptionSet, Sendable {
    let rawValue: UInt8

    /// The alphabet, dictionary and tokens of a field; the identifiers and ranks of the index.
    static let base = SectionGroup(rawValue: 1)
    static let wordSuffixes = SectionGroup(rawValue: 2)
    static let signatures = SectionGroup(rawValue: 4)
    static let suffixes = SectionGroup(rawValue: 8)
    static let postings = SectionGroup(rawValue: 16)
    /// The documents in order of identifier.
    static let identifiers = SectionGroup(rawValue: 32)
    static let storedOffsets = SectionGroup(rawValue: 64)
    /// The stored bytes. A search does not verify them: the bytes of each document have their own checksum.
    static let storedBytes = SectionGroup(rawValue: 128)
    static let all = SectionGroup(rawValue: .max)
}

extension SectionTag {
    fileprivate var group: SectionGroup {
        switch self {
        case .documentIDs, .documentRanks, .replacedDocuments, .fieldOptions, .alphabet, .wordOffsets, .wordBytes,
            .forwardOffsets, .tokens:
            .base
        case .wordSuffixDocuments, .wordSuffixTokens, .wordSuffixMinima, .wordSuffixChunkMinima, .trieLetters,
            .trieChildren, .trieLow, .nextLetters:
            .wordSuffixes
        case .suffixWords, .suffixOffsets, .suffixBest, .suffixMinima, .suffixChunkMinima, .suffixEntries: .suffixes
        case .postingOffsets, .postings: .postings
        case .prefixSignatures, .wordPairGroups, .wordPairHeads, .wordPairStarts, .wordPairEntries, .wideDocuments,
            .wideSignatures, .wordSignatures:
            .signatures
        case .documentsByID: .identifiers
        case .storedOffsets: .storedOffsets
        case .storedBytes: .storedBytes
        }
    }
}

/// Verifies the checksums of sections before their first use. Opening a large file costs nothing, and corruption is
/// found before it takes effect.
final class SectionVerifier: Sendable {
    private let bytes: IndexBytes
    private let entries: [(group: SectionGroup, entry: SectionDirectory.Entry)]
    private let verified = Atomic<UInt8>(0)

    init(bytes: IndexBytes, entries: [(group: SectionGroup, entry: SectionDirectory.Entry)]) {
        self.bytes = bytes
        self.entries = entries
    }

    /// Marks all sections as verified, because they were just built.
    func markVerified() { verified.store(SectionGroup.all.rawValue, ordering: .releasing) }

    /// Verifies the sections of the given groups. O(bytes) the first time, then one comparison.
    ///
    /// - Throws: ``IndexFormatError/checksum``.
    @inline(__always)
    func verify(_ groups: SectionGroup) throws(IndexFormatError) {
        if SectionGroup(rawValue: verified.load(ordering: .acquiring)).isSuperset(of: groups) { return }
        try verifyUnverified(groups)
    }

    private func verifyUnverified(_ groups: SectionGroup) throws(IndexFormatError) {
        let done = SectionGroup(rawValue: verified.load(ordering: .acquiring))
        for (group, entry) in entries where groups.contains(group) && !done.contains(group) {
            let length = padded(entry.offset + entry.length) - entry.offset
            guard bytes.checksum(entry.offset, length) == entry.checksum else { throw .checksum }
        }
        verified.bitwiseOr(groups.rawValue, ordering: .acquiringAndReleasing)
    }
}
