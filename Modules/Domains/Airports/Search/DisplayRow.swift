import SwitchboardTextNormalization

/// A row as displayed in one language: its texts, and its names folded for highlighting.
final class DisplayRow: Sendable {
    let airport: Airport
    let airports: [Airport]
    let title: String
    let subtitle: String
    let foldedTitle: [FoldedWord]
    let foldedSubtitle: [FoldedWord]
    let key: RowKey
    let cityKey: RowKey
    /// The English names of the classes `main` and `own`, and the names in the language.
    let main: [DisplayName]
    let own: [DisplayName]
    let inLanguage: [DisplayName]
    let names: SharedNames?

    /// Creates a row, locating its names in its texts if they are given.
    init(
        _ airport: Airport, airports: [Airport], names: sending SubjectNames? = nil, catalogue: Catalogue,
        language: String
    ) {
        self.airport = airport
        self.airports = airports
        key = RowKey(code: airport.code, isCity: airport.isCity)
        cityKey = RowKey(code: airport.cityCode, isCity: true)
        let title = airport.isCity ? airport.cityTitle(in: language) : airport.title(in: language)
        var parts: [String] = []
        let city = airport.cityTitle(in: language)
        let country = catalogue.country(code: airport.country)?.title(in: language) ?? airport.country
        if !airport.isCity, city != title, city != country { parts.append(city) }
        if let region = airport.region, catalogue.isNamesake(city: airport.city), region != title, region != city {
            parts.append(region)
        }
        if country != title { parts.append(country) }
        let subtitle = parts.joined(separator: ", ")
        (self.title, self.subtitle) = (title, subtitle)
        foldedTitle = SearchField.fold(title)
        foldedSubtitle = SearchField.fold(subtitle)
        guard let names else {
            (main, own, inLanguage, self.names) = ([], [], [], nil)
            return
        }
        func shown(_ name: String) -> DisplayName { DisplayName(name, title: title, subtitle: subtitle) }
        main = names.main.map(shown)
        own = names.own.map(shown)
        inLanguage = SearchField.field(of: language).map { names.names(.main, field: $0).map(shown) } ?? []
        self.names = SharedNames(names)
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

/// A folded name and where it is displayed.
struct DisplayName: Sendable {
    /// A position in the texts of a row, in scalars.
    struct Place: Sendable {
        var key: String
        var offset: Int
    }

    let name: String
    let words: [FoldedWord]
    let place: Place?

    init(_ name: String, title: String, subtitle: String) {
        self.name = name
        words = SearchField.fold(name)
        place = DisplayName.place(of: name, title: title, subtitle: subtitle)
    }

    static func place(of name: String, title: String, subtitle: String) -> Place? {
        if let offset = offset(of: name, in: title) { return Place(key: "title", offset: offset) }
        return offset(of: name, in: subtitle).map { Place(key: "subtitle", offset: $0) }
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
