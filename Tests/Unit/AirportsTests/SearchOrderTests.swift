import Foundation
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardTestSupport
import Testing

@testable import SwitchboardAirports

@Suite("Order of airports by likelihood")
struct SearchOrderTests {
    static func rows(_ query: String, language: String = "en") throws -> [AirportHit] {
        try ShippedSearch.search.search(SearchInput(query), language: language).hits
    }

    @Test("A whole name is in the first row, whatever the popularity of its airport")
    func wholeNames() throws {
        let catalogue = ShippedSearch.search.airports.catalogue
        let popular = Set(catalogue.popularRecords.compactMap { catalogue.airport(at: $0)?.city })
        var cities: [String: Set<String>] = [:]
        for record in 0..<catalogue.count {
            guard let airport = catalogue.airport(at: record), !popular.contains(airport.city) else { continue }
            cities[airport.city, default: []].insert(airport.code)
        }
        var random = SplitMix(seed: 2026)
        let names = cities.keys.sorted().shuffled(using: &random).prefix(250)
        let failures = try names.filter { name in
            guard let first = try Self.rows(name).first else { return true }
            let codes = Set([first.airport.code] + first.airports.map(\.code))
            return codes.isDisjoint(with: cities[name] ?? [])
        }
        // A few are codes or names of bigger cities in another language.
        #expect(failures.count <= 10, "\(failures)")
    }

    @Test("The first rows are the same for each limit")
    func prefixes() throws {
        let catalogue = ShippedSearch.search.airports.catalogue
        var random = SplitMix(seed: 4)
        // Beginnings of the words of names, some with a wrong letter: names of two words have matches in any order of rank.
        var queries = ["Caga d", "H Stan", "L Allam", "san", "the", "s"]
        for _ in 0..<120 {
            let record = Int.random(in: 0..<catalogue.count, using: &random)
            guard let airport = catalogue.airport(at: record) else { continue }
            let words = "\(airport.city) \(airport.name)".split(separator: " ").shuffled(using: &random)
            let typed = words.prefix(Int.random(in: 1...3, using: &random)).map { word in
                var word = String(word.prefix(Int.random(in: 1...5, using: &random)))
                if word.count > 3, Int.random(in: 0..<3, using: &random) == 0 {
                    word.remove(at: word.index(after: word.startIndex))
                }
                return word
            }
            queries.append(typed.joined(separator: " "))
        }
        for query in queries {
            let all = try ShippedSearch.search.search(SearchInput(query), limit: 0).hits.map(\.marked)
            for limit in [1, 4, 10, 25, 100] {
                let first = try ShippedSearch.search.search(SearchInput(query), limit: limit).hits.map(\.marked)
                #expect(first == Array(all.prefix(limit)), "\(query), \(limit)")
            }
        }
    }

    @Test("Transliterations come after all other names", arguments: ["paris", "rome", "sto", "berlin"])
    func transliterations(query: String) throws {
        let rows = try Self.rows(query)
        let first = rows.firstIndex { hit in
            guard let name = hit.subtitle.components(separatedBy: " · ").dropFirst().first else { return false }
            return name.unicodeScalars.contains { $0.properties.isAlphabetic && $0.value >= 0x370 }
        }
        #expect(rows[(first ?? rows.count)...].allSatisfy { $0.isWeak }, "\(rows.map(\.marked))")
    }

    @Test(
        "A name is found in its script, with the city before its airports",
        arguments: [
            ("大阪", "OSA"), ("札幌", "SPK"), ("とうきょう", "TYO"), ("なりた", "NRT"), ("ナリタ", "NRT"), ("東京", "TYO"),
            ("नई दिल्ली", "DEL"),
            ("חיפה", "HFA"), ("אילת", "ETM"),
        ])
    func scripts(query: String, code: String) throws {
        #expect(try Self.rows(query).first?.airport.code == code)
    }

    @Test(
        "Another keyboard layout is recognized where its letters are punctuation",
        arguments: [("cfyrn-gtnth,ehu", "LED"), ("ym.-qjhr", "NYC"), (",thkby", "BER")])
    func punctuation(query: String, code: String) throws {
        #expect(try Self.rows(query).first?.airport.code == code)
    }

    @Test("A later word, an additional name and a transliteration are weak, a main name and a code are not")
    func weakness() throws {
        for query in ["frankfurt", "lhr", "heathrow", "germany", "bombay"] {
            #expect(try Self.rows(query).first?.isWeak == false, "\(query)")
        }
        for query in ["simpangt", "gaulle"] { #expect(try Self.rows(query).first?.isWeak == true, "\(query)") }
    }
}
