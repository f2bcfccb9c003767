import SwitchboardIncrementalIndex
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
        if let region = airport.region, catalogue.isNamesake(city: airport.city), region != title, region != city {
            parts.append(region)
        }
        if country != title { parts.append(country) }
        subtitle = parts.joined(separator: ", ")
    }

    /// The words of the title and the subtitle.
    final class FoldedTexts: Sendable {
        let title: [FoldedWord]
        let subtitle: [FoldedWord]

        init(title: String, subtitle: String) {
            self.title = SearchField.fold(title)
            self.subtitle = SearchField.fold(subtitle)
        }
    }

    /// The folded texts, created on first use because few searches need them.
    var foldedTexts: FoldedTexts {
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
    func value(_ number: Int, _ nameClass: NameClass, field: Int, isPopular: Bool) -> NameSpans? {
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
struct DisplayPlace: Sendable {
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
