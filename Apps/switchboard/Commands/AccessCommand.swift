import ArgumentParser
import SwitchboardStorage
import SwitchboardKit

struct AccessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "access",
        abstract: "What this program may use: contacts, notifications, location.",
        subcommands: [Status.self, Grant.self, Deny.self, Reset.self])

    struct Status: Command {
        static let configuration = CommandConfiguration(commandName: "status", abstract: "What was allowed and denied.")

        @OptionGroup var global: GlobalOptions

        func run(_ session: Session) throws -> ExitStatus {
            try session.showAccess(of: AccessSubject.allCases)
        }
    }

    struct Grant: Command {
        static let configuration = CommandConfiguration(commandName: "grant", abstract: "Allow it.")

        @Argument(help: "contacts, notifications or location.") var what: [AccessSubject]
        @OptionGroup var global: GlobalOptions

        func run(_ session: Session) throws -> ExitStatus { try session.setAccess(.authorized, of: what) }
    }

    struct Deny: Command {
        static let configuration = CommandConfiguration(commandName: "deny", abstract: "Deny it.")

        @Argument(help: "contacts, notifications or location.") var what: [AccessSubject]
        @OptionGroup var global: GlobalOptions

        func run(_ session: Session) throws -> ExitStatus { try session.setAccess(.denied, of: what) }
    }

    struct Reset: Command {
        static let configuration = CommandConfiguration(
            commandName: "reset", abstract: "Forget what was said, so as to be asked again.")

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
        try answer(ResultList(list)) {
            var table = Table()
            for access in list {
                table.add([Cell(access.what, .strong), Cell(access.status), Cell(access.purpose, .faint)])
            }
            table.write(to: output, style: style)
        }
        return .done
    }
}
