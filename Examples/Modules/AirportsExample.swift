import Airports

func airports() throws {
    let airports = Airports(storage: nil)
    for airport in try airports.nearest(to: Coordinate.parse("59.93,30.33"), limit: 3) {
        print(airport.code, airport.name)
    }
    let answer = try AirportSearch(airports: airports).search("frankfrut")
    print(answer.hits.first?.title ?? "nothing")
}
