/// An index with later changes on top of it. A change is searchable at once and rebuilds little.
///
/// Each segment is an index of documents. A document in a newer segment replaces the one in older segments, where it
/// gets a tombstone; a deleted document has a tombstone in all of them. A search queries each segment and merges the
/// hits: by tier, or group of tiers, then by penalty or likelihood, then by keys that the caller supplies, because ranks
/// of different segments cannot be compared. It costs as much as a search of each segment, and the keys: three segments
/// on top of a million items double its time.
public struct SegmentedIndex: Sendable {
    /// An index and its deleted documents.
    public struct Segment: Sendable {
        /// The index.
        public let index: SearchIndex
        /// The documents that were deleted or that a newer segment replaces.
        public fileprivate(set) var tombstones = DocumentSet()
    }

    /// The segments, the oldest and largest first.
    public private(set) var segments: [Segment]

    /// Creates an index without changes.
    public init(_ base: SearchIndex) { segments = [Segment(index: base)] }

    /// Returns the documents of each segment with some identifiers. O(identifiers · log documents).
    ///
    /// - Throws: ``IndexFormatError/checksum`` if a segment is verified lazily and is corrupt.
    public func documents(ofIDs ids: [Int64]) throws(IndexFormatError) -> [DocumentSet] {
        var sets: [DocumentSet] = []
        for segment in segments {
            var set = DocumentSet(capacity: segment.index.documentCount)
            for id in ids { if let document = try segment.index.document(ofID: id) { set.insert(document) } }
            sets.append(set)
        }
        return sets
    }

    /// Returns the index with another segment on top, which was built with the documents that it replaces in these
    /// segments. O(documents / 64).
    public func adding(_ index: SearchIndex) -> SegmentedIndex {
        var result = self
        for (number, replaced) in index.replaced(in: segments.map(\.index)).enumerated() {
            result.segments[number].tombstones.formUnion(replaced)
        }
        result.segments.append(Segment(index: index))
        return result
    }

    /// The oldest and largest segment.
    public var base: SearchIndex { segments[0].index }

    /// The newest segment.
    public var newest: SearchIndex { segments[segments.count - 1].index }

    /// Returns the index without its newest segment, which was added by ``adding(_:)`` as all others. O(documents / 64).
    public func removingNewest() -> SegmentedIndex {
        segments.dropFirst().dropLast().reduce(SegmentedIndex(base)) { $0.adding($1.index) }
    }

    /// Returns the index with another segment on top.
    ///
    /// - Parameters:
    ///   - index: The changed and new documents in their current state.
    ///   - changed: The identifiers of all changed documents, including deleted ones.
    /// - Throws: ``IndexFormatError/checksum`` if a segment is verified lazily and is corrupt.
    /// - Complexity: O(changed · log documents), and a copy of the tombstones.
    public func adding(_ index: SearchIndex, changed: some Sequence<Int64>) throws(IndexFormatError) -> SegmentedIndex {
        var result = self
        for id in changed {
            for number in result.segments.indices {
                if let document = try result.segments[number].index.document(ofID: id) {
                    result.segments[number].tombstones.insert(document)
                }
            }
        }
        result.segments.append(Segment(index: index))
        return result
    }

    /// Returns the index of some of the documents: all others have tombstones.
    ///
    /// - Throws: ``IndexFormatError/checksum`` if a segment is verified lazily and is corrupt.
    /// - Complexity: O(identifiers · log documents + documents / 64). A search of it takes time for the matches that are left
    ///   out, too.
    public func restricted(toIDs ids: [Int64]) throws(IndexFormatError) -> SegmentedIndex {
        var result = self
        for (number, documents) in try documents(ofIDs: ids).enumerated() {
            result.segments[number].tombstones.formUnion(
                documents.complement(capacity: segments[number].index.documentCount))
        }
        return result
    }

    /// The number of documents, without the deleted ones.
    public var documentCount: Int { segments.reduce(0) { $0 + $1.index.documentCount - $1.tombstones.count } }

