import CSwitchboardSystem
import Foundation
import SwitchboardAlgorithms
import Synchronization

/// Builds an index from documents.
///
/// For example, two names in one field:
///
/// ```swift
/// var builder = IndexBuilder(fields: [[.wordSuffixes, .typos]])
/// builder.beginDocument(id: 7, rank: 0)
/// builder.beginValue(field: 0)
/// builder.addWord([Array("ada".utf16)])
/// builder.addWord([Array("lovelace".utf16)])
/// let index = try builder.build(generation: 1)
/// ```
///
/// Documents are numbered by rank, then in the order they were added. Building takes O(total letters · log documents),
/// with the fields in parallel, and about three times the memory of the finished index, or less than twice if it is
/// written as it is made.
public struct IndexBuilder {
    /// The maximum number of letters in a word. Longer words are truncated, and so are queries.
    public static let maxWordLength = 64

    /// The minimum number of documents for several threads. Smaller indexes are built faster than a thread starts.
    private static let minDocumentsForThreads = 1_000
    /// The number of documents from which on freed memory is returned to the system: once while they are added, because a
    /// large change of the database came before, and before each field is sorted. Folding and sorting leave holes in the
    /// memory of many threads.
    private static let minDocumentsToFreeMemory = 100_000
    /// The number of documents from which on fields are sorted one by one, which takes less memory and more time: for a
    /// million contacts, 476 instead of 579 MB and 55 instead of 38 s.
    private static let maxDocumentsForThreads = 500_000

    private var fields: [FieldBuilder]
    private var ids: [Int64] = []
    private var ranks: [UInt64] = []
    private var field = 0
    private var stored: StoredBytesBuilder
    private let replaced: [DocumentSet]
    private let stream: SectionStream?

    /// Creates a builder for fields with these options. A field is identified by its position.
    ///
    /// - Parameters:
    ///   - fields: The options of the fields.
    ///   - replaced: For a segment, the documents of each older one that it replaces; see
    ///     ``SegmentedIndex/documents(ofIDs:)``.
    ///   - output: Writes the index as it is made, for ``finish(generation:fingerprint:)``; nil for an index in memory, for
    ///     ``build(generation:fingerprint:)``.
    public init(
        fields: [FieldOptions], replacing replaced: [DocumentSet] = [], writingTo output: IndexOutput? = nil
    ) {
        self.replaced = replaced
        self.fields = fields.map { FieldBuilder(options: $0) }
        stream = output.map { SectionStream(fields: fields.count, to: $0) }
        stored = StoredBytesBuilder(stream)
    }

    /// Starts a document. Values belong to it until the next call.
    ///
    /// - Parameters:
    ///   - id: The caller's identifier, returned with hits. It must be unique.
    ///   - rank: The rank; smaller is better.
    public mutating func beginDocument(id: Int64, rank: UInt64 = 0) {
        if ids.count == IndexBuilder.minDocumentsToFreeMemory { sb_return_free_memory() }
        ids.append(id)
        ranks.append(rank)
        stored.beginDocument()
        for number in fields.indices { fields[number].beginDocument() }
    }

    /// Starts a value of the current document in a field. Word suffixes, initials and exact matches do not cross
    /// values.
    public mutating func beginValue(field: Int) {
        self.field = field
        fields[field].beginValue()
    }

    /// Adds the next word of the current value.
    ///
    /// - Parameters:
    ///   - spellings: The spellings of the word as UTF-16 code units; empty ones are ignored. They are aligned in
    ///     tracks with the words around it (see `ForwardIndex`). In a value of up to eight words, a word with fewer
    ///     spellings than a later one is repeated for each of them.
    ///   - infixSpellings: The number of spellings, from the first, that can be searched inside, in a field with
    ///     ``FieldOptions/infix``.
    public mutating func addWord(_ spellings: [[UInt16]], infixSpellings: Int = .max) {
        fields[field].addWord(spellings: spellings.count, infixSpellings: infixSpellings) { number, arena in
            for letter in spellings[number].prefix(IndexBuilder.maxWordLength) { arena.append(leb128: UInt64(letter)) }
        }
    }

