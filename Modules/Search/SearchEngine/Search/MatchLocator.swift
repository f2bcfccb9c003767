// The letters that a hit matched.
//
// A search only finds documents. The matches of the returned hits are located afterward: the field, the value, the
// word, the spelling and the letters, by matching the query with the words of the document again. For a typo, the
// letters are the prefix of the word suffix with the smallest edit distance to the query (Wagner and Fischer, "The
// string-to-string correction problem", Journal of the ACM 21(1), 1974).

/// Locates the letters that a hit matched. Of several matches it returns the first, regardless of the other documents
/// in the index.
///
/// One locator serves all hits of a tier and prepares the query once.
final class MatchLocator {
    let fieldQueries: [FieldQuery]
    let tier: SearchTier
    private let field: Field
    private let query: EncodedQuery
    private let wholeWords: Bool
    private lazy var matcher = Matcher(fieldQueries, tier)

    init(fieldQueries: [FieldQuery], tier: SearchTier) {
        self.fieldQueries = fieldQueries
        self.tier = tier
        field = fieldQueries[0].field
        query = fieldQueries[0].query
        wholeWords = tier.match == .wholeWords
    }

    /// Matches a query with the words of a document, prepared when first needed.
    private enum Matcher {
        case phrase
        case segmentation(SegmentationMatcher, inOrder: Bool)
        case allTerms(AllTermsMatcher)
        case fuzzyTerms(FuzzyTermsMatcher)
        case sounds(SoundMatcher)

        init(_ fieldQueries: [FieldQuery], _ tier: SearchTier) {
            func segmentation(_ splits: SearchTier.Splits) -> SegmentationMatcher {
                SegmentationMatcher(field: fieldQueries[0].field, query: fieldQueries[0].query, splits: splits)
            }
            switch tier.match {
            case .exact, .prefix, .wholeWords, .joined, .infix: self = .phrase
            case .initials(let splits): self = .segmentation(segmentation(splits), inOrder: true)
            case .words(let splits): self = .segmentation(segmentation(splits), inOrder: false)
            case .wordsAcrossValues: self = .allTerms(AllTermsMatcher(fieldQueries))
            case .typo(let fuzziness, _, _): self = .fuzzyTerms(FuzzyTermsMatcher(fieldQueries, typos: fuzziness))
            case .soundAlikes(let rules): self = .sounds(SoundMatcher(fieldQueries, rules))
            }
        }
    }

    /// A place where a part of the query matches.
    struct Place {
        /// The number of the field query.
        var fieldQuery = 0
        /// The first token.
        var token: Int
        /// The number of letters before the match.
        var skipping = 0
        /// The number of matched letters, which may continue in the following tokens.
        var length: Int
        /// The edits between the typed and the matched letters, if they may differ.
        var edits: TypingEdits?
    }

    /// Returns the matches of a hit. O(letters of the document).
    func matches(of candidate: Candidate) -> [WordMatch] {
        var matches: [WordMatch] = []
        forEachPlace(of: candidate) { place in
            let found = wordMatches(place, candidate.document)
            if matches.isEmpty { matches = found } else { matches += found }
        }
        return matches.count < 2 ? matches : sorted(matches)
    }

    /// Calls `body` with the places where the query matches, in any order. Without an array, because most hits have one
    /// place.
    func forEachPlace(of candidate: Candidate, _ body: (Place) -> Void) {
        let document = candidate.document
        switch tier.match {
        case .exact, .prefix, .wholeWords, .joined:
            if let token = firstWordSuffix(document) { body(Place(token: token, length: query.bytes.count)) }
        case .infix:
            if let place = infix(candidate) { body(place) }
        // A slip in the joined words is found without a matcher.
        case .typo where !candidate.isAcrossValues:
            guard let start = firstSimilarWordSuffix(candidate) else { return }
            body(similar(0, start, document, typed: query.bytes.indices))
        case .initials, .words, .wordsAcrossValues, .typo, .soundAlikes: forEachPiece(of: document, body)
        }
    }

    /// Calls `body` with the places of the typed words.
    private func forEachPiece(of document: Int, _ body: (Place) -> Void) {
        switch matcher {
        case .phrase: break
        case .segmentation(let segmentation, let inOrder):
            let isMatch = inOrder ? segmentation.matchesInOrder(document) : segmentation.matchesInAnyOrder(document)
            guard isMatch else { return }
            for piece in segmentation.pieces { body(Place(token: piece.token, length: piece.length)) }
        case .allTerms(let words):
            guard words.matches(document) else { return }
            for (word, piece) in words.pieces.enumerated() {
                let length = fieldQueries[piece.fieldQuery].query.words[word].count
                body(Place(fieldQuery: piece.fieldQuery, token: piece.token, length: length))
            }
        case .fuzzyTerms(let words):
            guard words.edits(of: document) != nil else { return }
            for (word, piece) in words.pieces.enumerated() {
                let typed = fieldQueries[piece.fieldQuery].query.words[word]
                body(similar(piece.fieldQuery, piece.token, document, typed: typed))
            }
        case .sounds(let sounds):
            guard sounds.cost(of: document) != nil else { return }
            for (piece, length) in sounds.matches {
                body(Place(fieldQuery: piece.fieldQuery, token: piece.token, length: length))
            }
        }
    }

