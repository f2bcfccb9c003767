import ArgumentParser
import Foundation
import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardStorage

struct ProspectsRemind: Command {
    static let configuration = CommandConfiguration(
        commandName: "remind",
        abstract: "Set a reminder to contact a prospect, by default for the next 9:00.",
        discussion: """
            A new reminder replaces an earlier one for the same prospect. 'reminders run' delivers reminders. For example:

              switchboard prospects remind 1ww397cynx7b
              switchboard prospects remind 1ww397cynx7b --at '2026-11-21 14:30'
              switchboard prospects remind 1ww397cynx7b --in 2h
            """)

    @Argument(help: "The identifier.") var id: String
    @Option("The time in the local time zone.", "time")
    var at: String?
    @Option(
        name: .customLong("in"), parsing: .unconditional,
        help: ArgumentHelp("The delay: 30s, 5m, 2h, 1d.", valueName: "delay"))
    var delay: String?
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let time = try time()
        let switchboard = try session.switchboard()
        // An unknown prospect is reported before access is requested.
        _ = try switchboard.prospects.prospect(id)
        try session.requireAccess(.notifications)
        let scheduled = try switchboard.remind(of: id, at: time)
        try session.respond(ReminderResponse(scheduled.reminder)) { session.show([scheduled.reminder]) }
        if scheduled.isMoved {
            session.diagnostics.note("the clocks skip that time; using \(scheduled.reminder.localTime) instead")
        }
        return .done
    }

    private func time() throws -> ReminderTime {
        switch (at, delay) {
        case (nil, nil): .nextNine
        case (let at?, nil): try ReminderTime(parsing: at)
        case (nil, let delay?): .after(try ReminderDelay(parsing: delay))
        case (_?, _?): throw SwitchboardError.usage("--at cannot be combined with --in; omit one of them")
        }
    }
}

extension Session {
    /// Columns: time, title, body, state, identifier.
    func show(_ reminders: [Reminder]) {
        showTable(
            reminders.map { reminder in
                let mark =
                    reminder.isLate ? "delivered late" : reminder.state == .pending ? "" : reminder.state.rawValue
                return [
                    Cell(reminder.localTime), Cell(reminder.title, .strong), Cell(reminder.body),
                    Cell(reminder.failure.isEmpty ? mark : "failing: \(reminder.failure)", .faint),
                    Cell(reminder.id, .faint),
                ]
            })
    }
}