    /// Adds the values of the current document.
    package mutating func add(_ words: EncodedWords) {
        let bytes = words.bytes
        var position = 0
        func number() -> Int { bytes.leb128(at: &position).map { Int($0) } ?? 0 }
        while position < bytes.count {
            beginValue(field: number())
            for _ in 0..<number() {
                let (spellings, infixSpellings) = (number(), number())
                fields[field].addWord(spellings: spellings, infixSpellings: infixSpellings) { _, arena in
                    let end = bytes[position...].firstIndex(of: EncodedWords.end) ?? bytes.count
                    arena += bytes[position..<end]
                    position = end + 1
                }
            }
        }
    }

    /// Stores bytes with the current document, such as the fields that a search result shows, for
    /// ``SearchIndex/storedBytes(of:)``. Call it at most once for each document.
    public mutating func store(_ bytes: [UInt8]) { stored.add(bytes) }

    /// Builds the index in memory.
    ///
    /// - Parameters:
    ///   - generation: The generation of the data, to detect later whether the index is stale.
    ///   - fingerprint: A number that identifies the rules that produced the words.
    public consuming func build(generation: UInt64 = 0, fingerprint: UInt64 = 0) throws(IndexFormatError) -> SearchIndex
    {
        var writer = SectionWriter()
        let (documents, fields) = (ids.count, fields.count)
        writeSections(to: nil) { writer.add($0) }
        let bytes = writer.finish(
            documents: documents, fields: fields, generation: generation, fingerprint: fingerprint)
        return try SearchIndex(trusting: bytes)
    }

    /// Writes the rest of the index to the output.
    ///
    /// - Parameters: See ``build(generation:fingerprint:)``.
    /// - Throws: The first error of the output.
    public consuming func finish(generation: UInt64 = 0, fingerprint: UInt64 = 0) throws {
        guard let stream else { return }
        let (documents, fields) = (ids.count, fields.count)
        writeSections(to: stream) { _ in }
        try stream.finish(documents: documents, fields: fields, generation: generation, fingerprint: fingerprint)
    }

    /// Writes the sections of the whole index, then those of each field, to a stream, or else passes them to `body`.
    private consuming func writeSections(to stream: SectionStream?, _ body: (SectionWriter) -> Void) {
        for number in fields.indices { fields[number].endValue() }
        let ranks = self.ranks
        let order = ids.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
        var writer = SectionWriter(stream)
        stored.write(order: order, to: &writer)
        let orderedIDs = order.map { ids[$0] }
        ids = []
        writer.addPacked(.documentIDs, orderedIDs.lazy.map { UInt64(bitPattern: $0) })
        let isDense = order.enumerated().allSatisfy { ranks[$0.element] == UInt64($0.offset) }
        writer.addPacked(.documentRanks, isDense ? [] : order.map { ranks[$0] })
        self.ranks = []
        writer.addPacked(
            .documentsByID,
            orderedIDs.indices.sorted { orderedIDs[$0] < orderedIDs[$1] }.lazy.map { UInt32($0) })
        if replaced.contains(where: { !$0.isEmpty }) { writer.add(.replacedDocuments, replaced.flatMap(\.bits)) }
        body(writer)
        // Fields are independent of each other, so several are sorted at a time. Many documents are sorted field by field,
        // the largest one last, which then has the memory of the others.
        let isLarge = order.count >= IndexBuilder.maxDocumentsForThreads
        let isSequential = isLarge || order.count < IndexBuilder.minDocumentsForThreads
        let numbers =
            isLarge
            ? fields.indices.sorted { fields[$0].tokenCount < fields[$1].tokenCount } : Array(fields.indices)
        // Each thread takes a field away, so that it can free what is no longer needed.
        let remaining = Mutex(fields.map { Optional($0) })
        fields = []
        let sections = numbers.concurrentMap(chunksOf: isSequential ? Swift.max(numbers.count, 1) : 1) { numbers in
            var writer = SectionWriter(stream)
            for number in numbers {
                if order.count >= IndexBuilder.minDocumentsToFreeMemory { sb_return_free_memory() }
                var field = remaining.withLock { $0[number].take() }
                field?.prepare(order: order).write(to: &writer, field: number)
            }
            return writer
        }
        for section in sections { body(section) }
    }
}

