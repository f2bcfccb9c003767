/// Reads the evidence that a document gives for its match, from the words of the document.
///
/// It visits the tokens of the matched fields once and allocates little, because a search weighs up to 64 candidates of
/// each group.
struct EvidenceReader {
    /// A token that a place of the match covers.
    private struct Covered {
        var fieldQuery: Int
        var token: Int
        var letters: Int
        var isWhole: Bool
        /// `true` if the match does not begin inside the word.
        var isFromStart: Bool
    }

    let locator: MatchLocator
    /// The field whose first value is the title.
    let title: (number: Int, field: Field)?
    private let fieldBits: [Int]

    /// - Parameter fieldBits: The bits of each field; see ``Likelihood/fields``.
    init(_ locator: MatchLocator, title: (number: Int, field: Field)?, fieldBits: [Int]) {
        self.locator = locator
        self.title = title
        self.fieldBits = fieldBits
    }

    /// Returns the evidence for a candidate. O(words of the title and of the matched fields).
    func evidence(of candidate: Candidate) -> MatchEvidence {
        let tier = locator.tier
        let document = candidate.document
        var evidence = MatchEvidence(kind: tier.kind)
        evidence.tierBits = tier.bits
        if case .soundAlikes = tier.match { evidence.soundCost = Swift.max(candidate.halfEdits / 2, 1) }
        let fieldQueries = locator.fieldQueries
        var covered: [Covered] = []
        locator.forEachPlace(of: candidate) { place in
            cover(place, document, &covered)
            let number = fieldQueries[place.fieldQuery].number
            if fieldBits.indices.contains(number) {
                evidence.fieldBits = Swift.min(evidence.fieldBits, fieldBits[number])
            }
            if let edits = place.edits { evidence.edits.add(edits) }
        }
        var values = 0
        for (index, fieldQuery) in fieldQueries.enumerated() {
            let isTitle = fieldQuery.number == title?.number
            let matches = covered.count { $0.fieldQuery == index }
            if isTitle || matches > 0 {
                count(document, fieldQuery.field, index, covered, left: matches, isTitle: isTitle, &values, &evidence)
            }
        }
        if let title, !fieldQueries.contains(where: { $0.number == title.number }) {
            count(document, title.field, -1, [], left: 0, isTitle: true, &values, &evidence)
        }
        evidence.isSpread = values > 1
        return evidence
    }

    /// Adds the tokens that a place covers.
    private func cover(_ place: MatchLocator.Place, _ document: Int, _ covered: inout [Covered]) {
        let field = locator.fieldQueries[place.fieldQuery].field
        let end = field.forward.range(of: document).upperBound
        let track = field.forward.track(place.token)
        var (left, offset) = (place.length, place.skipping)
        var current: Int? = place.token
        while let token = current, left > 0 {
            let length = field.words.letters(of: field.forward.word(token)).count
            let letters = Swift.min(left, length - offset)
            covered.append(
                Covered(
                    fieldQuery: place.fieldQuery, token: token, letters: letters, isWhole: offset + letters == length,
                    isFromStart: offset == 0))
            left -= letters
            offset = 0
            if left > 0 { current = field.forward.next(after: token, track: track, end: end) }
        }
    }

    /// Adds the words and letters of the matched values of a field, and of the title.
    ///
    /// - Parameters:
    ///   - left: The number of covered tokens of the field.
    ///   - values: The number of matched values so far.
    private func count(
        _ document: Int, _ field: Field, _ fieldQuery: Int, _ covered: [Covered], left: Int, isTitle: Bool,
        _ values: inout Int, _ evidence: inout MatchEvidence
    ) {
        let range = field.forward.range(of: document)
        var left = left
        // The words and letters of the current value, the number of the word in it, and its last matched word.
        var (words, letters, matched, last) = (0, 0, 0, -1)
        var isFirst = isTitle
        var token = range.lowerBound
        while token < range.upperBound {
            if token > range.lowerBound, field.forward.startsValue(token) {
                if matched > 0 || isFirst { evidence.add(words: words, letters: letters) }
                if matched > 0 { values += 1 }
                if left == 0 { return }
                (words, letters, matched, last, isFirst) = (0, 0, 0, -1, false)
            }
            let end = field.forward.endOfSpellings(token, range.upperBound)
            var spelling = token
            if left > 0 {
                for match in covered where match.fieldQuery == fieldQuery && match.token >= token && match.token < end {
                    if last != words {
                        if last < 0 && words == 0 && match.isFromStart { evidence.startsValue = true }
                        if last >= 0 { evidence.gaps += words - last - 1 }
                        evidence.words.matched += 1
                        matched += 1
                        last = words
                    }
                    evidence.letters.matched += match.letters
                    if !match.isWhole { evidence.isIncomplete = true }
                    spelling = match.token
                    left -= 1
                }
            }
            words += 1
            letters += field.words.letters(of: field.forward.word(spelling)).count
            token = end
        }
        if matched > 0 || isFirst { evidence.add(words: words, letters: letters) }
        if matched > 0 { values += 1 }
    }
}

extension MatchEvidence {
    fileprivate mutating func add(words: Int, letters: Int) {
        self.words.all += words
        self.letters.all += letters
    }
}
