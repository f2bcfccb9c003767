import ArgumentParser
import SwitchboardKit
import SwitchboardStorage

struct DatabaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "database",
        abstract: "Check, back up and restore the database.",
        subcommands: [Check.self, Backup.self, Restore.self, Stats.self, Optimize.self])

    struct Check: Command {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Check the database for corruption; exit with 65 if there is any.")

        @OptionGroup var global: GlobalOptions

        private struct Response: Encodable {
            let sound: Bool
            let problems: [String]
        }

        func run(_ session: Session) throws -> ExitStatus {
            let report = try session.existingStorage().check()
            try session.respond(Response(sound: report.isSound, problems: report.problems)) {
                session.output.write(report.isSound ? "sound\n" : "damaged\n")
            }
            for problem in report.problems { session.diagnostics.note(problem) }
            return report.isSound ? .done : .malformed
        }
    }

    struct Backup: Command {
        static let configuration = CommandConfiguration(
            commandName: "backup", abstract: "Write a consistent copy while other processes keep working.")

        @Argument(help: "The file to write. An existing file is replaced.") var file: String
        @OptionGroup var global: GlobalOptions

        private struct Response: Encodable {
            let file: String
        }

        func run(_ session: Session) throws -> ExitStatus {
            try session.existingStorage().backup(to: file) { step in
                session.progress.show("\(step.copiedPages) of \(step.totalPages) pages", fraction: step.fraction)
            }
            session.progress.clear()
            try session.respond(Response(file: file)) { session.diagnostics.note("backed up to \(file)") }
            return .done
        }
    }

    struct Restore: Command {
        static let configuration = CommandConfiguration(
            commandName: "restore",
            abstract: "Replace the database with a backup.",
            discussion: "The backup is checked first. If it is refused, nothing changes.")

        @Argument(help: "The backup.") var file: String
        @OptionGroup var global: GlobalOptions

        private struct Response: Encodable {
            let file: String
            let setAside: String?
        }

        func run(_ session: Session) throws -> ExitStatus {
            let report = try Storage.restore(
                at: try session.database(), from: file, migrations: Switchboard.migrations)
            try session.respond(Response(file: file, setAside: report.setAside)) {
                session.diagnostics.note("restored from \(file)")
                if let aside = report.setAside { session.diagnostics.note("the damaged file is now \(aside)") }
            }
            return .done
        }
    }

    struct Stats: Command {
        static let configuration = CommandConfiguration(
            commandName: "stats", abstract: "Show the size and contents of the database.")

        @OptionGroup var global: GlobalOptions

        func run(_ session: Session) throws -> ExitStatus {
            let storage = try session.existingStorage()
            let stats = try storage.stats()
            let answer = StatsResponse(path: storage.path ?? "", stats)
            try session.respond(answer) { answer.table.write(to: session.output, style: session.style) }
            return .done
        }
    }

    struct Optimize: Command {
        static let configuration = CommandConfiguration(
            commandName: "optimize", abstract: "Free unused space and update the statistics of the query planner."
        )

        @OptionGroup var global: GlobalOptions

        private struct Response: Encodable {
            let bytesBefore: Int
            let bytesAfter: Int
        }

        func run(_ session: Session) throws -> ExitStatus {
            let report = try session.existingStorage().optimize()
            try session.respond(Response(bytesBefore: report.bytesBefore, bytesAfter: report.bytesAfter)) {
                session.output.write("\(report.bytesBefore) bytes before, \(report.bytesAfter) after\n")
            }
            return .done
        }
    }
}

extension Session {
    /// Opens the database without creating it.
    fileprivate func existingStorage() throws -> Storage {
        createsDatabase = false
        return try switchboard().storage
    }
}
