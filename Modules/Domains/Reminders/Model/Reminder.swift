public import Foundation

/// A reminder of a subject at a given time.
public struct Reminder: Hashable, Sendable {
    /// The state of a reminder.
    public enum State: String, Sendable, CaseIterable {
        /// The reminder is waiting to be delivered.
        case pending
        /// The reminder was delivered on at least one channel.
        case delivered
        /// The reminder was cancelled.
        case cancelled
    }

    /// The identifier, which does not change when the reminder is rescheduled.
    public internal(set) var id: String
    /// The identifier of the subject, chosen by the caller.
    public internal(set) var subject: String
    /// The name of the subject.
    public internal(set) var name: String
    /// The first line shown, such as "Contact Ana".
    public internal(set) var title: String
    /// The text shown below the title.
    public internal(set) var body: String
    /// The time when the reminder is due.
    public internal(set) var dueAt: Date
    /// The time zone in which that time was given.
    public internal(set) var timeZone: TimeZone
    /// The state.
    public internal(set) var state: State
    /// `true` if it was delivered more than a minute late, because no runner was active.
    public internal(set) var isLate: Bool
    /// The time of delivery.
    public internal(set) var deliveredAt: Date?
    /// The time of the last change.
    public internal(set) var modifiedAt: Date
    /// The time when the delivered or cancelled reminder was acted on; nil before.
    public internal(set) var handledAt: Date?
    /// The number of changes, which is the sequence number in calendars.
    public internal(set) var sequence: Int
    /// The error of the last failed delivery; empty if none failed.
    public internal(set) var failure: String

    /// The delay after which a reminder counts as late, in seconds.
    public static let lateness: TimeInterval = 60

    /// Returns `true` if the reminder is due and no one has acted on it, that is, contacted the subject, asked to be
    /// reminded later, or cancelled it.
    public func isOverdue(at date: Date) -> Bool { handledAt == nil && state != .cancelled && dueAt <= date }
}
