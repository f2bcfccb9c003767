/// The version and the outline of the search engine: bytes in, document numbers out.
///
/// The engine knows no alphabet, file, clock or database. A caller adds documents in order of rank. Each has values of
/// words, and each word has one or more spellings. A search returns hits, best first, with the words and letters that
/// matched.
///
/// The finished index is **one flat block of bytes** (``IndexFormat``). ``IndexBuilder`` builds it in memory; it can be
/// written to a file, mapped back and opened without parsing. Documents are numbered in order of rank, so the best k
/// documents are always the k smallest numbers, and every structure can stop early:
///
/// | structure | answers | idea |
/// | --- | --- | --- |
/// | `WordSuffixArray` | exact, prefix | word-aligned suffix array: the sorted suffixes of all values that start at a word |
/// | `RangeMinimum` | the top k of any range | sparse table over block minima |
/// | `WordPairs` | initials, words in any order | the pairs of words of a value by their first three letters; the rarest pair of pieces of each segmentation |
/// | `WideValues` | the same in values of many words | a few bits per document |
/// | `PrefixSignatures` | the same for common first letters | a bit per document and letter |
/// | `TermSuffixArray` | infix | suffix array of the distinct words, with their posting lists |
/// | `PrefixTrie` + `FuzzyWalk` | typos | a truncated trie, walked along the letters of a word and each possible edit |
///
/// The outline follows Gog, Pibiri and Venturini, "Efficient and effective query auto-completion" (SIGIR 2020).
public enum SearchEngine {
    /// The version of the byte layout. An index of another version is rebuilt, never read. When it changes, run
    /// `Scripts/data/build-airport-indexes`.
    public static let formatVersion: UInt32 = 11
}

/// A finished index, opened over a block of bytes in O(number of sections). Any number of threads can search it at
/// once.
public final class SearchIndex: Sendable {
    /// The bytes of the index, as they are written to a file.
    public let bytes: IndexBytes
    /// The generation of the data that the index was built from.
    public let generation: UInt64
    /// The fingerprint given to the builder. It distinguishes indexes that were built by different rules, for example
    /// by another version of text folding.
    public let fingerprint: UInt64
    /// The number of documents.
    public let documentCount: Int
    let fields: [Field]
    private let ids: PackedView<UInt64>
    /// Empty if the rank of each document equals its number.
    let ranks: PackedView<UInt64>
    private let documentsByID: PackedView<UInt32>
    private let stored: StoredBytes?
    private let replaced: View<UInt64>?
    let verifier: SectionVerifier

    /// The time at which the checksums of an index are verified.
    public enum Verification: Sendable {
        /// When the index is opened. Every byte is read, and no search can fail.
        case eager
        /// Before a search uses a section for the first time. Opening reads only the header and the directory, and a
        /// search throws ``IndexFormatError/checksum`` if it would use a corrupt section.
        case lazy
        /// Never, because the caller knows that the bytes have not changed since they were built. Corrupt bytes can
        /// only cause wrong hits.
        case never
    }

    /// Opens a block of bytes.
    public convenience init(_ bytes: IndexBytes, verifying: Verification = .eager) throws(IndexFormatError) {
        try self.init(bytes)
        switch verifying {
        case .eager: try verify()
        case .lazy: break
        case .never: markVerified()
        }
    }

    /// Opens a block of bytes that was just built, without verifying it.
    convenience init(trusting bytes: IndexBytes) throws(IndexFormatError) {
        try self.init(bytes)
        markVerified()
    }

    private func markVerified() {
        verifier.markVerified()
        for field in fields { field.verifier.markVerified() }
    }

    /// Verifies all checksums that have not been verified yet. O(bytes).
    ///
    /// - Throws: ``IndexFormatError/checksum``.
    public func verify() throws(IndexFormatError) {
        try verifier.verify(.all)
        for field in fields { try field.verifier.verify(.all) }
    }

