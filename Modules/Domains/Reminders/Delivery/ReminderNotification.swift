public import Foundation
import SwitchboardVCard

/// A reminder as a desktop notification (Desktop Notifications Specification 1.2).
///
/// The title is the summary, the text is the body. The actions are the cases of ``ReminderChoice``.
public struct ReminderNotification: Sendable, Hashable {
    /// The name of the application.
    public static let application = "Switchboard"
    /// The name of the icon.
    public static let icon = "x-office-address-book"
    /// The notification category for instant messages.
    public static let category = "im"
    /// The name of the sound (Sound Naming Specification).
    public static let sound = "message-new-instant"

    /// The summary, a single line without markup.
    public let summary: String
    /// The body; may be empty.
    public let body: String

    /// Creates the notification of a reminder.
    ///
    /// - Parameters:
    ///   - reminder: The reminder to show.
    ///   - hasMarkup: `true` if the service reads the body as markup.
    ///   - now: The current time; a late reminder says when it was due.
    public init(_ reminder: Reminder, hasMarkup: Bool, now: Date = Date()) {
        var text = reminder.body
        if now.timeIntervalSince(reminder.dueAt) > Reminder.lateness {
            let due = reminder.dueAt.formatted(
                Date.VerbatimFormatStyle(
                    format:
                        "\(year: .defaultDigits)-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
                    timeZone: reminder.timeZone, calendar: .gregorian(in: reminder.timeZone)))
            text += (text.isEmpty ? "" : "\n") + "Late: was due \(due)"
        }
        summary = NotificationText.summary(reminder.title)
        body = NotificationText.body(text, hasMarkup: hasMarkup)
    }
}
