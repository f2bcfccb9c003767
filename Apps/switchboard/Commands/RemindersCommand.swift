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
        let shown = session.listLimit == 0 ? all : Array(all.prefix(session.listLimit))
        try session.respond(ListResponse(shown.map(ReminderResponse.init))) { session.show(shown) }
        return .done
    }
}

struct RemindersCancel: Command {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel reminders; if one is unknown, none is cancelled.")

    @Argument(help: "The identifiers.") var ids: [String]
    @OptionGroup var global: GlobalOptions

    private struct Response: Encodable {
        let ids: [String]
    }

    func run(_ session: Session) throws -> ExitStatus {
        let cancelled = try session.switchboard().reminders.cancel(ids)
        if let reminder = cancelled.first, cancelled.count == 1 {
            try session.respond(ReminderResponse(reminder)) { session.show([reminder]) }
        } else {
            try session.respond(Response(ids: ids)) { session.show(cancelled) }
        }
        return .done
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
