public import Foundation
@_exported public import SwitchboardErrors

/// An error of the reminders. Errors of the storage, including missing access, are thrown as `StorageError`.
public enum RemindersError: CodedError, Equatable {
    /// No reminder has this identifier.
    case notFound(id: String)
    /// The time is in the past.
    case past(Date)
    /// A text cannot be parsed as a time.
    case unreadableTime(String)
    /// The date or time does not exist.
    case noSuchTime(String)

    /// The code, the category and the message.
    public var details: ErrorDetails {
        switch self {
        case .notFound(let id): .init("notFound", .notFound, "there is no reminder \(id)")
        case .past(let date):
            .init("past", .usage, "\(date.formatted(RemindersError.localTime)) is in the past; use a future time")
        case .unreadableTime(let text):
            .init(
                "unreadableTime", .usage,
                "cannot read the time “\(text)”; use 2026-11-21 14:30, 14:30 or tomorrow, or a delay such as 30m, 2h or 1d"
            )
        case .noSuchTime(let text):
            .init("noSuchTime", .usage, "the time \(text) does not exist; check the date")
        }
    }
}

extension RemindersError {
    private static var localTime: Date.ISO8601FormatStyle {
        Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .current).year().month().day().dateSeparator(.dash)
            .time(includingFractionalSeconds: false)
    }
}

/// An error that occurs while delivering a reminder. The delivery is repeated.
public enum DeliveryError: CodedError, Equatable {
    /// There is no desktop session bus.
    case noDesktop
    /// notify-send is not installed.
    case noNotifySend
    /// The delivery program failed.
    case failed(String)
    /// The delivery timed out.
    case timedOut(seconds: Int)

    /// The code, the category and the message.
    public var details: ErrorDetails {
        let message =
            switch self {
            case .noDesktop: "no desktop session bus found; deliver in another way"
            case .noNotifySend: "notify-send is missing; install libnotify-bin"
            case .failed(let reason): reason
            case .timedOut(let seconds): "the reminder was not shown within \(seconds) seconds"
            }
        return ErrorDetails("notDelivered", .unavailable, message)
    }
}
