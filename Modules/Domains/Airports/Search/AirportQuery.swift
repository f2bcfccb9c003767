import SwitchboardKeypad
import SwitchboardSearchEngine
import SwitchboardTextNormalization

/// What was typed, as the index is asked.
final class AirportQuery: Sendable {
    /// All words as one, in their alternatives.
    let joined: SearchQuery
    /// Word by word.
    let split: SearchQuery
    /// The words as they were folded; empty for keys.
    let words: [FoldedWord]
    /// How many letters there are without the gaps.
    let letterCount: Int
    /// Where the names are looked up.
    let field: Int
    let typos: Fuzziness

    /// A query of text.
    convenience init(_ text: String) {
        self.init(words: FoldedQuery(text).words)
    }

    private init(words: [FoldedWord]) {
        self.words = words
        let spellings = JoinedName(words[...]).spellings.map { $0.letters }
        joined = SearchQuery(words: spellings.isEmpty ? [] : [spellings])
        split = SearchQuery(words: words.map { $0.spellings.map { $0.letters } })
        letterCount = spellings.first?.count ?? 0
        field = SearchField.names
        typos = .text
    }

    /// The keys of a telephone; gaps and punctuation may be left out, so they are.
    init(_ query: KeypadQuery) {
        let keys = query.keys.filter { $0 > UInt8(ascii: "1") }.map(UInt16.init)
        words = []
        joined = SearchQuery(words: keys.isEmpty || query.isInternational ? [] : [[keys]])
        split = joined
        letterCount = keys.count
        field = SearchField.keys
        typos = .keypad
    }

    var isEmpty: Bool { joined.words.isEmpty }
    var hasGaps: Bool { split.words.count > 1 }

    /// Whether words are parted by signs alone, without a space, an apostrophe or a hyphen.
    var hasOddGaps: Bool {
        words.dropFirst().contains { $0.boundary == [.punctuation, .separator] || $0.boundary == .separator }
    }

    /// The field of other languages' names that can have such letters.
    var foreignField: Int { isBelow(SearchField.firstFarLetter) ? SearchField.foreign : SearchField.far }

    /// The fields in which names that begin with it are looked up, besides that of a language.
    var nameFields: [Int] {
        if field != SearchField.names { return [field] }
        return isLatin ? [SearchField.names, SearchField.foreign, SearchField.romanized] : [foreignField]
    }

    /// Whether all letters are Latin ones, as those of English names.
    var isLatin: Bool { isBelow(SearchField.afterLatin) }

    private func isBelow(_ letter: UInt16) -> Bool { joined.words.first?.first?.allSatisfy { $0 < letter } ?? false }

    // MARK: - Words that say nothing

    /// The query without "airport" and the like at either end; nil if it has none, or nothing else.
    var withoutGenericWords: AirportQuery? {
        guard let first = words.first, let last = words.last, words.count > 1,
            AirportQuery.genericEnds.contains(first.spellings[0].letters)
                || AirportQuery.genericEnds.contains(last.spellings[0].letters)
        else { return nil }
        var rest = words[...]
        var isShorter = true
        while isShorter {
            isShorter = false
            for generic in AirportQuery.genericWords where rest.count > generic.count {
                if rest.suffix(generic.count).map({ $0.spellings[0].letters }) == generic {
                    rest = rest.dropLast(generic.count)
                    isShorter = true
                } else if rest.prefix(generic.count).map({ $0.spellings[0].letters }) == generic {
                    rest = rest.dropFirst(generic.count)
                    isShorter = true
                }
            }
        }
        return rest.count == words.count || rest.isEmpty ? nil : AirportQuery(words: Array(rest))
    }

    /// What people write beside a name and the catalogue leaves out, folded.
    private static let genericWords: [[[UInt16]]] = [
        "airport", "airports", "international", "intl", "int'l", "airfield", "aeropuerto", "aeroport", "aeroporto",
        "aéroport", "flughafen", "havalimanı", "havaalanı", "luchthaven", "lufthavn", "flygplats", "lotnisko",
        "letiště",
        "lentoasema", "repülőtér", "аэропорт", "аеропорт", "летище", "аеродром", "αεροδρόμιο", "空港", "国際空港", "机场", "機場",
        "国际机场", "國際機場", "공항", "국제공항", "مطار", "فرودگاه", "שדה תעופה", "აეროპორტი", "օդանավակայան", "sân bay", "bandara",
    ].map { text in FoldedText(text, transliterating: false).words.map { $0.spellings[0].letters } }

    /// The words that they begin or end with.
    private static let genericEnds = Set(genericWords.flatMap { [$0.first, $0.last].compactMap { $0 } })
}
