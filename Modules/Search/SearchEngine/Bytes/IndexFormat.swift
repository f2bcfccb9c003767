@_exported public import SwitchboardErrors

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
/// checksum of the section (8). Sections follow each other in the order of the directory. Checksums are FNV-1a over
/// 64-bit words in four chains. Sections are verified when the index is opened or before their first use
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
}

/// An error in the bytes of an index. The remedy is always to rebuild the index from the documents.
public enum IndexFormatError: CodedError, Equatable {
    /// The block is shorter than a header or than the length in its header.
    case truncated
    /// The magic number or the version differs.
    case otherVersion
    /// The checksum does not match the bytes.
    case checksum
    /// A section is missing, malformed or outside the block.
    case section(UInt32)

    /// The code, the category and the message.
    public var details: ErrorDetails {
        switch self {
        case .truncated: .init("truncatedIndex", .malformed, "the index is truncated; rebuild it")
        case .otherVersion: .init("otherIndexVersion", .malformed, "the index has another format version; rebuild it")
        case .checksum: .init("corruptIndex", .malformed, "the index is corrupt; rebuild it")
        case .section(let tag):
            .init("corruptIndex", .malformed, "section \(tag) of the index is missing or malformed; rebuild it")
        }
    }
}
