import ArgumentParser
import Foundation
import SwitchboardJSON
import SwitchboardKit
import SwitchboardReminders

struct RemindersRun: Command {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Deliver due reminders until stopped.",
        discussion: """
            Reminders appear as desktop notifications with buttons, or in the terminal without a desktop, or are passed to a \
            command, which receives the text on standard input and its parts in SWITCHBOARD_TITLE, SWITCHBOARD_BODY and others:

              switchboard reminders run --deliver-with 'mail -s "$SWITCHBOARD_TITLE" ana@example.org'

            Each reminder is delivered once, even if several processes run. Overdue reminders are delivered at once and marked \
            late.
            """)

    @Flag(help: "Deliver due reminders and exit.") var once = false
    @Option(parsing: .unconditional, help: ArgumentHelp("A command that delivers the reminders.", valueName: "command"))
    var deliverWith: String?
    @Flag(help: "Deliver in the terminal, even if there is a desktop.") var terminal = false
    @Option(
        help: ArgumentHelp("With --once, the time to wait for an action on the notification.", valueName: "seconds"))
    var wait = 10
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        if terminal, deliverWith != nil {
            throw SwitchboardError.usage("--deliver-with cannot be combined with --terminal; omit one of them")
        }
        guard (0...86_400).contains(wait) else {
            throw SwitchboardError.usage("--wait \(wait) is out of range; use 0 to 86400 seconds")
        }
        let timeout = Duration.seconds(wait)
        let (switchboard, isOnce) = (try session.switchboard(), once)
        let delivery = try delivery(session)
        var status = ExitStatus.done
        do {
            try runBlocking(isTerminable: !once, handling: { status = session.handle($0) ?? status }) { send in
                let runner = try switchboard.reminderRunner(delivery: delivery ?? .terminal(send))
                if isOnce {
                    try await runner.runOnce(waitingForAnswers: timeout) { send(.event($0)) }
                } else {
                    try await runner.run { send(.event($0)) }
                }
            }
        } catch is CancellationError where !once {}
        return once ? status : .done
    }

    /// Returns the delivery method, or `nil` for the terminal.
    private func delivery(_ session: Session) throws -> ReminderDelivery? {
        if let deliverWith { return .command(deliverWith) }
        if terminal { return nil }
        if ReminderDelivery.isDesktopReachable { return .desktop() }
        if session.style.isTerminal { return nil }
        throw DeliveryError.noDesktop
    }
}

/// A message of the reminder runner, whose tasks run on other threads, to the thread that prints.
private enum RunnerMessage: Sendable {
    case event(ReminderEvent)
    /// A reminder to show in the terminal.
    case show(Reminder, CheckedContinuation<Void, Never>)
}

extension ReminderDelivery {
    /// Delivers reminders to the terminal, and waits until they are printed.
    fileprivate static func terminal(_ send: @escaping @Sendable (RunnerMessage) -> Void) -> ReminderDelivery {
        ReminderDelivery("terminal") { reminder, _ in
            await withCheckedContinuation { send(.show(reminder, $0)) }
            return nil
        }
    }
}

extension Session {
    /// Prints a message and returns the exit status of a failure.
    fileprivate func handle(_ message: RunnerMessage) -> ExitStatus? {
        switch message {
        case .show(let reminder, let shown):
            // In JSON, the delivery event prints the reminder.
            if !options.json {
                if style.isTerminal { output.write("\u{07}") }
                show([reminder])
                try? output.flush()
            }
            shown.resume()
        case .event(.delivered(let reminder)):
            if options.json, let line = try? OrderedJSON.text(ReminderResponse(reminder)) {
                output.write(line + "\n")
                try? output.flush()
            }
            diagnostics.detail("delivered \(reminder.id)\(reminder.isLate ? ", late" : "")")
        case .event(.failed(let reminder, let reason)):
            return report("notDelivered", "\(reminder.title): \(reason)", .unavailable)
        case .event(.chosen(let reminder, let choice)): diagnostics.note("\(reminder.title): \(choice.label)")
        case .event(.choiceFailed(let reminder, let choice, let reason)):
            _ = report("notDone", "\(reminder.title): \(choice.label): \(reason)", .internalError)
        case .event(.notAllowed(let message)): return report("accessNotGranted", message, .accessNotGranted)
        }
        return nil
    }

    private func report(_ code: String, _ message: String, _ status: ExitStatus) -> ExitStatus {
        let error = SwitchboardError(code: code, message: message, status: status)
        diagnostics.report(code == "accessNotGranted" ? error.withHint(group: "reminders") : error)
        return status
    }
}
