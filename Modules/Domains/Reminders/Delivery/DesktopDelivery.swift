import Foundation
import Subprocess

extension ReminderDelivery {
    /// Delivers through the desktop's notification service, by notify-send.
    ///
    /// The title is the summary, the text the body; there is a hint for a sound, and where the service shows buttons, there is one
    /// for each ``ReminderChoice``. Delivered means that the service has given the notification a number.
    public static func desktop() -> ReminderDelivery {
        ReminderDelivery("desktop") { reminder, shown in
            guard NotificationServer.isReachable() else { throw DeliveryError.noDesktop }
            guard await isInstalled("notify-send") else { throw DeliveryError.noNotifySend }
            let server = await NotificationServer.asking()
            // notify-send keeps the number to itself until it ends, unless it is made to write line by line. Without that there
            // are no buttons, and it ends at once.
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

    private static func isInstalled(_ program: String) async -> Bool {
        (try? await Executable.name(program).resolveExecutablePath(in: .inherit)) != nil
    }

    static func notifySendArguments(
        _ reminder: Reminder, hasActions: Bool, hasMarkup: Bool, now: Date
    ) -> [String] {
        var arguments = [
            "--app-name=Switchboard", "--icon=x-office-address-book", "--category=im",
            "--hint=string:sound-name:message-new-instant", "--print-id",
        ]
        if hasActions {
            arguments += ReminderChoice.allCases.map { "--action=\($0.rawValue)=\($0.label)" }
        }
        var body = reminder.body
        if now.timeIntervalSince(reminder.dueAt) > Reminder.lateness {
            let due = reminder.dueAt.formatted(
                Date.VerbatimFormatStyle(
                    format:
                        "\(year: .defaultDigits)-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
                    timeZone: reminder.timeZone, calendar: .gregorian(in: reminder.timeZone)))
            body += (body.isEmpty ? "" : "\n") + "Late: was due \(due)"
        }
        return arguments + [
            "--", NotificationText.summary(reminder.title), NotificationText.body(body, hasMarkup: hasMarkup),
        ]
    }
}

extension ReminderDelivery {
    /// Whether there is a desktop to deliver on, as far as this process can see: a session bus.
    public static var isDesktopReachable: Bool { NotificationServer.isReachable() }
}
