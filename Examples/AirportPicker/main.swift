// An airport picker, described in the article "An airport picker" of SwitchboardAirports.
// Run it with `swift run --package-path Examples airport-picker`.

import Foundation
import SwitchboardAirports
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardStorage

let folder = FileManager.default.temporaryDirectory.appending(path: "airport-picker-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: folder) }
let file = folder.appending(path: "choices.sqlite").path

// 1. The catalogue is part of the module; the storage keeps the choices.
let storage = try Storage(at: file, migrations: [Airports.migrations])
let airports = Airports(storage: storage, location: .unavailable)
let search = AirportSearch(airports: airports)

// 2. Suggestions before typing: the nearest, recent and popular airports.
let here = try Coordinate(parsing: "59.93,30.33")
print("near:", try airports.suggestions(near: here, limit: 3).map(\.code))

// 3. Searches while typing, with typos and in other scripts and keyboard layouts.
for typed in ["fra", "frankfrut", "leningrad", "пекин", "vjcrdf"] {
    let rows = try search.search(SearchInput(typed), limit: 2).hits
    print(typed, rows.map { "\($0.airport.code) \($0.title)" })
}

// 4. A city is a result with its airports, busiest first.
for row in try search.search("london", limit: 1).hits where row.airport.isCity {
    print(row.title, row.airports.map(\.code))
}

// 5. Recent choices are suggested first.
try airports.choose("LHR")
try airports.choose("HEL")
print("again:", try airports.recent().map(\.code))
