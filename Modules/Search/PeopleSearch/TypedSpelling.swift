import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardTextNormalization

/// The spelling of a query that says more than its letters: marks, signs, variants of a character, as in `müller`, `hoạ`,
/// `c#` and `髙橋`.
struct TypedSpelling {
    /// The typed words in lower case, in the normal form that compares equal texts as equal.
    private let words: [String]

    /// - Returns: nil for digits of a keypad, and for a text whose spelling is the one that is searched.
    init?(_ input: SearchInput) {
        guard input.keys == nil, !input.text.utf8.allSatisfy(Self.isPlain) else { return nil }
        let words = Self.words(of: input.text)
        let searched = FoldedQuery(input.text).words.flatMap { $0.spellings.first?.letters ?? [] }
        guard searched != words.flatMap({ Array($0.utf16) }) else { return nil }
        self.words = words
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x20
    }

    private static func words(of text: String) -> [String] {
        text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// Returns whether each typed word begins a word of a text. Swift compares canonically equivalent texts as equal.
    func fits(_ text: String) -> Bool {
        let known = Self.words(of: text)
        return words.allSatisfy { word in known.contains { $0.hasPrefix(word) } }
    }
}

extension SearchResults {
    /// Returns the first hits after those whose names are spelled as typed were put before equal ones.
    func preferring<Person>(
        _ spelling: TypedSpelling, limit: Int, names: (PersonHit<Person>) -> [String]
    ) -> SearchResults<PersonHit<Person>> where Hit == PersonHit<Person> {
        var ordered: [Hit] = []
        ordered.reserveCapacity(hits.count)
        var start = hits.startIndex
        while start < hits.endIndex, ordered.count < limit {
            let first = hits[start]
            let equal = hits[start...].prefix { $0.match == first.match && $0.edits == first.edits }
            let fitting = equal.map { names($0).contains(where: spelling.fits) }
            for isFitting in [true, false] {
                for (hit, fits) in zip(equal, fitting) where fits == isFitting { ordered.append(hit) }
            }
            start = equal.endIndex
        }
        var results = self
        results.hits = Array(ordered.prefix(limit))
        return results
    }
}