    private init(_ bytes: IndexBytes) throws(IndexFormatError) {
        let directory = try SectionDirectory(bytes)
        self.bytes = bytes
        verifier = directory.verifier(field: nil)
        generation = directory.generation
        fingerprint = directory.fingerprint
        documentCount = directory.documentCount
        ids = try directory.packed(.documentIDs, of: UInt64.self)
        ranks = try directory.packed(.documentRanks, of: UInt64.self)
        documentsByID = try directory.packed(.documentsByID)
        stored = try StoredBytes(directory, documents: documentCount)
        replaced = directory.contains(.replacedDocuments) ? try directory.view(.replacedDocuments) : nil
        guard ids.count == documentCount, ranks.count == documentCount || ranks.count == 0,
            documentsByID.count == documentCount
        else {
            throw .section(SectionTag.documentIDs.rawValue)
        }
        var fields: [Field] = []
        for field in 0..<directory.fieldCount {
            fields.append(try Field(directory, field: field))
        }
        self.fields = fields
    }

    /// Returns the caller's identifier of a document, or 0 if the document does not exist.
    public func id(of document: Int) -> Int64 { Int64(bitPattern: ids[document]) }

    /// Returns the number of the document with an identifier, or nil. O(log documents).
    ///
    /// - Throws: ``IndexFormatError/checksum`` if the index is verified lazily and is corrupt.
    public func document(ofID id: Int64) throws(IndexFormatError) -> Int? {
        try verifier.verify([.base, .identifiers])
        let index = (0..<documentCount).partitioningIndex { self.id(of: Int(documentsByID[$0])) >= id }
        let document = Int(documentsByID[index])
        return document < documentCount && self.id(of: document) == id ? document : nil
    }

    /// Returns the documents of each older segment that this one replaces.
    func replaced(in older: [SearchIndex]) -> [DocumentSet] {
        var start = 0
        return older.map { index in
            let end = start + DocumentSet.wordCount(index.documentCount)
            defer { start = end }
            return DocumentSet(bits: (start..<end).map { word in replaced.map { word < $0.count ? $0[word] : 0 } ?? 0 })
        }
    }

    /// Returns the bytes that were stored with a document; empty if there are none.
    ///
    /// - Throws: ``IndexFormatError/checksum`` if they are corrupt.
    public func storedBytes(of document: Int) throws(IndexFormatError) -> [UInt8] {
        guard let stored, (0..<documentCount).contains(document) else { return [] }
        try verifier.verify(.storedOffsets)
        return try stored[document]
    }

    /// Returns the rank of a document. Smaller ranks are better.
    public func rank(of document: Int) -> UInt64 { ranks.count == 0 ? UInt64(document) : ranks[document] }

    /// The first rank of documents without a use or mark; see ``rank(at:isPreferred:)``.
    private static let ordinaryRank: UInt64 = 1 << 31

    /// Returns the rank of a document at a position of the order.
    ///
    /// - Parameters:
    ///   - position: The position.
    ///   - isPreferred: `true` for a document that is more likely than others, such as a favorite. Such documents come
    ///     first in the order, and the likelihood of their matches is larger.
    public static func rank(at position: Int, isPreferred: Bool) -> UInt64 {
        UInt64(position) + (isPreferred ? 1 : ordinaryRank)
    }

    private func isPreferred(_ document: Int) -> Bool {
        ranks.count > 0 && (1..<SearchIndex.ordinaryRank).contains(ranks[document])
    }

    /// Returns the best documents regardless of their content, as for an empty query. The hits carry no match ranges.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of hits; 0 for all.
    ///   - excluded: The documents to leave out.
    ///   - accepts: Returns whether to include the document with an identifier; nil for all.
    /// - Throws: ``IndexFormatError/checksum`` if the index is verified lazily and is corrupt.
    public func best(
        _ limit: Int, excluding excluded: DocumentSet = DocumentSet(), accepting accepts: ((Int64) -> Bool)? = nil
    ) throws(IndexFormatError) -> [SearchHit] {
        try verifier.verify(.base)
        var hits: [SearchHit] = []
        for document in 0..<documentCount where !excluded.contains(document) {
            if limit != 0 && hits.count == limit { break }
            if let accepts, !accepts(id(of: document)) { continue }
            hits.append(
                SearchHit(
                    document: document, id: id(of: document), tier: 0, field: 0, kind: .prefix, edits: 0, penalty: 0,
                    matches: []
                ))
        }
        return hits
    }

