import ArgumentParser
import SwitchboardStorage
import SwitchboardKit

struct DatabaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "database",
        abstract: "Look after the database file.",
        subcommands: [Check.self, Backup.self, Restore.self, Stats.self, Optimize.self])

    struct Check: Command {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Read all of it and look for damage; exit status 65 if there is any.")

        @OptionGroup var global: GlobalOptions

        private struct Answer: Encodable {
            let sound: Bool
            let problems: [String]
        }

        func run(_ session: Session) throws -> ExitStatus {
            let report = try session.existingStorage().check()
            try session.answer(Answer(sound: report.isSound, problems: report.problems)) {
                session.output.write(report.isSound ? "sound\n" : "damaged\n")
            }
            for problem in report.problems { session.diagnostics.note(problem) }
            return report.isSound ? .done : .malformed
        }
    }

    struct Backup: Command {
        static let configuration = CommandConfiguration(
            commandName: "backup", abstract: "Write a copy as of this moment, while others may go on working.")

        @Argument(help: "The file to write; one that is there is replaced.") var file: String
        @OptionGroup var global: GlobalOptions

        private struct Answer: Encodable {
            let file: String
        }

        func run(_ session: Session) throws -> ExitStatus {
            try session.existingStorage().backup(to: file) { step in
                session.progress.show("\(step.copiedPages) of \(step.totalPages) pages", fraction: step.fraction)
            }
            session.progress.clear()
            try session.answer(Answer(file: file)) { session.diagnostics.note("backed up to \(file)") }
            return .done
        }
    }

    struct Restore: Command {
        static let configuration = CommandConfiguration(
            commandName: "restore",
            abstract: "Take over a backup, replacing all that is there.",
            discussion: "The backup is checked first; if it is refused, nothing has changed.")

        @Argument(help: "The backup.") var file: String
        @OptionGroup var global: GlobalOptions

        private struct Answer: Encodable {
            let file: String
            let setAside: String?
        }

        func run(_ session: Session) throws -> ExitStatus {
            let report = try Storage.restore(
                at: try session.database(), from: file, migrations: Switchboard.migrations)
            try session.answer(Answer(file: file, setAside: report.setAside)) {
                session.diagnostics.note("restored from \(file)")
                if let aside = report.setAside { session.diagnostics.note("the damaged file is now \(aside)") }
            }
            return .done
        }
    }

    struct Stats: Command {
        static let configuration = CommandConfiguration(
            commandName: "stats", abstract: "How large it is and what is in it.")

        @OptionGroup var global: GlobalOptions

        func run(_ session: Session) throws -> ExitStatus {
            let storage = try session.existingStorage()
            let stats = try storage.stats()
            let answer = StatsResponse(path: storage.path ?? "", stats)
            try session.answer(answer) { answer.table.write(to: session.output, style: session.style) }
            return .done
        }
    }

    struct Optimize: Command {
        static let configuration = CommandConfiguration(
            commandName: "optimize", abstract: "Give unused space back and refresh the statistics of the query planner."
        )

        @OptionGroup var global: GlobalOptions

        private struct Answer: Encodable {
            let bytesBefore: Int
            let bytesAfter: Int
        }

        func run(_ session: Session) throws -> ExitStatus {
            let report = try session.existingStorage().optimize()
            try session.answer(Answer(bytesBefore: report.bytesBefore, bytesAfter: report.bytesAfter)) {
                session.output.write("\(report.bytesBefore) bytes before, \(report.bytesAfter) after\n")
            }
            return .done
        }
    }
}

extension Session {
    /// The storage of a file that must be there: looking after a file makes no new one.
    fileprivate func existingStorage() throws -> Storage {
        createsDatabase = false
        return try switchboard().storage
    }
}
