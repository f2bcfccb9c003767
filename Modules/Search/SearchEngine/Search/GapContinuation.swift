/// Where in a record a search over typed gaps stands: a word is the first typed word, or ends with it (and is longer), and the next words
/// of the field are the other typed ones, the last perhaps unfinished.
struct GapContinuation {
    private let forward: ForwardTable
    private let words: WordDictionary
    private let query: EncodedQuery
    private let isInside: Bool

    /// With `isInside` the first typed word has to end a longer word, without it has to be a whole one.
    init(lane: Lane, query: EncodedQuery, isInside: Bool) {
        self.isInside = isInside
        forward = lane.forward
        words = lane.words
        self.query = query
    }

    /// The occurrence it starts in and the bytes of that word before it, or nil. O(occurrences of the record).
    func place(in record: Int) -> (occurrence: Int, offset: Int)? {
        let range = forward.range(of: record)
        let first = query.words[0]
        for occurrence in range {
            let word = forward.word(occurrence)
            let offset = words.length(of: word) - first.count
            guard isInside ? offset > 0 : offset == 0, isEqual(words.start(of: word) + offset, first),
                goesOn(after: occurrence, end: range.upperBound)
            else { continue }
            return (occurrence, offset)
        }
        return nil
    }

    private func goesOn(after occurrence: Int, end: Int) -> Bool {
        var current = occurrence
        let spelling = forward.spelling(occurrence)
        for typed in query.words.dropFirst() {
            guard let next = forward.next(after: current, spelling: spelling, end: end) else { return false }
            let word = forward.word(next)
            let length = words.length(of: word)
            let isLast = typed.upperBound == query.bytes.count
            guard isLast ? length >= typed.count : length == typed.count, isEqual(words.start(of: word), typed) else {
                return false
            }
            current = next
        }
        return true
    }

    @inline(__always)
    private func isEqual(_ letters: UnsafePointer<UInt8>, _ typed: Range<Int>) -> Bool {
        query.bytes.withUnsafeBufferPointer { bytes in
            for position in 0..<typed.count where letters[position] != bytes[typed.lowerBound + position] {
                return false
            }
            return true
        }
    }
}