    private func infix(_ candidate: Candidate) -> Place? {
        let bytes = query.bytes
        if query.isMultiWord {
            let phrase = PhraseMatcher(field: field, query: query, startsInsideWord: true)
            return phrase.position(in: candidate.document).map {
                Place(token: $0.token, skipping: $0.offset, length: bytes.count)
            }
        }
        for token in field.forward.range(of: candidate.document) {
            let letters = field.words.letters(of: field.forward.word(token))
            var offset = Alphabet.byteCount(letters, at: 0)
            while offset + bytes.count <= letters.count {
                if letters.slice(offset, letters.count).comparePrefix(to: bytes.span) == 0 {
                    return Place(token: token, skipping: offset, length: bytes.count)
                }
                offset += Alphabet.byteCount(letters, at: offset)
            }
        }
        return nil
    }

    /// Returns the first token whose word suffix begins with the query and, for an exact match, is a whole value.
    private func firstWordSuffix(_ document: Int) -> Int? {
        guard let wordSuffixes = field.wordSuffixes else { return nil }
        let range = field.forward.range(of: document)
        let checksWordBounds = query.isMultiWord && tier.match != .joined || wholeWords
        let bytes = query.bytes
        return range.first { token in
            let found = wordSuffixes.compare(from: token, end: range.upperBound, to: bytes.span)
            guard found.order == 0 else { return false }
            if tier.match == .exact {
                let startsValue = field.forward.startsValue(field.forward.firstSpelling(token))
                guard found.isWholeSuffix, startsValue else { return false }
            }
            return !checksWordBounds
                || wordSuffixes.isAligned(from: token, end: range.upperBound, query, wholeWords: wholeWords)
        }
    }

    /// Returns the first token whose word suffix is within the edits of a hit. Its first letter is right if and only if
    /// the first letter of the hit is.
    private func firstSimilarWordSuffix(_ candidate: Candidate) -> Int? {
        guard let wordSuffixes = field.wordSuffixes else { return nil }
        let bytes = query.bytes
        let automaton = EditAutomaton(length: bytes.count, edits: candidate.halfEdits / 2)
        let masks = EditAutomaton.masks(of: bytes.span)
        let range = field.forward.range(of: candidate.document)
        return range.first { token in
            let isSameFirst = field.words.letters(of: field.forward.word(token))[0] == bytes[0]
            guard isSameFirst == (candidate.halfEdits & 1 == 0) else { return false }
            var state = automaton.start
            var isSimilar = automaton.accepts(state)
            wordSuffixes.forEachLetter(from: token, end: range.upperBound, skipping: 0) { letter in
                state = automaton.step(state, masks[Int(letter)])
                isSimilar = isSimilar || automaton.accepts(state)
                return !isSimilar && automaton.isAlive(state)
            }
            return isSimilar
        }
    }

    /// Returns the letters of the word suffix at a token that are nearest to the typed ones.
    private func similar(_ fieldQuery: Int, _ token: Int, _ document: Int, typed: Range<Int>) -> Place {
        let bytes = letters(fieldQuery, token, document, upTo: typed.count + 3)
        var edits = TypingEdits()
        let length = edits.add(typed: fieldQueries[fieldQuery].query.bytes[typed], meant: bytes[...])
        return Place(fieldQuery: fieldQuery, token: token, length: length, edits: edits)
    }

    /// Returns the first letters of the word suffix at a token.
    private func letters(_ fieldQuery: Int, _ token: Int, _ document: Int, upTo limit: Int) -> [UInt8] {
        let field = fieldQueries[fieldQuery].field
        let end = field.forward.range(of: document).upperBound
        let track = field.forward.track(token)
        var bytes: [UInt8] = []
        var current: Int? = token
        while let position = current, bytes.count < limit {
            let letters = field.words.letters(of: field.forward.word(position))
            for offset in 0..<Swift.min(letters.count, limit - bytes.count) { bytes.append(letters[offset]) }
            current = field.forward.next(after: position, track: track, end: end)
        }
        return bytes
    }

    private func sorted(_ matches: [WordMatch]) -> [WordMatch] {
        matches.sorted {
            ($0.field, $0.value, $0.word, $0.letters.lowerBound) < ($1.field, $1.value, $1.word, $1.letters.lowerBound)
        }
    }

    /// Returns the matched letters of a place, word by word.
    private func wordMatches(_ place: Place, _ document: Int) -> [WordMatch] {
        let (fieldQuery, token) = (place.fieldQuery, place.token)
        let field = fieldQueries[fieldQuery].field
        let range = field.forward.range(of: document)
        // A document starts with a value.
        var (value, word) = (-1, -1)
        for position in range.lowerBound..<token + 1 {
            if field.forward.startsValue(position) {
                value += 1
                word = 0
            } else if !field.forward.isOtherSpelling(position) {
                word += 1
            }
        }
        let track = field.forward.track(token)
        var matches: [WordMatch] = []
        var left = place.length
        var offset = place.skipping
        var current: Int? = token
        while let position = current, left > 0 {
            let bytes = field.words.letters(of: field.forward.word(position))
            let taken = Swift.min(left, bytes.count - offset)
            let low = Alphabet.letterCount(bytes, offset)
            let high = Alphabet.letterCount(bytes, offset + taken)
            matches.append(
                WordMatch(
                    field: fieldQueries[fieldQuery].number, value: Swift.max(value, 0), word: Swift.max(word, 0),
                    spelling: field.forward.originalSpelling(position), letters: low..<Swift.max(low, high)))
            left -= taken
            offset = 0
            word += 1
            current = field.forward.next(after: position, track: track, end: range.upperBound)
        }
        return matches
    }
}

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
