public import Foundation
import SwitchboardProspects
public import SwitchboardReminders

extension Switchboard {
    /// Sets a reminder to contact a prospect, replacing a pending one.
    ///
    /// - Parameters:
    ///   - id: The identifier of the prospect.
    ///   - time: The time of the reminder.
    ///   - timeZone: The time zone for times of day; nil for this machine's time zone.
    /// - Throws: ``SwitchboardError`` if the prospect was contacted, `ProspectsError`, `RemindersError`, and
    ///   `StorageError`, also thrown if notifications are not granted.
    public func remind(
        of id: String, at time: ReminderTime = .nextNine, in timeZone: TimeZone? = nil
    ) throws -> Reminders.Scheduled {
        let prospect = try prospects.prospect(id)
        guard !prospect.isContacted else {
            throw SwitchboardError(
                code: "contacted", message: "\(prospect.displayName) was already contacted", status: .usage)
        }
        let text = prospect.reminderText
        let reminders = Reminders(storage: try storage, timeZone: timeZone ?? .current)
        return try reminders.schedule(id, name: text.name, title: text.title, body: text.body, at: time)
    }

    /// Returns a runner that marks the prospect as contacted if the user chooses "Contacted".
    public func reminderRunner(delivery: ReminderDelivery) throws -> ReminderRunner {
        ReminderRunner(reminders: try reminders, delivery: delivery) { reminder in
            try self.setContacted([reminder.subject])
        }
    }

    /// Updates the pending reminder of a prospect with the prospect's current details.
    func retitleReminder(of prospect: Prospect) throws {
        let text = prospect.reminderText
        try reminders.retitle(prospect.id, name: text.name, title: text.title, body: text.body)
    }
}

extension Prospect {
    fileprivate var reminderText: (name: String, title: String, body: String) {
        (displayName, "Contact \(displayName)", email.isEmpty ? phone : email)
    }
}

/// The JSON representation of a prospect's reminder:
/// `{"id", "prospect", "name", "title", "body", "dueAt", "timeZone", "state", "late"}`, `deliveredAt` and `failure` if
/// present, and `"overdue": true` from the due time until the user acts on it.
public struct ReminderResponse: Encodable, Sendable {
    private let id, prospect, name, title, body, dueAt, timeZone, state: String
    private let late: Bool
    private let overdue: Bool?
    private let deliveredAt, failure: String?

    /// Creates the response for a reminder.
    public init(_ reminder: Reminder) {
        id = reminder.id
        prospect = reminder.subject
        name = reminder.name
        title = reminder.title
        body = reminder.body
        dueAt = reminder.dueAt.formatted(.iso8601)
        timeZone = reminder.timeZone.identifier
        state = reminder.state.rawValue
        late = reminder.isLate
        overdue = reminder.isOverdue(at: Date()) ? true : nil
        deliveredAt = reminder.deliveredAt?.formatted(.iso8601)
        failure = reminder.failure.isEmpty ? nil : reminder.failure
    }
}
