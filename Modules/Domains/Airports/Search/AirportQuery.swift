import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardSearchEngine
import SwitchboardTextNormalization

/// A parsed query in the forms that the index searches for.
final class AirportQuery {
    /// All words joined, in their alternative spellings.
    let joined: SearchQuery
    let split: SearchQuery
    /// The folded words; empty for keys.
    let words: [FoldedWord]
    /// The number of letters or keys. A character of Chinese, Japanese or Korean counts as two letters: two of them are a
    /// whole name.
    let letterCount: Int
    /// The number of letters of the longest spelling.
    var maxLetterCount: Int { joined.words.first?.map(\.count).max() ?? 0 }
    private let isKeypad: Bool

    /// The minimum query length for the whole catalogue.
    private static let minLettersForCatalogue = 3
    /// The minimum query length for places without an airport.
    private static let minLettersForPlaces = 3
    /// The first of the characters that count as two letters.
    private static let firstSyllable: UInt16 = 0x2E80
    /// The minimum query length for readings with other keyboard layouts.
    private static let minLettersForLayout = 3

    /// The maximum length of a word that is searched for unchanged.
    private static let maxPlain = 60

    /// The number of scalars of a query that are searched for. No name is nearly as long.
    private static let maxScalars = 400

    private let text: String

    /// Parses a query. Gaps and punctuation between keypad digits are ignored.
    convenience init(_ input: SearchInput) {
        if let keys = input.keys {
            self.init(keys)
        } else {
            let text = String(input.text.unicodeScalars.prefix(AirportQuery.maxScalars))
            self.init(words: AirportQuery.withoutFillers(FoldedQuery(text).words), text: text)
        }
    }

    private init(_ query: KeypadQuery) {
        let keys = query.keys.filter { $0 > UInt8(ascii: "1") }.map(UInt16.init)
        joined = SearchQuery(words: keys.isEmpty || query.isInternational ? [] : [[keys]])
        (split, words, text, isKeypad) = (joined, [], "", true)
        letterCount = keys.count
    }

    private init(words: [FoldedWord], text: String = "") {
        let spellings: [[UInt16]]
        if words.count == 1, words[0].spellings.count == 1,
            words[0].spellings[0].letters.count <= AirportQuery.maxPlain
        {
            spellings = [words[0].spellings[0].letters]
        } else {
            spellings = FieldValue(joining: words[...]).words[0].spellings
        }
        joined = SearchQuery(words: spellings.isEmpty ? [] : [spellings])
        split =
            words.count == 1 && spellings.count == 1
            ? joined : SearchQuery(words: words.map { $0.spellings.map { $0.letters } })
        (self.words, self.text, isKeypad) = (words, text, false)
        letterCount = spellings.first?.reduce(0) { $0 + ($1 < AirportQuery.firstSyllable ? 1 : 2) } ?? 0
    }

    var field: Int { isKeypad ? SearchField.keys : SearchField.names }
    var fuzziness: Fuzziness { isKeypad ? .keypad : .text }

    /// Returns the readings of the query with other keyboard layouts, if a name in the index may begin with them; none
    /// for keys.
    func layoutReadings(in index: AirportIndex, languageField: Int?) -> [AirportQuery] {
        guard letterCount >= AirportQuery.minLettersForLayout, !text.isEmpty else { return [] }
        let languageField = index.source.extent == .popular ? languageField : nil
        let layouts = LayoutFilter.layouts(for: text) { letters, isWhole in
            if let languageField, index.contains(letters, in: languageField) { return true }
            if !isWhole {
                return index.contains(letters, in: SearchField.names)
                    || index.contains(letters, in: SearchField.foreign)
                    || index.contains(letters, in: SearchField.otherScripts)
            }
            let last = letters.max() ?? 0
            if last >= SearchField.firstOtherScriptLetter {
                return index.contains(letters, in: SearchField.otherScripts)
            }
            return last < SearchField.afterLatin && index.contains(letters, in: SearchField.names)
                || index.contains(letters, in: SearchField.foreign)
        }
        if layouts.isEmpty { return [] }
        return WrongKeyboard.readings(of: text, layouts: layouts)
            .filter { $0.text.unicodeScalars.allSatisfy(AirportQuery.isOfName) }
            .map { AirportQuery(words: FoldedQuery($0.text).words) }
    }

