import Testing

@testable import SwitchboardAirports

private let catalogue = Catalogue()

@Suite("Nearest airports")
struct NearestTests {
    private func codes(
        _ place: String, _ order: NearestOrder = .relevance, radius: Double = Catalogue.defaultRadius, limit: Int = 10
    ) throws -> [String] {
        try catalogue.nearest(to: Coordinate(parsing: place), radius: radius, order: order, limit: limit).map(\.code)
    }

    @Test("St Petersburg gets Pulkovo first, and Lappeenranta in Finland among the first three")
    func saintPetersburg() throws {
        let codes = try codes("59.93,30.33")
        #expect(codes.first == "LED")
        #expect(codes.prefix(3).contains("LPP"))
        #expect(codes.contains("HEL"))
    }

    @Test(
        "by relevance, a city's own big airports come first",
        arguments: [
            ("51.507,-0.128", ["LHR", "LCY", "LGW", "STN", "LTN"]), ("40.64,-73.78", ["JFK", "LGA", "EWR"]),
            ("48.857,2.352", ["ORY", "CDG"]), ("41.01,28.97", ["IST", "SAW"]), ("35.68,139.76", ["HND", "NRT"]),
            ("52.52,13.40", ["BER"]), ("37.44,-122.14", ["SFO", "SJC", "OAK"]), ("-33.9,18.4", ["CPT"]),
            ("45.46,9.19", ["LIN", "MXP", "BGY"]), ("61.06,28.19", ["LPP"]),
        ])
    func relevance(place: String, expected: [String]) throws {
        #expect(Set(try codes(place, limit: expected.count)) == Set(expected))
    }

    @Test("by distance, the order equals that of an exhaustive search", arguments: [1, 10, 200])
    func distance(limit: Int) throws {
        let all = (0..<catalogue.count).compactMap(catalogue.airport(at:))
        for text in ["59.93,30.33", "90,0", "-90,0", "-17.7,179.99", "-17.7,-179.99", "0,-30", "27.99,86.93"] {
            let place = try Coordinate(parsing: text)
            let expected = try all.map {
                (
                    code: $0.code,
                    distance: place.distance(to: try Coordinate(latitude: $0.latitude, longitude: $0.longitude))
                )
            }
            .sorted { $0.distance < $1.distance }
            let found = try catalogue.nearest(to: place, radius: 20_100, order: .distance, limit: limit)
            #expect(found.map(\.distance) == expected.prefix(limit).map(\.distance))
        }
    }

    @Test("all results are within the radius, and limit 0 returns all of them", arguments: NearestOrder.allCases)
    func radius(order: NearestOrder) throws {
        let place = try Coordinate(parsing: "59.93,30.33")
        let all = try catalogue.nearest(to: place, radius: 300, order: order, limit: 0)
        #expect(all.count > 10)
        #expect(all.allSatisfy { ($0.distance ?? .infinity) <= 300 })
        #expect(try catalogue.nearest(to: place, radius: 300, order: order, limit: 4) == Array(all.prefix(4)))
        #expect(try catalogue.nearest(to: place, radius: 1, order: order).isEmpty)
        #expect(try catalogue.nearest(to: place, radius: 0, order: order, limit: 0).isEmpty)
        #expect(try catalogue.nearest(to: place, radius: 1e300, order: order, limit: 0).count == catalogue.count)
    }

    @Test("nothing is near the middle of an ocean")
    func pointNemo() throws {
        #expect(try codes("-48.88,-123.39").isEmpty)
    }

    @Test("invalid radiuses and negative limits are rejected")
    func refused() throws {
        let place = try Coordinate(parsing: "0,0")
        for radius in [-1, .nan, .infinity] {
            #expect(throws: AirportsError.radiusOutOfRange(String(radius))) {
                try catalogue.nearest(to: place, radius: radius)
            }
        }
        #expect(throws: AirportsError.negativeLimit(-1)) { try catalogue.nearest(to: place, limit: -1) }
    }
}
