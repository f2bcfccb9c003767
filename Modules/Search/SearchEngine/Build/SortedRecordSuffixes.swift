/// The suffixes of the words of the records in sorted order, for a ``RecordSuffixTable``. Equal ones stay in the order of the records.
struct SortedRecordSuffixes {
    let entries: [SuffixEntries.Entry]

    init(_ source: LaneSource, hasInfix: [Bool]) {
        var entries: [SuffixEntries.Entry] = []
        var words: [UInt32] = []
        for record in 0..<(source.forwardOffsets.count - 1) {
            let range = source.range(of: record)
            for occurrence in range.prefix(RecordSuffixTable.mostOccurrences) {
                let word = ForwardTable.word(source.occurrences[occurrence])
                guard hasInfix[Int(word)] else { continue }
                SortedSuffixes.forEachOffset(in: source.bytes(of: Int(word))) { offset in
                    entries.append(
                        SuffixEntries.Entry(
                            record: UInt32(record), ordinal: UInt8(occurrence - range.lowerBound), offset: UInt8(offset)
                        ))
                    words.append(word)
                }
            }
        }
        let order = sortedByBytes(count: entries.count, bytes: source.wordBytes) { number in
            let word = Int(words[number])
            return Int(source.wordOffsets[word]) + Int(entries[number].offset)..<Int(source.wordOffsets[word + 1])
        }
        self.entries = order.map { entries[Int($0)] }
    }
}