    /// Searches all segments; see ``SearchIndex/search(_:)``. The request's range of documents applies to each segment.
    ///
    /// - Parameters:
    ///   - request: The search.
    ///   - accepts: Returns whether a document that matches is found; nil for all.
    ///   - keys: Returns the sort keys of documents by identifier. They order equal matches, smaller keys first;
    ///     documents without a key come last. The closure is called only for hits of several segments.
    /// - Throws: `CancellationError`; ``IndexFormatError/checksum`` if a segment is verified lazily and is corrupt; any
    ///   error of `keys`.
    public func search<Key: Comparable>(
        _ request: SearchRequest, accepting accepts: ((Int64) -> Bool)? = nil,
        keys: ([Int64]) throws -> [Int64: Key]
    ) throws -> [SearchHit] {
        let isWeighed = request.likelihood != nil && segments.count > 1
        let results = try results { segment in
            var request = request
            request.excluded = segment.tombstones
            request.includesMatches = request.includesMatches && !isWeighed
            return try segment.index.search(request, accepting: accepts, keepingCandidates: isWeighed)
        }
        guard isWeighed else { return try merged(results, limit: request.limit, keys: keys) }
        var hits = try weighed(results, request, keys: keys)
        if request.includesMatches {
            for number in hits.indices {
                hits[number].matches = segments[hits[number].segment].index.matches(of: hits[number], in: request)
            }
        }
        return hits
    }

    /// Searches the newest segment without a limit.
    package func searchNewest(
        _ request: SearchRequest, accepting accepts: ((Int64) -> Bool)? = nil
    ) throws -> [SearchHit] {
        var (request, number) = (request, segments.count - 1)
        (request.limit, request.excluded) = (0, segments[number].tombstones)
        var hits = try segments[number].index.search(request, accepting: accepts)
        for position in hits.indices { hits[position].segment = number }
        return hits
    }

    /// Returns the hits of each segment.
    private func results(_ search: (Segment) throws -> [SearchHit]) rethrows -> [[SearchHit]] {
        try segments.enumerated().map { number, segment in
            var hits = try search(segment)
            if number > 0 { for position in hits.indices { hits[position].segment = number } }
            return hits
        }
    }

    /// Returns the number of documents that a search without a limit finds.
    public func count(_ request: SearchRequest) throws -> Int {
        var request = request
        (request.limit, request.includesMatches) = (0, false)
        return try segments.reduce(0) { count, segment in
            request.excluded = segment.tombstones
            return try count + segment.index.search(request).count
        }
    }

    /// Orders the candidates of all segments as a search of a single index does.
    private func weighed<Key: Comparable>(
        _ results: [[SearchHit]], _ request: SearchRequest, keys: ([Int64]) throws -> [Int64: Key]
    ) rethrows -> [SearchHit] {
        let limit = request.limit == 0 ? Int.max : request.limit
        let results = results.filter { !$0.isEmpty }
        // The order of a single segment is final.
        if results.count < 2 { return results.first.map { $0.count > limit ? Array($0.prefix(limit)) : $0 } ?? [] }
        // The hits of each group are sorted by their places in the results: all matches are not copied again and again.
        typealias Place = (result: Int, position: Int)
        func hit(_ place: Place) -> SearchHit { results[place.result][place.position] }
        var groups: [Int: [Place]] = [:]
        for (result, hits) in results.enumerated() {
            for position in hits.indices { groups[hits[position].group, default: []].append((result, position)) }
        }
        var ordered: [Place] = []
        for (_, group) in groups.sorted(by: { $0.key < $1.key }) {
            if ordered.count >= limit { break }
            let isOfOneSegment = group.allSatisfy { $0.result == group[0].result }
            let sortKeys = try isOfOneSegment ? [:] : keys(group.map { hit($0).id })
            func precedesByRank(_ left: SearchHit, _ right: SearchHit) -> Bool {
                // The documents of a segment are in order of rank.
                if left.segment == right.segment { return left.document < right.document }
                guard let leftKey = sortKeys[left.id] else { return false }
                return sortKeys[right.id].map { leftKey < $0 } ?? true
            }
            let generated = group.sorted { left, right in
                let (left, right) = (hit(left), hit(right))
                if left.tier != right.tier { return left.tier < right.tier }
                return left.penalty == right.penalty
                    ? precedesByRank(left, right) : left.penalty < right.penalty
            }
            // The weighed candidates of tiers with a quota of their own, those of the others, and the rest.
            var (own, common, rest) = ([Place](), [Place](), [Place]())
            for place in generated {
                let hit = hit(place)
                if hit.evidence == nil {
                    rest.append(place)
                } else if request.tiers[hit.tier].hasQuota {
                    if own.count < Likelihood.candidates { own.append(place) } else { rest.append(place) }
                } else {
                    if common.count < Likelihood.candidates { common.append(place) } else { rest.append(place) }
                }
            }
            ordered += (own + common).sorted { left, right in
                let (left, right) = (hit(left), hit(right))
                return left.score == right.score ? precedesByRank(left, right) : left.score > right.score
            }
            ordered += rest
        }
        return ordered.prefix(limit).map(hit)
    }