    /// Returns `true` for the characters of names: letters, digits, marks, spaces and the punctuation that joins words.
    static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .nonspacingMark, .spacingMark, .spaceSeparator, .dashPunctuation:
            true
        default: scalar == "'" || scalar == "’" || scalar == "."
        }
    }

    /// The readings of a kana query in Latin letters, because Japan's Latin names spell the pronunciation; none for
    /// other queries.
    private(set) lazy var kanaReadings: [AirportQuery] = makeKanaReadings()

    private func makeKanaReadings() -> [AirportQuery] {
        guard !words.isEmpty,
            words.allSatisfy({ $0.spellings[0].letters.allSatisfy(AirportQuery.kana.contains) })
        else { return [] }
        let folded = FoldedText(text).words
        let spellingCount = folded.map(\.spellings.count).max() ?? 0
        var seen: Set<String> = []
        return (1..<max(spellingCount, 1)).compactMap { number in
            let reading = folded.map { word in
                String(decoding: word.spellings[min(number, word.spellings.count - 1)].letters, as: UTF16.self)
            }.joined(separator: " ")
            return seen.insert(reading).inserted ? AirportQuery(words: FoldedQuery(reading).words) : nil
        }
    }

    private static let kana: ClosedRange<UInt16> = 0x3040...0x30FF

    /// `true` if a Latin letter of the query has an accent, or if the query has kana, of which some differ only by a mark.
    var isAccented: Bool {
        let accents = isLatin ? 0xC0...UInt16.max : AirportQuery.kana
        return text.unicodeScalars.contains { accents.contains(UInt16(clamping: $0.value)) }
    }

    /// Returns `true` for a name that begins with the query and has the same accents.
    func isBeginning(of name: String) -> Bool { AirportQuery.spelling(name).hasPrefix(textSpelling) }

    /// Returns `true` if the query is a name in the same spelling, apart from case.
    func isSpelled(_ name: String) -> Bool { AirportQuery.spelling(name) == textSpelling }

    private lazy var textSpelling = AirportQuery.spelling(text)

    /// Returns a text in lower case and hiragana.
    private static func spelling(_ text: String) -> String {
        let lowercased = text.lowercased()
        guard lowercased.unicodeScalars.contains(where: { katakana.contains($0.value) }) else { return lowercased }
        let scalars = lowercased.unicodeScalars.map { scalar in
            katakana.contains(scalar.value) ? Unicode.Scalar(scalar.value - katakanaOffset) ?? scalar : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// The katakana that have a hiragana, at the same distance.
    private static let katakana: ClosedRange<UInt32> = 0x30A1...0x30F6
    private static let katakanaOffset: UInt32 = 0x60

    /// Returns the query up to a word, and the rest.
    func divided(after count: Int) -> (AirportQuery, AirportQuery) {
        (AirportQuery(words: Array(words.prefix(count))), AirportQuery(words: Array(words.dropFirst(count))))
    }

    /// `true` if the query is long enough for places without an airport. They have no keys.
    var reachesPlaces: Bool { !isKeypad && letterCount >= AirportQuery.minLettersForPlaces }
    var reachesCatalogue: Bool { letterCount >= AirportQuery.minLettersForCatalogue }
    var isEmpty: Bool { joined.words.isEmpty }
    var hasGaps: Bool { split.words.count > 1 }

    /// `true` if words are separated only by punctuation without a space, an apostrophe or a hyphen.
    var hasPunctuationGaps: Bool {
        words.dropFirst().contains { $0.boundary == [.punctuation, .separator] || $0.boundary == .separator }
    }

    /// The field of foreign names that can contain these letters.
    var foreignField: Int {
        isBelow(SearchField.firstOtherScriptLetter) ? SearchField.foreign : SearchField.otherScripts
    }

    /// `true` if all letters are Latin, as in English names.
    private(set) lazy var isLatin = isBelow(SearchField.afterLatin)

    private func isBelow(_ letter: UInt16) -> Bool { joined.words.first?.first?.allSatisfy { $0 < letter } ?? false }

    // MARK: - Generic words

    /// Returns the words without those that ask for all airports of a place, or for those near it: "near paris", "paris
    /// all".
    private static func withoutFillers(_ words: [FoldedWord]) -> [FoldedWord] {
        let letters = words.map { $0.spellings[0].letters }
        if let filler = fillersBefore.first(where: { letters.count > $0.count && letters.starts(with: $0) }) {
            return withoutFillers(Array(words.dropFirst(filler.count)))
        }
        if letters.count > 1, let last = letters.last, fillersAfter.contains([last]) {
            return withoutFillers(words.dropLast())
        }
        return words
    }

    private static func folded(_ texts: [String]) -> [[[UInt16]]] {
        texts.map { text in FoldedText(text, transliterating: false).words.map { $0.spellings[0].letters } }
    }

    private static let fillersBefore = folded([
        "airports near", "airport near", "near", "nearby", "close to", "next to", "around", "cerca de", "près de",
        "vicino a",
        "perto de", "in der nähe von", "nahe", "рядом с", "возле", "недалеко от", "blisko", "dicht bij", "nära", "nær",
        "lähellä", "poblíž", "all airports in", "all airports of", "airports in", "airports of", "airport in",
    ])
    private static let fillersAfter = folded([
        "all", "alle", "todos", "tous", "tutti", "все", "wszystkie", "hepsi", "alla", "kaikki", "any", "nearby",
    ])

    /// The query without an airport's code at its beginning or end, and the code: "milan malpensa mxp".
    private(set) lazy var withoutCode: (query: AirportQuery, code: String)? = {
        guard words.count > 1, let first = words.first, let last = words.last else { return nil }
        for (word, rest) in [(last, words.dropLast()), (first, words.dropFirst())] {
            let letters = word.spellings[0].letters
            guard letters.count == 3, letters.allSatisfy({ (0x61...0x7A).contains($0) }) else { continue }
            return (AirportQuery(words: Array(rest)), String(decoding: letters, as: UTF16.self).uppercased())
        }
        return nil
    }()

    /// The query without "airport" and similar words at either end; nil if there are none, or nothing else.
    private(set) lazy var withoutGenericWords: AirportQuery? = makeWithoutGenericWords()

    private func makeWithoutGenericWords() -> AirportQuery? {
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

    /// Words that users add to a name and that the catalogue omits, folded.
    private static let genericWords: [[[UInt16]]] = [
        "airport", "airports", "international", "intl", "int'l", "airfield", "aeropuerto", "aeropuertos", "aeroport",
        "aeroporto", "aeroportos", "aeroporti", "aéroport", "aéroports", "flughafen", "flughäfen", "havalimanı",
        "havalimanları", "havaalanı", "havaalanları", "hava limanı", "luchthaven", "luchthavens", "vliegveld",
        "lufthavn",
        "lufthavne", "lufthavner", "flygplats", "flygplatser", "lotnisko", "lotniska", "port lotniczy", "letiště",
        "letisko", "lentoasema", "lentokenttä", "lentokentät", "repülőtér", "repülőterek", "aeroportul", "aerodrom",
        "zračna luka", "lidosta", "oro uostas", "lennujaam", "аэропорты", "аеропорти", "летища", "аеродроми",
        "αεροδρόμια",
        "aeropuerto de", "aéroport de", "aeroporto de", "aeroporto di", "飞机场", "विमानक्षेत्र", "हवाई अड्डा", "สนามบิน",
        "ท่าอากาศยาน", "مطارات", "فرودگاه‌ها", "שדות תעופה", "נמל התעופה", "аэропорт", "аеропорт", "летище", "аеродром",
        "αεροδρόμιο", "空港", "国際空港", "机场", "機場",
        "国际机场", "國際機場", "공항", "국제공항", "مطار", "فرودگاه", "שדה תעופה", "აეროპორტი", "օդանավակայան", "sân bay", "bandara",
    ].map { text in FoldedText(text, transliterating: false).words.map { $0.spellings[0].letters } }

    /// The first and last words of ``genericWords``.
    private static let genericEnds = Set(genericWords.flatMap { [$0.first, $0.last].compactMap { $0 } })
}
