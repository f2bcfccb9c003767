import Foundation
import Subprocess

extension ReminderDelivery {
    /// Delivers reminders as desktop notifications with notify-send.
    ///
    /// The title is the summary, the text is the body. The notification has a sound hint and, if the service supports
    /// actions, a button for each ``ReminderChoice``. A reminder is delivered once the service has returned an
    /// identifier for the notification.
    ///
    /// It shares ``desktopChannel`` with other programs that show notifications, so a reminder is shown by one of them.
    public static func desktop() -> ReminderDelivery {
        ReminderDelivery(desktopChannel) { reminder, shown in
            guard NotificationServer.isReachable() else { throw DeliveryError.noDesktop }
            guard await isInstalled("notify-send") else { throw DeliveryError.noNotifySend }
            let server = await NotificationServer.query()
            // notify-send buffers the identifier until it ends, unless stdbuf makes its output line-buffered. Without
            // stdbuf there are no buttons, and notify-send ends at once.
            let canWait = await isInstalled("stdbuf")
            let arguments = notifySendArguments(
                reminder, hasActions: server.hasActions && canWait, hasMarkup: server.hasMarkup, now: Date())
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
                    } else if let chosen = ReminderChoice(rawValue: word) {
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

    static func notifySendArguments(_ reminder: Reminder, hasActions: Bool, hasMarkup: Bool, now: Date) -> [String] {
        let notification = ReminderNotification(reminder, hasMarkup: hasMarkup, now: now)
        var arguments = [
            "--app-name=\(ReminderNotification.application)", "--icon=\(ReminderNotification.icon)",
            "--category=\(ReminderNotification.category)",
            "--hint=string:sound-name:\(ReminderNotification.sound)", "--print-id",
        ]
        if hasActions {
            arguments += ReminderChoice.allCases.map { "--action=\($0.rawValue)=\($0.label)" }
        }
        // notify-send interprets backslash escapes in the body.
        let body = notification.body.replacing("\\", with: "\\\\")
        return arguments + ["--", notification.summary, body]
    }

    /// `true` if a session bus is available.
    public static var isDesktopReachable: Bool { NotificationServer.isReachable() }
}
