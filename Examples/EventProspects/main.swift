// Prospects met at an event, described in the article "Prospects met at an event" of SwitchboardProspects.
// Run it with `swift run --package-path Examples event-prospects`.

import Foundation
import SwitchboardBadges
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardStorage

let folder = FileManager.default.temporaryDirectory.appending(path: "event-prospects-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: folder) }
let file = folder.appending(path: "people.sqlite").path

// Pictures of two badges; in an app they come from a camera.
let people = [("Łukasz Nowak", "lukasz@example.org"), ("Ana Sousa", "ana@example.org")]
let pictures = try people.map { name, email in try QRCode(Badge(name: name, email: email).vCard).png() }

// 1. One database with two independent modules.
let storage = try Storage(at: file, migrations: [Prospects.migrations, Reminders.migrations])
let prospects = Prospects(storage: storage, region: "PL")

// 2. Each code in a picture is a badge or a refusal with its reason.
for picture in pictures {
    for code in try BadgeReader().read(picture) {
        switch code.badge {
        case .success(let badge):
            let added = try prospects.add(Prospect(name: badge.name, email: badge.email, met: "FOSDEM"))
            print(added.wasKnown ? "met again:" : "new:", added.prospect.displayName)
        case .failure(let refusal): print("no badge:", refusal.message)
        }
    }
}

// 3. A person met again is recognized.
let again = try prospects.add(Prospect(name: "Lukasz Nowak", email: "Lukasz@Example.org", met: "dinner"))
print("known:", again.wasKnown, again.prospect.meetings.map(\.place))

// 4. One prospect is marked as contacted, the others are left.
if let ana = try ProspectSearch(prospects: prospects).search("ana").hits.first {
    try prospects.setContacted([ana.person.id])
}
let open = try prospects.list(.uncontacted)
print("uncontacted:", open.map(\.displayName))

// 5. A reminder at nine the next morning, after notifications were authorized.
try storage.setStatus(.authorized, of: .notifications)
let reminders = Reminders(storage: storage)
for prospect in open {
    let set = try reminders.schedule(
        prospect.id, name: prospect.name, title: "Contact \(prospect.name)", body: prospect.email, at: .nextNine)
    print("reminder:", set.reminder.title)
}
