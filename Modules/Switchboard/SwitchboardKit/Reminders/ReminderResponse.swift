import Foundation
public import SwitchboardReminders

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
