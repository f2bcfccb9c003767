import Synchronization

/// The structures that an index contains for a field. Omit those that no search uses, because each takes memory.
public struct FieldOptions: OptionSet, Sendable, Hashable {
    /// The bits, as stored in an index.
    public let rawValue: UInt32
    /// Creates options from their bits, as stored in an index.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Exact and prefix search: a `WordSuffixArray` with its `PrefixTrie`.
    public static let wordSuffixes = FieldOptions(rawValue: 1)
    /// Initials and words in any order: `WordPairs`, `WordSignatures`, `WideValues` and `PrefixSignatures`. Requires
    /// ``wordSuffixes``.
    public static let initials = FieldOptions(rawValue: 2)
    /// Typed words in any order across fields, but no initials: `PrefixSignatures`, instead of ``initials``.
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
    let wordPairs: WordPairs?
    let wideValues: WideValues?
    let wordSignatures: WordSignatures?
    let termSuffixes: TermSuffixArray?
    let documentSuffixes: DocumentSuffixArray?
    private let knownChildSignatures = AtomicLazyReference<ChildSignatures>()
    private let walks = Atomic(0)
    private static let walksWithoutSignatures = 16

    init(_ directory: SectionDirectory, field: Int) throws(IndexFormatError) {
        verifier = directory.verifier(field: field)
        let options = FieldOptions(rawValue: try directory.view(.fieldOptions, field: field)[0])
        let words = TermDictionary(
            offsets: try directory.packed(.wordOffsets, field: field),
            bytes: try directory.view(.wordBytes, field: field))
        let forward = ForwardIndex(
            offsets: try directory.packed(.forwardOffsets, field: field),
            tokens: try directory.packed(.tokens, field: field), documents: directory.documentCount)
        guard let alphabet = Alphabet(letters: try directory.view(.alphabet, field: field)), let words, let forward
        else { throw .section(SectionTag.wordOffsets.rawValue) }
        let letters = alphabet.letters.count
        self.options = options
        self.alphabet = alphabet
        self.words = words
        self.forward = forward
        wordSuffixes =
            options.contains(.wordSuffixes)
            ? try WordSuffixArray(directory, field: field, forward: forward, words: words) : nil
        signatures =
            options.isDisjoint(with: [.initials, .allTerms])
            ? nil : try PrefixSignatures(directory, field: field, layout: SignatureLayout(letters: letters))
        wordPairs =
            options.contains(.initials)
            ? try WordPairs(directory, field: field, layout: PairLayout(letters: letters)) : nil
        wideValues = options.contains(.initials) ? try WideValues(directory, field: field) : nil
        wordSignatures =
            options.contains(.initials) && letters <= WordSignatures.maxLetters
            ? try WordSignatures(directory, field: field) : nil
        documentSuffixes =
            options.contains(.infixByDocument)
            ? DocumentSuffixArray(
                minima: try directory.minima(
                    of: try directory.suffixEntries(field: field), .suffixMinima, .suffixChunkMinima, field: field),
                forward: forward, words: words) : nil
        termSuffixes =
            options.contains(.infix) && documentSuffixes == nil
            ? try TermSuffixArray(directory, field: field, words: words) : nil
    }

    /// Returns the signatures of the trie of the field's word suffixes. They are computed in processes that search for
    /// more than a few words with typos.
    func childSignatures(of wordSuffixes: WordSuffixArray) -> ChildSignatures {
        if let known = knownChildSignatures.load() { return known }
        if walks.add(1, ordering: .relaxed).oldValue < Field.walksWithoutSignatures { return .none }
        return knownChildSignatures.storeIfNil(ChildSignatures(wordSuffixes.trie))
    }
}
