import Foundation
import SwitchboardSearchEngine
import SwitchboardTextNormalization
import Synchronization

/// The airports, cities and places of an index, read on access.
final class SubjectList: Sendable {
    enum Extent: Sendable {
        /// The popular list, cities and places.
        case popular
        /// All airports of the catalogue that are not in the popular list.
        case others
    }

    let catalogue: Catalogue
    /// The loaded popular list; nil for the embedded one.
    let loaded: PopularList?
    let extent: Extent
    private let ownWordCounts = Mutex<[Int64: Int]>([:])

    init(catalogue: Catalogue, loaded: PopularList?, extent: Extent) {
        self.catalogue = catalogue
        self.loaded = loaded
        self.extent = extent
    }

    /// The generation of a list in which numbers refer to other airports.
    var identity: Int64 { extent == .popular ? loaded?.generation ?? 0 : 0 }

    var hasLanguages: Bool { extent == .popular }

    /// All subjects. Cities come first, so that a city precedes its airports if scores are equal.
    var all: [SearchSubject] {
        let airports: [Int]
        var cities: [SearchSubject] = []
        switch extent {
        case .popular:
            airports = loaded.map { Array($0.airports.indices) } ?? catalogue.popularRecords
            cities = (0..<catalogue.cityCount).map { number in
                SearchSubject(kind: catalogue.cityAirportCount(at: number) > 1 ? .city : .place, number: number)
            }
        case .others:
            let popular = loaded.map { Set($0.airports.compactMap { catalogue.record(code: $0.code) }) }
            let records = popular ?? Set(catalogue.popularRecords)
            airports = (0..<catalogue.count).filter { !records.contains($0) }
        }
        return cities + airports.map { SearchSubject(kind: .airport, number: $0) }
    }

    func airport(_ number: Int) -> Airport? {
        guard extent == .popular, let loaded else { return catalogue.airport(at: number) }
        return loaded.airports.indices.contains(number) ? loaded.airports[number] : nil
    }

    func names(of subject: SearchSubject) -> SubjectNames? {
        switch subject.kind {
        case .airport:
            guard let airport = airport(subject.number) else { return nil }
            return SubjectNames(
                airport, row: catalogue.multiAirportCity(code: airport.cityCode),
                country: catalogue.country(code: airport.country))
        case .city, .place:
            guard let city = catalogue.city(at: subject.number) else { return nil }
            return SubjectNames(city, country: catalogue.country(code: city.country))
        }
    }

    /// Returns the number of words of a subject's main names, which come first in the fields of words. Cached.
    func ownWordCount(of subject: SearchSubject) -> Int {
        if let known = ownWordCounts.withLock({ $0[subject.id] }) { return known }
        let words = names(of: subject).map { names in
            Set(
                (names.main + names.own).flatMap { name in
                    SearchField.fold(name).flatMap {
                        $0.spellings.prefix(SearchField.maxWordSpellings).map { $0.letters }
                    }
                })
        }
        let count = words?.count ?? 0
        ownWordCounts.withLock { $0[subject.id] = count }
        return count
    }

    func entry(of subject: SearchSubject, _ folded: inout FoldedNames) -> AirportIndexBuilder.Entry? {
        guard let names = names(of: subject), let score = score(of: subject) else { return nil }
        return AirportIndexBuilder.Entry(subject, score: score, names: names, isPopular: extent == .popular, &folded)
    }

    /// Returns the popularity of a subject, before the penalties of its names.
    private func score(of subject: SearchSubject) -> Double? {
        switch subject.kind {
        case .airport: return airport(subject.number)?.popularity
        case .city:
            guard let city = catalogue.city(at: subject.number) else { return nil }
            return cityScore(catalogue.records(inCity: city.code).compactMap { catalogue.airport(at: $0)?.popularity })
        case .place:
            guard let city = catalogue.city(at: subject.number) else { return nil }
            // A city of ten million weighs as much as an airport with some hundred thousand passengers a year.
            return 0.08 * log10(Double(max(city.population, 1000)))
        }
    }

    /// Adds up the passengers of a city's airports. Popularity is a logarithm over seven powers of ten.
    private func cityScore(_ popularity: [Double]) -> Double {
        log10(popularity.reduce(0) { $0 + pow(10, 7 * $1) }) / 7 + 1e-5
    }

    /// A hash of the data and the versions of the code, computed in about a millisecond.
    var fingerprint: UInt64 {
        var hash = catalogue.fingerprint
        func mix(_ value: UInt64) {
            hash = (hash ^ value) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
        }
        mix(AirportIndexBuilder.schemaVersion)
        mix(UInt64(FoldedText.serializationVersion))
        mix(UInt64(SearchEngine.formatVersion))
        mix(extent == .popular ? 1 : 2)
        mix(loaded?.fingerprint ?? 0)
        return hash
    }
}
