import ArgumentParser
import SwitchboardKit
import SwitchboardStorage

struct AccessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "access", "Manage access to contacts, notifications and location.",
        subcommands: commands([Status.self, Grant.self, Deny.self, Reset.self]))

    struct Status: Command {
        static let configuration = CommandConfiguration("status", "Show what is granted and denied.")

        func run(_ session: Session) throws -> ExitStatus { try session.showAccess(of: AccessSubject.allCases) }
    }

    struct Grant: Command {
        static let configuration = CommandConfiguration("grant", "Grant access.")

        @OptionGroup var subjects: AccessSubjects

        func run(_ session: Session) throws -> ExitStatus { try subjects.set(.authorized, session) }
    }

    struct Deny: Command {
        static let configuration = CommandConfiguration("deny", "Deny access.")

        @OptionGroup var subjects: AccessSubjects

        func run(_ session: Session) throws -> ExitStatus { try subjects.set(.denied, session) }
    }

    struct Reset: Command {
        static let configuration = CommandConfiguration(
            "reset", "Forget earlier answers, so that the next use asks again.")

        @OptionGroup var subjects: AccessSubjects

        func run(_ session: Session) throws -> ExitStatus { try subjects.set(.notDetermined, session) }
    }
}

struct AccessSubjects: ParsableArguments {
    @Argument(help: "contacts, notifications or location.") var what: [AccessSubject]

    fileprivate func set(_ status: AccessStatus, _ session: Session) throws -> ExitStatus {
        let storage = try session.switchboard().storage
        for subject in what { try storage.setStatus(status, of: subject) }
        return try session.showAccess(of: what)
    }
}

extension Session {
    fileprivate func showAccess(of subjects: [AccessSubject]) throws -> ExitStatus {
        let storage = try switchboard().storage
        return try respond(subjects.map { try AccessRow(of: $0, in: storage) }) {
            [Cell($0.what, .strong), Cell($0.status), Cell($0.purpose, .faint)]
        }
    }
}
