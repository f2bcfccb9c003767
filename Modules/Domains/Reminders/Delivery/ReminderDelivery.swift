/// What a person may answer to a reminder on the screen.
public enum ReminderChoice: String, Sendable, CaseIterable {
    /// The subject was contacted.
    case contacted
    /// Again in an hour.
    case inAnHour
    /// Again at nine o'clock of the next day.
    case tomorrowAtNine

    /// The words on the button.
    public var label: String {
        switch self {
        case .contacted: "Contacted"
        case .inAnHour: "In an hour"
        case .tomorrowAtNine: "Tomorrow at nine"
        }
    }
}

/// A way to bring a reminder before a person: the desktop, a terminal, a command, or what a test gives.
public struct ReminderDelivery: Sendable {
    /// Says that the reminder is on the screen. Called once, as soon as that is so.
    public typealias Shown = @Sendable () async -> Void

    /// What it is called in messages.
    public let name: String

    let deliver: @Sendable (Reminder, Shown) async throws -> ReminderChoice?

    /// A way to deliver.
    ///
    /// - Parameters:
    ///   - name: what it is called in messages.
    ///   - deliver: shows a reminder, calls its second argument, and may then wait for an answer, which it gives, until its task
    ///     is cancelled. If it returns without calling it, the reminder counts as shown; if it throws before, as not delivered.
    public init(_ name: String, deliver: @escaping @Sendable (Reminder, Shown) async throws -> ReminderChoice?) {
        self.name = name
        self.deliver = deliver
    }
}
