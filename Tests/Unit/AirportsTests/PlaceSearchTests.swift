import Foundation
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import Testing

@testable import SwitchboardAirports

@Suite("Places without an airport, and names shared with them")
struct PlaceSearchTests {
    @Test("the most likely airport of a place, a region, a shared name and a sentence is in its row")
    func corpus() throws {
        let queries = try CorpusQuery.read("places")
        let failures = try queries.filter { try $0.row(in: ShippedSearch.search) ?? .max > $0.maxRow }
        #expect(queries.count > 180)
        #expect(failures.isEmpty, "\(failures.map(\.query))")
    }

    @Test(
        "entries that are not places find no airport by that name",
        arguments: ["hotel", "mystery night", "dutch rail", "round trip flights", "rail zone"])
    func junk(query: String) throws {
        let rows = try SearchOrderTests.rows(query)
        #expect(rows.allSatisfy { $0.match != .nearby }, "\(rows.map(\.marked))")
    }

    @Test("a nickname is not among the first rows of a city of that name")
    func nickname() throws {
        #expect(try SearchOrderTests.rows("new york").prefix(3).allSatisfy { $0.airport.country == "US" })
    }

    @Test(
        "a resort finds the airport that serves it",
        arguments: [
            ("jesolo", "VCE"), ("bibione", "VCE"), ("sirmione", "VRN"), ("sanur", "DPS"), ("nusa dua", "DPS"),
            ("cannes", "NCE"),
            ("amalfi", "NAP"), ("malia", "HER"), ("agios nikolaos", "HER"), ("hersonissos", "HER"),
            ("sunny beach", "BOJ"), ("killarney", "KIR"), ("coron", "USU"), ("whitby", "NCL"), ("kuta", "DPS"),
            ("courmayeur", "GVA"),
        ])
    func resorts(query: String, code: String) throws {
        #expect(try SearchOrderTests.rows(query).first?.airport.code == code)
    }

    @Test(
        "a town finds where to fly, also if a hardly used airport, another town or a region has its name",
        arguments: [
            ("suzhou", ["SZV", "WUX", "SHA"]), ("nara", ["ITM", "KIX"]), ("manhattan", ["JFK", "LGA", "EWR"]),
            ("augsburg", ["AGB", "MUC", "FMM"]), ("suwon-si", ["GMP", "ICN"]), ("halle saale", ["LEJ"]),
            ("vologda", ["VGD"]), ("viña del mar", ["SCL"]), ("sahiwal", ["LYP"]), ("callao", ["LIM"]),
        ])
    func towns(query: String, codes: [String]) throws {
        let rows = try SearchOrderTests.rows(query).prefix(codes.count).map(\.airport.code)
        // Of two rows, either may be first.
        #expect(Set(rows) == Set(codes) && (codes.count < 3 || rows.first == codes.first), "\(rows)")
    }

    @Test("the name of a town finds it or a namesake in the first row")
    func townsByName() throws {
        let catalogue = Catalogue()
        var failures: [String] = []
        var count = 0
        for record in stride(from: 0, to: catalogue.places.count, by: 5) {
            guard let place = catalogue.place(at: record), place.population > 0,
                AirportSearch.reachesCatalogue(SearchInput(place.name))
            else { continue }
            count += 1
            let match = try SearchOrderTests.rows(place.name).first?.match
            if !(match.map { [.exact, .nearby, .code].contains($0) } ?? false) { failures.append(place.name) }
        }
        #expect(count > 6000)
        #expect(failures.count * 100 < count, "\(failures.count) of \(count): \(failures)")
    }

    @Test("no typo comes before the exact name of a place", arguments: ["patagonia", "sylt", "palawan", "ludwigsburg"])
    func noTypo(query: String) throws {
        let rows = try SearchOrderTests.rows(query)
        #expect(rows.first?.match == .nearby)
        #expect(!rows.prefix(2).contains { $0.match == .typo }, "\(rows.map(\.marked))")
    }

