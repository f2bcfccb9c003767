import SwitchboardTextNormalization

/// A row as it is shown in one language: its texts, and its names folded for highlighting.
final class ShownRow: Sendable {
    let airport: Airport
    let airports: [Airport]
    let title: String
    let subtitle: String
    let foldedTitle: [FoldedWord]
    let foldedSubtitle: [FoldedWord]
    /// Tells rows apart, and the cities they belong to.
    let key: RowKey
    let cityKey: RowKey
    /// The English names of the classes `main` and `own`, and the names in the language.
    let main: [ShownName]
    let own: [ShownName]
    let inLanguage: [ShownName]
    /// All its names.
    let names: SharedNames?

    /// The row; with its names, where they are found in its texts.
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
        func shown(_ name: String) -> ShownName { ShownName(name, title: title, subtitle: subtitle) }
        main = names.main.map(shown)
        own = names.own.map(shown)
        inLanguage = SearchField.field(of: language).map { names.names(.main, field: $0).map(shown) } ?? []
        self.names = SharedNames(names)
    }
}

/// An airport, or the row of a city, as one number: the bytes of its code.
struct RowKey: Hashable, Sendable {
    private let value: UInt64

    init(code: String, isCity: Bool) {
        // Codes have three letters; those of more than seven would need more bytes.
        value = code.utf8.prefix(7).reduce(isCity ? 1 : 0) { $0 << 8 | UInt64($1) }
    }
}

/// A name, folded, and where it is shown.
struct ShownName: Sendable {
    /// A place in the texts of a row, in scalars.
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
        place = ShownName.place(of: name, title: title, subtitle: subtitle)
    }

    static func place(of name: String, title: String, subtitle: String) -> Place? {
        if let offset = offset(of: name, in: title) { return Place(key: "title", offset: offset) }
        return offset(of: name, in: subtitle).map { Place(key: "subtitle", offset: $0) }
    }

    /// Where a name stands in a text as whole words, in scalars.
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
