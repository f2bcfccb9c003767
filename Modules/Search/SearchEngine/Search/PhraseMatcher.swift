/// Locates a query of several words as a phrase: consecutive words of a value match the typed words, the last one as a
/// prefix.
struct PhraseMatcher {
    private let forward: ForwardIndex
    private let words: TermDictionary
    private let query: EncodedQuery
    private let startsInsideWord: Bool
    private let wholeWords: Bool

    /// - Parameters:
    ///   - startsInsideWord: If `true`, the first typed word must be a proper suffix of a word, otherwise a whole word.
    ///   - wholeWords: If `true`, the last typed word must be a whole word, too.
    init(field: Field, query: EncodedQuery, startsInsideWord: Bool, wholeWords: Bool = false) {
        self.startsInsideWord = startsInsideWord
        self.wholeWords = wholeWords
        forward = field.forward
        words = field.words
        self.query = query
    }

    /// Returns the token of the first match and the bytes of its word before the match, or nil. O(tokens of the
    /// document).
    func position(in document: Int) -> (token: Int, offset: Int)? {
        let range = forward.range(of: document)
        let (bytes, first) = (query.bytes, query.words[0])
        for token in range {
            let letters = words.letters(of: forward.word(token))
            let offset = letters.count - first.count
            guard startsInsideWord ? offset > 0 : offset == 0,
                letters.slice(offset, letters.count).comparePrefix(to: bytes.span.extracting(first)) == 0,
                continues(after: token, end: range.upperBound)
            else { continue }
            return (token, offset)
        }
        return nil
    }

    private func continues(after token: Int, end: Int) -> Bool {
        var current = token
        let track = forward.track(token)
        let bytes = query.bytes
        for typed in query.words.dropFirst() {
            guard let next = forward.next(after: current, track: track, end: end) else { return false }
            let letters = words.letters(of: forward.word(next))
            let mayBePrefix = !wholeWords && typed.upperBound == bytes.count
            guard mayBePrefix || letters.count == typed.count,
                letters.comparePrefix(to: bytes.span.extracting(typed)) == 0
            else { return false }
            current = next
        }
        return true
    }
}
