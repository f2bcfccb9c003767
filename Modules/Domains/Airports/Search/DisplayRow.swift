import SwitchboardIncrementalIndex
import SwitchboardTextNormalization
import Synchronization

/// A row as displayed in one language: its texts, and the names of its subject for highlighting.
final class DisplayRow: Sendable {
    let airport: Airport
    let airports: [Airport]
    let title: String
    let subtitle: String
    let foldedTitle: [FoldedWord]
    let foldedSubtitle: [FoldedWord]
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
        foldedTitle = SearchField.fold(title)
        foldedSubtitle = SearchField.fold(subtitle)
    }

    // MARK: - Names

    /// A value of a field, with its name and where the row displays it.
    struct NameValue: Sendable {
        let name: String
        let words: [FoldedWord]
        let value: FieldValue
        let place: DisplayPlace?
    }

    private struct CachedNames {
        struct Key: Hashable {
            let nameClass: NameClass
            let field: Int
            let value: Int
        }

        let names: SubjectNames?
        var values: [Key: NameValue] = [:]
    }

    /// More than a row matches in practice; the cache is then cleared.
    private static let maxCachedValues = 64

    /// Returns a value of a class in a field. Cached, since further typing matches the same name again.
    func value(_ number: Int, _ nameClass: NameClass, field: Int, isPopular: Bool) -> NameValue? {
        let key = CachedNames.Key(nameClass: nameClass, field: field, value: number)
        return names.withLock { cached in
            if let known = cached.values[key] { return known }
            var found: NameValue?
            SearchField.forEachValue(
                of: cached.names?.names(nameClass, field: field) ?? [], nameClass, field: field, only: number,
                fold: { SearchField.fold($0, isPopular: isPopular) }
            ) { name, words, value in
                found = NameValue(
                    name: name, words: words, value: value,
                    place: DisplayPlace(of: name, title: title, subtitle: subtitle))
            }
            if cached.values.count >= DisplayRow.maxCachedValues { cached.values.removeAll() }
            cached.values[key] = found
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
