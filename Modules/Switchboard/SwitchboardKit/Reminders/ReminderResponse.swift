import Foundation
public import SwitchboardReminders

/// A reminder of a prospect, in the shape of the contract.
public struct ReminderResponse: Encodable, Sendable {
    private let reminder: Reminder

    private enum CodingKeys: String, CodingKey {
        case id, prospect, name, title, body, dueAt, timeZone, state, late, deliveredAt, failure
    }

    /// The shape of a reminder.
    public init(_ reminder: Reminder) {
        self.reminder = reminder
    }

    /// Writes `{"id", "prospect", "name", "title", "body", "dueAt", "timeZone", "state", "late"}`, and `deliveredAt` and `failure`
    /// where there are any.
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
