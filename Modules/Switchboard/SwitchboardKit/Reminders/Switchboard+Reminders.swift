public import Foundation
import SwitchboardProspects
public import SwitchboardReminders

extension Switchboard {
    /// Sets a reminder to contact a prospect, replacing a pending one.
    ///
    /// - Parameters:
    ///   - id: The identifier of the prospect.
    ///   - time: The time of the reminder.
    ///   - timeZone: The time zone of times of day; nil for that of this machine.
    /// - Throws: ``SwitchboardError`` if the prospect was contacted, `ProspectsError`, `RemindersError`, and
    ///   `StorageError`, also if notifications are not granted.
    public func remind(
        of id: String, at time: ReminderTime = .nextNine, in timeZone: TimeZone? = nil
    ) throws -> Reminders.Scheduled {
        let prospect = try prospects.prospect(id)
        guard !prospect.isContacted else {
            throw SwitchboardError(
                code: "contacted",
                message: "\(prospect.displayName) was already contacted",
                status: .usage)
        }
        let text = ReminderText(of: prospect)
        let reminders = Reminders(storage: try storage, timeZone: timeZone ?? .current)
        return try reminders.schedule(id, name: text.name, title: text.title, body: text.body, at: time)
    }

    /// Returns a runner that marks the prospect as contacted if the user chooses "Contacted".
    public func reminderRunner(delivery: ReminderDelivery) throws -> ReminderRunner {
        ReminderRunner(reminders: try reminders, delivery: delivery) { reminder in
            try self.setContacted([reminder.subject])
        }
    }

    /// Updates the pending reminder of a prospect with their current details.
    func retitleReminder(of prospect: Prospect) throws {
        let text = ReminderText(of: prospect)
        try reminders.retitle(prospect.id, name: text.name, title: text.title, body: text.body)
    }
}

private struct ReminderText {
    let name: String
    let title: String
    let body: String

    init(of prospect: Prospect) {
        name = prospect.displayName
        title = "Contact \(prospect.displayName)"
        body = prospect.email.isEmpty ? prospect.phone : prospect.email
    }
}

/// The JSON representation of a prospect's reminder.
public struct ReminderResponse: Encodable, Sendable {
    private let reminder: Reminder

    private enum CodingKeys: String, CodingKey {
        case id, prospect, name, title, body, dueAt, timeZone, state, late, deliveredAt, failure
    }

    /// Creates the representation of a reminder.
    public init(_ reminder: Reminder) {
        self.reminder = reminder
    }

    /// Encodes `{"id", "prospect", "name", "title", "body", "dueAt", "timeZone", "state", "late"}`, and `deliveredAt`
    /// and `failure` if present.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(reminder.id, forKey: .id)
        try container.encode(reminder.subject, forKey: .prospect)
        try container.encode(reminder.name, forKey: .name)
        try container.encode(reminder.title, forKey: .title)
        try container.encode(reminder.body, forKey: .body)
        try container.encode(reminder.dueAt.formatted(.iso8601), forKey: .dueAt)
        try container.encode(reminder.timeZone.identifier, forKey: .timeZone)
        try container.encode(reminder.state.rawValue, forKey: .state)
        try container.encode(reminder.isLate, forKey: .late)
        if let time = reminder.deliveredAt { try container.encode(time.formatted(.iso8601), forKey: .deliveredAt) }
        if !reminder.failure.isEmpty { try container.encode(reminder.failure, forKey: .failure) }
    }
}