/// The words of a document in one array, in which the threads that prepare documents encode them. An array for each
/// spelling would take as long to free as the index to build.
package struct EncodedWords: Sendable {
    /// The byte after a spelling. No letter has it in LEB128.
    fileprivate static let end: UInt8 = 0

    /// For each value, the field and the number of words; for each word, the numbers of spellings and of those that infix
    /// search covers; and for each spelling, its letters and ``end``.
    fileprivate private(set) var bytes: [UInt8] = []

    package init() {}

    /// Starts a value of a number of words in a field.
    package mutating func beginValue(field: Int, words: Int) {
        bytes.append(leb128: UInt64(field))
        bytes.append(leb128: UInt64(words))
    }

    /// Adds a word; see ``IndexBuilder/addWord(_:infixSpellings:)``.
    package mutating func addWord(_ spellings: [[UInt16]], infixSpellings: Int) {
        bytes.append(leb128: UInt64(spellings.count))
        bytes.append(leb128: UInt64(Swift.min(Swift.max(0, infixSpellings), spellings.count)))
        for spelling in spellings {
            for letter in spelling.prefix(IndexBuilder.maxWordLength) where letter != Self.end {
                bytes.append(leb128: UInt64(letter))
            }
            bytes.append(Self.end)
        }
    }
}

/// Collects the words of one field and writes its sections.
///
/// Words are interned as they are added (open addressing over one array of letters), so memory grows with the distinct
/// words and takes four bytes per token. Letters take a byte if they are digits or Latin, and two or three otherwise.
private struct FieldBuilder {
    private let options: FieldOptions
    private var arena: [UInt8] = []
    private var wordStarts: [UInt32] = [0]
    private var wordHasInfix: [Bool] = []
    private var slots: [UInt32] = Array(repeating: 0, count: 1024)
    private var tokens: [UInt32] = []
    private var documentStarts: [UInt32] = []
    private var atValueStart = false
    /// The first token of the current value. ``valueHasSpellings`` is true if one of its words has several spellings.
    private var currentValueStart = 0
    private var valueHasSpellings = false

    /// The maximum number of words in a value whose tracks are aligned: names and titles. Longer values are not typed
    /// as a whole.
    static let maxAlignedWords = 8

    init(options: FieldOptions) { self.options = options }

    private var wordCount: Int { wordStarts.count - 1 }
    var tokenCount: Int { tokens.count }

    mutating func beginDocument() {
        endValue()
        documentStarts.append(UInt32(tokens.count))
    }

    mutating func beginValue() {
        endValue()
        atValueStart = true
    }

    /// Ends the current value. Call it after the last one, too.
    mutating func endValue() {
        if valueHasSpellings, !options.isDisjoint(with: [.wordSuffixes, .typos]) { alignTracks() }
        valueHasSpellings = false
        currentValueStart = tokens.count
    }

