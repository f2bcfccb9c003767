/// The structures that an index contains for a field. Leave out those that no search uses: each takes memory.
public struct FieldOptions: OptionSet, Sendable, Hashable {
    /// The bits, as stored in an index.
    public let rawValue: UInt32
    /// Creates options from their bits, as stored in an index.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Exact and prefix search: a `WordSuffixArray` with its `PrefixTrie`.
    public static let wordSuffixes = FieldOptions(rawValue: 1)
    /// Initials and words in any order: `PrefixSignatures` and `LongValueDocuments`. Requires ``wordSuffixes``.
    public static let initials = FieldOptions(rawValue: 2)
    /// Typed words in any order across fields, but no initials: `PrefixSignatures` of first letters only, instead of
    /// ``initials``.
    public static let allTerms = FieldOptions(rawValue: 32)
    /// Search inside words: a `TermSuffixArray`.
    public static let infix = FieldOptions(rawValue: 4)
    /// Search inside words that few documents share, such as numbers: a `DocumentSuffixArray`, instead of ``infix``.
    /// Queries of several words do not match.
    public static let infixByDocument = FieldOptions(rawValue: 16)
    /// Search with typos. Requires ``wordSuffixes``.
    public static let typos = FieldOptions(rawValue: 8)
}

/// The structures of one field. All are views of the index's bytes.
final class Field: Sendable {
    let verifier: SectionVerifier
    let options: FieldOptions
    let alphabet: Alphabet
    let words: TermDictionary
    let forward: ForwardIndex
    let wordSuffixes: WordSuffixArray?
    let signatures: PrefixSignatures?
    let longValues: LongValueDocuments?
    let termSuffixes: TermSuffixArray?
    let documentSuffixes: DocumentSuffixArray?

    init(_ directory: SectionDirectory, field: Int) throws(IndexFormatError) {
        verifier = directory.verifier(field: field)
        let optionsView: View<UInt32> = try directory.view(.fieldOptions, field: field)
        guard optionsView.count == 1 else { throw .section(SectionTag.fieldOptions.rawValue) }
        options = FieldOptions(rawValue: optionsView[0])
        alphabet = Alphabet(letters: try directory.view(.alphabet, field: field))
        words = TermDictionary(
            offsets: try directory.packed(.wordOffsets, field: field),
            bytes: try directory.view(.wordBytes, field: field))
        forward = ForwardIndex(
            offsets: try directory.packed(.forwardOffsets, field: field),
            tokens: try directory.packed(.tokens, field: field))
        guard words.offsets.count > 0, forward.offsets.count == directory.documentCount + 1 else {
            throw .section(SectionTag.wordOffsets.rawValue)
        }
        if options.contains(.wordSuffixes) {
            let documents = try directory.packed(.wordSuffixDocuments, field: field)
            wordSuffixes = WordSuffixArray(
                documents: documents, starts: try directory.packed(.wordSuffixTokens, field: field), forward: forward,
                words: words,
                minima: RangeMinimum(
                    values: documents, levels: try directory.packed(.wordSuffixMinima, field: field),
                    chunkMinima: try directory.view(.wordSuffixChunkMinima, field: field)),
                trie: PrefixTrie(
                    letters: try directory.view(.trieLetters, field: field),
                    children: try directory.packed(.trieChildren, field: field),
                    low: try directory.packed(.trieLow, field: field),
                    nextLetters: try directory.view(.nextLetters, field: field), entries: documents.count))
        } else {
            wordSuffixes = nil
        }
        let layout = SignatureLayout(letters: alphabet.letters.count, options: options)
        signatures =
            options.isDisjoint(with: [.initials, .allTerms])
            ? nil : PrefixSignatures(words: try directory.view(.prefixSignatures, field: field), layout: layout)
        longValues =
            options.contains(.initials)
            ? LongValueDocuments(
                documents: try directory.packed(.longValueDocuments, field: field),
                members: try directory.view(.longValueMembers, field: field),
                ranks: try directory.packed(.longValueRanks, field: field),
                words: try directory.view(.longValueBitmaps, field: field), layout: layout) : nil
        if options.contains(.infix) && !options.contains(.infixByDocument) {
            let best = try directory.packed(.suffixBest, field: field)
            termSuffixes = TermSuffixArray(
                suffixWords: try directory.packed(.suffixWords, field: field),
                suffixOffsets: try directory.view(.suffixOffsets, field: field),
                best: RangeMinimum(
                    values: best, levels: try directory.packed(.suffixMinima, field: field),
                    chunkMinima: try directory.view(.suffixChunkMinima, field: field)),
                postingOffsets: try directory.packed(.postingOffsets, field: field),
                postings: try directory.packed(.postings, field: field), words: words)
        } else {
            termSuffixes = nil
        }
        if options.contains(.infixByDocument) {
            let entries = try directory.suffixEntries(field: field)
            documentSuffixes = DocumentSuffixArray(
                entries: entries,
                minima: RangeMinimum(
                    values: entries, levels: try directory.packed(.suffixMinima, field: field),
                    chunkMinima: try directory.view(.suffixChunkMinima, field: field)),
                forward: forward, words: words)
        } else {
            documentSuffixes = nil
        }
    }
}
