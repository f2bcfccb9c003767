public import Foundation
import Subprocess
@_exported public import SwitchboardErrors
public import SwitchboardStorage
import SwitchboardVCard
import SystemPackage

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
    ///     until its task is canceled. If it returns without calling the second argument, the reminder counts as
    ///     shown. If it throws before calling it, the delivery has failed.
    public init(_ channel: String, deliver: @escaping @Sendable (Reminder, Shown) async throws -> ReminderChoice?) {
        self.channel = channel
        self.deliver = deliver
    }
}

/// The user's answer to a reminder on the screen: one of Switchboard's, or an app's own.
///
/// The runner performs Switchboard's answers, whatever their labels, and reports every answer as
/// ``ReminderEvent/chosen(_:_:)``. For example, in another language and with an answer of the app:
///
/// ```swift
/// let choices = [ReminderChoice("inAnHour", label: "In einer Stunde"), ReminderChoice("open", label: "Öffnen")]
/// ```
public struct ReminderChoice: Sendable, Hashable, CaseIterable {
    /// The subject was contacted.
    public static let contacted = ReminderChoice("contacted", label: "Contacted")
    /// Remind again in an hour.
    public static let inAnHour = ReminderChoice("inAnHour", label: "In an hour")
    /// Remind again tomorrow at nine.
    public static let tomorrowAtNine = ReminderChoice("tomorrowAtNine", label: "Tomorrow at nine")

    /// Switchboard's answers.
    public static let allCases: [ReminderChoice] = [.contacted, .inAnHour, .tomorrowAtNine]

    /// The identifier: letters and digits.
    public let id: String
    /// The label of the button.
    public let label: String

