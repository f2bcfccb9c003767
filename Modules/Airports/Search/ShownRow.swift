import TextFolding

/// A row as it is shown in one language: its texts, and its names folded for highlighting.
struct ShownRow: Sendable {
    let airport: Airport
    let airports: [Airport]
    let title: String
    let subtitle: String
    /// The English names of the classes `main` and `own`, and the names in the language.
    private(set) var main: [ShownName] = []
    private(set) var own: [ShownName] = []
    private(set) var inLanguage: [ShownName] = []
    /// All its names.
    private(set) var names: SharedNames?

    init(_ airport: Airport, airports: [Airport], catalogue: Catalogue, language: String) {
        self.airport = airport
        self.airports = airports
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

    /// The row with its names, found in its texts.
    init(
        _ airport: Airport, airports: [Airport], names: sending SubjectNames?, catalogue: Catalogue, language: String
    ) {
        self.init(airport, airports: airports, catalogue: catalogue, language: language)
        guard let names else { return }
        main = names.main.map(shown)
        own = names.own.map(shown)
        if let lane = SearchLane.lane(of: language) { inLanguage = names.names(.main, lane: lane).map(shown) }
        self.names = SharedNames(names)
    }

    private func shown(_ name: String) -> ShownName { ShownName(name, title: title, subtitle: subtitle) }
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
        words = SearchLane.fold(name)
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
