/// An index with later changes on top of it, so that a change is found at once and rebuilds little.
///
/// Each layer is an index of records; what a newer layer says of a record hides what older ones say, and a record that is gone is hidden
/// in all of them. A search asks each layer and merges the answers: the tiers in turn, fewer edits first, and among equals in the order of
/// keys that the caller gives, for ranks of different layers say nothing about each other. Asking costs what a search of
/// each layer costs; a layer of a thousand records costs little beside one of a million.
public struct LayeredIndex: Sendable {
    /// An index and the records in it that are no longer valid.
    public struct Layer: Sendable {
        /// The index.
        public let index: LookupIndex
        /// Numbers of records that a newer layer has, or that are gone.
        public fileprivate(set) var hidden = RecordSet()
    }

    /// The oldest and largest first.
    public private(set) var layers: [Layer]

    /// An index without changes.
    public init(_ base: LookupIndex) { layers = [Layer(index: base)] }

    /// The index with another layer on top.
    ///
    /// - Parameters:
    ///   - index: the changed and new records, as they are now.
    ///   - changed: the identifiers of all records that changed, also of those that are gone.
    /// - Throws: ``IndexFormatError/checksum`` if a layer is verified when used, and damaged.
    /// - Complexity: O(changed · log records) and a copy of the bitmaps of hidden records.
    public func adding(_ index: LookupIndex, changed: some Sequence<Int64>) throws(IndexFormatError) -> LayeredIndex {
        var result = self
        for id in changed {
            for number in result.layers.indices {
                if let record = try result.layers[number].index.record(ofID: id) {
                    result.layers[number].hidden.insert(record)
                }
            }
        }
        result.layers.append(Layer(index: index))
        return result
    }

    /// How many records there are, the hidden ones not counted.
    public var recordCount: Int { layers.reduce(0) { $0 + $1.index.recordCount - $1.hidden.count } }

    /// Searches all layers; see ``LookupIndex/search(_:)``. The records that the request is restricted to are those of each layer.
    ///
    /// - Parameters:
    ///   - request: what is searched.
    ///   - keys: gives for identifiers of records what orders equal matches, smaller first. Asked once at most, and only if
    ///     several layers have matches. Those without a key come last.
    /// - Throws: ``LookupCancelled``; ``IndexFormatError/checksum`` if a layer is verified when used, and damaged; what `keys` throws.
    public func search<Key: Comparable>(
        _ request: LookupRequest, keys: ([Int64]) throws -> [Int64: Key]
    ) throws -> [LookupHit] {
        let answers = try layers.map { layer in
            var request = request
            request.excluded = layer.hidden
            return try layer.index.search(request)
        }
        return try merged(answers, limit: request.limit, keys: keys)
    }

    /// The best records, whatever they hold; see ``LookupIndex/best(_:excluding:)``.
    public func best<Key: Comparable>(
        _ limit: Int, keys: ([Int64]) throws -> [Int64: Key]
    ) throws -> [LookupHit] {
        try merged(layers.map { try $0.index.best(limit, excluding: $0.hidden) }, limit: limit, keys: keys)
    }

    private func merged<Key: Comparable>(
        _ answers: [[LookupHit]], limit: Int, keys: ([Int64]) throws -> [Int64: Key]
    ) rethrows -> [LookupHit] {
        let answers = answers.filter { !$0.isEmpty }
        guard answers.count > 1 else { return answers.first ?? [] }
        let known = try keys(answers.flatMap { $0.map(\.id) })
        func precedes(_ left: LookupHit, _ right: LookupHit) -> Bool {
            if left.tier != right.tier { return left.tier < right.tier }
            if left.grade != right.grade { return left.grade < right.grade }
            guard let leftKey = known[left.id] else { return false }
            return known[right.id].map { leftKey < $0 } ?? true
        }
        var merged: [LookupHit] = []
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