    /// Repeats the last spelling of each word that precedes one with more spellings, so that every track of the later
    /// word has word suffixes from the earlier words on: "robert" is followed by "muller" and by "mueller".
    private mutating func alignTracks() {
        var words: [Range<Int>] = []
        for position in currentValueStart..<tokens.count {
            if tokens[position] & ForwardIndex.otherSpelling == 0 {
                words.append(position..<position + 1)
            } else {
                words[words.count - 1] = words[words.count - 1].lowerBound..<position + 1
            }
        }
        if words.count > FieldBuilder.maxAlignedWords { return }
        var aligned: [[UInt32]] = []
        var tracks = 0
        for word in words.reversed() {
            tracks = Swift.max(tracks, word.count)
            let last = tokens[word.upperBound - 1] & ~ForwardIndex.valueStart | ForwardIndex.otherSpelling
            aligned.append(tokens[word] + Array(repeating: last, count: tracks - word.count))
        }
        tokens.replaceSubrange(currentValueStart..., with: aligned.reversed().joined())
    }

    /// Adds a word.
    ///
    /// - Parameter appendSpelling: Appends the letters of a spelling, by its number, in LEB128.
    @inline(__always)
    mutating func addWord(spellings: Int, infixSpellings: Int, _ appendSpelling: (Int, inout [UInt8]) -> Void) {
        var number = 0
        for spelling in 0..<spellings {
            let start = arena.count
            appendSpelling(spelling, &arena)
            if arena.count == start { continue }
            let word = intern(start..<arena.count)
            if number < infixSpellings { wordHasInfix[word] = true }
            var token = ForwardIndex.token(of: UInt32(word))
            if number > 0 { token |= ForwardIndex.otherSpelling }
            if atValueStart && number == 0 { token |= ForwardIndex.valueStart }
            tokens.append(token)
            number += 1
        }
        if number > 0 { atValueStart = false }
        if number > 1 { valueHasSpellings = true }
    }

