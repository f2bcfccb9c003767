import CSwitchboardAirportCatalogue
import Foundation
import SwitchboardAlgorithms
import SwitchboardIncrementalIndex
import SwitchboardSearchEngine
import SwitchboardTextNormalization
import Synchronization

/// The airports, cities or places of an index, read on access.
final class SubjectList: Sendable {
    enum Extent: Sendable {
        /// The popular list and the cities.
        case popular
        /// All airports of the catalogue that are not in the popular list.
        case others
        /// The places without an airport.
        case places
    }

    let catalogue: Catalogue
    /// The loaded popular list; nil for the embedded one.
    let loaded: PopularList?
    let extent: Extent
    /// The airports that are not in this popular list.
    let others: SubjectList?
    /// The places without an airport.
    let places: SubjectList?
    private let cache = Mutex(Cache())

    private struct Cache {
        var tables: [String: RowTable] = [:]
        var ownWordCounts: [SearchSubject: Int] = [:]
    }

    /// The number of languages at which all cached rows are dropped; most users need fewer.
    private static let maxLanguages = 16

    init(catalogue: Catalogue, loaded: PopularList?, extent: Extent = .popular) {
        self.catalogue = catalogue
        self.loaded = loaded
        self.extent = extent
        others = extent == .popular ? SubjectList(catalogue: catalogue, loaded: loaded, extent: .others) : nil
        places = extent == .popular ? SubjectList(catalogue: catalogue, loaded: nil, extent: .places) : nil
    }

    /// All subjects. Cities come first, so that a city precedes its airports if scores are equal.
    private var all: [SearchSubject] {
        let airports: [Int]
        var cities: [SearchSubject] = []
        switch extent {
        case .popular:
            airports = loaded.map { Array($0.airports.indices) } ?? catalogue.popularRecords
            cities = (0..<catalogue.cityCount).map { SearchSubject(kind: .city, number: $0) }
        case .others:
            let popular = loaded.map { Set($0.airports.compactMap { catalogue.record(code: $0.code) }) }
            let records = popular ?? Set(catalogue.popularRecords)
            airports = (0..<catalogue.count).filter { !records.contains($0) }
        case .places:
            return (0..<catalogue.places.count).map { SearchSubject(kind: .place, number: $0) }
        }
        return cities + airports.map { SearchSubject(kind: .airport, number: $0) }
    }

    private func airport(_ number: Int) -> Airport? {
        guard extent == .popular, let loaded else { return catalogue.airport(at: number) }
        return loaded.airports.indices.contains(number) ? loaded.airports[number] : nil
    }

    func names(of subject: SearchSubject) -> SubjectNames? {
        if subject.kind == .airport {
            return airport(subject.number).map { airport in
                SubjectNames(
                    airport, row: catalogue.multiAirportCity(code: airport.cityCode),
                    country: catalogue.country(code: airport.country))
            }
        }
        if subject.kind == .place { return catalogue.place(at: subject.number).map { SubjectNames($0) } }
        return catalogue.city(at: subject.number).map { city in
            SubjectNames(city, country: catalogue.country(code: city.country))
        }
    }

    /// Returns the number of words of a subject's main names, which come first in the fields of words. Cached.
    func ownWordCount(of subject: SearchSubject) -> Int {
        if let known = cache.withLock({ $0.ownWordCounts[subject] }) { return known }
        let words = names(of: subject).map { names in
            Set(
                (names.main + names.own).flatMap { name in
                    SearchField.fold(name).flatMap {
                        $0.spellings.prefix(SearchField.maxWordSpellings).map { $0.letters }
                    }
                })
        }
        let count = words?.count ?? 0
        cache.withLock { $0.ownWordCounts[subject] = count }
        return count
    }

    /// Returns `true` if each word is, or begins with three letters, a word of the region or the country of a place.
    func surroundings(of subject: SearchSubject, begin words: [FoldedWord]) -> Bool {
        guard let place = catalogue.place(at: subject.number) else { return false }
        let country = catalogue.country(code: place.country)
        let texts = [place.region ?? "", place.country] + (country?.names.byLanguage.flatMap { $0.names } ?? [])
        let known = texts.flatMap { SearchField.fold($0).flatMap { $0.spellings.map(\.letters) } }
        return words.allSatisfy { word in
            word.spellings.contains { spelling in
                known.contains {
                    spelling.letters.count < 3 ? $0 == spelling.letters : $0.starts(with: spelling.letters)
                }
            }
        }
    }

    // MARK: - Rows

    /// The number of airports that subjects can stand for.
    var airportCount: Int { extent == .popular ? loaded?.airports.count ?? catalogue.count : catalogue.count }

