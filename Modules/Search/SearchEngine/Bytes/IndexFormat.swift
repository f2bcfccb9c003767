/// The layout of an index: a header, a directory of sections, then the sections, each aligned to eight bytes.
///
/// All integers are little-endian. The header is 64 bytes:
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
/// | 40 | 8 | checksum of the header without this value and of the directory |
/// | 48 | 8 | fingerprint the owner chose (for example of the folding tables) |
/// | 56 | 8 | zero |
///
/// A directory entry is 32 bytes: tag (4), field (4), offset from the start of the block (8), length in bytes (8), checksum of the
/// section (8). Checksums are FNV-1a over 64-bit words in four chains. A section is verified when it is opened or, if the
/// owner wants that, before a search uses it for the first time (`SectionVerifier`).
public enum IndexFormat {
    static let magic: UInt64 = 0x5055_4B4C_4442_5753  // "SWBDLKUP"
    static let headerLength = 64
    static let entryLength = 32
    /// The field number under which sections of the whole index stand.
    static let wholeIndex: UInt32 = .max
}

/// What a section holds. The raw value is the tag in the directory.
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
    case longValueDocuments
    case longValueMembers
    case longValueRanks
    case longValueBitmaps
    case suffixChunkMinima
}

/// Why a block of bytes is no index of this version. The cure is always the same: build it again from the documents.
public enum IndexFormatError: Error, Equatable, CustomStringConvertible {
    /// The block is shorter than it says, or than a header.
    case truncated
    /// The magic number or the version is another one.
    case otherVersion
    /// The checksum does not fit the bytes.
    case checksum
    /// A section is missing or lies outside the block.
    case section(UInt32)

    /// One line: what is wrong, and what to do.
    public var description: String {
        switch self {
        case .truncated: "the index is cut short; build it again"
        case .otherVersion: "the index is of another version; build it again"
        case .checksum: "the index is damaged; build it again"
        case .section(let tag): "section \(tag) of the index is missing or out of place; build it again"
        }
    }
}

/// The checksum of header and directory, without the eight bytes it is written to.
func headChecksum(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    let before = checksum(of: UnsafeRawBufferPointer(rebasing: bytes[..<40]))
    let after = checksum(of: UnsafeRawBufferPointer(rebasing: bytes[48...]))
    return before &* 0x9E37_79B9_7F4A_7C15 ^ after
}

/// Four interleaved chains of FNV-1a over 64-bit little-endian words, the tail byte by byte in the first. O(n), about a byte a tenth of a nanosecond.
func checksum(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    var chains: (UInt64, UInt64, UInt64, UInt64) = (0xcbf2_9ce4_8422_2325, 1, 2, 3)
    let prime: UInt64 = 0x0000_0100_0000_01b3
    var offset = 0
    // Four independent chains keep the multiplier busy; one chain would wait for each product.
    while offset + 32 <= bytes.count {
        chains.0 = (chains.0 ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* prime
        chains.1 = (chains.1 ^ bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)) &* prime
        chains.2 = (chains.2 ^ bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self)) &* prime
        chains.3 = (chains.3 ^ bytes.loadUnaligned(fromByteOffset: offset + 24, as: UInt64.self)) &* prime
        offset += 32
    }
    while offset < bytes.count {
        chains.0 = (chains.0 ^ UInt64(bytes[offset])) &* prime
        offset += 1
    }
    var sum = UInt64(bytes.count)
    for chain in [chains.0, chains.1, chains.2, chains.3] {
        sum = (sum ^ chain ^ (chain >> 29)) &* prime
    }
    return sum ^ (sum >> 32)
}
