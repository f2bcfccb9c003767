import SwitchboardAirports

func airports() throws {
    let airports = Airports(storage: nil)
    for airport in try airports.nearest(to: Coordinate(parsing: "59.93,30.33"), limit: 3) {
        print(airport.code, airport.name)
    }
}
