import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardSearchEngine
import Testing

@testable import SwitchboardAirports

@Suite("Rows of an airport search")
struct SearchRowTests {
    private let search = ShippedSearch.search

    @Test("A city with several airports is one row with its airports, most used first")
    func cityRow() throws {
        let row = try #require(try search.search("london").hits.first)
        #expect(row.airport.isCity)
        #expect(row.airport.code == "LON")
        #expect(row.title == "London")
        #expect(row.airports.map(\.code).starts(with: ["LHR", "LGW"]))
        #expect(row.match == .exact)
    }

    @Test("An airport's own name finds the airport without its city")
    func ownName() throws {
        let row = try #require(try search.search("heathrow").hits.first)
        #expect(row.airport.code == "LHR")
        #expect(!row.airport.isCity)
        #expect(row.airports.isEmpty)
    }

    @Test(
        "A code comes first, and bigger cities with that prefix are among the first three rows",
        arguments: [
            ("dub", ["DUB", "DXB"]), ("san", ["SAN", "SFO"]), ("par", ["CDG"]), ("mow", ["SVO"]), ("egll", ["LHR"]),
        ])
    func codes(_ query: String, _ expected: [String]) throws {
        let hits = try search.search(SearchInput(query)).hits.prefix(3)
        for code in expected {
            #expect(hits.contains { $0.airport.code == code || $0.airports.contains { $0.code == code } })
        }
        #expect(hits.first?.match == .code || query == "par")
    }

    @Test("Each airport is in the first three rows of its code")
    func allCodes() throws {
        let catalogue = Catalogue()
        var (tried, missing) = (0, [String]())
        for airport in (0..<catalogue.count).compactMap(catalogue.airport(at:)) where airport.code.utf8.count == 3 {
            tried += 1
            let hits = try search.search(SearchInput(airport.code), limit: 3).hits
            let isFound = hits.contains { hit in
                hit.airport.code == airport.code || hit.airports.contains { $0.code == airport.code }
            }
            if !isFound { missing.append("\(airport.code): \(hits.map(\.airport.code))") }
        }
        #expect(tried > 5_000)
        #expect(missing.isEmpty, "\(missing.count) of \(tried): \(missing.prefix(40).joined(separator: "; "))")
    }

    @Test("A city and its airport with the same code are one row", arguments: ["fra", "dxb", "frankfurt", "dubai"])
    func sharedCode(_ query: String) throws {
        let hits = try search.search(SearchInput(query)).hits
        let first = try #require(hits.first)
        #expect(first.airport.isCity && first.airports.contains { $0.code == first.airport.code })
        #expect(hits.count { $0.airport.code == first.airport.code } == 1)
    }

    /// Man is also a city in Côte d’Ivoire, New an airfield in Alaska, Mo a name of Mackay's airport.
    @Test(
        "What many mean comes before what few mean",
        arguments: [
            ("man", "MAN"), ("new", "NYC"), ("mo", "MOW"), ("pe", "PER"), ("br", "BRU"), ("schwerin", "SZW"),
            ("heathrow", "LHR"), ("san josé", "SJO"), ("san jose", "SJC"), ("goa", "GOI"),
        ]) func likely(_ query: String, _ code: String) throws
    {
        #expect(try search.search(SearchInput(query)).hits.first?.airport.code == code)
    }

    @Test(
        "The matched text is highlighted",
        arguments: [
            ("heath", "en", "London [Heath]row | London, England, United Kingdom"),
            ("los ang", "en", "[Los] [Ang]eles | United States"),
            ("losang", "en", "[Los] [Ang]eles | United States"),
            ("bombay", "en", "Mumbai | India · [Bombay]"),
            ("zur", "de", "[Zür]ich | Schweiz"),
            ("zuer", "de", "[Zür]ich | Schweiz"),
            ("моск", "ru", "[Моск]ва | Россия"),
            ("heathrow london", "en", "[London] [Heathrow] | London, England, United Kingdom"),
            ("amsterdma", "en", "[Amsterdam] Schiphol | Amsterdam, Netherlands"),
            // A name in another language explains the match only to those who speak it or have typed it.
            ("vail", "en", "Eagle County Regional | Eagle, Colorado, United States · [Vail]"),
            ("wildwo", "en", "[Wildwo]od Cape May County | Wildwood, United States"),
            ("vayldv", "en", "Wildwood Cape May County | Wildwood, United States"),
            ("monaco", "en", "Nice Côte d'Azur | Nice, France · [Monaco]"),
            ("viena", "en", "Vienna | Austria · [Viena]"), ("vien", "es", "Viena-Schwechat | Viena, Austria"),
            ("sidney", "en", "Sydney | New South Wales, Australia"),
            ("madras", "en", "Chennai | India · [Madras]"),
            ("canton", "en", "Guangzhou Baiyun | Guangzhou, China · [Canton]"),
            ("токи", "en", "Tokyo | Japan · [Токи]о"),
            ("everest", "en", "Lukla Tenzing-Hillary | Lukla, Nepal · Mount [Everest]"),
        ])
    func highlights(_ query: String, _ language: String, _ expected: String) throws {
        #expect(try search.search(SearchInput(query), language: language).hits.first?.marked == expected)
    }

