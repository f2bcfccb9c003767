import Foundation
import SwitchboardAirports
import SwitchboardKeypad
import SwitchboardTextNormalization
import Workload

/// Writes the searched data as plain tables, so that other programs can be measured with the same data. They receive
/// folded words and keys and need not fold or transliterate.
enum Corpus {
    /// `contacts-COUNT.tsv`: name, its words in every spelling, the same as keys, its numbers. Spellings are separated
    /// by `|`, words by a space.
    static func contacts(_ count: Int) throws {
        var text = ""
        for person in try Person.generated(count) {
            let words = [person.name, person.phoneticName, person.nickname, person.organization].compactMap { $0 }
                .map { FoldedText($0).words }
            let spellings = words.flatMap { tracks($0) { $0.spellings.map(\.letters) } }
            let keys = words.flatMap { tracks($0) { keypadSpellings(of: $0).map { $0.digits.map(UInt16.init) } } }
            let numbers = person.phones.map { $0.filter(\.isWholeNumber) }
            text +=
                [
                    person.name, spellings.joined(separator: "|"), keys.joined(separator: "|"),
                    numbers.joined(separator: " "),
                ].joined(separator: "\t") + "\n"
        }
        try write(text, to: "contacts-\(count).tsv")
    }

    /// `airports.tsv`: city, its folded name, all names of airport and city in every spelling; `airport-queries.tsv`; `places.tsv`;
    /// `airport-places.tsv`.
    static func airports() throws {
        let catalogue = Catalogue()
        var names = ""
        var places = ""
        for airport in (0..<catalogue.count).compactMap({ catalogue.airport(at: $0) }) {
            let all =
                [airport.name, airport.city] + airport.names.byLanguage.flatMap(\.names)
                + airport.cityNames.byLanguage.flatMap(\.names)
            let spellings = all.flatMap { tracks(FoldedText($0).words) { $0.spellings.map(\.letters) } }
            let main = tracks(FoldedText(airport.city).words) { $0.spellings.map(\.letters) }.first ?? ""
            names += "\(airport.city)\t\(main)\t\(Set(spellings).sorted().joined(separator: "|"))\n"
            places += "\(airport.latitude)\t\(airport.longitude)\n"
        }
        try write(names, to: "airports.tsv")
        try write(places, to: "airport-places.tsv")
        let coordinates = Coordinate.nearAirports(1000, of: catalogue)
        try write(coordinates.map { "\($0.latitude)\t\($0.longitude)\n" }.joined(), to: "places.tsv")
        var maker = AirportQueryMaker(catalogue)
        let queries = try AirportQuery.Kind.allCases.flatMap { try maker.queries($0, AirportMeasurements.queryCount) }
        try write(
            queries.map { "\($0.kind.rawValue)\t\($0.text)\t\($0.city)\n" }.joined(), to: "airport-queries.tsv")
    }

    /// The words of a text in each distinct track of spellings.
    private static func tracks(_ words: [FoldedWord], _ spellings: (FoldedWord) -> [[UInt16]]) -> [String] {
        let words = words.map(spellings).filter { !$0.isEmpty }
        var tracks: [String] = []
        for track in 0..<(words.map(\.count).max() ?? 0) {
            let text = words.map { String(decoding: $0[min(track, $0.count - 1)], as: UTF16.self) }
                .joined(separator: " ")
            if !tracks.contains(text) { tracks.append(text) }
        }
        return tracks
    }

    private static func write(_ text: String, to name: String) throws {
        try text.write(toFile: try DataFolder.path() + "/" + name, atomically: true, encoding: .utf8)
    }
}
