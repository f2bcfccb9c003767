import ArgumentParser
import Foundation
import SwitchboardJSON
import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardStorage
import Synchronization

struct RemindersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "reminders", "List, deliver and export reminders.",
        subcommands: commands([
            RemindersList.self, RemindersCancel.self, RemindersRun.self, RemindersExport.self, RemindersUnit.self,
        ]))
}

struct RemindersList: Command {
    static let configuration = CommandConfiguration(
        "list", "List reminders that no one has acted on, next due first.",
        discussion: "JSON also has the delivered ones that someone has acted on; they are not “overdue”.")

    @Option(help: "All of this state: pending, delivered or cancelled.")
    var state: Reminder.State?

    var isReading: Bool { true }

    func run(_ session: Session) throws -> ExitStatus {
        let reminders = try session.switchboard().reminders
        let isComplete = state != nil || session.options.json
        let all = try isComplete ? reminders.list(state.map { [$0] } ?? [.pending, .delivered]) : reminders.open()
        let shown = try session.limited(all)
        return try session.respond(ListResponse(shown.map(ReminderResponse.init))) { session.show(shown) }
    }
}

struct RemindersCancel: Command {
    static let configuration = CommandConfiguration("cancel", "Cancel reminders; if one is unknown, none is cancelled.")

    @Argument(help: "The identifiers.") var ids: [String]

    func run(_ session: Session) throws -> ExitStatus {
        let cancelled = try session.switchboard().reminders.cancel(ids: ids)
        if let reminder = cancelled.first, cancelled.count == 1 {
            return try session.respond(ReminderResponse(reminder)) { session.show([reminder]) }
        }
        return try session.respond(["ids": ids]) { session.show(cancelled) }
    }
}

struct RemindersExport: Command {
    static let configuration = CommandConfiguration(
        "export", "Write pending reminders with alarms to standard output as iCalendar.")

    @Flag(help: "Include delivered and cancelled reminders.") var all = false

    var isReading: Bool { true }

    func run(_ session: Session) throws -> ExitStatus {
        let reminders = try session.switchboard().reminders.list(all ? Set(Reminder.State.allCases) : [.pending])
        session.output.write(ReminderCalendar.text(of: reminders, now: Date()))
        return .done
    }
}

struct ProspectsRemind: Command {
    static let configuration = CommandConfiguration(
        "remind", "Set a reminder to contact a prospect, by default for the next 9:00.",
        discussion: """
            A new reminder replaces an earlier one for the same prospect. Reminders are delivered by 'reminders run', \
            switchboard-tui or the server while one of them runs. For example:

              switchboard prospects remind 1ww397cynx7b
              switchboard prospects remind 1ww397cynx7b --at 'tomorrow 14:30'
              switchboard prospects remind 1ww397cynx7b --in 2h
            """)

    @Argument(help: "The identifier, its beginning, or the name.", completion: .prospects) var id: String
    @Option("The local time: 9am, 'tomorrow at nine', fri, 'next week', tonight or '2026-11-21 14:30'.", "time")
    var at: String?
    @Option(
        name: .customLong("in"), parsing: .unconditional,
        help: ArgumentHelp("The delay: 30s, 5m, 2h, '2 hours', 1d, 1w.", valueName: "delay"))
    var delay: String?

    func run(_ session: Session) throws -> ExitStatus {
        let time = try time()
        let switchboard = try session.switchboard()
        let id = try session.prospect(id)
        // Report an unknown prospect before requesting access.
        _ = try switchboard.prospects.prospect(id)
        try session.requireAccess(.notifications)
        let scheduled = try switchboard.remind(of: id, at: time)
        try session.respond(ReminderResponse(scheduled.reminder), line: scheduled.reminder.announcement)
        if scheduled.isMoved {
            session.diagnostics.note("the clocks skip that time; using \(scheduled.reminder.localTime) instead")
        }
        // Who has seen a reminder knows how they are delivered.
        if try switchboard.reminders.list([.delivered]).isEmpty {
            session.diagnostics.note(
                "'switchboard reminders run' delivers it while it runs; 'switchboard reminders unit --install' starts that at login"
            )
        }
        return .done
    }

    private func time() throws -> ReminderTime {
        switch (at, delay) {
        case (nil, nil): .nextNine
        case (let at?, nil): try ReminderTime(typed: at)
        case (nil, let delay?): .after(try ReminderDelay(typed: delay))
        case (_?, _?): throw SwitchboardError.usage("--at cannot be combined with --in; omit one of them")
        }
    }
}

extension Session {
    /// Prints reminders in columns: time, title, body, state, identifier.
    func show(_ reminders: [Reminder]) {
        showTable(
            reminders.map { reminder in
                return [
                    Cell(reminder.localTime), Cell(reminder.title, .strong), Cell(reminder.body),
                    Cell(reminder.failure.isEmpty ? reminder.stateInWords : "failing: \(reminder.failure)", .faint),
                    Cell(reminder.id, .faint),
                ]
            })
    }

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

struct RemindersRun: Command {
    static let configuration = CommandConfiguration(
        "run", "Deliver due reminders until stopped.",
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
        if once { return status }
        return SignalObserver.wasInterrupted.load(ordering: .relaxed) ? .interrupted : .done
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

struct RemindersUnit: Command {
    static let configuration = CommandConfiguration(
        "unit", "Print a systemd user unit that delivers reminders while you are logged in.",
        discussion: "--install writes it to the folder of user units instead.")

    @Flag(help: "Install the unit.") var install = false

    func run(_ session: Session) throws -> ExitStatus {
        let database = URL(fileURLWithPath: try session.database()).path
        let text = RunnerUnit.text(running: [
            try BackgroundProcess.program(), "--database", database, "reminders", "run",
        ])
        guard install else {
            session.output.write(text)
            return .done
        }
        let folder = try ProcessEnvironment.current.configurationFolder() + "/systemd/user"
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw SwitchboardError(
                code: "inputOutput", message: "cannot create the folder \(folder): \(error.localizedDescription)",
                file: folder, status: .inputOutput)
        }
        let path = folder + "/" + RunnerUnit.name
        try FileIO.write(Array(text.utf8), to: path)
        try session.respond(["path": path], line: path)
        session.diagnostics.note("start it with: systemctl --user enable --now \(RunnerUnit.name)")
        return .done
    }
}
