/// Searches one field for single words, for callers that combine many small searches.
///
/// A query for airports makes about twenty searches, most of which find nothing: names, foreign names, words and
/// transliterations of two indexes, and readings of other keyboard layouts.
///
/// Unlike ``SearchIndex/search(_:)`` it takes no request, and a search that finds nothing allocates nothing. The hits
/// equal the hits of a request with a query of one word and the tiers exact and prefix, or the tier typo.
public final class FieldSearcher: Sendable {
    private let index: SearchIndex
    private let field: Field
    private let wordSuffixes: WordSuffixArray
    /// The codes of the ASCII letters; 0 for letters that the field does not contain.
    private let asciiCodes: [UInt8]

    /// Creates a searcher, or returns nil if the index has no such field or the field has no word suffixes.
    ///
    /// - Throws: ``IndexFormatError/checksum`` if the field is corrupt.
    public init?(_ index: SearchIndex, field number: Int) throws(IndexFormatError) {
        guard index.fields.indices.contains(number), let wordSuffixes = index.fields[number].wordSuffixes else {
            return nil
        }
        try index.verifier.verify(.base)
        let field = index.fields[number]
        try field.verifier.verify([.base, .wordSuffixes])
        self.index = index
        self.field = field
        self.wordSuffixes = wordSuffixes
        var codes = [UInt8](repeating: Alphabet.unknown, count: 0x80)
        for number in 0..<field.alphabet.letters.count {
            let letter = Int(field.alphabet.letters[number])
            if letter < codes.count { codes[letter] = UInt8(number + 1) }
        }
        asciiCodes = codes
    }

    // MARK: - Lookup

    /// Encodes a word, truncated to the length of a key.
    private func encode(_ letters: [UInt16]) -> EncodedWord {
        var word = EncodedWord()
        for letter in letters where word.count < WordSuffixArray.maxLength {
            if let code = code(of: letter) {
                word.append(code)
            } else if field.alphabet.letters.count < Alphabet.maxLetters {
                word.append(Alphabet.unknown)
            } else {
                word.append(Alphabet.escape)
                word.append(UInt8(letter >> 8))
                word.append(UInt8(letter & 0xff))
            }
        }
        return word
    }

    @inline(__always)
    private func code(of letter: UInt16) -> UInt8? {
        if letter >= 0x80 { return field.alphabet.code(of: letter) }
        let code = asciiCodes[Int(letter)]
        return code == Alphabet.unknown ? nil : code
    }

    /// Returns the entries that begin with the given letters. O(letters), and often less if no entry does.
    private func entries(_ letters: [UInt16]) -> Range<Int> {
        if letters.isEmpty { return 0..<0 }
        let trie = wordSuffixes.trie
        var node = trie.root
        for (depth, letter) in letters.prefix(WordSuffixArray.maxLength).enumerated() {
            guard let code = code(of: letter) else {
                if field.alphabet.letters.count < Alphabet.maxLetters { return 0..<0 }
                return encodedEntries(letters)
            }
            if trie.isLeaf(node.index) {
                // Fields without typos store no letters of their leaves.
                if trie.nextLetters.count > 0, !node.range.contains(where: { trie.nextLetters[$0] == code }) {
                    return 0..<0
                }
                return depth + 1 == letters.count && trie.nextLetters.count > 0
                    ? node.range.indices { Int(trie.nextLetters[$0]) - Int(code) } : encodedEntries(letters)
            }
            guard let child = trie.child(of: node, letter: code) else { return 0..<0 }
            node = child
        }
        return node.range
    }

    private func encodedEntries(_ letters: [UInt16]) -> Range<Int> {
        let word = encode(letters)
        return wordSuffixes.range(of: word.bytes.span.extracting(first: word.count))
    }

    /// Returns `true` if a value begins with the given letters. O(letters).
    public func containsPrefix(_ letters: [UInt16]) -> Bool { !entries(letters).isEmpty }

    /// Returns the number of letters in a value's first word, in its first spelling, or nil if the value does not
    /// exist.
    public func letterCount(ofValue number: Int, in hit: CompactHit) -> Int? {
        var value = -1
        for token in field.forward.range(of: Int(hit.document)) where field.forward.startsValue(token) {
            value += 1
            if value < number { continue }
            let letters = field.words.letters(of: field.forward.word(token))
            return Alphabet.letterCount(letters, letters.count)
        }
        return nil
    }

