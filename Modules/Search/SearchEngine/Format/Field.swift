import Synchronization

// The words of a field: alphabet, dictionary and forward index.
//
// The comments of the engine follow the example of docs/engine.md: document 0 is "ana grande", 1 is "rio grande" and 2
// is "mario diaz". The dictionary contains each distinct word once, sorted by the codes of its letters:
//
//     word       0      1      2        3       4
//                ana    diaz   grande   mario   rio
//
// The forward index contains the tokens of each document, which are word numbers in order. A caret marks a token that
// starts a value:
//
//     document   tokens
//     0          0: ana^     1: grande
//     1          2: rio^     3: grande
//     2          4: mario^   5: diaz
//
// A word can have several spellings (müller: muller, mueller; Юрий: юрий, yuriy, iurii …). Each is a token after the
// token of the word, here with an apostrophe. Robert Müller is found as robertmuller on track 0 and as robertmueller on
// track 1, because the builder repeats robert:
//
//     robert^   robert'   muller   mueller'

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

/// The letters of one field as one-byte codes. Keys compare as bytes, and an automaton reads one byte per letter.
///
/// The 254 most frequent letters (UTF-16 code units) have the codes 1…254 in ascending order of letter. Any other
/// letter is written as three bytes: 255 and the letter, high byte first. It counts as three letters in an edit
/// distance. This only concerns fields with more than 254 different letters (Han, Hangul), whose words are too short
/// for typos. Code 0 is a letter that occurs in no word of the field; it matches nothing.
struct Alphabet: Sendable {
    static let escape: UInt8 = 255
    static let unknown: UInt8 = 0
    static let maxLetters = 254
    let letters: View<UInt16>

    /// Returns nil if there are more letters than codes.
    init?(letters: View<UInt16>) {
        guard letters.count <= Alphabet.maxLetters else { return nil }
        self.letters = letters
    }

    /// Returns the code of a frequent letter, or nil. O(log letters).
    @inline(__always)
    func code(of letter: UInt16) -> UInt8? {
        let index = (0..<letters.count).partitioningIndex { letters[$0] >= letter }
        return index < letters.count && letters[index] == letter ? UInt8(index + 1) : nil
    }

    /// Appends the bytes of a word. A letter unknown to the field becomes ``unknown`` or, if the field has rare
    /// letters, an escape.
    func encode(_ word: some Collection<UInt16>, into bytes: inout [UInt8]) {
        for letter in word {
            if let code = code(of: letter) {
                bytes.append(code)
            } else if letters.count < Alphabet.maxLetters {
                bytes.append(Alphabet.unknown)
            } else {
                bytes.append(Alphabet.escape)
                bytes.append(UInt8(letter >> 8))
                bytes.append(UInt8(letter & 0xff))
            }
        }
    }

    /// Appends the bytes of letters. Returns false and appends nothing if one of the letters occurs in no word of the
    /// field.
    func encodeKnown(_ letters: some Collection<UInt16>, into bytes: inout [UInt8]) -> Bool {
        let start = bytes.count
        encode(letters, into: &bytes)
        guard self.letters.count < Alphabet.maxLetters, bytes[start...].contains(Alphabet.unknown) else { return true }
        bytes.removeSubrange(start...)
        return false
    }

    /// Returns the number of bytes of the letter at a position.
    @inline(__always)
    static func byteCount(_ bytes: View<UInt8>, at position: Int) -> Int { bytes[position] == escape ? 3 : 1 }

    /// Returns the number of letters in the first `count` bytes of a key.
    static func letterCount(_ bytes: View<UInt8>, _ count: Int) -> Int {
        var position = 0
        var letters = 0
        while position < count {
            position += byteCount(bytes, at: position)
            letters += 1
        }
        return letters
    }
}

/// The distinct words of a field, sorted by their bytes.
struct TermDictionary: Sendable {
    private let offsets: PackedView<UInt32>
    let bytes: View<UInt8>

    /// Returns nil if the sections do not fit.
    init?(offsets: PackedView<UInt32>, bytes: View<UInt8>) {
        guard offsets.count > 0 else { return nil }
        self.offsets = offsets
        self.bytes = bytes
    }

    var count: Int { offsets.count - 1 }

    /// Returns the codes of a word, or an empty view if the dictionary does not contain it.
    @inline(__always)
    func letters(of word: Int) -> View<UInt8> {
        guard UInt(bitPattern: word) < UInt(bitPattern: count) else { return bytes.slice(0, 0) }
        // Safe: there is one more offset than words.
        return unsafe bytes.slice(Int(offsets[unchecked: word]), Int(offsets[unchecked: word + 1]))
    }

