import ArgumentParser
import Foundation
import SwitchboardReminders
import SwitchboardKit

struct RemindersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reminders",
        abstract: "Reminders of people to contact: listed, delivered, exported.",
        subcommands: [
            RemindersList.self, RemindersCancel.self, RemindersRun.self, RemindersExport.self, RemindersUnit.self,
        ])
}

struct RemindersList: Command {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "The reminders that are pending or were delivered, those due first first.")

    @Option(help: "Only those: pending, delivered or cancelled.")
    var state: Reminder.State?
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let all = try session.switchboard().reminders.list(state.map { [$0] } ?? [.pending, .delivered])
        let shown = session.listLimit == 0 ? all : Array(all.prefix(session.listLimit))
        try session.answer(ResultList(shown.map(ReminderResponse.init))) { session.show(shown) }
        return .done
    }
}

struct RemindersCancel: Command {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Take reminders back: all that are named, or, if one is unknown, none.")

    @Argument(help: "The identifiers.") var ids: [String]
    @OptionGroup var global: GlobalOptions

    private struct Answer: Encodable {
        let ids: [String]
    }

    func run(_ session: Session) throws -> ExitStatus {
        let cancelled = try session.switchboard().reminders.cancel(ids)
        if let reminder = cancelled.first, cancelled.count == 1 {
            try session.answer(ReminderResponse(reminder)) { session.show([reminder]) }
        } else {
            try session.answer(Answer(ids: ids)) { session.show(cancelled) }
        }
        return .done
    }
}

struct RemindersExport: Command {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write pending reminders to standard output as a calendar (iCalendar), with alarms.")

    @Flag(help: "Also those that were delivered or taken back.") var all = false
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let reminders = try session.switchboard().reminders.list(all ? Set(Reminder.State.allCases) : [.pending])
        session.output.write(ReminderCalendar.text(of: reminders, now: Date()))
        return .done
    }
}
