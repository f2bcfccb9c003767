/// Typed text with operators: `"a phrase"`, `-word` and `a OR b`.
///
/// OR joins the terms beside it, all other terms must match: `flights london OR paris` is about flights to either. A text
/// that contains the query as it is typed, such as the title “Sons OR Daughters”, is found first whatever it means.
struct TypedQuery {
    /// A word, or a phrase whose words follow one another in one text.
    struct Term {
        let text: String
        let phrase: Phrase?
    }

    /// A reading of the query without OR.
    struct Alternative {
        /// The words to search for, those of phrases included.
        let text: String
        let phrases: [Phrase]
    }

    /// The terms of the query, of each of which one must match.
    private var groups: [[Term]] = []
    /// The words and phrases that no text of an item may have.
    private(set) var excluded: [Phrase] = []
    private let typed: String

    /// The maximum number of readings; a query with more has no operators.
    private static let maximumAlternatives = 32

    /// Creates a query; nil if the text has no operators.
    init?(_ text: String) {
        // The bytes of quotes in ASCII and UTF-8, of a hyphen, and of OR.
        guard text.utf8.contains(where: { [0x22, 0x2D, 0x4F, 0xC2, 0xE2].contains($0) }) else { return nil }
        typed = text.lowercased()
        var hasOperators = false
        var tokens = Tokens(text)
        var joinsNext = false
        while let token = tokens.next() {
            switch token {
            // At the end, the other term is still to be typed.
            case .either where !groups.isEmpty:
                joinsNext = true
                hasOperators = true
            case .excluded(let phrase):
                excluded.append(phrase)
                hasOperators = true
            case .term(let term):
                if term.phrase != nil { hasOperators = true }
                if joinsNext { groups[groups.count - 1].append(term) } else { groups.append([term]) }
                joinsNext = false
            case .either: groups.append([Term(text: "OR", phrase: nil)])
            }
        }
        guard hasOperators, groups.reduce(1, { min($0 * $1.count, 1_000) }) <= Self.maximumAlternatives else {
            return nil
        }
    }

    /// The readings, in the order in which their terms were typed.
    var alternatives: [Alternative] {
        var readings: [[Term]] = [[]]
        for group in groups { readings = group.flatMap { term in readings.map { $0 + [term] } } }
        return readings.map { terms in
            Alternative(text: terms.map(\.text).joined(separator: " "), phrases: terms.compactMap(\.phrase))
        }
    }

    /// Returns `true` if a text contains the query as it is typed.
    func isIn(_ text: String) -> Bool { text.lowercased().contains(typed) }

    private enum Token {
        case either
        case excluded(Phrase)
        case term(Term)
    }

    private struct Tokens {
        private var rest: Substring

        init(_ text: String) { rest = text[...] }

        private static let closing: [Character: String] = ["\"": "\"", "“": "”", "„": "“”", "«": "»", "»": "«"]

        mutating func next() -> Token? {
            rest = rest.drop(while: \.isWhitespace)
            guard let first = rest.first else { return nil }
            let isExcluding = first == "-"
            let body = isExcluding ? rest.dropFirst() : rest
            if let open = body.first, let closing = Self.closing[open],
                let end = body.dropFirst().firstIndex(where: { closing.contains($0) }),
                body[body.index(after: end)...].first?.isWhitespace ?? true
            {
                let text = String(body[body.index(after: body.startIndex)..<end])
                if let phrase = Phrase(text) {
                    rest = body[body.index(after: end)...]
                    return isExcluding ? .excluded(phrase) : .term(Term(text: text, phrase: phrase))
                }
            }
            let word = rest.prefix { !$0.isWhitespace }
            rest = rest[word.endIndex...]
            if word == "OR" { return .either }
            if isExcluding, let next = word.dropFirst().first, next != "-",
                let phrase = Phrase(String(word.dropFirst()))
            {
                return .excluded(phrase)
            }
            return .term(Term(text: String(word), phrase: nil))
        }
    }
}

/// Words that follow one another, as full texts are divided into them (``BodyPart``).
struct Phrase {
    private let parts: [BodyPart]

    /// Creates a phrase; nil for a text without words.
    init?(_ text: String) {
        parts = BodyPart.parts(of: text)
        if parts.isEmpty { return nil }
    }

    /// Returns `true` if the words follow one another in a text. O(*n*) in the length of the text.
    func isIn(_ text: String) -> Bool {
        let words = BodyPart.parts(of: text)
        guard words.count >= parts.count else { return false }
        return words.indices.dropLast(parts.count - 1).contains { start in
            parts.indices.allSatisfy { matches(at: $0, words[start + $0]) }
        }
    }

    /// A run of a script without spaces may begin before the phrase and end after it.
    private func matches(at position: Int, _ word: BodyPart) -> Bool {
        let part = parts[position]
        guard part.isRun == word.isRun else { return false }
        guard part.isRun else { return word.spellings.contains { part.spellings.contains($0) } }
        let (wanted, run) = (part.spellings[0], word.spellings[0])
        switch (position == 0, position == parts.count - 1) {
        case (true, true): return run.contains(wanted)
        case (true, false): return run.hasSuffix(wanted)
        case (false, true): return run.hasPrefix(wanted)
        case (false, false): return run == wanted
        }
    }
}
