/// A spelling of part of a word in Latin letters, each with the scalars it stands for.
struct Romanized {
    private(set) var letters: [UInt16] = []
    private(set) var spans: [SourceSpan] = []

    init(capacity: Int = 0) {
        letters.reserveCapacity(capacity)
        spans.reserveCapacity(capacity)
    }

    /// Letters for whole clusters; see ``append(_:of:)``.
    init(_ letters: [UInt16], of clusters: ArraySlice<LetterCluster>) {
        append(letters, of: clusters)
    }

    /// Appends what some clusters are written as: letter by letter where there are as many of them, else each letter
    /// stands for all.
    mutating func append(_ text: [UInt16], of clusters: ArraySlice<LetterCluster>) {
        guard let first = clusters.first, let last = clusters.last else { return }
        letters.append(contentsOf: text)
        if text.count == clusters.count {
            for cluster in clusters { spans.append(SourceSpan(start: cluster.start, end: cluster.end)) }
        } else {
            let span = SourceSpan(start: first.start, end: max(first.end, last.end))
            for _ in text { spans.append(span) }
        }
    }

    /// The same for a short text, by the offsets of the clusters.
    mutating func append(_ text: RomanText, of clusters: ArraySlice<LetterCluster>, from lower: Int, to upper: Int) {
        let base = clusters.startIndex
        guard lower >= 0, lower < upper, upper <= clusters.count else { return }
        let first = clusters[base + lower]
        let whole = SourceSpan(start: first.start, end: max(first.end, clusters[base + upper - 1].end))
        let count = text.count
        for index in 0..<count {
            letters.append(text[index])
            if count == upper - lower {
                let cluster = clusters[base + lower + index]
                spans.append(SourceSpan(start: cluster.start, end: cluster.end))
            } else {
                spans.append(whole)
            }
        }
    }

    /// Appends one scalar as it is.
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

    mutating func append(_ other: Romanized) {
        letters.append(contentsOf: other.letters)
        spans.append(contentsOf: other.spans)
    }
}

/// The spellings of a word while they are put together from its wordSuffixes of one script.
struct SpellingTracks {
    private let own: [LetterCluster]
    /// For each run, what it is written as besides itself.
    private var wordSuffixes: [(range: Range<Int>, spellings: [Romanized])] = []

    init(own: [LetterCluster]) {
        self.own = own
    }

    mutating func add(_ spellings: [Romanized], for range: Range<Int>) {
        wordSuffixes.append((range, spellings))
    }

    /// The word as written, then track by track. A run with fewer tracks goes on with its last one, and trailing
    /// repetitions are left out, since the last track goes on by itself.
    func spellings(origin: Int) -> [FoldedSpelling] {
        var result = [ownSpelling(0..<own.count)]
        let most = own.count > FoldedWord.longestVaried ? 2 : FoldedWord.maximumSpellings - 1
        let count = min(wordSuffixes.map(\.spellings.count).max() ?? 0, most)
        for track in 0..<count {
            if wordSuffixes.count == 1, let only = wordSuffixes.first?.spellings, track < only.count {
                if !only[track].letters.isEmpty { result.append(only[track]) }
                continue
            }
            var whole = Romanized()
            for run in wordSuffixes {
                if let last = run.spellings.indices.last {
                    whole.append(run.spellings[min(track, last)])
                } else {
                    whole.append(ownSpelling(run.range))
                }
            }
            if !whole.letters.isEmpty { result.append(whole) }
        }
        while result.count > 1, result[result.count - 1].letters == result[result.count - 2].letters {
            result.removeLast()
        }
        return result.map { FoldedSpelling(letters: $0.letters, spans: $0.spans, origin: origin) }
    }

    private func ownSpelling(_ range: Range<Int>) -> Romanized {
        var spelling = Romanized()
        for cluster in own[range] { spelling.append(cluster) }
        return spelling
    }
}
