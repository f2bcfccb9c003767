/// An event of a runner.
public enum ReminderEvent: Sendable {
    /// A reminder was delivered.
    case delivered(Reminder)
    /// A delivery failed and will be repeated.
    case failed(Reminder, reason: String)
    /// The user has chosen an action.
    case chosen(Reminder, ReminderChoice)
    /// The chosen action failed.
    case choiceFailed(Reminder, ReminderChoice, reason: String)
    /// The user does not allow notifications, or no longer does. Due reminders wait.
    case notAllowed(message: String)
}
