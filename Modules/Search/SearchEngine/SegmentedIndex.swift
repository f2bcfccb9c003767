/// An index with later changes on top of it, so that a change is found at once and rebuilds little.
///
/// Each segment is an index of documents; what a newer segment says of a document hides what older ones say, and a document that is gone is tombstones
/// in all of them. A search asks each segment and merges the answers: the tiers in turn, fewer edits first, and among equals in the order of
/// keys that the caller gives, for ranks of different segments say nothing about each other. Asking costs what a search of
/// each segment costs; a segment of a thousand documents costs little beside one of a million.
public struct SegmentedIndex: Sendable {
    /// An index and the documents in it that are no longer valid.
    public struct Segment: Sendable {
        /// The index.
        public let index: SearchIndex
        /// Numbers of documents that a newer segment has, or that are gone.
        public fileprivate(set) var tombstones = DocumentSet()
    }

    /// The oldest and largest first.
    public private(set) var segments: [Segment]

    /// An index without changes.
    public init(_ base: SearchIndex) { segments = [Segment(index: base)] }

    /// The index with another segment on top.
    ///
    /// - Parameters:
    ///   - index: the changed and new documents, as they are now.
    ///   - changed: the identifiers of all documents that changed, also of those that are gone.
    /// - Throws: ``IndexFormatError/checksum`` if a segment is verified when used, and damaged.
    /// - Complexity: O(changed · log documents) and a copy of the bitmaps of tombstones documents.
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

    /// How many documents there are, the tombstones ones not counted.
    public var documentCount: Int { segments.reduce(0) { $0 + $1.index.documentCount - $1.tombstones.count } }

    /// Searches all segments; see ``SearchIndex/search(_:)``. The documents that the request is restricted to are those of each segment.
    ///
    /// - Parameters:
    ///   - request: what is searched.
    ///   - keys: gives for identifiers of documents what orders equal matches, smaller first. Asked once at most, and only if
    ///     several segments have matches. Those without a key come last.
    /// - Throws: ``SearchCancelled``; ``IndexFormatError/checksum`` if a segment is verified when used, and damaged; what `keys` throws.
    public func search<Key: Comparable>(
        _ request: SearchRequest, keys: ([Int64]) throws -> [Int64: Key]
    ) throws -> [SearchHit] {
        let answers = try segments.map { segment in
            var request = request
            request.excluded = segment.tombstones
            return try segment.index.search(request)
        }
        return try merged(answers, limit: request.limit, keys: keys)
    }

    /// The best documents, whatever they hold; see ``SearchIndex/best(_:excluding:)``.
    public func best<Key: Comparable>(
        _ limit: Int, keys: ([Int64]) throws -> [Int64: Key]
    ) throws -> [SearchHit] {
        try merged(segments.map { try $0.index.best(limit, excluding: $0.tombstones) }, limit: limit, keys: keys)
    }

    private func merged<Key: Comparable>(
        _ answers: [[SearchHit]], limit: Int, keys: ([Int64]) throws -> [Int64: Key]
    ) rethrows -> [SearchHit] {
        let answers = answers.filter { !$0.isEmpty }
        guard answers.count > 1 else { return answers.first ?? [] }
        let known = try keys(answers.flatMap { $0.map(\.id) })
        func precedes(_ left: SearchHit, _ right: SearchHit) -> Bool {
            if left.tier != right.tier { return left.tier < right.tier }
            if left.penalty != right.penalty { return left.penalty < right.penalty }
            guard let leftKey = known[left.id] else { return false }
            return known[right.id].map { leftKey < $0 } ?? true
        }
        var merged: [SearchHit] = []
        var next = answers.map { _ in 0 }
        let total = answers.reduce(0) { $0 + $1.count }
        while merged.count < (limit == 0 ? total : Swift.min(limit, total)) {
            var best: Int?
            for (number, answer) in answers.enumerated() where next[number] < answer.count {
                if let other = best, !precedes(answer[next[number]], answers[other][next[other]]) { continue }
                best = number
            }
            guard let best else { break }
            merged.append(answers[best][next[best]])
            next[best] += 1
        }
        return merged
    }
}
