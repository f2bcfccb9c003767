import ArgumentParser
import Foundation
import SwitchboardSearchableIndex
import SwitchboardKit

struct ActivityCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activity",
        abstract: "What you were doing: begun here, found later, taken up in another front end.",
        subcommands: [
            ActivityBegin.self, ActivityCurrent.self, ActivityList.self, ActivityContinue.self, ActivityEnd.self,
            ActivityDelete.self,
        ])
}

struct ActivityBegin: Command {
    static let configuration = CommandConfiguration(
        commandName: "begin", abstract: "Begin an activity; it is current until another one is, or until 'end'.",
        discussion: """
            For example:

              echo '{"activityType": "com.example.watching", "title": "Breaking Dunes", "userInfo": {"show": "show-1"}}' | \
            switchboard activity begin -
            """)

    @Argument(help: "The file with the activity as JSON; - is standard input.") var file: String
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let bytes = try WholeFile.read(file, limit: 16 << 20)
        let stored: StoredActivity
        do {
            let activity = try UserActivity(json: bytes)
            stored = try session.switchboard().activities.becomeCurrent(activity)
        } catch let fault as ItemFault {
            throw Fault(SearchableIndexError.invalidItem(fault)).about(file: file)
        } catch let error as SearchableIndexError {
            if case .invalidItem = error { throw Fault(error).about(file: file) }
            throw error
        }
        try session.answer(ActivityResponse(stored)) { session.show([stored]) }
        session.compact()
        return .done
    }
}

struct ActivityCurrent: Command {
    static let configuration = CommandConfiguration(
        commandName: "current", abstract: "What is being done now; exit status 1 if nothing is.")

    @Flag(help: "Only if another front end may take it up.") var handoff = false
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let activities = try session.switchboard().activities
        guard let stored = try handoff ? activities.handoff() : activities.current() else {
            throw Fault(code: "notFound", message: "no activity is current", status: .nothingFound)
        }
        try session.answer(ActivityResponse(stored)) { session.show([stored]) }
        return .done
    }
}

struct ActivityList: Command {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "All activities, the last begun first.")

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let list = try session.switchboard().activities.list(limit: session.listLimit)
        try session.answer(ResultList(list.map(ActivityRow.init))) { session.show(list) }
        return .done
    }
}

struct ActivityContinue: Command {
    static let configuration = CommandConfiguration(
        commandName: "continue", abstract: "Take up an activity or an item: print where it leads.")

    @Argument(help: "The identifier, or the place that 'find --open' prints.") var id: String
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let continued = try session.switchboard().continueActivity(id)
        try session.answer(continued) { session.output.write(continued.open + "\n") }
        session.compact()
        return .done
    }
}

struct ActivityEnd: Command {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: "End what is current; it can still be found and taken up.")

    @Flag(help: "End it for good: it is never current again.") var invalidate = false
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        guard let stored = try session.switchboard().activities.resignCurrent(forGood: invalidate) else {
            throw Fault(code: "notFound", message: "no activity is current", status: .nothingFound)
        }
        try session.answer(ActivityResponse(stored)) { session.show([stored]) }
        return .done
    }
}

struct ActivityDelete: Command {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete activities: all that are named or, if one is unknown, none.")

    @Argument(help: "The identifiers.") var ids: [String] = []
    @Flag(help: "All of them.") var all = false
    @OptionGroup var global: GlobalOptions

    private struct Answer: Encodable {
        let ids: [String]
    }

    func run(_ session: Session) throws -> ExitStatus {
        guard ids.isEmpty == all else { throw Fault.usage("say what to delete: identifiers, or --all") }
        let activities = try session.switchboard().activities
        var deleted = ids
        if all { deleted = try activities.deleteAll() } else { try activities.delete(ids) }
        try session.answer(Answer(ids: deleted)) {
            session.diagnostics.note(deleted.count == 1 ? "deleted \(deleted[0])" : "deleted \(deleted.count)")
        }
        session.compact()
        return .done
    }
}

extension Session {
    /// whether it is current, title, type, when it was begun, identifier
    fileprivate func show(_ activities: [StoredActivity]) {
        var table = Table()
        for stored in activities {
            table.add([
                Cell(stored.isCurrent ? "●" : "", .star),
                Cell(stored.activity.title ?? "", .strong), Cell(stored.activity.activityType),
                Cell(stored.beganAt.formatted(.iso8601)), Cell(stored.id, .faint),
            ])
        }
        table.write(to: output, style: style)
    }
}
