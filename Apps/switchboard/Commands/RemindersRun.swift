import ArgumentParser
import Foundation
import SwitchboardJSON
import SwitchboardKit
import SwitchboardReminders
import Synchronization

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
        let printer = ReminderEventPrinter(session)
        let runner = try session.switchboard().reminderRunner(delivery: try delivery(printer, session))
        let timeout = Duration.seconds(wait)
        let listener: ReminderRunner.Listener = { printer.handle($0) }
        if once {
            try runBlocking { try await runner.runOnce(waitingForAnswers: timeout, listener) }
        } else {
            try runBlockingUntilTerminated { try await runner.run(listener) }
        }
        return once ? printer.status : .done
    }

    private func delivery(_ printer: ReminderEventPrinter, _ session: Session) throws -> ReminderDelivery {
        if let deliverWith { return .command(deliverWith) }
        if terminal { return printer.delivery }
        if ReminderDelivery.isDesktopReachable { return .desktop() }
        if session.style.isTerminal { return printer.delivery }
        throw DeliveryError.noDesktop
    }
}

/// Prints the events of the reminder runner, which arrive from several tasks.
private final class ReminderEventPrinter: Sendable {
    // Sendable: the session is used only while `streams` is locked, and the command waits until the last event.
    private struct Streams: @unchecked Sendable {
        let session: Session
        var status = ExitStatus.done
    }

    private let streams: Mutex<Streams>
    private let isJSON: Bool

    init(_ session: Session) {
        isJSON = session.options.json
        streams = Mutex(Streams(session: session))
    }

    /// The exit status so far.
    var status: ExitStatus { streams.withLock(\.status) }

    /// Delivers reminders to the terminal, with a bell. In JSON, the delivery event prints them.
    var delivery: ReminderDelivery {
        ReminderDelivery("terminal") { reminder, _ in
            if !self.isJSON {
                self.streams.withLock { streams in
                    if streams.session.style.isTerminal { streams.session.output.write("\u{07}") }
                    streams.session.show([reminder])
                    try? streams.session.output.flush()
                }
            }
            return nil
        }
    }

    func handle(_ event: ReminderEvent) {
        streams.withLock { streams in
            let session = streams.session
            switch event {
            case .delivered(let reminder):
                if isJSON, let line = try? OrderedJSON.text(ReminderResponse(reminder)) {
                    session.output.write(line + "\n")
                    try? session.output.flush()
                }
                session.diagnostics.detail("delivered \(reminder.id)\(reminder.isLate ? ", late" : "")")
            case .failed(let reminder, let reason):
                streams.status = .unavailable
                session.diagnostics.report(
                    SwitchboardError(
                        code: "notDelivered", message: "\(reminder.title): \(reason)", status: .unavailable))
            case .chosen(let reminder, let choice):
                session.diagnostics.note("\(reminder.title): \(choice.label)")
            case .choiceFailed(let reminder, let choice, let reason):
                session.diagnostics.report(
                    SwitchboardError(
                        code: "notDone", message: "\(reminder.title): \(choice.label): \(reason)",
                        status: .internalError))
            case .notAllowed(let message):
                streams.status = .accessNotGranted
                session.diagnostics.report(
                    SwitchboardError(code: "accessNotGranted", message: message, status: .accessNotGranted)
                        .withHint(group: "reminders"))
            }
        }
    }
}
