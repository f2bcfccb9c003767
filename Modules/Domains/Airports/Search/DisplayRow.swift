import SwitchboardAlgorithms
import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import SwitchboardTextNormalization
import Synchronization

/// A row as displayed in one language: its texts, and the names of its subject for highlighting.
final class DisplayRow: Sendable {
    let airport: Airport
    let airports: [Airport]
    let title: String
    let subtitle: String
    private let folded = AtomicLazyReference<FoldedTexts>()
    let key: RowKey
    let cityKey: RowKey
    private let names: Mutex<CachedNames>

    /// Creates a row.
    ///
    /// - Parameter names: The names of the row's subject; nil for a row without highlights.
    init(
        _ airport: Airport, airports: [Airport] = [], names: sending SubjectNames? = nil, catalogue: Catalogue,
        language: String
    ) {
        self.airport = airport
        self.airports = airports
        self.names = Mutex(CachedNames(names: names))
        key = RowKey(code: airport.code, isCity: airport.isCity)
        cityKey = RowKey(code: airport.cityCode, isCity: true)
        title = airport.isCity ? airport.cityTitle(in: language) : airport.title(in: language)
        var parts: [String] = []
        let city = airport.cityTitle(in: language)
        let country = catalogue.country(code: airport.country)?.title(in: language) ?? airport.country
        if !airport.isCity, city != title, city != country { parts.append(city) }
        if let region = airport.region, catalogue.isNamesake(city: airport.city),
            ![title, city, airport.city].contains(region)
        {
            parts.append(region)
        }
        if country != title { parts.append(country) }
        subtitle = parts.joined(separator: ", ")
    }

    /// The words of the title and the subtitle.
    fileprivate final class FoldedTexts: Sendable {
        let title: [FoldedWord]
        let subtitle: [FoldedWord]

        init(title: String, subtitle: String) {
            self.title = SearchField.fold(title)
            self.subtitle = SearchField.fold(subtitle)
        }
    }

    /// The folded texts, created on first use because few searches need them.
    fileprivate var foldedTexts: FoldedTexts {
        folded.load() ?? folded.storeIfNil(FoldedTexts(title: title, subtitle: subtitle))
    }

    // MARK: - Names

    private struct CachedNames {
        let names: SubjectNames?
        var values: [(key: Int, spans: NameSpans?)] = []
    }

    /// The size at which the cache is cleared; rows match fewer values in practice.
    private static let maxCachedValues = 64

    /// Returns the names of a class in a field; nil for a row without highlights.
    func names(_ nameClass: NameClass, field: Int) -> [String]? {
        names.withLock { $0.names?.names(nameClass, field: field) }
    }

    /// Returns a value of a class in a field. Cached, since further typing matches the same name again.
    fileprivate func value(_ number: Int, _ nameClass: NameClass, field: Int, isPopular: Bool) -> NameSpans? {
        let key = (number << 8 | field) << 8 | Int(nameClass.rawValue)
        return names.withLock { cached in
            for known in cached.values where known.key == key { return known.spans }
            var found: NameSpans?
            SearchField.forEachValue(
                of: cached.names?.names(nameClass, field: field) ?? [], nameClass, field: field, only: number,
                fold: { SearchField.fold($0, isPopular: isPopular) }
            ) { name, words, value in
                found = NameSpans(
                    name, words, value, isJoined: field != SearchField.initials && field != SearchField.keys,
                    place: DisplayPlace(of: name, title: title, subtitle: subtitle))
            }
            if cached.values.count >= DisplayRow.maxCachedValues { cached.values.removeAll() }
            cached.values.append((key, found))
            return found
        }
    }
}

/// The identity of an airport or a city as one number: the bytes of its code.
struct RowKey: Hashable, Sendable {
    private let value: UInt64

    init(code: String, isCity: Bool) {
        // Codes have three letters, and up to seven fit.
        value = code.utf8.prefix(7).reduce(isCity ? 1 : 0) { $0 << 8 | UInt64($1) }
    }
}

/// A position in the texts of a row, in scalars.
private struct DisplayPlace: Sendable {
    let key: String
    let offset: Int

    /// Locates a name in a title or subtitle; nil if neither contains it.
    init?(of name: String, title: String, subtitle: String) {
        if let offset = DisplayPlace.offset(of: name, in: title) {
            (key, self.offset) = ("title", offset)
        } else if let offset = DisplayPlace.offset(of: name, in: subtitle) {
            (key, self.offset) = ("subtitle", offset)
        } else {
            return nil
        }
    }

    /// Returns the offset of a name in a text as whole words, in scalars.
    static func offset(of name: String, in text: String) -> Int? {
        let name = Array(name.unicodeScalars)
        let text = Array(text.unicodeScalars)
        guard !name.isEmpty, name.count <= text.count else { return nil }
        return (0...(text.count - name.count)).first { start in
            let end = start + name.count
            return text[start] == name[0] && text[start..<end].elementsEqual(name)
                && (start == 0 || !text[start - 1].properties.isAlphabetic)
                && (end == text.count || !text[end].properties.isAlphabetic)
        }
    }
}

