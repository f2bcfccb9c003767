import Foundation
import Testing

@testable import SwitchboardAirports

private let catalogue = Catalogue()

@Suite("The catalogue")
struct CatalogueTests {
    @Test("has the expected columns")
    func columns() {
        #expect(catalogue.table.header == Catalogue.Column.allCases.map { "\($0)" })
        #expect(catalogue.cities.header == Catalogue.CityColumn.allCases.map { "\($0)" })
    }

    @Test("every city is valid and lists the airports that refer to it")
    func everyCity() throws {
        for record in 0..<catalogue.cityCount {
            let city = try #require(catalogue.city(at: record), "city \(record)")
            #expect(!city.name.isEmpty && catalogue.country(code: city.country) != nil, "\(city.code)")
            let airports = catalogue.records(inCity: city.code)
            #expect(airports == airports.sorted())
            for airport in airports {
                #expect(catalogue.airport(at: airport)?.cityCode == city.code, "\(city.code)")
            }
        }
        // One exception: ORL is both a small airport of Orlando and the city, for its big airports.
        let unlisted = (0..<catalogue.count).compactMap(catalogue.airport(at:)).filter { airport in
            !catalogue.records(inCity: airport.cityCode).contains { catalogue.airport(at: $0)?.code == airport.code }
        }
        #expect(unlisted.allSatisfy { $0.code == $0.cityCode && !$0.isScheduled }, "\(unlisted.map(\.code))")
    }

    @Test("every record is a valid airport, sorted by popularity, with a unique code")
    func everyRecord() throws {
        #expect(catalogue.count > 9_000)
        var codes: Set<String> = []
        var last = Double.infinity
        for record in 0..<catalogue.count {
            let airport = try #require(catalogue.airport(at: record), "record \(record)")
            let isCode = airport.code.count == 3 && airport.code.utf8.allSatisfy { (0x41...0x5A).contains($0) }
            let isFirst = codes.insert(airport.code).inserted && catalogue.record(code: airport.code) == record
            let isNamed =
                !airport.name.isEmpty && !airport.city.isEmpty && catalogue.country(code: airport.country) != nil
            let isPlaced = (try? Coordinate(latitude: airport.latitude, longitude: airport.longitude)) != nil
            let isTimed = TimeZone(identifier: airport.timeZone) != nil
            let isOrdered = (0...1).contains(airport.popularity) && airport.popularity <= last
            // One expectation per record: nine thousand times six of them would dominate the run time.
            let isGood = isCode && isFirst && isNamed && isPlaced && isTimed && isOrdered
            if !isGood { Issue.record("\(airport)") }
            last = airport.popularity
        }
        #expect(catalogue.tree.count == catalogue.count)
        #expect(catalogue.tree.satisfiesInvariants())
    }

    @Test("the first 1,500 airports are popular")
    func popular() {
        #expect(catalogue.popularRecords == Array(0..<1_500))
    }

    @Test("codes are found regardless of case, invalid ones are not")
    func codes() {
        #expect(catalogue.airport(code: "LHR")?.icao == "EGLL")
        #expect(catalogue.airport(code: "lhr")?.cityCode == "LON")
        #expect(catalogue.airport(icao: "egll")?.code == "LHR")
        for code in ["", "L", "LH", "LHRX", "ЛХР", "Q\u{301}QQ", "L R", "日本国", "\u{0}\u{0}\u{0}", "ſhr"] {
            #expect(catalogue.airport(code: code) == nil)
            #expect(catalogue.city(code: code) == nil)
            #expect(catalogue.cityRow(code: code) == nil)
            #expect(catalogue.airport(icao: code) == nil)
        }
    }

    @Test("records out of range are nil", arguments: [-1, Int.min, Int.max, 1_000_000])
    func noRecord(record: Int) {
        #expect(catalogue.airport(at: record) == nil)
    }

    @Test(
        "names are in the requested language, or else in English",
        arguments: [
            ("LHR", "ru", "Лондон"), ("LHR", "ru_RU.UTF-8", "Лондон"), ("LHR", "fr-CA", "Londres"),
            ("DFW", "en-US", "Dallas"), ("LHR", "xx", "London"), ("LHR", "", "London"), ("LHR", "x", "London"),
            ("VIE", "de", "Wien"),
            ("PEK", "zh-Hans", "北京"),
        ])
    func languages(code: String, language: String, city: String) {
        #expect(catalogue.airport(code: code)?.cityTitle(in: language) == city)
    }

