/// Checks one record for all typed words, each the beginning of a word of its own, in any field of any of the lanes.
///
/// Few words and a step limit keep it cheap: O(typed words · occurrences) unless typed words compete for the same ones.
final class WordsAlignment {
    struct Piece {
        var part: Int
        var occurrence: Int
        var length: Int
    }

    static let mostSteps = 20_000

    private let parts: [SearchPart]
    private var steps = 0
    /// The pieces of the last match, in the order of the query.
    private(set) var pieces: [Piece] = []

    init(_ parts: [SearchPart]) { self.parts = parts }

    func matches(_ record: Int) -> Bool {
        pieces.removeAll(keepingCapacity: true)
        steps = 0
        return matches(record, from: 0)
    }

    private func matches(_ record: Int, from word: Int) -> Bool {
        if word == parts[0].query.words.count { return true }
        for (number, part) in parts.enumerated() where part.query.words.indices.contains(word) {
            let typed = part.query.words[word]
            let forward = part.lane.forward
            let range = forward.range(of: record)
            var slot = range.lowerBound
            while slot < range.upperBound {
                var end = slot + 1
                while end < range.upperBound && forward.isOtherSpelling(end) { end += 1 }
                for occurrence in slot..<end where begins(occurrence, with: typed, part) {
                    steps += 1
                    if steps > WordsAlignment.mostSteps { return false }
                    let isUsed = pieces.contains {
                        $0.part == number && $0.occurrence >= slot && $0.occurrence < end
                    }
                    if isUsed { break }
                    pieces.append(Piece(part: number, occurrence: occurrence, length: typed.count))
                    if matches(record, from: word + 1) { return true }
                    pieces.removeLast()
                    break  // another spelling of the same word leads nowhere else
                }
                slot = end
            }
        }
        return false
    }

    @inline(__always)
    private func begins(_ occurrence: Int, with typed: Range<Int>, _ part: SearchPart) -> Bool {
        let word = part.lane.forward.word(occurrence)
        guard part.lane.words.length(of: word) >= typed.count else { return false }
        let letters = part.lane.words.start(of: word)
        return part.query.bytes.withUnsafeBufferPointer { bytes in
            for position in 0..<typed.count where letters[position] != bytes[typed.lowerBound + position] {
                return false
            }
            return true
        }
    }
}

/// The records that may have all typed words, in order of rank: those of the rarest word if it is rare, else all that
/// pass the bitmaps of every word.
struct WordsCandidates {
    private let parts: [SearchPart]
    /// The records that have the rarest word, ascending; nil if it is common.
    private var few: [UInt32]?

    /// The rarest word is worth starting from up to this share of the records.
    static let rareShare = 64

    init(_ parts: [SearchPart], bounds: Range<Int>) {
        self.parts = parts
        guard parts.allSatisfy({ $0.lane.runs != nil }) else { return }
        var rarest: (count: Int, ranges: [Range<Int>])?
        for word in parts[0].query.words.indices {
            let ranges = parts.map { part in
                guard let runs = part.lane.runs, part.query.words.indices.contains(word) else { return 0..<0 }
                return part.query.bytes.withUnsafeBufferPointer {
                    runs.range(of: UnsafeBufferPointer(rebasing: $0[part.query.words[word]]))
                }
            }
            let count = ranges.reduce(0) { $0 + $1.count }
            if count < rarest?.count ?? .max { rarest = (count, ranges) }
        }
        guard let rarest,
            rarest.count * WordsCandidates.rareShare < bounds.upperBound || rarest.count < 64
                || parts.contains(where: { $0.lane.starts == nil })
        else {
            return
        }
        var records: [UInt32] = []
        records.reserveCapacity(rarest.count)
        for (part, range) in zip(parts, rarest.ranges) {
            guard let runs = part.lane.runs else { continue }
            for entry in range { records.append(runs.records[entry]) }
        }
        records.sort()
        few = records
    }

    /// Calls `body` with each candidate until it returns false; tells whether all were seen.
    func forEach(
        upTo end: Int, _ poll: CancellationPoll, _ body: (Int) -> Bool
    ) throws(LookupCancelled) -> Bool {
        var poll = poll
        if let few {
            var last = UInt32.max
            for record in few where record != last {
                last = record
                try poll.step()
                if Int(record) >= end { return true }
                if !body(Int(record)) { return false }
            }
            return true
        }
        let filters = parts.compactMap { part in
            part.lane.starts.map { SplitFilter($0, query: part.query) }
        }
        guard let blocks = filters.map(\.blockCount).max() else { return true }
        for block in 0..<blocks {
            try poll.now()
            var candidates = SIMD8<UInt64>(repeating: .max)
            for word in parts[0].query.words.indices {
                candidates &= filters.reduce(into: SIMD8<UInt64>.zero) { $0 |= $1.records(ofWord: word, in: block) }
            }
            if candidates == .zero { continue }
            for word in 0..<StartBitmaps.blockWords {
                var bits = candidates[word]
                while bits != 0 {
                    let record = block * StartBitmaps.blockRecords + word * 64 + bits.trailingZeroBitCount
                    bits &= bits &- 1
                    if record >= end { return true }
                    if !body(record) { return false }
                }
            }
        }
        return true
    }
}