/// The rows of all subjects of a list in one language, each created on first use.
///
/// A search copies references to rows instead of texts, and reads them without a lock.
final class RowTable: Sendable {
    private let subjects: SubjectList
    private let language: String
    private let airports: LazyObjects<SubjectRows>
    /// The rows of cities, or of places.
    private let others: LazyObjects<SubjectRows>

    init(of subjects: SubjectList, language: String) {
        self.subjects = subjects
        self.language = language
        airports = LazyObjects(count: subjects.airportCount)
        others = LazyObjects(
            count: subjects.extent == .popular
                ? subjects.catalogue.cityCount : subjects.extent == .places ? subjects.catalogue.places.count : 0)
    }

    /// Returns the rows of a subject; nil if there is no such subject.
    func rows(of subject: SearchSubject) -> SubjectRows? {
        let table = subject.kind == .airport ? airports : others
        return table.object(at: subject.number) { subjects.makeRows(of: subject, language: language) }
    }
}

/// The row of an airport or city, or the rows of the airports nearest to a place.
final class SubjectRows: Sendable {
    /// The rows, best first.
    let rows: [DisplayRow]
    /// The name of a city or place in the language of the rows; empty for an airport.
    let title: String

    init(_ rows: [DisplayRow], title: String) {
        self.rows = rows
        self.title = title
    }
}

// MARK: - Highlights

/// Computes the highlights of a row: the matched letters where they are displayed.
struct Highlighting {
    let candidate: AirportCandidate
    let row: DisplayRow
    let session: SearchSession

    /// Returns the row with its highlights. A matched name that is not displayed is appended to the subtitle.
    ///
    /// - Parameters:
    ///   - stage: The stage that found the row.
    ///   - place: The name of the place that the airport of the row is near, in the language of the row.
    func hit(stage: Int, near place: String? = nil) -> AirportHit {
        var hit = AirportHit(
            airport: row.airport, airports: row.airports, title: row.title, subtitle: row.subtitle,
            match: candidate.match, edits: candidate.edits, isWeak: candidate.isWeak,
            likelihood: AirportLikelihood(evidence: candidate.evidence), stage: stage, highlights: [:])
        switch candidate.nameClass {
        case .code: markCode(&hit)
        case .words:
            if let place { append(place, to: &hit) }
            markWords(&hit)
        case .main, .own, .tail, .colloquial, .foreign, .country, .place: markName(&hit, near: place)
        }
        return hit
    }

    private func markName(_ hit: inout AirportHit, near place: String?) {
        let matches = session.matches(of: candidate)
        guard let match = matches.first,
            let name = row.value(
                match.value, candidate.nameClass, field: candidate.field, isPopular: !candidate.isUncommon)
        else { return }
        if place == nil, let shown = name.place {
            hit.highlights = [shown.key: name.ranges(of: matches, from: shown.offset)]
            return
        }
        guard candidate.field != SearchField.initials else { return }
        let isExplaining = explains(name.name)
        let text: String
        if let place {
            let isShown = DisplayPlace.offset(of: name.name, in: place) != nil
            let showsPlace = DisplayPlace.offset(of: place, in: name.name) != nil
            text = isShown || !isExplaining ? place : showsPlace ? name.name : "\(place) (\(name.name))"
        } else {
            guard isExplaining else { return }
            text = name.name
        }
        let start = append(text, to: &hit)
        if let offset = DisplayPlace.offset(of: name.name, in: text) {
            hit.highlights = ["subtitle": name.ranges(of: matches, from: start + offset)]
        }
    }

    /// Returns `true` if a name that the row does not display explains the match to the person: it is in the language of
    /// the row or in English, was typed as it is spelled, or the query is in the same script.
    private func explains(_ name: String) -> Bool {
        guard candidate.isLatinQuery else { return true }
        guard SubjectNames.isLatin(name) else { return false }
        if SearchField.language(of: candidate.field) != nil { return true }
        if session.context(of: candidate).query.isSpelled(name) { return true }
        let isForeign =
            candidate.nameClass == .foreign || SearchField.foreignFields.contains(candidate.field)
        guard isForeign, let language = session.languageField else { return !isForeign }
        return row.names(.main, field: language)?.contains(name) ?? false
    }

    /// Appends a text to the subtitle, and returns its offset there.
    @discardableResult
    private func append(_ text: String, to hit: inout AirportHit) -> Int {
        if !hit.subtitle.isEmpty { hit.subtitle += " · " }
        defer { hit.subtitle += text }
        return hit.subtitle.unicodeScalars.count
    }

    // MARK: - Codes and words

    private func markCode(_ hit: inout AirportHit) {
        let match = session.matches(of: candidate).first
        let length = match?.letters.count ?? row.airport.code.count
        let isICAO = match?.value == 1
        hit.highlights[isICAO ? "icao" : "code"] = [0..<length]
    }

