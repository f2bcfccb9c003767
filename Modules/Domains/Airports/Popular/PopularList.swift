import SwitchboardSearchEngine

/// The popular airports in use, most used first, with a lookup by code.
struct PopularList: Sendable {
    /// The storage generation it was read from; 0 for the embedded list.
    let generation: Int64
    let airports: [Airport]
    private let positions: [String: Int]

    init(generation: Int64, airports: [Airport]) {
        self.generation = generation
        self.airports = airports
        positions = Dictionary(airports.enumerated().map { ($0.element.code, $0.offset) }) { first, _ in first }
    }

    func airport(code: String) -> Airport? {
        positions[code.uppercased()].map { airports[$0] }
    }

    var fingerprint: UInt64 {
        var hash = ByteHash()
        for airport in airports {
            for text in [
                airport.code, airport.icao ?? "", airport.name, airport.city, airport.cityCode, airport.country,
                airport.region ?? "", "\(airport.popularity)", airport.names.text, airport.cityNames.text,
            ] {
                hash.add(text)
            }
        }
        return hash.value
    }
}
