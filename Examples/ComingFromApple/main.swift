// The listings of docs/coming-from-apple.md in one program. Run it with `swift run --package-path Examples coming-from-apple`.

import Foundation
import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardReminders
import SwitchboardSearchableIndex
import SwitchboardStorage

let folder = FileManager.default.temporaryDirectory.appending(path: "coming-from-apple-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: folder) }
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let file = folder.appending(path: "app.sqlite").path

let storage = try Storage(
    at: file,
    migrations: [
        SearchableIndex.migrations, ContactBook.migrations, Reminders.migrations,
    ])

// MARK: - Core Spotlight

let index = SearchableIndex(storage: storage)

func spotlight() throws {
    var set = SearchableItemAttributeSet()
    set.contentType = "public.text"
    set.title = "Breaking Dunes"
    set.contentDescription = "A chemist walks into the desert."
    set.keywords = ["drama", "desert"]
    let item = SearchableItem(
        uniqueIdentifier: "dunes",
        domainIdentifier: "tv-shows",
        attributeSet: set)
    try index.put([item])

    let query = try AttributeQuery("title == 'brea*'cd")
    for stored in try index.search(query) {
        print("found:", stored.item.uniqueIdentifier)
    }

    let chosen = try UserActivities(index: index)
        .continuation(of: "dunes")
    if case .item(let id) = chosen.destination {
        print("open:", id)
    }

    try index.deleteItems(withIdentifiers: ["dunes"])
    try index.deleteItems(inDomains: ["tv-shows"])
    try index.deleteAllItems()
    print("left:", try index.count())
}

// MARK: - NSUserActivity

func userActivity() throws {
    let activities = UserActivities(index: index)

    var activity = UserActivity(
        activityType: "com.example.watching",
        title: "Breaking Dunes, episode 4")
    activity.userInfo = ["show": .string("dunes"), "episode": .number(4)]
    activity.requiredUserInfoKeys = ["show", "episode"]
    activity.isEligibleForSearch = true
    activity.persistentIdentifier = "watching-dunes"
    try activities.becomeCurrent(activity)

    let found = try activities.continuation(of: "watching-dunes")
    if case .number(let episode)? = found.activity.userInfo["episode"] {
        print("resume with episode", Int(episode))
    }

    try activities.resignCurrent()
    try activities.delete(["watching-dunes"])
    try activities.deleteAll()
    print("activities:", try activities.list().count)
}

// MARK: - Contacts

func contacts() throws {
    let book = ContactBook(storage: storage, region: "GB")

    var ana = Contact(name: PersonName(given: "Ana", family: "Sousa"))
    ana.emails = [Email(label: "work", address: "ana@example.org")]
    ana.phones = [Phone(typed: "020 7946 0958", region: book.region)]
    ana = try book.add(ana)

    let hits = try ContactSearch(book: book)
        .search("sousa").hits
    print("contacts:", hits.map(\.person.displayName))

    ana = try book.edit(ana.id) { contact in
        contact.nickname = "Anita"
    }
    print(ana.displayName, "is", ana.nickname)

    try book.remove([ana.id])
    print("left:", try book.count())
}

// MARK: - UserNotifications

func userNotifications() throws {
    let reminders = Reminders(storage: storage)

    // Ask in your own words, then record the answer.
    try storage.setStatus(.authorized, of: .notifications)

    let nine = WallClockTime(
        year: 2036, month: 11, day: 22, hour: 9, minute: 0)
    try reminders.schedule(
        "ana", name: "Ana Sousa",
        title: "Contact Ana Sousa", body: "ana@example.org",
        at: .wallClock(nine))

    let pending = try reminders.list([.pending])
    print("pending:", pending.map(\.title))

    try reminders.cancel(subjects: ["ana"])
    print("pending:", try reminders.list([.pending]).count)
}

/// Delivers what is due, until the task is cancelled.
func deliver(_ reminders: Reminders) async throws {
    let runner = ReminderRunner(
        reminders: reminders, delivery: .desktop())
    try await runner.run { event in print(event) }
}

try spotlight()
try userActivity()
try contacts()
try userNotifications()