    /// Returns the rows of all subjects in a language. Cached, so further typing does not create the same rows again.
    func rows(in language: String) -> RowTable {
        cache.withLock { cache in
            if let known = cache.tables[language] { return known }
            if cache.tables.count >= SubjectList.maxLanguages { cache.tables.removeAll() }
            let table = RowTable(of: self, language: language)
            cache.tables[language] = table
            return table
        }
    }

    /// Creates the row of an airport or city, or the rows of the airports nearest to a place.
    func makeRows(of subject: SearchSubject, language: String) -> SubjectRows? {
        var rows: [DisplayRow] = []
        for (row, airports) in shown(subject) {
            guard let names = names(of: subject) else { continue }
            rows.append(DisplayRow(row, airports: airports, names: names, catalogue: catalogue, language: language))
        }
        let place = subject.kind == .place ? catalogue.place(at: subject.number) : nil
        return SubjectRows(rows, title: place.map { $0.names.title(in: language, english: $0.name) } ?? "")
    }

    /// Returns the airports or the city to show for a subject, with the airports of the city.
    private func shown(_ subject: SearchSubject) -> [(row: Airport, airports: [Airport])] {
        if subject.kind == .airport { return airport(subject.number).map { [($0, [])] } ?? [] }
        if subject.kind == .place {
            return catalogue.place(at: subject.number).map(catalogue.airports(serving:))?.map { ($0, []) } ?? []
        }
        guard let city = catalogue.city(at: subject.number) else { return [] }
        let airports = catalogue.records(inCity: city.code).compactMap(catalogue.airport(at:))
        return catalogue.cityRow(code: city.code).map { [($0, airports)] } ?? []
    }
}

// MARK: - Index

/// A document of the index is a subject with the names of one class. Its rank has the bits of the subject and of the
/// class (``AirportLikelihood``), so documents are in display order, and the best prefix matches are found without
/// visiting the others.
extension SubjectList: StaticIndexSource {
    /// The version of the index contents. When it changes, run `Scripts/data/build-airport-indexes`.
    private static let schemaVersion: UInt64 = 8

    var fileName: String {
        switch extent {
        case .popular: "airports-popular"
        case .others: "airports"
        case .places: "airports-places"
        }
    }
    var fields: [FieldOptions] { SearchField.options(extent) }

    /// The index of the embedded catalogue, made by `Scripts/data/build-airport-indexes`.
    var embedded: IndexBytes? {
        guard loaded == nil else { return nil }
        var size = 0
        // Safe: the embedded files are constants of the program, given with their size.
        let start =
            switch extent {
            case .popular: unsafe sb_popular_airports_index(&size)
            case .others: unsafe sb_airports_index(&size)
            case .places: unsafe sb_places_index(&size)
            }
        return unsafe IndexBytes(UnsafeRawBufferPointer(start: start, count: size)) { _ in }
    }

    /// A hash of the data and the versions of the code, computed in about a millisecond.
    var fingerprint: UInt64 {
        var hash = extent == .places ? catalogue.places.fingerprint : catalogue.fingerprint
        func mix(_ value: UInt64) {
            hash = (hash ^ value) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
        }
        mix(SubjectList.schemaVersion)
        mix(UInt64(FoldedText.serializationVersion))
        mix(UInt64(SearchEngine.formatVersion))
        mix(extent == .popular ? 1 : extent == .others ? 2 : 3)
        mix(loaded?.fingerprint ?? 0)
        return hash
    }

    /// Returns the bits of a rank; smaller ranks and more bits are better.
    static func bits(rank: UInt64) -> Double { mostBits - Double(rank) / ranksOfBit }

    private static func rank(bits: Double) -> UInt64 { UInt64(max(0, (mostBits - bits) * ranksOfBit)) }

    /// The bits of rank 0. A loaded list may have popularities of more than 1.
    private static let mostBits = 200.0
    private static let ranksOfBit = 40_000.0

    /// Folds the names on all processors, then adds them in order.
    func add(to builder: inout IndexBuilder) {
        let chunks = all.concurrentMap(chunksOf: 256) { subjects in
            var folder = NameFolder(isPopular: self.extent != .others)
            return subjects.flatMap { self.documents(of: $0, &folder) }
        }
        for document in chunks.joined() {
            builder.beginDocument(id: document.id, rank: document.rank)
            for value in document.values {
                builder.beginValue(field: value.field)
                for word in value.words { builder.addWord(word) }
            }
        }
    }