    // MARK: - Exact and prefix

    /// Appends the best documents with a value that equals the query, then documents with a value that begins with it.
    /// Each document appears once. O(letters + hits · log hits).
    ///
    /// - Parameters:
    ///   - spellings: The alternative spellings of the query.
    ///   - exactOnly: `true` to leave out values that are longer than the query.
    ///   - limit: The maximum number of hits; 0 for all.
    ///   - isCancelled: Polled during the search.
    ///   - hits: The hits to append to.
    public func appendPrefixMatches(
        of spellings: [[UInt16]], exactOnly: Bool = false, limit: Int, isCancelled: (@Sendable () -> Bool)?,
        to hits: inout [CompactHit]
    ) throws(CancellationError) {
        let limit = limit == 0 ? Int.max : limit
        var cancellation = CancellationCheck(isCancelled)
        let spellings = spellings.prefix(SearchQuery.maxExpansions)
        let start = hits.count
        for (number, letters) in spellings.enumerated() {
            if entries(letters).isEmpty { continue }
            let word = encode(letters)
            let range = wordSuffixes.exactRange(of: word.bytes.span.extracting(first: word.count))
            if range.isEmpty { continue }
            let first = hits.count
            var entries = TopKIterator(wordSuffixes.minima, range)
            while hits.count - first < limit, let next = entries.next() {
                try cancellation.step()
                if hits.count > first, Int(hits[hits.count - 1].document) == next.document { continue }
                hits.append(CompactHit(document: next.document, kind: .exact, expansion: number))
            }
        }
        FieldSearcher.merge(&hits, from: start, limit: limit, spellings: spellings.count)
        if exactOnly { return }
        let exactEnd = hits.count
        let left = limit - (exactEnd - start)
        if left == 0 { return }
        for (number, letters) in spellings.enumerated() {
            let range = entries(letters)
            if range.isEmpty { continue }
            let first = hits.count
            var entries = TopKIterator(wordSuffixes.minima, range)
            while hits.count - first < left, let next = entries.next() {
                try cancellation.step()
                if hits.count > first, Int(hits[hits.count - 1].document) == next.document { continue }
                if FieldSearcher.contains(next.document, in: hits, start..<exactEnd) { continue }
                hits.append(CompactHit(document: next.document, kind: .prefix, expansion: number))
            }
        }
        FieldSearcher.merge(&hits, from: exactEnd, limit: left, spellings: spellings.count)
    }

    /// Returns `true` if hits that are sorted by document contain a document.
    private static func contains(_ document: Int, in hits: [CompactHit], _ range: Range<Int>) -> Bool {
        if range.isEmpty { return false }
        let position = range.partitioningIndex { Int(hits[$0].document) >= document }
        return position < range.upperBound && Int(hits[position].document) == document
    }

    /// Merges the hits of several spellings in order of document. Each document appears once, with its first spelling.
    private static func merge(_ hits: inout [CompactHit], from start: Int, limit: Int, spellings: Int) {
        if spellings < 2 || hits.count - start < 2 { return }
        hits[start...].sort { ($0.document, $0.expansion) < ($1.document, $1.expansion) }
        var end = start + 1
        for position in start + 1..<hits.count where hits[position].document != hits[end - 1].document {
            hits[end] = hits[position]
            end += 1
        }
        hits.removeSubrange(min(end, limit == .max ? end : start + limit)...)
    }

    // MARK: - Typos

    /// Appends the documents with a value that begins with the query, apart from typos. Each document appears once, in
    /// the order of a tier of the kind ``MatchKind/typo``.
    ///
    /// - Parameters:
    ///   - spellings: The alternative spellings of the query.
    ///   - fuzziness: The edits allowed for each of them.
    ///   - limit: The maximum number of hits; 0 for all.
    ///   - isCancelled: Polled during the search.
    ///   - hits: The hits to append to.
    public func appendTypos(
        of spellings: [[UInt16]], fuzziness: Fuzziness, limit: Int, isCancelled: (@Sendable () -> Bool)?,
        to hits: inout [CompactHit]
    ) throws(CancellationError) {
        guard field.options.contains(.typos) else { return }
        let limit = limit == 0 ? Int.max : limit
        let spellings = spellings.prefix(SearchQuery.maxExpansions)
        let start = hits.count
        for (number, letters) in spellings.enumerated() {
            let word = encode(letters)
            let maxEdits = fuzziness.edits(letters: word.count)
            if maxEdits == 0 { continue }
            var search = TypoSearch(
                field, wordSuffixes,
                FuzzyWalk(
                    wordSuffixes, field.childSignatures(of: wordSuffixes),
                    word.bytes.span.extracting(first: word.count)),
                expansion: number,
                documents: index.documentCount, limit: limit, cancellation: CancellationCheck(isCancelled))
            try search.run(maxEdits: maxEdits, &hits)
        }
        if spellings.count > 1 { FieldSearcher.mergeTypos(&hits, from: start, limit: limit) }
    }