    @Test(
        "the name of a region, an island or a landscape finds its airports or those of a namesake first, in every language"
    )
    func regionsByName() throws {
        let catalogue = Catalogue()
        var failures: [String] = []
        var count = 0
        for record in 0..<catalogue.places.count {
            guard let place = catalogue.place(at: record), !place.airports.isEmpty else { continue }
            for (language, names) in place.names.byLanguage {
                for name in names where AirportSearch.reachesCatalogue(SearchInput(name)) {
                    count += 1
                    let hits = try ShippedSearch.search.search(SearchInput(name), limit: 1, language: language).hits
                    let isNamesake = hits.first.map { [.exact, .nearby, .code].contains($0.match) } ?? false
                    let codes = hits.flatMap { [$0.airport.code] + $0.airports.map(\.code) }
                    if !isNamesake, Set(place.airports).isDisjoint(with: codes) {
                        failures.append("\(language) \(name): \(codes)")
                    }
                }
            }
        }
        #expect(count > 20_000)
        // Mostly names of three letters that well-known ones begin with.
        #expect(failures.count * 200 < count, "\(failures.count) of \(count): \(failures)")
    }

    @Test(
        "two characters of Chinese, Japanese or Korean are a whole name",
        arguments: [
            ("四川", "CTU"), ("新疆", "URC"), ("海南", "HAK"), ("西藏", "LXA"), ("加州", "LAX"), ("長野", "MMJ"), ("발리", "DPS"),
            ("上海", "SHA"), ("北京", "BJS"), ("バリ", "DPS"), ("ばり", "DPS"), ("パリ", "PAR"), ("ぱり", "PAR"),
        ])
    func twoCharacters(query: String, code: String) throws {
        #expect(try SearchOrderTests.rows(query).first?.airport.code == code)
    }

    @Test("the airports of a place are marked as near it, in the language of the user")
    func mark() throws {
        let row = try #require(try SearchOrderTests.rows("bodensee", language: "de").first)
        #expect(row.match == .nearby && row.airport.code == "FDH")
        #expect(row.subtitle.hasSuffix("· Lake Constance (Bodensee)") || row.subtitle.hasSuffix("· Bodensee"))
    }

    @Test("every place has a position, a country and known airports")
    func served() throws {
        let catalogue = Catalogue()
        #expect(catalogue.places.count > 30_000)
        for record in stride(from: 0, to: catalogue.places.count, by: 97) {
            let place = try #require(catalogue.place(at: record))
            #expect((-90...90).contains(place.latitude) && (-180...180).contains(place.longitude), "\(place.name)")
            #expect(catalogue.country(code: place.country) != nil, "\(place.name)")
            for code in place.airports { #expect(catalogue.airport(code: code) != nil, "\(place.name): \(code)") }
        }
    }

    @Test("a long query is cut")
    func long() throws {
        #expect(try SearchOrderTests.rows(String(repeating: "a", count: 80_000)).isEmpty)
    }

    @Test(
        "time zones and regions are those of today",
        arguments: [
            ("CUU", "America/Chihuahua", "Chihuahua"), ("TJG", "Asia/Makassar", "South Kalimantan"),
            ("DEE", "Asia/Sakhalin", nil), ("KDY", "Asia/Khandyga", nil), ("IKO", "America/Nome", "Alaska"),
            ("PNT", "America/Punta_Arenas", nil), ("BBA", "America/Coyhaique", nil),
            ("NUG", "Pacific/Bougainville", nil),
            ("TIJ", "America/Tijuana", "Baja California"), ("CGK", "Asia/Jakarta", "Banten"),
            ("RPR", "Asia/Kolkata", "Chhattisgarh"), ("DED", "Asia/Kolkata", "Uttarakhand"),
            ("GOJ", "Europe/Moscow", "Nizhny Novgorod Oblast"), ("BTH", "Asia/Jakarta", "Riau Islands"),
            ("LYS", "Europe/Paris", "Auvergne-Rhône-Alpes"), ("DCA", "America/New_York", "Virginia"),
            ("URC", "Asia/Shanghai", "Xinjiang"), ("USM", "Asia/Bangkok", "Surat Thani"),
        ])
    func facts(code: String, timeZone: String, region: String?) throws {
        let airport = try #require(Catalogue().airport(code: code))
        #expect(airport.timeZone == timeZone)
        if let region { #expect(airport.region == region) }
    }
}
