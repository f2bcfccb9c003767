// A badge at an event: read from a picture, kept as a prospect, and reminded of by the app's own means.

import Foundation
import SwitchboardBadges
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardStorage

do {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let storage = try Storage(
        at: folder.appending(path: "people.sqlite").path, migrations: [Prospects.migrations, Reminders.migrations])
    let picture = try QRCode(Badge(name: "Łukasz Nowak", email: "lukasz@example.org").vCard).png()

    let prospects = Prospects(storage: storage, region: "PL")
    let reminders = Reminders(storage: storage)
    try storage.setStatus(.authorized, of: .notifications)
    for code in try BadgeReader().read(picture) {
        let badge = try code.badge.get()
        let met = try prospects.add(Prospect(name: badge.name, email: badge.email, met: "FOSDEM")).prospect
        try reminders.schedule(
            met.id, name: met.name, title: "Contact \(met.name)", body: met.email, at: .moment(.now + 1))
    }

    let delivery = ReminderDelivery("my-app") { reminder, shown in
        print("reminder:", reminder.title)
        await shown()
        return .contacted
    }
    let runner = ReminderRunner(reminders: reminders, delivery: delivery) { try prospects.setContacted([$0.subject]) }
    for _ in 0..<30 where try !reminders.list([.pending]).isEmpty {
        try await Task.sleep(for: .seconds(1))
        try await runner.runOnce { event in if case .failed = event { print("reminders:", event) } }
    }
    print("contacted:", try prospects.list(.contacted).map(\.displayName))
} catch {
    print("event:", error.localizedDescription)
    exit(1)
}
