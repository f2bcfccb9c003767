import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardTextNormalization

/// The spelling of a query, which tells equal matches apart: `Ana` and `Ána`, `müller` and `muller`, `c#` and `c++`, `*43#` and
/// `43`.
///
/// Searches compare folded letters and digits. Among matches of one kind, those whose text is the typed one come first.
/// If the query has more than plain letters (marks, signs, variants of a character, as in `müller`), a beginning of the
/// words suffices.
struct TypedSpelling {
    /// The number of equal matches that are compared: those of a screen, or more if few have the typed signs.
    private static let (plainCandidates, markedCandidates) = (10, 32)

    private let text: String
    /// The typed words in lower case if they have more than plain letters.
    private let words: [String]
    private let number: String

    /// The number of hits to compare.
    var candidates: Int { words.isEmpty ? Self.plainCandidates : Self.markedCandidates }

    /// - Returns: nil for an empty query.
    init?(_ input: SearchInput) {
        text = input.text.trimmingWhitespace
        if text.isEmpty { return nil }
        number = Self.number(text)
        words = input.keys == nil && Self.isMarked(text) ? Self.words(of: text) : []
    }

    /// Returns whether a text has more than the letters by which it is searched.
    private static func isMarked(_ text: String) -> Bool {
        if text.utf8.allSatisfy({ (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x20 }) {
            return false
        }
        let typed = words(of: text).flatMap { Array($0.utf16) }
        let searched = FoldedQuery(text).words
        // Ideographs are searched in each of their forms.
        return typed != searched.flatMap { $0.spellings.first?.letters ?? [] }
            || (searched.contains { $0.spellings.count > 1 }
                && text.unicodeScalars.contains { $0.properties.isIdeographic })
    }

    private static func words(of text: String) -> [String] {
        text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// Returns a number without its separators.
    private static func number(_ text: String) -> String { text.filter { !" -.()/\u{A0}".contains($0) } }

    /// Returns whether a matched text is spelled as typed. Swift compares canonically equivalent texts as equal.
    func fits(_ shown: String, isNumber: Bool) -> Bool {
        if isNumber { return Self.number(shown) == number }
        if words.isEmpty { return shown == text }
        let known = Self.words(of: shown)
        return words.allSatisfy { word in known.contains { $0.hasPrefix(word) } }
    }
}

extension SearchResults {
    /// Returns the first hits after those that are spelled as typed were put before equal ones.
    ///
    /// - Parameter texts: Returns the texts of a hit with a key in its highlights.
    func preferring<Person>(
        _ spelling: TypedSpelling, limit: Int, texts: (String, PersonHit<Person>) -> [String]
    ) -> SearchResults<PersonHit<Person>> where Hit == PersonHit<Person> {
        var ordered: [Hit] = []
        ordered.reserveCapacity(hits.count)
        var start = hits.startIndex
        while start < hits.endIndex, ordered.count < limit {
            let first = hits[start]
            let equal = hits[start...].prefix { $0.match == first.match && $0.edits == first.edits }
            start = equal.endIndex
            guard equal.count > 1 else {
                ordered += equal
                continue
            }
            let fitting = equal.map { hit in
                hit.highlights.keys.contains { key in
                    texts(key, hit).contains { spelling.fits($0, isNumber: key.hasPrefix("phone")) }
                }
            }
            for isFitting in [true, false] {
                for (hit, fits) in zip(equal, fitting) where fits == isFitting { ordered.append(hit) }
            }
        }
        var results = self
        results.hits = Array(ordered.prefix(limit))
        return results
    }
}
