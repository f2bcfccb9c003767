/// Locates a query of several words as a phrase: consecutive words of a value match the typed words, the last one as a
/// prefix.
struct PhraseMatcher {
    private let forward: ForwardIndex
    private let words: TermDictionary
    private let query: EncodedQuery
    private let startsInsideWord: Bool

    /// - Parameter startsInsideWord: If `true`, the first typed word must be a proper suffix of a word, otherwise a
    ///   whole word.
    init(field: Field, query: EncodedQuery, startsInsideWord: Bool) {
        self.startsInsideWord = startsInsideWord
        forward = field.forward
        words = field.words
        self.query = query
    }

    /// The token of the first match and the bytes of its word before the match, or nil. O(tokens of the document).
    func position(in document: Int) -> (token: Int, offset: Int)? {
        let range = forward.range(of: document)
        let first = query.words[0]
        for token in range {
            let word = forward.word(token)
            let offset = words.length(of: word) - first.count
            guard startsInsideWord ? offset > 0 : offset == 0, isEqual(words.start(of: word) + offset, first),
                continues(after: token, end: range.upperBound)
            else { continue }
            return (token, offset)
        }
        return nil
    }

    private func continues(after token: Int, end: Int) -> Bool {
        var current = token
        let track = forward.track(token)
        for typed in query.words.dropFirst() {
            guard let next = forward.next(after: current, track: track, end: end) else { return false }
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
