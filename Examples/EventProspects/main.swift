// People met at an event. The article "Prospects met at an event" of Prospects walks through it; `swift run event-prospects` wordSuffixes it.

import SwitchboardBadges
import Foundation
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardStorage

let folder = FileManager.default.temporaryDirectory.appending(path: "event-prospects-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: folder) }
let file = folder.appending(path: "people.sqlite").path

// Two badges as pictures. Real ones come from a camera; these are drawn.
let people = [("Łukasz Nowak", "lukasz@example.org"), ("Ana Sousa", "ana@example.org")]
let pictures = try people.map { name, email in try QRCode(Badge(name: name, email: email).vCard).png() }

// 1. One file, two modules that do not know each other.
let storage = try Storage(at: file, migrations: [Prospects.migrations, Reminders.migrations])
let prospects = Prospects(storage: storage, region: "PL")

// 2. Every code of a picture is a badge, or says why it is none.
for picture in pictures {
    for code in try BadgeReader().read(picture) {
        switch code.badge {
        case .success(let badge):
            let added = try prospects.add(Prospect(name: badge.name, email: badge.email, met: "FOSDEM"))
            print(added.wasKnown ? "met again:" : "new:", added.prospect.displayName)
        case .failure(let refusal): print("no badge:", refusal.reason)
        }
    }
}

// 3. Somebody met again is not twice in the list.
let again = try prospects.add(Prospect(name: "Lukasz Nowak", email: "Lukasz@Example.org", met: "dinner"))
print("known:", again.wasKnown, again.prospect.meetings.map(\.place))

// 4. Ticked off; the others are still to be contacted.
if let ana = try ProspectSearch(prospects: prospects).answer(finding: "ana").hits.first {
    try prospects.setContacted([ana.prospect.id])
}
let open = try prospects.list(.uncontacted)
print("uncontacted:", open.map(\.displayName))

// 5. A reminder at nine the next morning, once the person has agreed to notifications.
try storage.setStatus(.authorized, of: .notifications)
let reminders = Reminders(storage: storage)
for prospect in open {
    let set = try reminders.schedule(
        prospect.id, name: prospect.name, title: "Contact \(prospect.name)", body: prospect.email, at: .nextNine)
    print("reminder:", set.reminder.title)
}
