/// A spelling of part of a word in which each letter has its source range.
struct Romanization {
    private(set) var letters: [UInt16] = []
    private(set) var spans: [SourceSpan] = []

    init(capacity: Int = 0) {
        letters.reserveCapacity(capacity)
        spans.reserveCapacity(capacity)
    }

    /// Creates a spelling of clusters; see ``append(_:of:)``.
    init(_ letters: [UInt16], of clusters: ArraySlice<LetterCluster>) {
        append(letters, of: clusters)
    }

    /// Appends the letters of clusters. Equal counts map one to one; otherwise each letter maps to all clusters.
    mutating func append(_ text: some RandomAccessCollection<UInt16>, of clusters: ArraySlice<LetterCluster>) {
        guard let first = clusters.first, let last = clusters.last else { return }
        letters.append(contentsOf: text)
        if text.count == clusters.count {
            for cluster in clusters { spans.append(SourceSpan(start: cluster.start, end: cluster.end)) }
        } else {
            let span = SourceSpan(start: first.start, end: max(first.end, last.end))
            for _ in text { spans.append(span) }
        }
    }

    /// Appends the base letter of a cluster.
    mutating func append(_ cluster: LetterCluster) {
        let span = SourceSpan(start: cluster.start, end: cluster.end)
        if cluster.base < 0x10000 {
            letters.append(UInt16(truncatingIfNeeded: cluster.base))
            spans.append(span)
        } else if let scalar = Unicode.Scalar(cluster.base) {
            for unit in UTF16.encode(scalar) ?? .init() {
                letters.append(unit)
                spans.append(span)
            }
        }
    }

    mutating func append(_ other: Romanization) {
        letters.append(contentsOf: other.letters)
        spans.append(contentsOf: other.spans)
    }
}

/// Combines the spellings of a word from its segments of one script.
struct SpellingTracks {
    private let own: [LetterCluster]
    private var segments: [(range: Range<Int>, spellings: [Romanization])] = []

    init(own: [LetterCluster]) {
        self.own = own
    }

    mutating func add(_ spellings: [Romanization], for range: Range<Int>) {
        segments.append((range, spellings))
    }

    /// Returns the word in its own script, then its spelling in each track.
    ///
    /// A segment with fewer tracks continues its last one. Trailing repetitions are dropped.
    func spellings(origin: Int) -> [FoldedSpelling] {
        var result = [ownSpelling(0..<own.count)]
        let most = own.count > FoldedWord.maximumVariedLength ? 2 : FoldedWord.maximumSpellings - 1
        let count = min(segments.map { $0.spellings.count }.max() ?? 0, most)
        for track in 0..<count {
            if segments.count == 1, let only = segments.first?.spellings, track < only.count {
                if !only[track].letters.isEmpty { result.append(only[track]) }
                continue
            }
            var whole = Romanization()
            for segment in segments {
                if let last = segment.spellings.indices.last {
                    whole.append(segment.spellings[min(track, last)])
                } else {
                    whole.append(ownSpelling(segment.range))
                }
            }
            if !whole.letters.isEmpty { result.append(whole) }
        }
        while result.count > 1, result[result.count - 1].letters == result[result.count - 2].letters {
            result.removeLast()
        }
        return result.map { FoldedSpelling(letters: $0.letters, spans: $0.spans, origin: origin) }
    }

    private func ownSpelling(_ range: Range<Int>) -> Romanization {
        var spelling = Romanization()
        for cluster in own[range] { spelling.append(cluster) }
        return spelling
    }
}
