// Examples that are compiled but not run: they need more than a temporary folder, or optimization.

import SwitchboardAirports
import SwitchboardBadges
import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardStorage

func findAirports() throws {
    let airports = Airports(storage: nil)
    for airport in try airports.nearest(to: Coordinate(parsing: "59.93,30.33"), limit: 3) {
        print(airport.code, airport.name)
    }
    let answer = try AirportSearch(airports: airports).search("frankfrut")
    print(answer.hits.first?.title ?? "nothing")
}

func scanBadges(in pictureFile: [UInt8], into storage: Storage) throws {
    let prospects = Prospects(storage: storage)
    for code in try BadgeReader().read(pictureFile) {
        let badge = try code.badge.get()
        try prospects.add(Prospect(name: badge.name, email: badge.email, met: "FOSDEM"))
    }
    try Reminders(storage: storage).schedule("ana", name: "Ana", title: "Contact Ana", body: "", at: .nextNine)
}

func completeAirports(
    _ switchboard: Switchboard, unless hasBeenTypedOn: @escaping @Sendable () -> Bool
) throws {
    let server = try AirportServer("https://example.org")
    let local = try switchboard.searchAirports("kazimkarabekir")
    let both = try switchboard.completing(local, from: server) { hasBeenTypedOn() }
    print(both.response.results.count, both.error?.message ?? "")
    try switchboard.refreshPopular(from: server.popularAddress, onlyIfDue: true)
}

func followChanges() async throws {
    let storage = try Storage(at: "people.sqlite", migrations: [ContactBook.migrations])
    try storage.backup(to: "copy.sqlite")
    for await change in storage.changes() {
        print("\(change.module) has changed")
    }
}
