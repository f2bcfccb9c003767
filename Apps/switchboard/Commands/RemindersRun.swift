import ArgumentParser
import Foundation
import SwitchboardReminders
import SwitchboardKit
import Synchronization

struct RemindersRun: Command {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Deliver reminders when they are due, until stopped.",
        discussion: """
            On the desktop by its notifications, with buttons for what to do; without one on the terminal; or by a command of \
            yours, which gets the text on standard input and its parts in SWITCHBOARD_TITLE, SWITCHBOARD_BODY and others:

              switchboard reminders run --deliver-with 'mail -s "$SWITCHBOARD_TITLE" ana@example.org'

            Each reminder is delivered once, also if several of these run. What fell due while none ran comes at once, marked late.
            """)

    @Flag(help: "Deliver what is due, and end.") var once = false
    @Option(parsing: .unconditional, help: ArgumentHelp("The command that delivers.", valueName: "command"))
    var deliverWith: String?
    @Flag(help: "Deliver on the terminal, also where there is a desktop.") var terminal = false
    @Option(help: ArgumentHelp("With --once: how long to wait for an answer on the desktop.", valueName: "seconds"))
    var wait = 10
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        if terminal, deliverWith != nil { throw Fault.usage("give --deliver-with or --terminal, not both") }
        guard (0...86_400).contains(wait) else { throw Fault.usage("--wait \(wait): give 0 to 86400 seconds") }
        let screen = Screen(session)
        let runner = try session.switchboard().reminderRunner(delivery: try delivery(screen, session))
        let patience = Duration.seconds(wait)
        let listener: ReminderRunner.Listener = { screen.tell($0) }
        if once {
            try waiting { try await runner.runOnce(waitingForAnswers: patience, listener) }
        } else {
            try waitingUntilStopped { try await runner.run(listener) }
        }
        return once ? screen.status : .done
    }

    private func delivery(_ screen: Screen, _ session: Session) throws -> ReminderDelivery {
        if let deliverWith { return .command(deliverWith) }
        if terminal { return screen.delivery }
        if ReminderDelivery.isDesktopReachable { return .desktop() }
        if session.style.isTerminal { return screen.delivery }
        throw DeliveryError.noDesktop
    }
}

/// Standard output and standard error of the runner, which deliveries write to from several tasks.
private final class Screen: Sendable {
    // Used under the lock alone.
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

    /// What the command ends with, so far.
    var status: ExitStatus { streams.withLock(\.status) }

    /// Shows reminders here, with a bell. (In JSON, telling that one was delivered shows it.)
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

    func tell(_ event: ReminderEvent) {
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
                    Fault(code: "notDelivered", message: "\(reminder.title): \(reason)", status: .unavailable))
            case .chosen(let reminder, let choice):
                session.diagnostics.note("\(reminder.title): \(choice.label)")
            case .choiceFailed(let reminder, let choice, let reason):
                session.diagnostics.report(
                    Fault(
                        code: "notDone", message: "\(reminder.title): \(choice.label): \(reason)",
                        status: .internalError))
            case .notAllowed(let message):
                streams.status = .accessNotGranted
                session.diagnostics.report(
                    Fault(code: "accessNotGranted", message: message, status: .accessNotGranted))
            }
        }
    }
}