    // MARK: - Searching

    /// Searches tier by tier, best documents first, until the limit is reached. A document appears once, in its best
    /// tier.
    ///
    /// Complexity: a prefix of any length takes O(length + k · log k) for the best k documents. Initials, words and
    /// typos are described at `SegmentationCandidates` and `PrefixTrie`. With `limit` 0, k is the number of matches.
    ///
    /// - Parameters:
    ///   - request: The search.
    ///   - accepts: Returns whether a document that matches is found, by its identifier; nil for all. The others are left
    ///     out as if they were excluded. It is called in the order of the search, and may be called again for a document.
    /// - Throws: `CancellationError` if ``SearchRequest/isCancelled`` returns true; ``IndexFormatError/checksum`` if
    ///   the index is verified lazily and is corrupt.
    public func search(
        _ request: SearchRequest, accepting accepts: ((Int64) -> Bool)? = nil
    ) throws -> [SearchHit] {
        try search(request, accepting: accepts, keepingCandidates: false)
    }

    /// - Parameter keepsCandidates: `true` to return all candidates of the groups that were searched, for a search of
    ///   several segments.
    func search(
        _ request: SearchRequest, accepting accepts: ((Int64) -> Bool)?, keepingCandidates keepsCandidates: Bool
    ) throws -> [SearchHit] {
        try verifier.verify(.base)
        let limit = request.limit == 0 ? Int.max : request.limit
        var found = GroupedHits(
            VisitedSet(count: documentCount, excluded: request.excluded), isWeighing: request.likelihood != nil)
        var locators = MatchLocators(fields, request)
        let cache = SearchCache()
        let cancellation = CancellationCheck(request.isCancelled)
        let bounds = request.documents.clamped(to: 0..<documentCount)
        let isAccepted = accepts.map { accepts in { accepts(self.id(of: $0)) } }
        for (number, tier) in request.tiers.enumerated() {
            if number > 0, tier.group != request.tiers[number - 1].group { found.endGroup() }
            let missing = max(limit - found.count, 0)
            found.beginTier(tier, missing: missing)
            let wanted = max(found.missingToWeigh, missing)
            if found.start >= limit || wanted == 0 || tier.isFallback && found.count > 0 { continue }
            try cancellation.check()
            guard fields.indices.contains(tier.field), request.queries.indices.contains(tier.query) else { continue }
            let groups = tier.groups(isMultiWord: request.queries[tier.query].words.count > 1).union(.base)
            try fields[tier.field].verifier.verify(groups)
            for field in tier.otherFields where fields.indices.contains(field) {
                try fields[field].verifier.verify(groups)
            }
            let expansions = locators.encoder.expansions(of: tier.query, field: tier.field)
            func candidates(
                _ wanted: Int, room: Int, without visited: VisitedSet, _ cache: SearchCache
            ) throws(CancellationError) -> [Candidate] {
                var candidates: [Candidate] = []
                for expansion in expansions.indices {
                    var search = TierSearch(
                        fieldQueries: locators.encoder.fieldQueries(of: tier, expansion: expansion), tier: tier,
                        bounds: bounds, limit: wanted, room: room, visited: visited, accepts: isAccepted,
                        cancellation: cancellation, cache: cache, expansion: expansion)
                    let found = try search.run()
                    if candidates.isEmpty { candidates = found } else { candidates += found }
                }
                if expansions.count > 1 {
                    candidates.sort {
                        $0.penalty == $1.penalty ? $0.document < $1.document : $0.penalty < $1.penalty
                    }
                }
                return candidates
            }
            func hit(of candidate: Candidate, isWeighed: Bool) -> SearchHit {
                var hit = SearchHit(
                    document: candidate.document, id: id(of: candidate.document), tier: number, field: tier.field,
                    kind: tier.kind, edits: Double(candidate.halfEdits) / 2, penalty: candidate.penalty,
                    group: request.likelihood == nil ? number : tier.group, score: -candidate.penalty, matches: [],
                    likelihood: request.likelihood, expansion: candidate.expansion)
                guard let likelihood = request.likelihood else { return hit }
                if isWeighed {
                    var evidence = locators.evidence(of: candidate, tier: number)
                    evidence.isPreferred = isPreferred(candidate.document)
                    hit.score = likelihood.score(evidence)
                    hit.evidence = evidence
                } else {
                    // Those that are not weighed follow in the order of their tiers.
                    hit.score -= (number + 1) << 32
                }
                return hit
            }
            if found.missingToWeigh > 0, found.hasUnweighed {
                // The same documents are weighed as if there were no room for those that are not.
                found.add(
                    try candidates(found.missingToWeigh, room: 0, without: found.weighed, cache), limit: limit, hit)
                found.missingToWeigh = 0
                let missing = limit - found.count
                if missing > 0 {
                    found.add(
                        try candidates(missing, room: missing, without: found.known, SearchCache()), limit: limit, hit)
                }
            } else {
                found.add(try candidates(wanted, room: missing, without: found.known, cache), limit: limit, hit)
            }
        }
        found.endGroup()
        if !keepsCandidates, found.hits.count > limit { found.hits.removeLast(found.hits.count - limit) }
        if request.includesMatches {
            for number in found.hits.indices {
                let hit = found.hits[number]
                found.hits[number].matches = locators[hit.tier, hit.expansion].matches(of: Candidate(hit))
            }
        }
        return found.hits
    }

