/// Where the runs stand that begin with one typed word, in all the lanes that are looked into.
struct TypedWordRanges {
    /// A range of runs of one lane.
    struct Place {
        var runs: RunTable
        var range: Range<Int>
    }

    var places: [Place] = []
    /// Whether the ranges allow edits, so that the ``StartBitmaps`` of what was typed say nothing.
    var hasEdits = false

    var count: Int { places.reduce(0) { $0 + $1.range.count } }

    /// The runs that begin with a typed word as it is.
    ///
    /// - Parameter query: which of the request's queries the parts are of.
    init(word: Int, _ parts: [SearchPart], query: Int, memory: SearchMemory) {
        for part in parts {
            guard let runs = part.lane.runs, part.query.words.indices.contains(word) else { continue }
            let range = memory.runs(runs, beginningWith: word, of: part, query: query)
            if !range.isEmpty { places.append(Place(runs: runs, range: range)) }
        }
    }

    mutating func add(_ ranges: [Range<Int>], of runs: RunTable) {
        hasEdits = true
        for range in ranges { places.append(Place(runs: runs, range: range)) }
    }
}

/// The records that may have all typed words, in order of rank.
///
/// Rare words come first: a bitmap of the records that have one is intersected with that of the next, as long as that is cheaper than looking
/// at what is left. A common word is left to the ``StartBitmaps``. Either way what comes out has to be checked. O(entries
/// of the rare words + records / 64).
struct WordsCandidates {
    private let parts: [SearchPart]
    private let end: Int
    private let mayCrossWords: Bool
    /// A bit for each record that has the rare words; nil if there is none.
    private var common: [UInt64]?
    /// The typed words that are left to the bitmaps of beginnings.
    private var filtered: [Int] = []

    /// A word is rare up to this share of the records.
    static let rareShare = 8

    /// Candidates for typed words that stand at the beginning of a word each; if they may cross words, they may go on in the next one.
    init(_ parts: [SearchPart], words: [TypedWordRanges], mayCrossWords: Bool = false, bounds: Range<Int>) {
        self.parts = parts
        self.mayCrossWords = mayCrossWords
        end = bounds.upperBound
        let haveStarts = parts.allSatisfy { $0.lane.starts != nil }
        var left = Int.max
        for word in words.indices.sorted(by: { words[$0].count < words[$1].count }) {
            let count = words[word].count
            let canFilter = haveStarts && !words[word].hasEdits
            if canFilter && count > end / WordsCandidates.rareShare {
                filtered.append(word)
                continue
            }
            // A check of a record is worth some thirty entries of a bitmap.
            if common != nil && count / 32 > left { continue }
            left = intersect(words[word])
            if left == 0 { return }
        }
    }

    /// Keeps the records that have a word; tells how many.
    private mutating func intersect(_ word: TypedWordRanges) -> Int {
        var bits = [UInt64](repeating: 0, count: (end + 63) / 64)
        let end = self.end
        var left = 0
        bits.withUnsafeMutableBufferPointer { bits in
            for place in word.places {
                let records = place.runs.records
                for entry in place.range {
                    let record = Int(records[entry])
                    if record >= end { continue }
                    let bit = UInt64(1) << UInt64(record & 63)
                    if bits[record >> 6] & bit == 0 { left += 1 }
                    bits[record >> 6] |= bit
                }
            }
            guard let common else { return }
            left = 0
            common.withUnsafeBufferPointer { common in
                for position in bits.indices {
                    let both = bits[position] & common[position]
                    bits[position] = both
                    if both != 0 { left += both.nonzeroBitCount }
                }
            }
        }
        common = bits
        return left
    }

    /// Calls `body` with each candidate until it returns false; tells whether all were seen.
    func forEach(
        _ poll: CancellationPoll, _ body: (Int) -> Bool
    ) throws(LookupCancelled) -> Bool {
        var poll = poll
        let rows = filtered.map { word in
            parts.compactMap { part in part.lane.starts.map { ($0, row(of: word, part.query, $0.shape)) } }
        }
        for position in 0..<(end + 63) / 64 {
            var bits = common.map { $0[position] } ?? .max
            if bits == 0 { continue }
            for lanes in rows where bits != 0 {
                bits &= lanes.reduce(into: 0) { $0 |= $1.0.load($1.1, at: position) }
            }
            try poll.step()
            while bits != 0 {
                let record = position * 64 + bits.trailingZeroBitCount
                bits &= bits &- 1
                try poll.step()
                if record >= end { return true }
                if !body(record) { return false }
            }
        }
        return true
    }

    /// The row of a typed word that is not split; if it may go on in the next word, that of its first letter.
    private func row(of word: Int, _ query: EncodedQuery, _ shape: BitmapShape) -> Int {
        let letters = query.words.indices.contains(word) ? query.bytes[query.words[word]] : []
        return shape.row(of: mayCrossWords ? letters.prefix(1) : letters)
    }
}
