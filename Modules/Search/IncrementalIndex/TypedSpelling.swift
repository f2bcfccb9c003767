import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardTextNormalization

/// The spelling of a query, which tells equal matches apart: `Ana` and `Ána`, `müller` and `muller`, `c#` and `c++`, `*43#` and
/// `43`.
///
/// Searches compare folded letters and digits. Among matches of one kind, those whose text is the typed one come first; a
/// whole name that was typed comes before all other matches. If the query has more than plain letters (marks, signs,
/// variants of a character, as in `müller`), a beginning of the words suffices.
struct TypedSpelling {
    /// The number of equal matches that are compared at first, those of a screen, and at most.
    private static let (fewest, most) = (10, 1_280)
    /// The maximum number of digits of a short code, which many numbers of other codes have, too.
    private static let longestCode = 6

    private let text: String
    /// The typed words in lower case if they have more than plain letters.
    private let words: [String]
    private let number: String
    /// `true` if few of many equal matches may have the spelling, so that more of them are compared.
    let isDistinctive: Bool

    /// The number of hits to compare at first.
    static var candidates: Int { fewest }

    /// Returns whether a match of a kind may have the spelling. A text of plain letters is only compared as a whole.
    func mayFit(_ match: ResultMatch) -> Bool { !words.isEmpty || match == .exact }

    /// Returns a larger number of hits to compare; nil if there is none.
    func more(than count: Int) -> Int? { isDistinctive && count < Self.most ? min(count * 8, Self.most) : nil }

    /// - Returns: nil for an empty query.
    init?(_ input: SearchInput) {
        guard let first = input.text.firstIndex(where: { !$0.isWhitespace }),
            let last = input.text.lastIndex(where: { !$0.isWhitespace })
        else { return nil }
        text = String(input.text[first...last])
        number = Self.number(text)
        words = input.keys == nil && Self.isMarked(text) ? Self.words(of: text) : []
        let isCode = number.utf8.allSatisfy { (0x30...0x39).contains($0) || [0x2A, 0x23].contains($0) }
        isDistinctive = !words.isEmpty || (isCode && number.utf8.count <= Self.longestCode)
    }

    /// Returns whether a text has more than the letters by which it is searched. Ideographs are searched in each of their
    /// forms.
    private static func isMarked(_ text: String) -> Bool {
        if text.utf8.allSatisfy({ (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x20 }) {
            return false
        }
        if text.unicodeScalars.contains(where: \.properties.isIdeographic) { return true }
        return words(of: text).flatMap { Array($0.utf16) }
            != FoldedQuery(text).words.flatMap { $0.spellings.first?.letters ?? [] }
    }

    private static func words(of text: String) -> [String] {
        text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// Returns a number without its separators.
    private static func number(_ text: String) -> String { text.filter { !" -.()/\u{A0}".contains($0) } }

    /// The keys of names in highlights.
    private static let names: Set = ["name", "nickname", "phoneticName", "organization"]

    /// How a matched text is spelled, best first.
    enum Fit: Int, Comparable {
        case wholeName, asTyped, otherwise

        static func < (one: Fit, other: Fit) -> Bool { one.rawValue < other.rawValue }
    }

    /// Returns how a matched text with a key in highlights is spelled. Swift compares canonically equivalent texts as
    /// equal.
    func fit(_ shown: String, key: String) -> Fit {
        if key.hasPrefix("phone") { return Self.number(shown) == number ? .asTyped : .otherwise }
        if Self.names.contains(key), words.isEmpty ? shown.lowercased() == text.lowercased() : shown == text {
            return .wholeName
        }
        if words.isEmpty { return shown == text ? .asTyped : .otherwise }
        let known = Self.words(of: shown)
        return words.allSatisfy { word in known.contains { $0.hasPrefix(word) } } ? .asTyped : .otherwise
    }
}

extension SearchResults {
    /// Puts the hits with the typed spelling before equal ones, and returns whether there are any.
    ///
    /// - Parameter texts: Returns the texts of a hit with a key in its highlights.
    mutating func prefer<Person>(
        _ spelling: TypedSpelling, texts: (String, PersonHit<Person>) -> [String]
    ) -> Bool where Hit == PersonHit<Person> {
        guard hits.contains(where: { spelling.mayFit($0.match) }) else { return false }
        let fits = hits.map { hit in
            var best = TypedSpelling.Fit.otherwise
            guard spelling.mayFit(hit.match) else { return best }
            for key in hit.highlights.keys {
                for text in texts(key, hit) { best = min(best, spelling.fit(text, key: key)) }
            }
            return best
        }
        guard fits.contains(where: { $0 != .otherwise }) else { return false }
        // Equal hits follow each other.
        var runs: [Int] = []
        for (previous, hit) in zip([hits.first].compactMap(\.self) + hits, hits) {
            let isEqual = previous.match == hit.match && previous.edits == hit.edits
            runs.append((runs.last ?? 0) + (isEqual ? 0 : 1))
        }
        let order = hits.indices.sorted { one, other in
            let isWhole = (fits[one] == .wholeName, fits[other] == .wholeName)
            if isWhole.0 != isWhole.1 { return isWhole.0 }
            return (runs[one], fits[one], one) < (runs[other], fits[other], other)
        }
        hits = order.map { hits[$0] }
        return true
    }
}
