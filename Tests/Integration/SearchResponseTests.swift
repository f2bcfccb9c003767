import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardJSON
import SwitchboardKeypad
import SwitchboardSearchEngine
import Testing

@testable import SwitchboardAirports
@testable import SwitchboardKit

@Suite("Search responses")
struct SearchResponseTests {
    static let frankfurt = Airport(
        code: "FRA", icao: "EDDF", name: "Frankfurt am Main", city: "Frankfurt", cityCode: "FRA", country: "DE",
        latitude: 50.03, longitude: 8.57, timeZone: "Europe/Berlin", popularity: 0.93)

    @Test("An airport is encoded as documented, key by key")
    func airport() throws {
        let hit = AirportHit(
            airport: Self.frankfurt, title: "Frankfurt am Main", subtitle: "Frankfurt, Germany", match: .typo, stage: 2,
            highlights: ["title": [0..<9]])
        let answer = SearchResponse(
            "frankfrut", elapsed: .nanoseconds(31_438), results: [SearchResult(hit)])
        let expected =
            #"{"query": "frankfrut", "final": true, "elapsedMicroseconds": 31.4, "results": ["#
            + #"{"kind": "airport", "id": "FRA", "title": "Frankfurt am Main", "subtitle": "Frankfurt, Germany", "#
            + #""match": "typo", "stage": 2, "highlights": {"title": [[0, 9]]}, "airport": {"code": "FRA", "#
            + #""icao": "EDDF", "name": "Frankfurt am Main", "city": "Frankfurt", "cityCode": "FRA", "country": "DE", "#
            + #""region": null, "latitude": 50.03, "longitude": 8.57, "timeZone": "Europe/Berlin", "#
            + #""popularity": 0.93, "distance": null, "isCity": false}}]}"#
        #expect(try OrderedJSON.text(answer) == expected)
    }

    @Test("A city is encoded with its airports")
    func city() throws {
        var city = Self.frankfurt
        city.isCity = true
        let hit = AirportHit(
            airport: city, airports: [Self.frankfurt], title: "Frankfurt", subtitle: "Germany", match: .exact, stage: 1,
            highlights: [:])
        let text = try OrderedJSON.text(SearchResult(hit))
        #expect(text.contains(#""isCity": true}, "airports": [{"code": "FRA""#))
        #expect(text.contains(#""highlights": {}"#))
    }

    @Test("Distances are rounded to metres")
    func distance() {
        var near = Self.frankfurt
        near.distance = 12.345_678_9
        let row = SearchResult(near, match: .nearby, catalogue: Catalogue(), language: "de")
        #expect(row.subtitle == "Frankfurt, Deutschland")
        guard case .airport(let airport, _) = row.object else {
            Issue.record("not an airport")
            return
        }
        #expect(airport.distance == 12.346)
    }

    @Test("A contact's subtitle is the first value that differs from its name")
    func subtitle() {
        var contact = Contact(id: "1", formattedName: "Jogo")
        #expect(SearchResult(contact).subtitle == "")
        contact.emails = [Email(address: "jogo@example.org")]
        #expect(SearchResult(contact).subtitle == "jogo@example.org")
        contact.phones = [
            Phone(
                number: PhoneNumber(text: "+1 212 555 0123", e164: nil, nationalNumber: "12125550123", trunkNumber: nil)
            )
        ]
        #expect(SearchResult(contact).subtitle == "+1 212 555 0123")
        contact.organization = "Jogo"
        #expect(SearchResult(contact).subtitle == "+1 212 555 0123")
        contact.organization = "Initech"
        #expect(SearchResult(contact).subtitle == "Initech")
    }

    @Test(
        "Durations have one decimal", arguments: [(0, 0.0), (49, 0.0), (50, 0.1), (31_449, 31.4), (1_500_000, 1500.0)])
    func elapsed(nanoseconds: Int, microseconds: Double) {
        let answer = SearchResponse("", elapsed: .nanoseconds(nanoseconds), results: [])
        #expect(answer.elapsedMicroseconds == microseconds)
    }
}
