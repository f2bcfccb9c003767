extension SuffixTable {
    /// Where in a record a search inside words goes on over typed gaps: the suffix is the whole first typed word, and
    /// the next words of the field are the other typed ones, the last perhaps unfinished. O(occurrences of the
    /// record).
    func continuation(
        of query: EncodedQuery, _ suffix: Int, in range: Range<Int>, _ forward: ForwardTable
    ) -> Int? {
        let word = Int(suffixWords[suffix])
        guard words.length(of: word) - Int(suffixOffsets[suffix]) == query.words[0].count else { return nil }
        return range.first { occurrence in
            guard forward.word(occurrence) == word else { return false }
            var current = occurrence
            let spelling = forward.spelling(occurrence)
            for typed in query.words.dropFirst() {
                guard let next = forward.next(after: current, spelling: spelling, end: range.upperBound) else {
                    return false
                }
                let nextWord = forward.word(next)
                let length = words.length(of: nextWord)
                let isLast = typed.upperBound == query.bytes.count
                guard isLast ? length >= typed.count : length == typed.count else { return false }
                let bytes = words.start(of: nextWord)
                for position in 0..<typed.count where bytes[position] != query.bytes[typed.lowerBound + position] {
                    return false
                }
                current = next
            }
            return true
        }
    }
}
