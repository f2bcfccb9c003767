import ArgumentParser
import Foundation
import SwitchboardKit
import SwitchboardReminders

struct RemindersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reminders",
        abstract: "List, deliver and export reminders.",
        subcommands: [
            RemindersList.self, RemindersCancel.self, RemindersRun.self, RemindersExport.self, RemindersUnit.self,
        ])
}

struct RemindersList: Command {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List pending and delivered reminders, next due first.")

    @Option(help: "Only this state: pending, delivered or cancelled.")
    var state: Reminder.State?
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let all = try session.switchboard().reminders.list(state.map { [$0] } ?? [.pending, .delivered])
        let shown = session.limited(all)
        return try session.respond(ListResponse(shown.map(ReminderResponse.init))) { session.show(shown) }
    }
}

struct RemindersCancel: Command {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel reminders; if one is unknown, none is cancelled.")

    @Argument(help: "The identifiers.") var ids: [String]
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let cancelled = try session.switchboard().reminders.cancel(ids)
        if let reminder = cancelled.first, cancelled.count == 1 {
            return try session.respond(ReminderResponse(reminder)) { session.show([reminder]) }
        }
        return try session.respond(["ids": ids]) { session.show(cancelled) }
    }
}

struct RemindersExport: Command {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write pending reminders with alarms to standard output as iCalendar.")

    @Flag(help: "Include delivered and cancelled reminders.") var all = false
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let reminders = try session.switchboard().reminders.list(all ? Set(Reminder.State.allCases) : [.pending])
        session.output.write(ReminderCalendar.text(of: reminders, now: Date()))
        return .done
    }
}
