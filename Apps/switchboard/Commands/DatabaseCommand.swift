import ArgumentParser
import SwitchboardJSON
import SwitchboardKit
import SwitchboardStorage

struct DatabaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "database", "Check, back up and restore the database.",
        subcommands: commands([Check.self, Backup.self, Restore.self, Stats.self, Optimize.self]))

    struct Check: Command {
        static let configuration = CommandConfiguration(
            "check", "Check the database for corruption; exit with 65 if there is any.")

        func run(_ session: Session) throws -> ExitStatus {
            let report = try session.existingStorage().check()
            let response: JSONValue = [
                "sound": .bool(report.isSound), "problems": JSONValue(report.problems.map { .string($0) }),
            ]
            try session.respond(response, line: report.isSound ? "sound" : "damaged")
            for problem in report.problems { session.diagnostics.note(problem) }
            return report.isSound ? .done : .malformed
        }
    }

    struct Backup: Command {
        static let configuration = CommandConfiguration(
            "backup", "Write a consistent copy while other processes keep working.")

        @Argument(
            help: "The file to write. An existing file becomes FILE~.", completion: .file()) var file: String

        func run(_ session: Session) throws -> ExitStatus {
            let storage = try session.existingStorage()
            let earlier = try FileIO.keepingEarlier(file) {
                try storage.backup(to: file) { step in
                    session.progress.show("\(step.copiedPages) of \(step.totalPages) pages", fraction: step.fraction)
                }
            }
            session.progress.clear()
            let response = ["file": file].merging(earlier.map { ["earlier": $0] } ?? [:]) { $1 }
            return try session.respond(response) {
                session.diagnostics.note("backed up to \(file)")
                session.noteEarlier(earlier)
            }
        }
    }

    struct Restore: Command {
        static let configuration = CommandConfiguration(
            "restore", "Replace the database with a backup.",
            discussion: """
                The backup is checked first. If it is refused, nothing changes. The replaced data is kept in a copy beside the \
                database, which is named.
                """)

        @Argument(help: "The backup.", completion: .file()) var file: String

        private struct Response: Encodable {
            let file: String
            /// The path of the replaced data.
            let setAside: String?
        }

        func run(_ session: Session) throws -> ExitStatus {
            let report = try Storage.restore(
                at: try session.database(), from: file, migrations: Switchboard.migrations)
            return try session.respond(Response(file: file, setAside: report.setAside ?? report.copy)) {
                session.diagnostics.note("restored from \(file)")
                if let copy = report.copy {
                    session.diagnostics.note("the replaced data is now \(copy); restore that to undo")
                }
                if let aside = report.setAside { session.diagnostics.note("the damaged file is now \(aside)") }
            }
        }
    }

    struct Stats: Command {
        static let configuration = CommandConfiguration("stats", "Show the size and contents of the database.")

        private struct Response: Encodable {
            let path: String
            let stats: StorageStats

            private enum CodingKeys: String, CodingKey { case path }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(path, forKey: .path)
                try stats.encode(to: encoder)
            }
        }

        func run(_ session: Session) throws -> ExitStatus {
            let storage = try session.existingStorage()
            let stats = try storage.stats()
            let path = storage.path ?? ""
            return try session.respond(Response(path: path, stats: stats)) {
                let counts = [
                    ("bytes", stats.fileBytes), ("bytes in the log", stats.logBytes),
                    ("pages of \(stats.pageSize) bytes", stats.pages), ("free pages", stats.freePages),
                ]
                let rows = counts + stats.tables.map { ("rows of " + $0.name, $0.rows) }
                session.showTable(
                    [[Cell("file", .faint), Cell(path)]]
                        + rows.map { [Cell($0.0, .faint), Cell("\($0.1)", isRightAligned: true)] }
                        + [[Cell("SQLite", .faint), Cell(stats.sqliteVersion)]])
            }
        }
    }

    struct Optimize: Command {
        static let configuration = CommandConfiguration(
            "optimize", "Free unused space and update the statistics of the query planner.")

        func run(_ session: Session) throws -> ExitStatus {
            let report = try session.existingStorage().optimize()
            return try session.respond(
                report, line: "\(report.bytesBefore) bytes before, \(report.bytesAfter) after")
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
