import ArgumentParser
import SwitchboardKit
import SwitchboardStorage

struct AccessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "access",
        abstract: "Manage access to contacts, notifications and location.",
        subcommands: [Status.self, Grant.self, Deny.self, Reset.self])

    struct Status: Command {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Show what is granted and denied.")

        @OptionGroup var global: GlobalOptions

        func run(_ session: Session) throws -> ExitStatus {
            try session.showAccess(of: AccessSubject.allCases)
        }
    }

    struct Grant: Command {
        static let configuration = CommandConfiguration(commandName: "grant", abstract: "Grant access.")

        @Argument(help: "contacts, notifications or location.") var what: [AccessSubject]
        @OptionGroup var global: GlobalOptions

        func run(_ session: Session) throws -> ExitStatus { try session.setAccess(.authorized, of: what) }
    }

    struct Deny: Command {
        static let configuration = CommandConfiguration(commandName: "deny", abstract: "Deny access.")

        @Argument(help: "contacts, notifications or location.") var what: [AccessSubject]
        @OptionGroup var global: GlobalOptions

        func run(_ session: Session) throws -> ExitStatus { try session.setAccess(.denied, of: what) }
    }

    struct Reset: Command {
        static let configuration = CommandConfiguration(
            commandName: "reset", abstract: "Forget earlier answers, so that the next use asks again.")

        @Argument(help: "contacts, notifications or location.") var what: [AccessSubject]
        @OptionGroup var global: GlobalOptions

        func run(_ session: Session) throws -> ExitStatus { try session.setAccess(.notDetermined, of: what) }
    }
}

extension Session {
    fileprivate func setAccess(_ status: AccessStatus, of subjects: [AccessSubject]) throws -> ExitStatus {
        let storage = try switchboard().storage
        for subject in subjects { try storage.setStatus(status, of: subject) }
        return try showAccess(of: subjects)
    }

    fileprivate func showAccess(of subjects: [AccessSubject]) throws -> ExitStatus {
        let storage = try switchboard().storage
        let list = try subjects.map { try AccessRow(of: $0, in: storage) }
        try respond(ListResponse(list)) {
            var table = Table()
            for access in list {
                table.add([Cell(access.what, .strong), Cell(access.status), Cell(access.purpose, .faint)])
            }
            table.write(to: output, style: style)
        }
        return .done
    }
}
