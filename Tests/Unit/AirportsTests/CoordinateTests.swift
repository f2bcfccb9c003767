import SwitchboardTestSupport
import Testing

@testable import SwitchboardAirports

@Suite("Coordinates")
struct CoordinateTests {
    @Test(
        "are parsed as latitude, longitude",
        arguments: [
            ("-33.9,18.4", -33.9, 18.4), ("59.93, 30.33", 59.93, 30.33), (" 0 , -0 ", 0, 0), ("+90,180", 90, 180),
            ("-90,-180", -90, -180), ("\u{2212}33.9,18.4", -33.9, 18.4), ("1.,.5", 1, 0.5),
            ("59.93 30.33", 59.93, 30.33),
        ])
    func parse(text: String, latitude: Double, longitude: Double) throws {
        let place = try Coordinate(parsing: text)
        #expect(place.latitude == latitude)
        #expect(place.longitude == longitude)
    }

    @Test(
        "malformed text is rejected with the text in the error",
        arguments: [
            "", ",", "1", "1,", ",1", "1,2,3", "nan,0", "inf,0", "0x10,0", "1e1,0", "a,b", "1;2", "--1,0", "1-,0",
            "1.2.3,0", "١,٢", "1\u{0},2", "59.93 30.33 1",
        ])
    func notPlaces(text: String) {
        #expect(throws: AirportsError.notACoordinate(text)) { try Coordinate(parsing: text) }
    }

    @Test("values out of range are rejected with the value in the error")
    func range() {
        #expect(throws: AirportsError.latitudeOutOfRange("91")) { try Coordinate(parsing: "91,0") }
        #expect(throws: AirportsError.latitudeOutOfRange("-90.001")) { try Coordinate(parsing: "-90.001,0") }
        #expect(throws: AirportsError.longitudeOutOfRange("180.5")) { try Coordinate(parsing: "0,180.5") }
        #expect(throws: AirportsError.latitudeOutOfRange("nan")) { try Coordinate(latitude: .nan, longitude: 0) }
        #expect(throws: AirportsError.longitudeOutOfRange("-inf")) {
            try Coordinate(latitude: 0, longitude: -.infinity)
        }
        #expect(throws: AirportsError.self) { try Coordinate(parsing: "999999999999999999999999999999,0") }
        let error = AirportsError.latitudeOutOfRange("91")
        #expect(error.category == .usage)
        #expect(error.description == "latitude 91 is not between -90 and 90 degrees")
    }

    @Test(
        "distances are great-circle distances",
        arguments: [
            ("40.6398,-73.7789", "51.4706,-0.4619", 5_540.0), ("0,179.5", "0,-179.5", 111.195),
            ("89.9,0", "89.9,180", 22.239), ("90,0", "90,123", 0), ("0,0", "0,180", 20_015.114),
            ("-33.9461,151.1772", "-33.3930,-70.7858", 11_340),
        ])
    func distance(from: String, to: String, kilometres: Double) throws {
        let (from, to) = (try Coordinate(parsing: from), try Coordinate(parsing: to))
        #expect(abs(from.distance(to: to) - kilometres) <= max(0.01, kilometres * 0.001))
        #expect(from.distance(to: to) == to.distance(to: from))
    }

    @Test("rounding moves a location by less than two kilometres and is idempotent")
    func rounding() throws {
        var random = SplitMix(seed: 3)
        var places: [Coordinate] = []
        for _ in 0..<20_000 {
            places.append(
                try Coordinate(
                    latitude: .random(in: -90...90, using: &random), longitude: .random(in: -180...180, using: &random))
            )
        }
        for latitude in [-90.0, -89.9999, -89.98, -0.0125, 0, 0.0124, 59.93, 89.97, 89.99, 90] {
            for longitude in [-180.0, -179.99, -0.001, 0, 30.33, 179.98, 179.9999, 180] {
                places.append(try Coordinate(latitude: latitude, longitude: longitude))
            }
        }
        for place in places {
            let rounded = place.rounded
            #expect(place.distance(to: rounded) < 2, "\(place) to \(rounded)")
            #expect(rounded.rounded == rounded, "\(place) to \(rounded) to \(rounded.rounded)")
            #expect((-90...90).contains(rounded.latitude) && (-180...180).contains(rounded.longitude))
        }
    }

    @Test("all locations of a cell are rounded to the same one; cells are about three kilometres wide")
    func cells() throws {
        for latitude in [0.0, 30, 45, 59.93, 75, 85] {
            var seen: Set<Coordinate> = []
            // A line of a hundred kilometers to the east crosses some 36 cells.
            let degrees = 100 / (111.195 * cosine(latitude))
            for step in 0..<2_000 {
                let longitude = 10 + degrees * Double(step) / 2_000
                seen.insert(try Coordinate(latitude: latitude, longitude: longitude).rounded)
            }
            #expect((30...38).contains(seen.count), "\(latitude): \(seen.count)")
        }
        #expect(try Coordinate(parsing: "90,77").rounded == Coordinate(parsing: "90,0"))
        #expect(try Coordinate(parsing: "10,180").rounded == Coordinate(parsing: "10,-180").rounded)
    }

    private func cosine(_ degrees: Double) -> Double {
        // Derived from the distance, so that the test needs no mathematics of its own.
        guard let here = try? Coordinate(latitude: degrees, longitude: 0),
            let east = try? Coordinate(latitude: degrees, longitude: 0.01)
        else { return 1 }
        return here.distance(to: east) / 1.11195
    }
}
