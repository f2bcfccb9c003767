import ArgumentParser
import Foundation
import SwitchboardKit
import SwitchboardSearchableIndex

struct ActivityCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "activity", "Manage user activities, which can be found and continued later.",
        subcommands: commands([
            ActivityBegin.self, ActivityCurrent.self, ActivityList.self, ActivityContinue.self, ActivityEnd.self,
            ActivityDelete.self,
        ]))
}

struct ActivityBegin: Command {
    static let configuration = CommandConfiguration(
        "begin", "Begin an activity, which is current until 'end' or until another one begins.",
        discussion: """
            For example:

              echo '{"activityType": "com.example.watching", "title": "Breaking Dunes", "userInfo": {"show": "show-1"}}' | \
            switchboard activity begin -
            """)

    @Argument(help: "The file with the activity as JSON, or - for standard input.", completion: .file()) var file:
        String

    func run(_ session: Session) throws -> ExitStatus {
        let bytes = try FileIO.read(file, limit: 16 << 20)
        let stored: StoredActivity
        do {
            let activity = try UserActivity(json: bytes)
            stored = try session.switchboard().activities.becomeCurrent(activity)
        } catch let fault as ItemError {
            throw SwitchboardError(SearchableIndexError.invalidItem(fault)).about(file: file)
        } catch let error as SearchableIndexError {
            if case .invalidItem = error { throw SwitchboardError(error).about(file: file) }
            throw error
        }
        defer { session.compact() }
        return try session.respond(stored)
    }
}

struct ActivityCurrent: Command {
    static let configuration = CommandConfiguration(
        "current", "Show the current activity; exit with 1 if there is none.")

    @Flag(help: "Only an activity that is eligible for handoff.") var handoff = false

    var isReading: Bool { true }

    func run(_ session: Session) throws -> ExitStatus {
        let activities = try session.switchboard().activities
        guard let stored = try handoff ? activities.handoff() : activities.current() else {
            throw SwitchboardError.noCurrentActivity
        }
        return try session.respond(stored)
    }
}

struct ActivityList: Command {
    static let configuration = CommandConfiguration("list", "List all activities, newest first.")

    var isReading: Bool { true }

    func run(_ session: Session) throws -> ExitStatus {
        let list = try session.switchboard().activities.list(limit: session.listLimit)
        return try session.respond(ListResponse(list.map(ActivityRow.init))) { session.show(list) }
    }
}

struct ActivityContinue: Command {
    static let configuration = CommandConfiguration(
        "continue", "Continue an activity or open an item: print its address.")

    @Argument(help: "The identifier, or an address that 'find --open' prints.") var id: String

    func run(_ session: Session) throws -> ExitStatus {
        let continued: ContinuedActivity
        do {
            continued = try session.switchboard().continueActivity(id)
        } catch SearchableIndexError.notFound {
            throw SwitchboardError(
                code: "notFound", message: "no activity or item has the identifier \(id)", status: .nothingFound)
        }
        defer { session.compact() }
        return try session.respond(continued, line: continued.open)
    }
}

struct ActivityEnd: Command {
    static let configuration = CommandConfiguration(
        "end", "End the current activity; it can still be found and continued.")

    @Flag(help: "Invalidate it, so that it cannot be current again.") var invalidate = false

    func run(_ session: Session) throws -> ExitStatus {
        guard let stored = try session.switchboard().activities.resignCurrent(invalidating: invalidate) else {
            throw SwitchboardError.noCurrentActivity
        }
        return try session.respond(stored)
    }
}

struct ActivityDelete: Command {
    static let configuration = CommandConfiguration("delete", "Delete activities; if one is unknown, none is deleted.")

    @Argument(help: "The identifiers.") var ids: [String] = []
    @Flag(help: "Delete all activities.") var all = false

    func run(_ session: Session) throws -> ExitStatus {
        guard ids.isEmpty == all else { throw SwitchboardError.usage("name the activities to delete, or use --all") }
        let activities = try session.switchboard().activities
        var deleted = ids
        if all { deleted = try activities.deleteAll() } else { try activities.delete(ids) }
        defer { session.compact() }
        return try session.respond("deleted", ids: deleted)
    }
}

extension Session {
    fileprivate func respond(_ stored: StoredActivity) throws -> ExitStatus {
        try respond(ChangeResponse(stored)) { show([stored]) }
    }

    /// Prints activities in columns: mark of the current activity, title, type, start time, identifier.
    fileprivate func show(_ activities: [StoredActivity]) {
        showTable(
            activities.map { stored in
                [
                    Cell(stored.isCurrent ? "●" : "", .star), Cell(stored.activity.title ?? "", .strong),
                    Cell(stored.activity.activityType), Cell(stored.beganAt.localTime),
                    Cell(stored.id, .faint),
                ]
            })
    }
}

extension SwitchboardError {
    fileprivate static let noCurrentActivity = SwitchboardError(
        code: "notFound", message: "no activity is current", status: .nothingFound)
}
