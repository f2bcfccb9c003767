/// The user's answer to a reminder on the screen.
public enum ReminderChoice: String, Sendable, CaseIterable {
    /// The subject was contacted.
    case contacted
    /// Remind again in an hour.
    case inAnHour
    /// Remind again tomorrow at nine.
    case tomorrowAtNine

    /// The label of the button.
    public var label: String {
        switch self {
        case .contacted: "Contacted"
        case .inAnHour: "In an hour"
        case .tomorrowAtNine: "Tomorrow at nine"
        }
    }
}

/// A method for delivering reminders, such as desktop notifications, a terminal or a command.
public struct ReminderDelivery: Sendable {
    /// A function to call once, as soon as the reminder is shown.
    public typealias Shown = @Sendable () async -> Void

    /// The name of the channel. Methods with the same name share the delivery of reminders; others do not.
    public let channel: String

    let deliver: @Sendable (Reminder, Shown) async throws -> ReminderChoice?

    /// Creates a delivery method.
    ///
    /// - Parameters:
    ///   - channel: The name of the channel.
    ///   - deliver: Shows a reminder, calls its second argument, and may then wait for an answer, which it returns,
    ///     until its task is cancelled. If it returns without calling the second argument, the reminder counts as
    ///     shown. If it throws before calling it, the delivery has failed.
    public init(_ channel: String, deliver: @escaping @Sendable (Reminder, Shown) async throws -> ReminderChoice?) {
        self.channel = channel
        self.deliver = deliver
    }
}