    /// Merges the hits of several spellings in order of penalty and document. Each document appears once.
    private static func mergeTypos(_ hits: inout [CompactHit], from start: Int, limit: Int) {
        let all = hits[start...].sorted {
            ($0.penalty, $0.document, $0.expansion) < ($1.penalty, $1.document, $1.expansion)
        }
        hits.removeSubrange(start...)
        var seen: Set<Int32> = []
        for hit in all where hits.count - start < limit && seen.insert(hit.document).inserted { hits.append(hit) }
    }
}

/// A hit without its matches, which ``HitMatcher`` locates.
public struct CompactHit: Sendable {
    /// The document number.
    public let document: Int32
    /// The kind of match.
    public let kind: MatchKind
    /// The number of the query expansion that matched.
    let expansion: Int8
    /// `true` if words with typos match in different values.
    let isAcrossValues: Bool
    /// Twice the number of edits, plus one for a wrong first letter.
    let halfEdits: Int16
    /// The evidence against a typo; see ``TypoEvidence``.
    let weakness: Int8

    /// The number of edits, 0 except for typos. A wrong first letter adds a half.
    public var edits: Double { Double(halfEdits) / 2 }

    var penalty: Int { Int(halfEdits) * 4 + Int(weakness) }

    init(document: Int, kind: MatchKind, expansion: Int, halfEdits: Int = 0, weakness: Int = 0) {
        self.weakness = Int8(truncatingIfNeeded: weakness)
        self.document = Int32(truncatingIfNeeded: document)
        self.kind = kind
        self.expansion = Int8(truncatingIfNeeded: expansion)
        self.halfEdits = Int16(truncatingIfNeeded: halfEdits)
        isAcrossValues = false
    }

    /// Creates a hit without its matches.
    public init(_ hit: SearchHit) {
        document = Int32(truncatingIfNeeded: hit.document)
        kind = hit.kind
        expansion = Int8(truncatingIfNeeded: hit.expansion)
        halfEdits = Int16(truncatingIfNeeded: Int(hit.edits * 2))
        weakness = 0
        isAcrossValues = hit.penalty == Candidate.acrossValuesPenalty
    }
}

/// A word in the codes of a field, without an allocation.
private struct EncodedWord {
    private(set) var bytes = InlineArray<60, UInt8>(repeating: 0)
    private(set) var count = 0

    /// Appends a byte, unless the word is as long as a key.
    mutating func append(_ byte: UInt8) {
        if count == WordSuffixArray.maxLength { return }
        bytes[count] = byte
        count += 1
    }
}

/// The search for one spelling with typos.
private struct TypoSearch: ~Copyable {
    private let field: Field
    private let wordSuffixes: WordSuffixArray
    private let walk: FuzzyWalk
    private let expansion: Int
    private let limit: Int
    private var cancellation: CancellationCheck
    private var visited: VisitedSet

    init(
        _ field: Field, _ wordSuffixes: WordSuffixArray, _ walk: consuming FuzzyWalk, expansion: Int, documents: Int,
        limit: Int, cancellation: CancellationCheck
    ) {
        visited = VisitedSet(count: documents, excluded: DocumentSet())
        self.field = field
        self.wordSuffixes = wordSuffixes
        self.expansion = expansion
        self.limit = limit
        self.cancellation = cancellation
        self.walk = walk
    }

    mutating func run(maxEdits: Int, _ hits: inout [CompactHit]) throws(CancellationError) {
        let start = hits.count
        for edits in 1...maxEdits {
            let ranges = try walk.ranges(edits: edits, &cancellation)
            for (isOtherFirst, entries) in [(0, ranges.sameFirstLetter), (1, ranges.otherFirstLetter)] {
                if entries.isEmpty { continue }
                try append(entries, edits: edits, isOtherFirst: isOtherFirst, from: start, &hits)
                if hits.count - start >= limit { return }
            }
        }
    }

