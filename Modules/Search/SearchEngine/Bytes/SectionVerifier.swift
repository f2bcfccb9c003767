import Synchronization

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
    var group: SectionGroup {
        switch self {
        case .documentIDs, .documentRanks, .fieldOptions, .alphabet, .wordOffsets, .wordBytes, .forwardOffsets, .tokens:
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

extension SearchTier {
    /// Returns the sections that this kind of match uses in addition to the base.
    func groups(isMultiWord: Bool) -> SectionGroup {
        switch kind {
        case .exact, .joined: .wordSuffixes
        case .prefix: isMultiWord || wholeWords ? [.wordSuffixes, .postings] : .wordSuffixes
        case .initials, .words, .typo: [.wordSuffixes, .signatures]
        case .infix: isMultiWord ? [.wordSuffixes, .suffixes, .postings] : [.suffixes, .postings]
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
