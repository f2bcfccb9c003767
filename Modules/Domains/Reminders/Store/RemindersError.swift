public import Foundation
public import SwitchboardStorage

/// An error of the reminders. Errors of the storage, including missing access, are thrown as `StorageError`.
///
/// ``message`` is one line for the user. ``category`` maps to an exit status or an HTTP status.
public enum RemindersError: Error, Sendable, Equatable {
    /// No reminder has this identifier.
    case notFound(id: String)
    /// The time is in the past.
    case past(Date)
    /// A text cannot be parsed as a time.
    case unreadableTime(String)
    /// The date or time does not exist.
    case noSuchTime(String)

    /// The category of the error, one of the storage's.
    public var category: StorageError.Category { .usage }

    /// A stable code of the error, for programs and JSON.
    public var code: String {
        switch self {
        case .notFound: "notFound"
        case .past: "past"
        case .unreadableTime: "unreadableTime"
        case .noSuchTime: "noSuchTime"
        }
    }
}

extension RemindersError: CustomStringConvertible {
    /// The problem and its remedy in one line.
    public var message: String {
        switch self {
        case .notFound(let id): "there is no reminder \(id)"
        case .past(let date): "\(date.formatted(.iso8601)) is in the past; use a future time"
        case .unreadableTime(let text):
            "cannot read the time “\(text)”; use 2026-11-21 14:30, or a delay such as 30m, 2h or 1d"
        case .noSuchTime(let text): "the time \(text) does not exist; check the date"
        }
    }

    /// The same as ``message``.
    public var description: String { message }
}

/// An error of delivering a reminder. The delivery is repeated.
public enum DeliveryError: Error, Sendable, Equatable, CustomStringConvertible {
    /// There is no desktop session bus.
    case noDesktop
    /// notify-send is not installed.
    case noNotifySend
    /// The delivery program failed.
    case failed(String)
    /// The delivery timed out.
    case timedOut(seconds: Int)

    /// The problem and its remedy in one line.
    public var description: String {
        switch self {
        case .noDesktop: "no desktop session bus found; deliver in another way"
        case .noNotifySend: "notify-send is missing; install libnotify-bin"
        case .failed(let reason): reason
        case .timedOut(let seconds): "the reminder was not shown within \(seconds) seconds"
        }
    }
}
