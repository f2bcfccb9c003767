import ArgumentParser
import Foundation
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardStorage
import SwitchboardKit

struct ProspectsRemind: Command {
    static let configuration = CommandConfiguration(
        commandName: "remind",
        abstract: "Be reminded to contact somebody: at the next nine o'clock, or when you say.",
        discussion: """
            A second reminder of the same person takes the place of the first. 'reminders run' delivers it. For example:

              switchboard prospects remind 1ww397cynx7b
              switchboard prospects remind 1ww397cynx7b --at '2026-11-21 14:30'
              switchboard prospects remind 1ww397cynx7b --in 2h
            """)

    @Argument(help: "The identifier.") var id: String
    @Option(parsing: .unconditional, help: ArgumentHelp("When, in the local time zone.", valueName: "time"))
    var at: String?
    @Option(
        name: .customLong("in"), parsing: .unconditional,
        help: ArgumentHelp("After how long: 30s, 5m, 2h, 1d.", valueName: "delay"))
    var delay: String?
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let time = try time()
        let switchboard = try session.switchboard()
        // What cannot be reminded of needs no consent.
        _ = try switchboard.prospects.prospect(id)
        try session.requireAccess(.notifications)
        let scheduled = try switchboard.remind(of: id, at: time)
        try session.answer(ReminderResponse(scheduled.reminder)) { session.show([scheduled.reminder]) }
        if scheduled.isMoved {
            session.diagnostics.note("the clocks skip that time; it is \(scheduled.reminder.localTime) instead")
        }
        return .done
    }

    private func time() throws -> ReminderTime {
        switch (at, delay) {
        case (nil, nil): .nextNine
        case (let at?, nil): try ReminderTime(parsing: at)
        case (nil, let delay?): .after(try ReminderDelay(parsing: delay))
        case (_?, _?): throw Fault.usage("give --at or --in, not both")
        }
    }
}

extension Session {
    /// Shows reminders: what became of them, when, of whom, and what is shown below.
    func show(_ reminders: [Reminder]) {
        var table = Table()
        for reminder in reminders {
            let mark = reminder.isLate ? "delivered late" : reminder.state == .pending ? "" : reminder.state.rawValue
            table.add([
                Cell(reminder.localTime), Cell(reminder.title, .strong), Cell(reminder.body),
                Cell(reminder.failure.isEmpty ? mark : "failing: \(reminder.failure)", .faint),
                Cell(reminder.id, .faint),
            ])
        }
        table.write(to: output, style: style)
    }
}
