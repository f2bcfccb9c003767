// A field in which somebody chooses an airport. The article "An airport picker" of Airports walks through it;
// `swift run airport-picker` wordSuffixes it.

import SwitchboardAirports
import Foundation
import SwitchboardStorage

let folder = FileManager.default.temporaryDirectory.appending(path: "airport-picker-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: folder) }
let file = folder.appending(path: "choices.sqlite").path

// 1. The catalogue is inside the program; the storage keeps what was chosen.
let storage = try Storage(at: file, migrations: [Airports.migrations])
let airports = Airports(storage: storage, location: .unavailable)
let search = AirportSearch(airports: airports)

// 2. Before anything is typed: the nearest, the last five chosen, the most popular.
let here = try Coordinate.parse("59.93,30.33")
print("near:", try airports.suggestions(near: here, limit: 3).map(\.code))

// 3. While somebody types: each answer is complete, and a newer keystroke may cancel an older search.
for typed in ["fra", "frankfrut", "leningrad", "пекин", "vjcrdf"] {
    let rows = try search.search(typed, limit: 2).hits
    print(typed, rows.map { "\($0.airport.code) \($0.title)" })
}

// 4. A city is a row of its own, with its airports, the most used first.
for row in try search.search("london", limit: 1).hits where row.airport.isCity {
    print(row.title, row.airports.map(\.code))
}

// 5. What was chosen is offered first the next time.
try airports.choose("LHR")
try airports.choose("HEL")
print("again:", try airports.recent().map(\.code))
