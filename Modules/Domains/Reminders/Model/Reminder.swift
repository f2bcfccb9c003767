public import Foundation

/// Something to be reminded of at a time.
public struct Reminder: Hashable, Sendable {
    /// What became of it.
    public enum State: String, Sendable, CaseIterable {
        /// It is to be delivered.
        case pending
        /// It was delivered.
        case delivered
        /// It was taken back.
        case cancelled
    }

    /// The identifier; it stays when the reminder is moved to another time.
    public internal(set) var id: String
    /// Whom or what it is about: an identifier of whoever set it.
    public internal(set) var subject: String
    /// What the subject is called.
    public internal(set) var name: String
    /// What is shown first: "Contact Ana".
    public internal(set) var title: String
    /// What is shown below.
    public internal(set) var body: String
    /// When it is due.
    public internal(set) var dueAt: Date
    /// The zone in which that time was meant.
    public internal(set) var timeZone: TimeZone
    /// What became of it.
    public internal(set) var state: State
    /// Whether it was delivered more than a minute late, because nothing ran.
    public internal(set) var isLate: Bool
    /// When it was delivered.
    public internal(set) var deliveredAt: Date?
    /// When it was set or changed.
    public internal(set) var modifiedAt: Date
    /// How often it was moved: the sequence number of calendars.
    public internal(set) var sequence: Int
    /// Why it could not be delivered yet; empty if it was never tried in vain.
    public internal(set) var failure: String

    /// How long after its time a reminder counts as late, in seconds.
    public static let lateness: TimeInterval = 60
}
