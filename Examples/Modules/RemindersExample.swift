import SwitchboardReminders
import SwitchboardStorage
import SwitchboardTesting

func reminders(_ store: TemporaryStore) throws {
    let file = store.database
    let storage = try Storage(at: file, migrations: [Reminders.migrations])
    try storage.setStatus(.authorized, of: .notifications)
    let reminders = Reminders(storage: storage)
    try reminders.schedule("ana", name: "Ana", title: "Contact Ana", body: "ana@example.org", at: .nextNine)
    print(try reminders.list([.pending]).map(\.title))
}

/// Delivers reminders as desktop notifications until cancelled.
func deliver(_ reminders: Reminders) async throws {
    let runner = ReminderRunner(reminders: reminders, delivery: .desktop())
    try await runner.run { event in print(event) }
}
