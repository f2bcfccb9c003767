// An airport picker: the popular airports at once, then all; the nearest ones; the last choice first.

import Foundation
import SwitchboardAirports
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardStorage
import SwitchboardTextNormalization

do {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let storage = try Storage(at: folder.appending(path: "choices.sqlite").path, migrations: [Airports.migrations])
    let airports = Airports(storage: storage, location: .unavailable)
    let search = AirportSearch(airports: airports)
    try await runCancellable { _ in try search.warmUp() }

    for typed in ["lond", "frankfrut", "пекин"] {
        for try await results in search.results(for: SearchInput(typed), limit: 2) {
            let rows = results.hits.map { "\($0.airport.code) \($0.title.highlighted($0.highlights["title"]))" }
            print(typed, results.isFinal ? "all:" : "first:", rows)
        }
    }
    print("near:", try airports.nearest(to: Coordinate(parsing: "59.93,30.33"), limit: 2).map(\.code))
    try airports.choose("HEL")
    print("again:", try airports.recent().map(\.code))
} catch {
    print("airports:", error.localizedDescription)
    exit(1)
}