    /// Locates the matches of a hit that was found with ``SearchRequest/includesMatches`` off. O(letters of the
    /// document).
    public func matches(of hit: SearchHit, in request: SearchRequest) -> [WordMatch] {
        guard request.tiers.indices.contains(hit.tier), (0..<documentCount).contains(hit.document) else { return [] }
        let tier = request.tiers[hit.tier]
        guard fields.indices.contains(tier.field), request.queries.indices.contains(tier.query) else { return [] }
        var encoder = QueryEncoder(fields: fields, queries: request.queries)
        guard encoder.expansions(of: tier.query, field: tier.field).indices.contains(hit.expansion) else { return [] }
        let fieldQueries = encoder.fieldQueries(of: tier, expansion: hit.expansion)
        return MatchLocator(fieldQueries: fieldQueries, tier: tier).matches(of: Candidate(hit))
    }
}

extension Candidate {
    /// The candidate from which a hit was made.
    fileprivate init(_ hit: SearchHit) {
        self.init(
            document: hit.document, halfEdits: Int(hit.edits * 2),
            isAcrossValues: hit.penalty == Candidate.acrossValuesPenalty, expansion: hit.expansion)
    }
}

/// The hits of a search. With a likelihood, those of a group are ordered by their scores.
///
/// A document that is not weighed in its tier may be weighed in a later one, as if it had not been found before. So the order
/// of the hits does not depend on their limit.
private struct GroupedHits {
    var hits: [SearchHit] = []
    /// The position of the first hit of the group.
    private(set) var start = 0
    /// The documents of earlier groups and those of the group that are weighed.
    private(set) var weighed: VisitedSet
    /// All documents.
    private(set) var known: VisitedSet
    /// The number of documents of the tier that are still to be weighed.
    var missingToWeigh = 0
    private var weighedCount = 0
    /// The number of documents that are weighed and also among the hits that are not.
    private var repeatedCount = 0

    /// `true` if there is a likelihood. Otherwise all documents count as weighed, and keep the order of their tiers.
    private let isWeighing: Bool

    init(_ excluded: VisitedSet, isWeighing: Bool) {
        (weighed, known, self.isWeighing) = (excluded, excluded, isWeighing)
    }

    /// The number of documents.
    var count: Int { hits.count - repeatedCount }

    /// `true` if hits of the group are not weighed.
    var hasUnweighed: Bool { hits.count - start > weighedCount }