    private func documents(of subject: SearchSubject, _ folder: inout NameFolder) -> [SubjectDocument] {
        guard let names = names(of: subject), let prior = prior(of: subject) else { return [] }
        let isPopular = extent == .popular
        let isPlace = subject.kind == .place
        var fields = isPlace ? SearchField.ofPlaces : [SearchField.names, SearchField.keys] + SearchField.foreignFields
        if isPopular { fields += names.languages.compactMap(SearchField.field(of:)) }
        var documents: [SubjectDocument] = []
        for nameClass in NameClass.allCases where (nameClass == .place) == isPlace {
            var document = SubjectDocument(
                id: subject.id(nameClass), rank: SubjectList.rank(bits: prior + AirportLikelihood.bits(nameClass)))
            if nameClass == .words {
                document.addWords(names, isPopular: isPopular, &folder)
            } else {
                for field in fields where isPopular || isPlace || field != SearchField.keys || nameClass != .foreign {
                    document.addNames(names, nameClass, field: field, &folder)
                }
                if nameClass == .main, isPopular {
                    document.addNames(names, nameClass, field: SearchField.initials, &folder)
                }
            }
            if !document.values.isEmpty { documents.append(document) }
        }
        return documents
    }

    /// Returns how much a subject is used, in bits.
    private func prior(of subject: SearchSubject) -> Double? {
        if subject.kind == .airport {
            return airport(subject.number).map { AirportLikelihood.bits(popularity: $0.popularity) }
        }
        if subject.kind == .city {
            // A city comes just before an airport that is all of it.
            return catalogue.city(at: subject.number).map { city in
                bits(of: catalogue.records(inCity: city.code).compactMap(catalogue.airport(at:))) + 1e-3
            }
        }
        return catalogue.place(at: subject.number).map { place in
            place.population == 0
                ? bits(of: catalogue.airports(serving: place)) : AirportLikelihood.bits(people: place.population)
        }
    }

    /// Returns how much airports are used together, in bits.
    private func bits(of airports: [Airport]) -> Double {
        log2(airports.reduce(1) { $0 + exp2(AirportLikelihood.bits(popularity: $1.popularity)) })
    }
}

/// A document of the index, with its names folded. Folding is the expensive part, so several threads share it.
private struct SubjectDocument: Sendable {
    let id: Int64
    let rank: UInt64
    private(set) var values: [(field: Int, words: [[[UInt16]]])] = []

    init(id: Int64, rank: UInt64) {
        self.id = id
        self.rank = rank
    }

    mutating func addNames(
        _ names: SubjectNames, _ nameClass: NameClass, field: Int, _ folder: inout NameFolder
    ) {
        let all = names.names(nameClass, field: field)
        SearchField.forEachValue(of: all, nameClass, field: field, fold: { folder.words(of: $0) }) { _, _, value in
            // The index ignores a value without words; a letter that cannot be typed keeps its ordinal.
            values.append((field, value.words.map { $0.spellings.isEmpty ? [[0]] : $0.spellings }))
        }
    }

    mutating func addWords(_ names: SubjectNames, isPopular: Bool, _ folder: inout NameFolder) {
        let english = names.main + names.own + names.colloquial + names.surroundings
        // Small airports are not searched by foreign names of their country.
        let all = english + names.codes + names.foreign + names.foreignCity + (isPopular ? names.foreignCountry : [])
        for (field, all) in [(SearchField.words, all), (SearchField.englishWords, english)] {
            var seen: Set<[UInt16]> = []
            for name in all {
                for word in folder.words(of: name) {
                    for spelling in word.spellings.prefix(SearchField.maxWordSpellings)
                    where seen.insert(spelling.letters).inserted {
                        values.append((field, [[spelling.letters]]))
                    }
                }
            }
        }
    }
}

/// Folds names, which recur across fields and airports.
private struct NameFolder {
    let isPopular: Bool
    private var known: [String: [FoldedWord]] = [:]

    init(isPopular: Bool) { self.isPopular = isPopular }

    mutating func words(of name: String) -> [FoldedWord] {
        if let words = known[name] { return words }
        if known.count > 8192 { known.removeAll() }
        let words = SearchField.fold(name, isPopular: isPopular)
        known[name] = words
        return words
    }
}

extension Catalogue {
    /// Returns the number of airports of a city; 0 for a place without airports.
    fileprivate func cityAirportCount(at record: Int) -> Int {
        let codes = cities.cell(record, CityColumn.airports.rawValue)
        return codes.isEmpty ? 0 : codes.string.split(separator: ",").count
    }

    /// Returns the city with a code if it has several airports, and therefore its own row.
    fileprivate func multiAirportCity(code: String) -> City? {
        cityRecord(code: code).flatMap { cityAirportCount(at: $0) > 1 ? city(at: $0) : nil }
    }

    /// A hash of all data, computed in about a millisecond.
    fileprivate var fingerprint: UInt64 {
        [table, cities, countryTable(openCountries)].reduce(0) { ($0 ^ $1.fingerprint) &* 0x9E37_79B9_7F4A_7C15 }
    }
}
