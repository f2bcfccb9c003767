/// The suffixes of the words of the records in sorted order, for a ``RecordSuffixTable``. Equal ones stay in the order of the records.
struct SortedRecordSuffixes {
    private(set) var records: [UInt32] = []
    private(set) var ordinals: [UInt8] = []
    private(set) var offsets: [UInt8] = []

    init(_ source: LaneSource, hasInfix: [Bool]) {
        var places: [(record: UInt32, ordinal: UInt8, word: UInt32, offset: UInt8)] = []
        for record in 0..<(source.forwardOffsets.count - 1) {
            let range = source.range(of: record)
            for occurrence in range.prefix(RecordSuffixTable.mostOccurrences) {
                let word = Int(source.occurrences[occurrence] & ForwardTable.wordMask)
                guard hasInfix[word] else { continue }
                SortedSuffixes.forEachOffset(in: source.bytes(of: word)) { offset in
                    places.append(
                        (UInt32(record), UInt8(occurrence - range.lowerBound), UInt32(word), UInt8(offset)))
                }
            }
        }
        let order = sortedByBytes(count: places.count, bytes: source.wordBytes) { number in
            let place = places[number]
            return Int(source.wordOffsets[Int(place.word)])
                + Int(place.offset)..<Int(source.wordOffsets[Int(place.word) + 1])
        }
        records = order.map { places[Int($0)].record }
        ordinals = order.map { places[Int($0)].ordinal }
        offsets = order.map { places[Int($0)].offset }
    }
}