    /// Returns the best documents regardless of their content; see ``SearchIndex/best(_:excluding:)``.
    public func best<Key: Comparable>(
        _ limit: Int, accepting accepts: ((Int64) -> Bool)? = nil, keys: ([Int64]) throws -> [Int64: Key]
    ) throws -> [SearchHit] {
        try merged(
            results { try $0.index.best(limit, excluding: $0.tombstones, accepting: accepts) }, limit: limit, keys: keys
        )
    }

    /// Returns the bytes that were stored with the document of a hit; see ``SearchIndex/storedBytes(of:)``.
    public func storedBytes(of hit: SearchHit) throws(IndexFormatError) -> [UInt8] {
        guard segments.indices.contains(hit.segment) else { return [] }
        return try segments[hit.segment].index.storedBytes(of: hit.document)
    }

    private func merged<Key: Comparable>(
        _ results: [[SearchHit]], limit: Int, keys: ([Int64]) throws -> [Int64: Key]
    ) rethrows -> [SearchHit] {
        let results = results.filter { !$0.isEmpty }
        guard results.count > 1 else { return results.first ?? [] }
        let sortKeys = try keys(results.flatMap { $0.map(\.id) })
        func precedes(_ left: SearchHit, _ right: SearchHit) -> Bool {
            if left.group != right.group { return left.group < right.group }
            if left.score != right.score { return left.score > right.score }
            guard let leftKey = sortKeys[left.id] else { return false }
            return sortKeys[right.id].map { leftKey < $0 } ?? true
        }
        var merged: [SearchHit] = []
        var next = results.map { _ in 0 }
        let total = results.reduce(0) { $0 + $1.count }
        while merged.count < (limit == 0 ? total : Swift.min(limit, total)) {
            var best: Int?
            for (number, result) in results.enumerated() where next[number] < result.count {
                if let other = best, !precedes(result[next[number]], results[other][next[other]]) { continue }
                best = number
            }
            guard let best else { break }
            merged.append(results[best][next[best]])
            next[best] += 1
        }
        return merged
    }
}

/// A set of document numbers: a bit for each document of an index.
public struct DocumentSet: Sendable, Hashable {
    private(set) var bits: [UInt64] = []
    /// The number of documents in the set.
    public private(set) var count = 0

    /// Creates an empty set.
    public init() {}

    /// Creates an empty set with a bit for each of `capacity` documents.
    init(capacity: Int) { bits = Array(repeating: 0, count: DocumentSet.wordCount(capacity)) }

    /// The number of words of 64 bits for a number of documents.
    static func wordCount(_ documents: Int) -> Int { (documents + 63) / 64 }

    /// Creates the set of the documents whose bits are set.
    init(bits: [UInt64]) {
        self.bits = bits
        count = bits.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    /// `true` if the set is empty.
    public var isEmpty: Bool { count == 0 }

    /// Returns `true` if the set contains a document.
    @inline(__always)
    public func contains(_ document: Int) -> Bool {
        let word = document >> 6
        return word < bits.count && bits[word] & (1 << UInt64(document & 63)) != 0
    }

    /// Inserts the documents of another set.
    mutating func formUnion(_ other: DocumentSet) {
        if isEmpty { return self = other }
        bits = (0..<max(bits.count, other.bits.count)).map { word in
            (word < bits.count ? bits[word] : 0) | (word < other.bits.count ? other.bits[word] : 0)
        }
        count = bits.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    /// Returns the other documents of `capacity`.
    func complement(capacity: Int) -> DocumentSet {
        var words = (0..<DocumentSet.wordCount(capacity)).map { $0 < bits.count ? ~bits[$0] : .max }
        let rest = capacity & 63
        if rest > 0, let last = words.popLast() { words.append(last & (1 << UInt64(rest) - 1)) }
        return DocumentSet(bits: words)
    }

    /// Inserts a document. Returns false if the set already contains it.
    @discardableResult
    public mutating func insert(_ document: Int) -> Bool {
        guard document >= 0, !contains(document) else { return false }
        let word = document >> 6
        if word >= bits.count { bits += Array(repeating: 0, count: word + 1 - bits.count) }
        bits[word] |= 1 << UInt64(document & 63)
        count += 1
        return true
    }
}