    /// Highlights each typed word in the displayed word with the nearest prefix; the title takes precedence.
    private func markWords(_ hit: inout AirportHit) {
        let folded = row.foldedTexts
        let subtitle = hit.subtitle == row.subtitle ? folded.subtitle : SearchField.fold(hit.subtitle)
        let texts = [(key: "title", words: folded.title), (key: "subtitle", words: subtitle)]
        let query = session.context(of: candidate).query
        let fuzziness = hit.match == .typo ? query.fuzziness : Fuzziness(one: .max, two: nil)
        var ranges: [String: [Range<Int>]] = [:]
        var used: [(text: Int, word: Int)] = []
        for typed in query.words {
            let letters = typed.spellings[0].letters
            let maxEdits = fuzziness.edits(letters: letters.count)
            var best: (edits: Int, text: Int, word: Int, range: Range<Int>)?
            for (text, (_, words)) in texts.enumerated() {
                for (number, word) in words.enumerated() where !used.contains(where: { $0 == (text, number) }) {
                    for spelling in word.spellings {
                        let near = Self.nearestPrefix(of: spelling.letters, to: letters, maxEdits: maxEdits)
                        if let near, near.edits < best?.edits ?? .max {
                            best = (near.edits, text, number, spelling.source(of: 0..<near.length))
                        }
                    }
                }
            }
            if let best {
                used.append((best.text, best.word))
                ranges[texts[best.text].key, default: []].append(best.range)
            }
        }
        hit.highlights = ranges.mapValues(HighlightRanges.merged)
    }

    /// Returns the length of the prefix of a word with the smallest edit distance to the typed text, or nil if that is too
    /// large. O(typed · word), without edits O(typed).
    private static func nearestPrefix(
        of word: [UInt16], to typed: [UInt16], maxEdits: Int
    ) -> (edits: Int, length: Int)? {
        if word.starts(with: typed) { return (0, typed.count) }
        if maxEdits == 0 { return nil }
        var best = (edits: typed.count, length: 0)
        EditDistance.forEachPrefix(of: word.prefix(typed.count + 3), near: typed[...]) { length, edits in
            if edits < best.edits || (edits == best.edits && length <= typed.count) { best = (edits, length) }
            return true
        }
        return best.edits <= maxEdits ? best : nil
    }
}

/// A value of a name in a field: the text, where its row displays it, and the source of each letter.
///
/// The letters are prepared once, so that highlighting folds nothing and allocates only its result.
private final class NameSpans: Sendable {
    /// The sources of the letters of one spelling of a name whose words are joined.
    private struct SourceMap: Sendable {
        /// The source of each letter, in Unicode scalars of the name.
        var sources: [Range<UInt16>] = []
        /// The number of the word of each letter.
        var words: [UInt8] = []

        init(_ number: Int, of folded: ArraySlice<FoldedWord>) {
            for (position, word) in folded.enumerated() {
                let spelling = word.spellings[min(number, word.spellings.count - 1)]
                for letter in spelling.letters.indices {
                    let source = spelling.source(of: letter..<letter + 1)
                    sources.append(UInt16(clamping: source.lowerBound)..<UInt16(clamping: source.upperBound))
                    words.append(UInt8(clamping: position))
                }
            }
        }
    }

    let name: String
    /// The position of the name in the row; nil if the row does not display it.
    let place: DisplayPlace?
    private let value: FieldValue
    private let words: [FoldedWord]
    /// The source maps of the spellings; empty if the words are not joined letters.
    private let sourceMaps: [SourceMap]

    /// - Parameter isJoined: `true` for a value whose words are joined letters.
    init(_ name: String, _ words: [FoldedWord], _ value: FieldValue, isJoined: Bool, place: DisplayPlace?) {
        self.name = name
        self.words = words
        self.value = value
        self.place = place
        sourceMaps =
            isJoined && value.words.count == 1
            ? value.words[0].origins.map { SourceMap($0, of: words[value.words[0].position...]) } : []
    }

    /// Returns the ranges that matches cover in the text, which begins at `offset`, sorted and disjoint, in Unicode
    /// scalars.
    func ranges(of matches: [WordMatch], from offset: Int) -> [Range<Int>] {
        guard matches.count == 1, let match = matches.first, match.word == 0,
            sourceMaps.indices.contains(match.spelling)
        else {
            return HighlightRanges.merged(matches.flatMap { value.ranges(of: $0, in: words) }).map {
                $0.lowerBound + offset..<$0.upperBound + offset
            }
        }
        let map = sourceMaps[match.spelling]
        var ranges: [Range<Int>] = []
        var start = match.letters.lowerBound
        let end = min(match.letters.upperBound, map.sources.count)
        while start < end {
            var last = start
            while last + 1 < end, map.words[last + 1] == map.words[start] { last += 1 }
            let low = Int(map.sources[start].lowerBound)
            let range = low + offset..<max(low, Int(map.sources[last].upperBound)) + offset
            if let before = ranges.last, range.lowerBound <= before.upperBound {
                ranges[ranges.count - 1] = before.lowerBound..<max(before.upperBound, range.upperBound)
            } else if !range.isEmpty {
                ranges.append(range)
            }
            start = last + 1
        }
        return ranges
    }
}
