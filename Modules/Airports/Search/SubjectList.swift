import Foundation
import LookupEngine
import TextFolding

/// The airports, cities and places that an index is made of, read only when they are asked for.
struct SubjectList: Sendable {
    enum Extent: Sendable {
        /// The popular list that ships, cities and places.
        case shippedPopular
        /// A popular list that was loaded, cities and places.
        case loaded(PopularList)
        /// All airports and cities.
        case catalogue
    }

    let catalogue: Catalogue
    let extent: Extent

    /// Tells lists in which a number means another airport apart.
    var identity: Int64 {
        if case .loaded(let list) = extent { return list.generation }
        return 0
    }

    /// Whether names have lanes of their languages.
    var hasLanguages: Bool {
        if case .catalogue = extent { return false }
        return true
    }

    /// The languages of countries' names in the index of all airports; that of the popular ones has all.
    private static let countryLanguages = [
        "en", "ru", "es", "tr", "de", "fr", "it", "pt", "ja", "zh", "ar", "ko", "uk", Names.otherTag,
    ]

    /// Every subject. Cities come first, so that of equal scores the city's row comes before its airports.
    var all: [SearchSubject] {
        let cities = (0..<catalogue.cityCount).compactMap { number -> SearchSubject? in
            let isCity = catalogue.cityAirportCount(at: number) > 1
            if !isCity, case .catalogue = extent { return nil }
            return SearchSubject(kind: isCity ? .city : .place, number: number)
        }
        let airports: [Int]
        switch extent {
        case .shippedPopular: airports = catalogue.popularRecords
        case .loaded(let list): airports = Array(list.airports.indices)
        case .catalogue: airports = Array(0..<catalogue.count)
        }
        return cities + airports.map { SearchSubject(kind: .airport, number: $0) }
    }

    /// The airport of a number in this list.
    func airport(_ number: Int) -> Airport? {
        switch extent {
        case .loaded(let list): list.airports.indices.contains(number) ? list.airports[number] : nil
        case .shippedPopular, .catalogue: catalogue.airport(at: number)
        }
    }

    /// The names of a subject.
    func names(of subject: SearchSubject) -> SubjectNames? {
        let languages = hasLanguages ? nil : SubjectList.countryLanguages
        switch subject.kind {
        case .airport:
            guard let airport = airport(subject.number) else { return nil }
            return SubjectNames(
                airport, isOneOfSeveral: catalogue.isCityOfSeveral(code: airport.cityCode),
                country: catalogue.country(code: airport.country), countryLanguages: languages)
        case .city, .place:
            guard let city = catalogue.city(at: subject.number) else { return nil }
            return SubjectNames(
                city, country: catalogue.country(code: city.country), countryLanguages: languages)
        }
    }

    /// A subject with its names folded, for the index.
    func entry(of subject: SearchSubject) -> AirportIndexBuilder.Entry? {
        guard let names = names(of: subject), let score = score(of: subject) else { return nil }
        return AirportIndexBuilder.Entry(subject, score: score, names: names, withLanguages: hasLanguages)
    }

    /// The popularity of a subject, before its names' penalties.
    private func score(of subject: SearchSubject) -> Double? {
        switch subject.kind {
        case .airport: return airport(subject.number)?.popularity
        case .city:
            guard let city = catalogue.city(at: subject.number) else { return nil }
            return cityScore(catalogue.records(inCity: city.code).compactMap { catalogue.airport(at: $0)?.popularity })
        case .place:
            guard let city = catalogue.city(at: subject.number) else { return nil }
            // A city of ten million weighs as much as an airport of some hundred thousand passengers a year.
            return 0.08 * log10(Double(max(city.population, 1000)))
        }
    }

    /// A city is used by the passengers of all its airports. Popularity is a logarithm over seven powers of ten.
    private func cityScore(_ popularity: [Double]) -> Double {
        log10(popularity.reduce(0) { $0 + pow(10, 7 * $1) }) / 7 + 1e-5
    }

    /// Tells indexes of other data or rules apart. Reads the data once: about a millisecond.
    var fingerprint: UInt64 {
        var hash = catalogue.fingerprint
        func mix(_ value: UInt64) {
            hash = (hash ^ value) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
        }
        mix(AirportIndexBuilder.rules)
        mix(UInt64(FoldedText.serializationVersion))
        mix(UInt64(LookupEngine.formatVersion))
        switch extent {
        case .shippedPopular: mix(1)
        case .catalogue: mix(2)
        case .loaded(let list):
            mix(3)
            mix(list.fingerprint)
        }
        return hash
    }
}
