import Foundation
import SwitchboardKit
import SwitchboardReminders

/// A service that delivers reminders as desktop notifications until the session ends.
struct ReminderService {
    let switchboard: Switchboard

    /// - Throws: `DBusError` if the session bus cannot be reached, and the errors of reading the reminders.
    func run() throws {
        // Wait for the database instead of creating it at login: without one there are no reminders.
        while !FileManager.default.fileExists(atPath: switchboard.settings.database) {
            Thread.sleep(forTimeInterval: 1)
        }
        let client = try NotificationClient()
        let runner = try switchboard.reminderRunner(delivery: client.delivery)
        let task = Task.detached {
            do {
                try await runner.run { event in
                    if let line = Self.line(event) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
                }
            } catch {
                client.stop(error)
            }
        }
        defer { task.cancel() }
        try client.run()
    }

    /// Returns the log line for a notable event; nil for other events. Names are never logged.
    private static func line(_ event: ReminderEvent) -> String? {
        switch event {
        case .delivered, .chosen: nil
        case .failed(let reminder, let reason): "switchboard-desktop: reminder \(reminder.id): \(reason)"
        case .choiceFailed(let reminder, let choice, let reason):
            "switchboard-desktop: reminder \(reminder.id): \(choice.label): \(reason)"
        case .notAllowed(let message): "switchboard-desktop: \(message)"
        }
    }
}