    /// Appends the documents of entries, the least evidence against them first; see ``TypoEvidence``.
    private mutating func append(
        _ ranges: [Range<Int>], edits: Int, isOtherFirst: Int, from start: Int, _ hits: inout [CompactHit]
    ) throws(CancellationError) {
        let automaton = EditAutomaton(length: walk.count, edits: edits)
        // The candidates in order of their documents.
        var first: [(weakness: Int, document: Int)] = []
        var entries = TopKIterator(wordSuffixes.minima, ranges)
        while first.count < TierSearch.maxOrderedTypos, let next = entries.next() {
            try cancellation.step()
            if visited.contains(next.document) { continue }
            first.append((weakness(of: next.entry, automaton), next.document))
        }
        first.sort { ($0.weakness, $0.document) < ($1.weakness, $1.document) }
        let halfEdits = edits * 2 + isOtherFirst
        for (weakness, document) in first where visited.insert(document) {
            hits.append(
                CompactHit(
                    document: document, kind: .typo, expansion: expansion, halfEdits: halfEdits, weakness: weakness))
            if hits.count - start >= limit { return }
        }
        while let next = entries.next() {
            try cancellation.step()
            if !visited.insert(next.document) { continue }
            hits.append(
                CompactHit(
                    document: next.document, kind: .typo, expansion: expansion, halfEdits: halfEdits,
                    weakness: TypoEvidence.maxWeakness))
            if hits.count - start >= limit { return }
        }
    }

    /// Returns the amount of evidence against an entry; see ``TypoEvidence``. O(letters).
    private func weakness(of entry: Int, _ automaton: EditAutomaton) -> Int {
        let length = walk.count
        var state = automaton.start
        var hasLetterTooMany = true
        var letters = 0
        wordSuffixes.forEachLetter(of: entry, skipping: 0) { letter in
            letters += 1
            state = automaton.step(state, walk.masks[Int(letter)])
            if letters >= length, automaton.accepts(state) { hasLetterTooMany = false }
            return hasLetterTooMany && automaton.isAlive(state)
        }
        let startsValue = field.forward.startsValue(field.forward.firstSpelling(wordSuffixes.start(of: entry)))
        return (startsValue ? 0 : 1) + (hasLetterTooMany ? 1 : 0)
    }
}

/// Locates the matches of the hits of one request, and prepares its query once for all of them.
public final class HitMatcher {
    private let index: SearchIndex
    private let request: SearchRequest
    private var encoder: QueryEncoder
    private var locators: [(tier: Int, expansion: Int, locator: MatchLocator)] = []

    /// Creates a matcher. Nothing is prepared before the first hit.
    public init(_ index: SearchIndex, _ request: SearchRequest) {
        self.index = index
        self.request = request
        encoder = QueryEncoder(fields: index.fields, queries: request.queries)
    }

    /// Returns the letters that a hit matches, in order of field, value and word. Returns an empty array if the request
    /// cannot have found the hit. O(letters of the document).
    public func matches(of hit: CompactHit) -> [WordMatch] {
        guard let tier = request.tiers.firstIndex(where: { $0.kind == hit.kind }),
            let locator = locator(tier, expansion: Int(hit.expansion)),
            (0..<index.documentCount).contains(Int(hit.document))
        else { return [] }
        return locator.matches(
            of: Candidate(
                document: Int(hit.document), halfEdits: Int(hit.halfEdits), isAcrossValues: hit.isAcrossValues,
                expansion: Int(hit.expansion)))
    }

    private func locator(_ number: Int, expansion: Int) -> MatchLocator? {
        for known in locators where known.tier == number && known.expansion == expansion { return known.locator }
        let tier = request.tiers[number]
        guard index.fields.indices.contains(tier.field), request.queries.indices.contains(tier.query),
            encoder.expansions(of: tier.query, field: tier.field).indices.contains(expansion)
        else { return nil }
        let locator = MatchLocator(
            fieldQueries: encoder.fieldQueries(of: tier, expansion: expansion), tier: tier)
        locators.append((number, expansion, locator))
        return locator
    }
}