    /// Begins a tier.
    ///
    /// - Parameter missing: The number of documents that are missing to the limit.
    mutating func beginTier(_ tier: SearchTier, missing: Int) {
        missingToWeigh =
            isWeighing ? max(Likelihood.candidates - (tier.hasQuota ? 0 : weighedCount), 0) : missing
    }

    /// Adds documents of the tier until as many are weighed as are to be, and there are as many as the limit.
    mutating func add(_ candidates: [Candidate], limit: Int, _ hit: (Candidate, _ isWeighed: Bool) -> SearchHit) {
        // All matches of a large index are not copied while they are appended.
        if candidates.count > hits.count { hits.reserveCapacity(hits.count + candidates.count) }
        for candidate in candidates where missingToWeigh > 0 || count < limit {
            let isWeighed = missingToWeigh > 0 && !(candidate.isLate && isWeighing)
            guard insert(candidate.document, isWeighed: isWeighed) else { continue }
            if isWeighed { missingToWeigh -= 1 }
            hits.append(hit(candidate, isWeighed))
        }
    }

    /// Inserts a document. Returns true if its hit is to be appended.
    private mutating func insert(_ document: Int, isWeighed: Bool) -> Bool {
        let isNew = known.insert(document)
        guard isWeighed else { return isNew }
        guard weighed.insert(document) else { return false }
        weighedCount += 1
        if !isNew { repeatedCount += 1 }
        return true
    }

    /// Orders the hits of the group by score, then by rank.
    mutating func endGroup() {
        guard isWeighing else { return }
        if repeatedCount > 0 {
            let documents = Set(hits[start...].lazy.filter { $0.evidence != nil }.map(\.document))
            hits[start...].removeAll { $0.evidence == nil && documents.contains($0.document) }
            repeatedCount = 0
        }
        if hits.count - start > 1 {
            hits[start...].sort { $0.score == $1.score ? $0.document < $1.document : $0.score > $1.score }
        }
        (start, weighed, weighedCount) = (hits.count, known, 0)
    }
}

/// The match locators of a search by tier and query expansion, created when first needed.
private struct MatchLocators {
    private let fields: [Field]
    private let request: SearchRequest
    var encoder: QueryEncoder
    private var known: [(tier: Int, expansion: Int, reader: EvidenceReader)] = []

    init(_ fields: [Field], _ request: SearchRequest) {
        self.fields = fields
        self.request = request
        encoder = QueryEncoder(fields: fields, queries: request.queries)
    }

    subscript(tier: Int, expansion: Int) -> MatchLocator {
        mutating get { reader(tier, expansion).locator }
    }

    mutating func evidence(of candidate: Candidate, tier: Int) -> MatchEvidence {
        reader(tier, candidate.expansion).evidence(of: candidate)
    }

    private mutating func reader(_ number: Int, _ expansion: Int) -> EvidenceReader {
        // The last ones are used most.
        for known in known.reversed() where known.tier == number && known.expansion == expansion { return known.reader }
        let tier = request.tiers[number]
        let reader = EvidenceReader(
            MatchLocator(fieldQueries: encoder.fieldQueries(of: tier, expansion: expansion), tier: tier),
            title: tier.titleField.flatMap { fields.indices.contains($0) ? ($0, fields[$0]) : nil },
            fieldBits: request.likelihood?.fields ?? [])
        known.append((number, expansion, reader))
        return reader
    }
}

extension SearchTier {
    /// Returns the sections that this kind of match uses in addition to the base.
    fileprivate func groups(isMultiWord: Bool) -> SectionGroup {
        switch match {
        case .exact, .joined: .wordSuffixes
        case .prefix where !isMultiWord: .wordSuffixes
        case .prefix, .wholeWords: [.wordSuffixes, .postings]
        case .initials, .words, .wordsAcrossValues, .typo, .soundAlikes: [.wordSuffixes, .signatures]
        case .infix: isMultiWord ? [.wordSuffixes, .suffixes, .postings] : [.suffixes, .postings]
        }
    }
}