    /// Creates an answer.
    public init(_ id: String, label: String) {
        self.id = id
        self.label = label
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

// MARK: - Commands

extension ReminderDelivery {
    /// Delivers reminders with a shell command, such as one that sends mail.
    ///
    /// The command gets the text on standard input, with the title as its first line, and the fields in environment
    /// variables such as `SWITCHBOARD_TITLE` and `SWITCHBOARD_BODY`. Its output goes to standard error. A nonzero
    /// status, or a run of more than a minute, is a failure.
    public static func command(_ command: String) -> ReminderDelivery {
        ReminderDelivery("command") { reminder, _ in
            let text = [reminder.title, reminder.body].filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
            let late = Date().timeIntervalSince(reminder.dueAt) > Reminder.lateness
            // Environment variables cannot contain NUL characters.
            let environment = Environment.inherit.updating([
                "SWITCHBOARD_ID": reminder.id, "SWITCHBOARD_SUBJECT": reminder.subject,
                "SWITCHBOARD_NAME": reminder.name.removingNulls, "SWITCHBOARD_TITLE": reminder.title.removingNulls,
                "SWITCHBOARD_BODY": reminder.body.removingNulls,
                "SWITCHBOARD_DUE_AT": reminder.dueAt.formatted(.iso8601), "SWITCHBOARD_LATE": late ? "1" : "0",
            ])
            let result = try await run(
                .name("sh"), arguments: ["-c", command], environment: environment,
                input: .fileDescriptor(try openText(text), closeAfterSpawningProcess: true),
                output: .currentStandardError, error: .currentStandardError)
            guard result.terminationStatus.isSuccess else {
                throw DeliveryError.failed("the delivery command \(result.terminationStatus.ending)")
            }
            return nil
        }
    }

    /// Returns a descriptor for reading a text, backed by an unlinked file.
    ///
    /// A pipe would send SIGPIPE to the writer if the command ends without reading it.
    private static func openText(_ text: String) throws -> FileDescriptor {
        let path = FileManager.default.temporaryDirectory.appending(path: "reminder-\(UUID().uuidString)").path
        let file = try FileDescriptor.open(
            FilePath(path), .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
            permissions: [.ownerRead, .ownerWrite])
        try? FileManager.default.removeItem(atPath: path)
        do {
            try file.writeAll(Array(text.utf8))
            try file.seek(offset: 0, from: .start)
            return file
        } catch {
            try? file.close()
            throw error
        }
    }
}

extension TerminationStatus {
    /// A description of how a program ended: "exited with status 3".
    fileprivate var ending: String {
        switch self {
        case .exited(let code): "exited with status \(code)"
        case .signaled(let signal): "was ended by signal \(signal)"
        }
    }
}

// MARK: - Desktop notifications

extension ReminderDelivery {
    /// Delivers reminders as desktop notifications with notify-send.
    ///
    /// The title is the summary, the text is the body. The notification has a sound hint and, if the service supports
    /// actions, a button for each ``ReminderChoice``. A reminder is delivered once the service has returned an
    /// identifier for the notification.
    ///
    /// It shares ``desktopChannel`` with other programs that show notifications, so a reminder is shown by one of them.
    ///
    /// - Parameters:
    ///   - app: The name and the icon of the notifications.
    ///   - choices: The buttons.
    public static func desktop(
        app: AppIdentity = AppIdentity(), choices: [ReminderChoice] = ReminderChoice.allCases
    ) -> ReminderDelivery {
        ReminderDelivery(desktopChannel) { reminder, shown in
            guard NotificationServer.isReachable() else { throw DeliveryError.noDesktop }
            guard await isInstalled("notify-send") else { throw DeliveryError.noNotifySend }
            let server = await NotificationServer.query()
            // notify-send buffers the identifier until it ends, unless stdbuf makes its output line-buffered. Without
            // stdbuf there are no buttons, and notify-send ends at once.
            let canWait = await isInstalled("stdbuf")
            let arguments = notifySendArguments(
                reminder, app, choices: server.hasActions && canWait ? choices : [], hasMarkup: server.hasMarkup,
                now: Date())
            let result = try await run(
                .name(canWait ? "stdbuf" : "notify-send"),
                arguments: Arguments(canWait ? ["-oL", "notify-send"] + arguments : arguments), input: .none,
                output: .sequence, error: .string(limit: 4096)
            ) { execution -> ReminderChoice? in
                var choice: ReminderChoice?
                for try await line in execution.standardOutput.strings() {
                    let word = line.trimmingCharacters(in: .whitespacesAndNewlines)
                    if Int(word) != nil {
                        await shown()
                    } else if let chosen = choices.first(where: { $0.id == word }) {
                        choice = chosen
                    }
                }
                return choice
            }
            guard result.terminationStatus.isSuccess else {
                let reason = result.standardError.split(separator: "\n").first.map(String.init) ?? ""
                throw DeliveryError.failed(
                    "notify-send ended with \(result.terminationStatus)" + (reason.isEmpty ? "" : ": \(reason)"))
            }
            return result.closureResult
        }
    }

    /// The name of the channel of desktop notifications.
    public static let desktopChannel = "desktop"

    private static func isInstalled(_ program: String) async -> Bool {
        (try? await Executable.name(program).resolveExecutablePath(in: .inherit)) != nil
    }

    private static func notifySendArguments(
        _ reminder: Reminder, _ app: AppIdentity, choices: [ReminderChoice], hasMarkup: Bool, now: Date
    ) -> [String] {
        let notification = ReminderNotification(
            reminder, hasMarkup: hasMarkup, lateLabel: app.lateLabel, now: now)
        var arguments = [
            "--app-name=\(app.name)", "--icon=\(app.icon)",
            "--category=\(ReminderNotification.category)",
            "--hint=string:sound-name:\(ReminderNotification.sound)", "--print-id",
        ]
        arguments += choices.map { "--action=\($0.id)=\($0.label)" }
        // notify-send interprets backslash escapes in the body.
        let body = notification.body.replacing("\\", with: "\\\\")
        return arguments + ["--", notification.summary, body]
    }

    /// `true` if a session bus is available.
    public static var isDesktopReachable: Bool { NotificationServer.isReachable() }
}

/// A reminder as a desktop notification (Desktop Notifications Specification 1.2).
///
/// The title is the summary, the text is the body.
public struct ReminderNotification: Sendable, Hashable {
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
    ///   - lateLabel: The text before the time when a late reminder was due.
    ///   - now: The current time.
    public init(
        _ reminder: Reminder, hasMarkup: Bool, lateLabel: String = AppIdentity().lateLabel, now: Date = Date()
    ) {
        var text = reminder.body
        if now.timeIntervalSince(reminder.dueAt) > Reminder.lateness {
            let due = reminder.dueAt.formatted(
                Date.VerbatimFormatStyle(
                    format:
                        "\(year: .defaultDigits)-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
                    timeZone: reminder.timeZone, calendar: .gregorian(in: reminder.timeZone)))
            text += (text.isEmpty ? "" : "\n") + lateLabel + " " + due
        }
        summary = NotificationText.summary(reminder.title)
        body = NotificationText.body(text, hasMarkup: hasMarkup)
    }
}

/// Escaping for the notification service.
private enum NotificationText {
    /// Returns the summary, a single line without markup.
    static func summary(_ text: String) -> String {
        text.removingNulls.replacingScalars { $0.properties.generalCategory == .control ? " " : nil }
    }

    /// Returns the body, which the service may interpret as markup.
    static func body(_ text: String, hasMarkup: Bool) -> String {
        text.removingNulls.replacingScalars { scalar in
            switch scalar {
            case "&" where hasMarkup: "&amp;"
            case "<" where hasMarkup: "&lt;"
            case ">" where hasMarkup: "&gt;"
            case "\n": nil
            case _ where scalar.properties.generalCategory == .control: " "
            default: nil
            }
        }
    }
}

/// The desktop's notification service (Desktop Notifications Specification 1.2), queried with command-line tools.
private struct NotificationServer: Sendable {
    /// The capabilities, such as "actions" and "body-markup"; nil if unknown.
    let capabilities: Set<String>?

    /// `true` if the service shows buttons. If unknown, notify-send finds out.
    var hasActions: Bool { capabilities?.contains("actions") ?? true }

    /// `true` if the body is markup, in which `<` and `&` must be escaped, as with nearly all services.
    var hasMarkup: Bool { capabilities?.contains("body-markup") ?? true }

    static func isReachable(environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return true }
        guard let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty else { return false }
        return FileManager.default.fileExists(atPath: folder + "/bus")
    }

    /// Queries the capabilities of the service with whichever tool is installed.
    static func query() async -> NotificationServer {
        let (service, path, method) = (
            "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "GetCapabilities"
        )
        let tools: [(String, [String])] = [
            ("busctl", ["--user", "--timeout=3", "call", service, path, service, method]),
            ("gdbus", ["call", "--session", "--timeout=3", "-d", service, "-o", path, "-m", "\(service).\(method)"]),
            (
                "dbus-send",
                [
                    "--session", "--print-reply", "--reply-timeout=3000", "--dest=\(service)", path,
                    "\(service).\(method)",
                ]
            ),
        ]
        for (tool, arguments) in tools {
            let result = try? await run(
                .name(tool), arguments: Arguments(arguments), output: .string(limit: 1 << 16), error: .discarded)
            guard let result, result.terminationStatus.isSuccess else { continue }
            // All three tools print the list with quotes.
            let words = result.standardOutput.matches(of: /["']([A-Za-z0-9_.\-]+)["']/)
            return NotificationServer(capabilities: Set(words.map { String($0.1) }))
        }
        return NotificationServer(capabilities: nil)
    }
}