    @Test("a metropolitan code lists its airports, most used first")
    func city() throws {
        let row = try #require(catalogue.cityRow(code: "lon"))
        #expect(row.isCity && row.code == "LON" && row.name == "London" && row.country == "GB")
        let codes = catalogue.records(inCity: "lon").compactMap { catalogue.airport(at: $0)?.code }
        #expect(codes.first == "LHR")
        #expect(Set(codes).isSuperset(of: ["LHR", "LGW", "STN", "LTN", "LCY", "SEN"]))
        #expect(catalogue.city(code: "NYC")?.title(in: "ru") == "Нью-Йорк")
        #expect(catalogue.records(inCity: "???").isEmpty)
    }

    @Test("countries have names in several languages")
    func countries() {
        #expect(catalogue.country(code: "de")?.title(in: "ru") == "Германия")
        #expect(catalogue.country(code: "DE")?.title(in: "en-GB") == "Germany")
        #expect(catalogue.country(code: "DE")?.title(in: "xx") == "Germany")
        #expect(catalogue.country(code: "") == nil)
    }

    @Test("malformed lines are skipped")
    func brokenLines() {
        let catalogue = Catalogue(
            airports: "code\n\nAAA\nBBB\t\tB\tB\tBBB\tDE\t\tnorth\teast\t\t\t\t\t\nCC\t\nCCC\t\tC\tC\t\tDE\t\t91\t0\n"
                + "DDD\t\tD\tD\t\tDE\t\t1\t2",
            cities: "code\nXXX\nYYY\tY\tDE\t\t1\t2\tmany\t\t", countries: "DE")
        #expect(catalogue.count == 5)
        #expect(catalogue.airport(code: "AAA") == nil)
        #expect(catalogue.airport(code: "BBB") == nil)
        #expect(catalogue.airport(code: "DDD")?.cityCode == "DDD")
        #expect(catalogue.tree.count == 1)
        #expect(catalogue.city(code: "XXX") == nil)
        #expect(catalogue.city(code: "YYY")?.population == 0)
        #expect(catalogue.cityRow(code: "YYY") == nil)
    }

    @Test("an airport is encoded as documented, with null for unknown values")
    func json() throws {
        let airport = try #require(catalogue.airport(code: "FRA"))
        let object = try #require(
            JSONSerialization.jsonObject(with: JSONEncoder().encode(airport)) as? [String: Any])
        #expect(object["code"] as? String == "FRA")
        #expect(object["icao"] as? String == "EDDF")
        #expect(object["timeZone"] as? String == "Europe/Berlin")
        #expect(object["distance"] is NSNull)
        #expect(object["isCity"] as? Bool == false)
        #expect(
            Set(object.keys) == [
                "code", "icao", "name", "city", "cityCode", "country", "region", "latitude", "longitude", "timeZone",
                "popularity", "distance", "isCity",
            ])
    }
}

@Suite("Names in several languages")
struct NamesTests {
    @Test("are parsed by language, with former names apart")
    func reading() {
        let names = Names(text: "ru=Бомбей|Мумбаи;x=Bombay;;=y;z=;broken;pt-BR=Bombaim")
        #expect(names.names(in: "ru") == ["Бомбей", "Мумбаи"])
        #expect(names.other == ["Bombay"])
        #expect(names.best(in: "pt_BR.UTF-8") == "Bombaim")
        #expect(names.best(in: "pt") == nil)
        #expect(names.best(in: "x") == nil)
        #expect(names.byLanguage.map(\.language) == ["ru", "x", "pt-BR"])
    }

    @Test("reserved characters are replaced, so names survive a round trip")
    func reserved() throws {
        let names = Names(["en": ["a;b|c", "d=e", "f\tg\nh", ""], "": ["x"], "r;u": ["y"], "de": []])
        #expect(names.names(in: "en") == ["a,b/c", "d=e", "f g h"])
        #expect(names.names(in: "ru") == ["y"])
        #expect(names.byLanguage.count == 2)
        let again = try JSONDecoder().decode(Names.self, from: JSONEncoder().encode(names))
        #expect(again == names)
    }
}