    /// Returns the number of the word at the end of the arena, which is removed again if the word is known.
    private mutating func intern(_ new: Range<Int>) -> Int {
        if wordCount * 2 >= slots.count { grow() }
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash(new)) & mask
        while slots[slot] != 0 {
            let word = Int(slots[slot]) - 1
            if isEqual(bytes(of: word), new) {
                arena.removeSubrange(new)
                return word
            }
            slot = (slot + 1) & mask
        }
        wordStarts.append(UInt32(arena.count))
        wordHasInfix.append(false)
        slots[slot] = UInt32(wordCount)
        return wordCount - 1
    }

    /// Compares two words. The slices would be compared element by element through their collections.
    private func isEqual(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        guard one.count == other.count else { return false }
        let span = arena.span
        var offset = 0
        while offset < one.count, span[one.lowerBound + offset] == span[other.lowerBound + offset] { offset += 1 }
        return offset == one.count
    }

    private func bytes(of word: Int) -> Range<Int> { Int(wordStarts[word])..<Int(wordStarts[word + 1]) }

    /// Calls `body` with the letters of the words in a range of the arena.
    private func forEachLetter(in range: Range<Int>, _ body: (UInt16) -> Void) {
        var offset = range.lowerBound
        while offset < range.upperBound, let letter = arena.leb128(at: &offset) {
            body(UInt16(truncatingIfNeeded: letter))
        }
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        let mask = slots.count - 1
        for word in 0..<wordCount {
            var slot = Int(truncatingIfNeeded: hash(bytes(of: word))) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = UInt32(word + 1)
        }
    }

    private func hash(_ range: Range<Int>) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in arena[range] { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return hash ^ (hash >> 31)
    }

    // MARK: - Sorting

    /// Returns the words and tokens of the documents in order, and frees the others.
    mutating func prepare(order: [Int]) -> PreparedField {
        slots = []
        let letters = alphabetLetters()
        let (encoded, offsets, ranks) = sortDictionary(letters: letters)
        let (forwardOffsets, forward) = forwardIndex(order: order, wordRanks: ranks)
        (tokens, documentStarts) = ([], [])
        var hasInfix = Array(repeating: false, count: ranks.count)
        for (word, rank) in ranks.enumerated() { hasInfix[Int(rank)] = wordHasInfix[word] }
        wordHasInfix = []
        return PreparedField(
            options: options, letters: letters, hasInfix: hasInfix,
            source: FieldSource(
                wordBytes: encoded, wordOffsets: offsets, forwardOffsets: forwardOffsets, tokens: forward))
    }

    /// Returns the most frequent letters, at most 254, ascending.
    private func alphabetLetters() -> [UInt16] {
        var counts = Array(repeating: 0, count: 1 << 16)
        forEachLetter(in: arena.indices) { counts[Int($0)] += 1 }
        let present = (0..<counts.count).filter { counts[$0] > 0 }
        let frequent = present.sorted { counts[$0] == counts[$1] ? $0 < $1 : counts[$0] > counts[$1] }.prefix(254)
        return frequent.sorted().map { UInt16($0) }
    }

    private mutating func sortDictionary(letters: [UInt16]) -> (bytes: [UInt8], offsets: [UInt32], ranks: [UInt32]) {
        var codes = Array(repeating: UInt8(0), count: 1 << 16)
        for (position, letter) in letters.enumerated() { codes[Int(letter)] = UInt8(position + 1) }
        var raw: [UInt8] = []
        raw.reserveCapacity(arena.count)
        var starts: [UInt32] = [0]
        starts.reserveCapacity(wordCount + 1)
        for word in 0..<wordCount {
            forEachLetter(in: bytes(of: word)) { letter in
                let code = codes[Int(letter)]
                if code != 0 {
                    raw.append(code)
                } else {
                    raw.append(Alphabet.escape)
                    raw.append(UInt8(letter >> 8))
                    raw.append(UInt8(letter & 0xff))
                }
            }
            starts.append(UInt32(raw.count))
        }
        (arena, wordStarts) = ([], [0])
        let range = { @Sendable [starts] (word: Int) in Int(starts[word])..<Int(starts[word + 1]) }
        let order = sortedByBytes(count: starts.count - 1, bytes: raw, bounds: range)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raw.count)
        var offsets: [UInt32] = [0]
        offsets.reserveCapacity(starts.count)
        var ranks = Array(repeating: UInt32(0), count: order.count)
        for (rank, word) in order.enumerated() {
            bytes += raw[range(Int(word))]
            offsets.append(UInt32(bytes.count))
            ranks[Int(word)] = UInt32(rank)
        }
        return (bytes, offsets, ranks)
    }

    private func forwardIndex(order: [Int], wordRanks: [UInt32]) -> ([UInt32], [UInt32]) {
        var offsets: [UInt32] = [0]
        offsets.reserveCapacity(order.count + 1)
        var forward: [UInt32] = []
        forward.reserveCapacity(tokens.count)
        for document in order {
            let end = document + 1 < documentStarts.count ? Int(documentStarts[document + 1]) : tokens.count
            for token in tokens[Int(documentStarts[document])..<end] {
                let word = Int(ForwardIndex.word(token))
                forward.append(ForwardIndex.token(of: wordRanks[word]) | token & ForwardIndex.flags)
            }
            offsets.append(UInt32(forward.count))
        }
        return (offsets, forward)
    }
}

/// The sorted words of a field and the tokens of its documents.
private struct PreparedField {
    let options: FieldOptions
    let letters: [UInt16]
    let hasInfix: [Bool]
    let source: FieldSource

