/// What a runner has to tell.
public enum ReminderEvent: Sendable {
    /// A reminder is on the screen.
    case delivered(Reminder)
    /// One could not be delivered, for this reason; it will be tried again.
    case failed(Reminder, reason: String)
    /// The person has answered.
    case chosen(Reminder, ReminderChoice)
    /// An answer could not be acted on.
    case choiceFailed(Reminder, ReminderChoice, reason: String)
    /// The person does not allow notifications (any more); what is due waits.
    case notAllowed(message: String)
}
