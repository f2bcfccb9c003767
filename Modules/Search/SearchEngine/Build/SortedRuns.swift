/// The runs of a lane in the order of a ``RunTable``, with their keys at hand for building the trie.
struct SortedRuns {
    var records: [UInt32] = []
    var starts: [UInt16] = []
    /// The keys, cut to ``RunTable/longestRun``, in sorted order: bytes and their bounds.
    let keyBytes: [UInt8]
    private(set) var keyStarts: [UInt32] = []
    private(set) var keyLengths: [UInt8] = []

    init(_ source: LaneSource) {
        var bytes: [UInt8] = []
        var places: [UInt32] = []
        var lengths: [UInt8] = []
        var entryRecords: [UInt32] = []
        var entryStarts: [UInt16] = []
        // Two passes, runs of whole fields first, so that a stable sort puts exact matches before others of the same
        // letters.
        for wholeFields in [true, false] {
            for record in 0..<(source.forwardOffsets.count - 1) {
                let range = source.range(of: record)
                var inFirstPosition = false
                var firstOfPosition = 0
                // What begins later in so long a record is not found by its beginning.
                for occurrence in range.prefix(RunTable.mostOccurrences) {
                    let flags = source.occurrences[occurrence]
                    if flags & ForwardTable.otherSpelling == 0 {
                        inFirstPosition = flags & ForwardTable.fieldStart != 0
                        firstOfPosition = places.count
                    }
                    guard inFirstPosition == wholeFields else { continue }
                    let start = bytes.count
                    SortedRuns.appendRun(source, from: occurrence, end: range.upperBound, to: &bytes)
                    // Spellings that differ on one track only (or are given twice to keep tracks aligned) make equal
                    // runs.
                    let isRepetition = (firstOfPosition..<places.count).contains { earlier in
                        bytes[start...] == bytes[Int(places[earlier])..<Int(places[earlier]) + Int(lengths[earlier])]
                    }
                    if isRepetition {
                        bytes.removeLast(bytes.count - start)
                        continue
                    }
                    places.append(UInt32(start))
                    lengths.append(UInt8(bytes.count - Int(places[places.count - 1])))
                    entryRecords.append(UInt32(record))
                    entryStarts.append(UInt16(occurrence - range.lowerBound))
                }
            }
        }
        let order = sortedByBytes(count: places.count, bytes: bytes) { entry in
            Int(places[entry])..<Int(places[entry]) + Int(lengths[entry])
        }
        records = order.map { entryRecords[Int($0)] }
        starts = order.map { entryStarts[Int($0)] }
        keyStarts = order.map { places[Int($0)] }
        keyLengths = order.map { lengths[Int($0)] }
        keyBytes = bytes
    }

    private static func appendRun(_ source: LaneSource, from occurrence: Int, end: Int, to bytes: inout [UInt8]) {
        let limit = bytes.count + RunTable.longestRun
        var first = occurrence
        while source.occurrences[first] & ForwardTable.otherSpelling != 0 { first -= 1 }
        let track = occurrence - first
        var current = occurrence
        while true {
            bytes += source.bytes(of: Int(ForwardTable.word(source.occurrences[current])))
            if bytes.count >= limit { break }
            current += 1
            while current < end && source.occurrences[current] & ForwardTable.otherSpelling != 0 { current += 1 }
            if current >= end || source.occurrences[current] & ForwardTable.fieldStart != 0 { break }
            var step = 0
            while step < track, current + 1 < end,
                source.occurrences[current + 1] & ForwardTable.otherSpelling != 0
            {
                current += 1
                step += 1
            }
        }
        if bytes.count > limit { bytes.removeLast(bytes.count - limit) }
    }

    func letter(_ entry: Int, _ depth: Int) -> UInt8? {
        depth < Int(keyLengths[entry]) ? keyBytes[Int(keyStarts[entry]) + depth] : nil
    }
}