    func write(to writer: inout SectionWriter, field: Int) {
        writer.add(.fieldOptions, field: field, [options.rawValue])
        writer.add(.alphabet, field: field, letters)
        writer.addPacked(.wordOffsets, field: field, source.wordOffsets)
        writer.add(.wordBytes, field: field, section: source.wordBytes)
        writer.addPacked(.forwardOffsets, field: field, source.forwardOffsets)
        writer.addPacked(.tokens, field: field, source.tokens)
        if !options.isDisjoint(with: [.wordSuffixes, .typos]) {
            let wordSuffixes = SortedWordSuffixes(source)
            writer.addPacked(.wordSuffixDocuments, field: field, wordSuffixes.documents)
            writer.addPacked(.wordSuffixTokens, field: field, wordSuffixes.starts.lazy.map { UInt32($0) })
            let minima = RangeMinimumTable(wordSuffixes.documents, blockShift: PackedView<UInt32>.blockShift)
            writer.addPacked(.wordSuffixMinima, field: field, minima.levels)
            writer.add(.wordSuffixChunkMinima, field: field, minima.chunkMinima)
            let trie = TrieBuilder(wordSuffixes, hasTypos: options.contains(.typos))
            writer.add(.trieLetters, field: field, section: trie.letters)
            writer.addPacked(.trieChildren, field: field, trie.children)
            writer.addPacked(.trieLow, field: field, trie.low)
            writer.add(.nextLetters, field: field, section: trie.nextLetters)
        }
        let segmentations = SegmentationBuilder(source: source, letterCount: letters.count)
        if !options.isDisjoint(with: [.initials, .allTerms]) {
            writer.add(.prefixSignatures, field: field, segmentations.prefixSignatures())
        }
        if options.contains(.initials) { segmentations.write(to: &writer, field: field) }
        if options.contains(.infixByDocument) {
            var suffixes = SortedDocumentSuffixes(source, hasInfix: hasInfix)
            writer.add(.suffixEntries, field: field, section: suffixes.section)
            suffixes.section = []
            let minima = RangeMinimumTable(suffixes.documents, blockShift: SuffixEntries.blockShift)
            writer.addPacked(.suffixMinima, field: field, minima.levels)
            writer.add(.suffixChunkMinima, field: field, minima.chunkMinima)
        } else if options.contains(.infix) {
            let suffixes = SortedTermSuffixes(source, hasInfix: hasInfix)
            writer.addPacked(.suffixWords, field: field, suffixes.words)
            writer.add(.suffixOffsets, field: field, section: suffixes.offsets)
            writer.addPacked(.suffixBest, field: field, suffixes.best)
            let minima = RangeMinimumTable(suffixes.best, blockShift: PackedView<UInt32>.blockShift)
            writer.addPacked(.suffixMinima, field: field, minima.levels)
            writer.add(.suffixChunkMinima, field: field, minima.chunkMinima)
            writer.addPacked(.postingOffsets, field: field, suffixes.postingOffsets)
            writer.addPacked(.postings, field: field, suffixes.postings)
        }
    }
}

/// The arrays of a field that the other structures are built from.
struct FieldSource {
    let wordBytes: [UInt8]
    let wordOffsets: [UInt32]
    let forwardOffsets: [UInt32]
    let tokens: [UInt32]

    func range(of document: Int) -> Range<Int> { Int(forwardOffsets[document])..<Int(forwardOffsets[document + 1]) }

    func bytes(of word: Int) -> ArraySlice<UInt8> { wordBytes[Int(wordOffsets[word])..<Int(wordOffsets[word + 1])] }

    /// Calls `body` with each document and the words of each of its values: the tokens of the spellings of each word.
    func forEachValue(_ body: (_ document: Int, _ words: [Range<Int>]) -> Void) {
        // One array for all values; most have few words.
        var words: [Range<Int>] = []
        for document in 0..<forwardOffsets.count - 1 {
            for token in range(of: document) {
                let flags = tokens[token]
                if flags & ForwardIndex.otherSpelling != 0, let last = words.last {
                    words[words.count - 1] = last.lowerBound..<token + 1
                    continue
                }
                if flags & ForwardIndex.valueStart != 0 {
                    if !words.isEmpty { body(document, words) }
                    words.removeAll(keepingCapacity: true)
                }
                words.append(token..<token + 1)
            }
            if !words.isEmpty { body(document, words) }
            words.removeAll(keepingCapacity: true)
        }
    }
}