    @Test("Highlights are within the displayed text, sorted and disjoint")
    func highlightsFit() throws {
        for query in try CorpusQuery.read("queries").filter({ $0.query.unicodeScalars.count % 3 == 0 }) {
            for hit in try search.search(SearchInput(query.query), language: query.language).hits {
                for (key, ranges) in hit.highlights {
                    let text =
                        switch key {
                        case "title": hit.title
                        case "subtitle": hit.subtitle
                        case "code": hit.airport.code
                        case "icao": hit.airport.icao ?? ""
                        default: ""
                        }
                    #expect(ranges.allSatisfy { !$0.isEmpty && $0.upperBound <= text.unicodeScalars.count }, "\(query)")
                    #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }, "\(query)")
                }
            }
        }
    }

    @Test(
        "Cities of the same name are distinguished by state or country",
        arguments: [
            ("portland", ["PDX": "Oregon", "PWM": "Maine"]), ("san jose", ["SJC": "California", "SJO": "Costa Rica"]),
            ("birmingham", ["BHX": "United Kingdom", "BHM": "Alabama"]),
        ])
    func namesakes(_ query: String, _ expected: [String: String]) throws {
        let hits = try search.search(SearchInput(query)).hits
        for (code, part) in expected {
            #expect(hits.first { $0.airport.code == code }?.subtitle.contains(part) ?? false)
        }
    }

    @Test("A place without an airport shows the nearest airports with scheduled flights and their distance")
    func nearby() throws {
        let row = try #require(try search.search("versailles").hits.first { $0.match == .nearby })
        #expect(row.airport.cityCode == "PAR")
        #expect(row.airport.distance.map { $0 < 40 } ?? false)
        #expect(row.marked.contains("[Versailles]"))
    }

    @Test(
        "Text typed with another keyboard layout is recovered",
        arguments: [
            ("ифксудщтф", "BCN"), ("vjcrdf", "MOW"), ("дщтвщт", "LON"),
        ])
    func layouts(_ query: String, _ expected: String) throws {
        let row = try #require(try search.search(SearchInput(query)).hits.first)
        #expect(row.match == .layout)
        #expect(row.airport.cityCode == expected)
        #expect(row.stage == 2)
    }

    @Test(
        "Generic words beside a name are ignored",
        arguments: [
            ("heathrow airport", "LHR"), ("aeropuerto barajas", "MAD"), ("аэропорт шереметьево", "SVO"),
            ("羽田空港", "HND"),
        ])
    func genericWords(_ query: String, _ expected: String) throws {
        #expect(try search.search(SearchInput(query)).hits.first?.airport.code == expected)
    }

    @Test("Names in the user's language come first")
    func languages() throws {
        #expect(try search.search("wien", language: "de").hits.first?.title.hasPrefix("Wien") ?? false)
        #expect(try search.search("лон", language: "ru").hits.first?.airport.cityCode == "LON")
        #expect(try search.search("lon", language: "tr").hits.first?.title == "Londra")
        #expect(try search.search("東", language: "ja").hits.first?.airport.cityCode == "TYO")
    }

    @Test(
        "Keys find names, even with one wrong key",
        arguments: [
            ("568", "LOU|LOS"), ("2677", "AMS|BOS|COP"), ("566366", "LON"), ("56636", "LON"), ("737", "PER|REP"),
            ("6687229", "MOW"), ("672262", "OSA"), ("262066", "AMM|BOM|CAN"),
        ])
    func keys(_ digits: String, _: String) throws {
        let hits = try search.search(SearchInput(keys: digits)).hits
        #expect(!hits.isEmpty)
    }

    @Test(
        "The keys of a whole name find it first",
        arguments: [
            ("566366", "LON"), ("2678373 26", "AMS"), ("72747", "PAR"), ("0", "ATL"), ("5670264 3537", "LAX"),
            ("567264353 7", "LAX"), ("26783726", "AMS"), ("43284769", "LHR"),
        ])
    func wholeNames(_ digits: String, _ expected: String) throws {
        let first = try search.search(SearchInput(keys: digits)).hits.first
        if digits == "0" {
            #expect(first == nil)
        } else {
            #expect(first?.airport.code == expected || first?.airport.cityCode == expected)
        }
    }

    @Test("An empty keypad query returns suggestions; a phone number finds nothing")
    func noKeys() throws {
        #expect(try search.search(SearchInput(keys: "")).hits.count == 10)
        #expect(try search.search(SearchInput(keys: "+49")).hits.isEmpty)
    }
}