    /// Returns the location of a word's codes in ``bytes``, or an empty one if the dictionary does not contain the
    /// word.
    @inline(__always)
    func location(of word: Int) -> (start: Int, count: Int) {
        guard UInt(bitPattern: word) < UInt(bitPattern: count) else { return (0, 0) }
        // Safe: there is one more offset than words.
        let (start, end) = unsafe (Int(offsets[unchecked: word]), Int(offsets[unchecked: word + 1]))
        return start <= end && end <= bytes.count ? (start, end - start) : (0, 0)
    }

    /// Returns the words that begin with the given letters. O(letters · log words).
    func range(ofPrefix prefix: Span<UInt8>) -> Range<Int> {
        (0..<count).indices { letters(of: $0).comparePrefix(to: prefix) }
    }

    /// Returns the number of a word, or nil. O(length · log words).
    func find(_ key: Span<UInt8>) -> Int? {
        let index = (0..<count).partitioningIndex { letters(of: $0).compare(to: key) >= 0 }
        return index < count && letters(of: index).compare(to: key) == 0 ? index : nil
    }
}

/// The words of each document in order, as numbers in the dictionary.
///
/// A token has at most 32 bits. Bit 0 is set if the word starts a value, bit 1 if it is another spelling of the word
/// before it, or its last spelling repeated; the bits above hold the word number. The spellings of adjacent words are aligned in *tracks*: spelling t
/// of one word is followed by spelling min(t, last) of the next. If a later word of a short value has more spellings,
/// ``FieldBuilder`` repeats the last spelling of the earlier words, so that each track has a word suffix.
struct ForwardIndex: Sendable {
    static let valueStart: UInt32 = 1
    static let otherSpelling: UInt32 = 2
    static let flags: UInt32 = 3
    private static let wordShift: UInt32 = 2

    private let offsets: PackedView<UInt32>
    let tokens: PackedView<UInt32>

    /// Returns nil if the sections do not fit the number of documents.
    init?(offsets: PackedView<UInt32>, tokens: PackedView<UInt32>, documents: Int) {
        guard offsets.count == documents + 1 else { return nil }
        self.offsets = offsets
        self.tokens = tokens
    }

    /// Returns the word number of a token.
    @inline(__always)
    static func word(_ token: UInt32) -> UInt32 { token &>> wordShift }

    /// Returns a token of a word, without flags.
    @inline(__always)
    static func token(of word: UInt32) -> UInt32 { word &<< wordShift }

    /// Returns the tokens of a document. All of them are inside ``tokens``.
    @inline(__always)
    func range(of document: Int) -> Range<Int> { offsets.range(at: document, within: tokens.count) }

    /// Returns the first token of a document.
    @inline(__always)
    func start(of document: UInt32) -> Int { Int(offsets[Int(document)]) }

    /// Returns the end of a document's tokens.
    @inline(__always)
    func end(of document: UInt32) -> Int { Swift.min(Int(offsets[Int(document) + 1]), tokens.count) }

    @inline(__always)
    func word(_ token: Int) -> Int { Int(ForwardIndex.word(tokens[token])) }

    @inline(__always)
    func isOtherSpelling(_ token: Int) -> Bool { tokens[token] & ForwardIndex.otherSpelling != 0 }

    @inline(__always)
    func startsValue(_ token: Int) -> Bool { tokens[token] & ForwardIndex.valueStart != 0 }

    /// Returns the end of the spellings of the word from a token on. `end` is at most the number of tokens.
    @inline(__always)
    func endOfSpellings(_ token: Int, _ end: Int) -> Int {
        var next = token + 1
        // Safe: `next` is less than `end`.
        while unsafe next < end && tokens[unchecked: next] & ForwardIndex.otherSpelling != 0 { next += 1 }
        return next
    }

    /// Returns the token of the first spelling of the same word.
    @inline(__always)
    func firstSpelling(_ token: Int) -> Int {
        var first = token
        while first > 0 && isOtherSpelling(first) { first -= 1 }
        return first
    }

    /// Returns the track of a token, from 0.
    @inline(__always)
    func track(_ token: Int) -> Int { token - firstSpelling(token) }

    /// Returns the number of the spelling that was added to the index, from 0. Repeated tracks have the number of the
    /// last spelling.
    func originalSpelling(_ token: Int) -> Int {
        let first = firstSpelling(token)
        return (first...token).first { word($0) == word(token) }.map { $0 - first } ?? 0
    }

    /// Returns the token that follows in the same value and on the same track, or nil at the end of the value.
    ///
    /// - Parameter end: The end of the document's range, at most the number of tokens.
    @inline(__always)
    func next(after token: Int, track: Int, end: Int) -> Int? {
        var position = endOfSpellings(token, end)
        // Safe: `position` is less than `end`.
        if unsafe position >= end || tokens[unchecked: position] & ForwardIndex.valueStart != 0 { return nil }
        var passed = 0
        while passed < track && position + 1 < end && isOtherSpelling(position + 1) {
            position += 1
            passed += 1
        }
        return position
    }
}