/// The bytes that the builder's caller stored with each document.
///
/// A document's bytes are between their length and their checksum, so reading the bytes of one document does not read
/// all the others. They are in the order in which the documents were added, so they can be written at once.
struct StoredBytes: Sendable {
    /// The length of a length, and of a checksum.
    private static let numberLength = 4

    private let offsets: PackedView<UInt32>
    private let bytes: View<UInt8>

    /// Returns nil if nothing is stored.
    init?(_ directory: SectionDirectory, documents: Int) throws(IndexFormatError) {
        guard directory.contains(.storedOffsets) else { return nil }
        offsets = try directory.packed(.storedOffsets)
        bytes = try directory.view(.storedBytes)
        guard offsets.count == documents else { throw .section(SectionTag.storedOffsets.rawValue) }
    }

    /// Returns the bytes of a document with their length and checksum.
    static func record(of bytes: [UInt8]) -> [UInt8] {
        func number(_ value: UInt32) -> [UInt8] {
            (0..<numberLength).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        return number(UInt32(bytes.count)) + bytes + number(checksum(of: bytes))
    }

    /// Returns the bytes of a document; empty if it has none.
    ///
    /// - Throws: ``IndexFormatError/checksum`` if they are corrupt.
    subscript(document: Int) -> [UInt8] {
        get throws(IndexFormatError) {
            guard (0..<offsets.count).contains(document) else { return [] }
            let start = Int(offsets[document]) + Self.numberLength
            guard start <= bytes.count else { throw .checksum }
            let end = start + Int(number(endingAt: start))
            guard end <= bytes.count - Self.numberLength else { throw .checksum }
            let stored = bytes.array(start..<end)
            guard Self.checksum(of: stored) == number(endingAt: end + Self.numberLength) else { throw .checksum }
            return stored
        }
    }

    private func number(endingAt end: Int) -> UInt32 {
        bytes.array(end - Self.numberLength..<end).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Returns the lower half of ``ByteHash/checksum(of:)``, which mixes both halves of the hash.
    private static func checksum(of bytes: [UInt8]) -> UInt32 {
        // Safe: the buffer is used during the call only.
        unsafe bytes.withUnsafeBytes { unsafe UInt32(truncatingIfNeeded: ByteHash.checksum(of: $0)) }
    }
}

/// Collects the ``StoredBytes`` of the documents, and writes them in pieces if there is a stream.
struct StoredBytesBuilder {
    private static let pieceLength = 1 << 20

    private let stream: SectionStream?
    /// The start of each document's record. Documents without bytes share the first record.
    private var starts: [UInt32] = []
    /// The bytes that are not yet written.
    private var bytes: [UInt8] = []
    private var count = 0

    init(_ stream: SectionStream?) { self.stream = stream }

    mutating func beginDocument() { starts.append(0) }

    /// Adds the bytes of the last document.
    mutating func add(_ document: [UInt8]) {
        if count == 0 {
            stream?.begin(.storedBytes)
            append(StoredBytes.record(of: []))
        }
        // Bytes beyond four gigabytes are not stored, and are read from the source of the document.
        if document.isEmpty || count + document.count > UInt32.max - 1_000 { return }
        starts[starts.count - 1] = UInt32(count)
        append(StoredBytes.record(of: document))
        if let stream, bytes.count >= 2 * Self.pieceLength {
            stream.append(Array(bytes[..<Self.pieceLength]))
            bytes.removeFirst(Self.pieceLength)
        }
    }

    private mutating func append(_ record: [UInt8]) {
        bytes += record
        count += record.count
    }

    /// Writes the sections, unless nothing is stored.
    ///
    /// - Parameter order: The documents by their numbers in the index.
    mutating func write(order: [Int], to writer: inout SectionWriter) {
        if count == 0 { return }
        if let stream {
            stream.append(bytes)
            stream.end()
        } else {
            writer.add(.storedBytes, bytes)
        }
        bytes = []
        writer.addPacked(.storedOffsets, order.map { starts[$0] })
    }
}
