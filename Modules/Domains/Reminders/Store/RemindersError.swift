public import Foundation
public import SwitchboardStorage

/// Why reminders could not do what was asked, and what to do next.
///
/// ``message`` is one line for a person; ``category`` is what a front end turns into an exit status or an HTTP status. What
/// the storage below reports, missing access among it, comes as `StorageError`.
public enum RemindersError: Error, Sendable, Equatable {
    /// No reminder has this identifier.
    case notFound(id: String)
    /// The time lies in the past.
    case past(Date)
    /// A text is no time.
    case unreadableTime(String)
    /// There is no such day or time.
    case noSuchTime(String)

    /// The kind of failure, in the words of the storage.
    public var category: StorageError.Category { .usage }

    /// A stable name of the error for programs and JSON.
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
    /// One line: what happened, and what to do.
    public var message: String {
        switch self {
        case .notFound(let id): "there is no reminder \(id); 'reminders list' shows them all"
        case .past(let date): "\(date.formatted(.iso8601)) lies in the past; give a time that is to come"
        case .unreadableTime(let text):
            "“\(text)” is no time; write it as 2026-11-21 14:30, or a time from now as 30m, 2h or 1d"
        case .noSuchTime(let text): "there is no time \(text); check the date"
        }
    }

    /// The same as ``message``.
    public var description: String { message }
}

/// Why a reminder could not be delivered; it is tried again.
public enum DeliveryError: Error, Sendable, Equatable, CustomStringConvertible {
    /// There is no desktop: no session bus.
    case noDesktop
    /// notify-send is not installed.
    case noNotifySend
    /// What should deliver has failed.
    case failed(String)
    /// It took too long.
    case timedOut(seconds: Int)

    /// One line: what happened, and what to do.
    public var description: String {
        switch self {
        case .noDesktop: "there is no desktop here (no session bus); use --deliver-with or --terminal"
        case .noNotifySend: "notify-send is missing; install libnotify-bin, or use --deliver-with"
        case .failed(let reason): reason
        case .timedOut(let seconds): "nothing was shown within \(seconds) seconds"
        }
    }
}
