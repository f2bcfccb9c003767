import ArgumentParser
import Foundation
import SwitchboardAccounts
import SwitchboardCluster
import SwitchboardJSON
import SwitchboardKit
import SwitchboardSearchableIndex
import SwitchboardStorage

struct ClusterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster", abstract: "Manage the PostgreSQL database that several servers share.",
        subcommands: [Init.self, Import.self, Status.self, Check.self, Export.self])

    struct Init: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init", abstract: "Create the tables. A server also does so when it starts.")

        @OptionGroup var data: DataOption

        func run() throws {
            _ = try data.clusterStore(in: nil)
            if data.json { try Output.json(["ready": true]) } else { Output.note("the tables are ready") }
        }
    }

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Copy all data of a single server into an empty cluster.",
            discussion: "Stop the server first. Its folder stays as it is.")

        @Argument(help: "The data folder of the server.") var folder: String
        @OptionGroup var data: DataOption

        func run() throws {
            let source = try DataStore(folder: folder, cluster: nil)
            guard FileManager.default.fileExists(atPath: source.publicFile) else {
                throw SwitchboardError(
                    code: "missing", message: "\(source.publicFile) does not exist; check the data folder",
                    file: source.publicFile, status: .missing)
            }
            let people = try ClusterCommand.withTemporaryFolder { temporary in
                let store = try data.clusterStore(in: temporary)
                guard try store.accounts().list().isEmpty else {
                    throw SwitchboardError.usage("the cluster already has people; import into an empty one")
                }
                return try store.importAll(from: source, through: temporary)
            }
            if data.json {
                try Output.json(["people": people])
            } else {
                Output.note("imported \(people) \(people == 1 ? "person" : "people")")
            }
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Write all data of the cluster as the data folder of a single server.",
            discussion: "For one moment of all people's data, stop the servers first.")

        @Argument(help: "The folder to write, which must not exist yet.") var folder: String
        @OptionGroup var data: DataOption

        func run() throws {
            guard !FileManager.default.fileExists(atPath: folder) else {
                throw SwitchboardError(
                    code: "exists", message: "\(folder) already exists; choose another folder", file: folder,
                    status: .usage)
            }
            let people = try ClusterCommand.withTemporaryFolder { temporary in
                try data.clusterStore(in: temporary).exportAll(to: DataStore(folder: folder, cluster: nil))
            }
            if data.json {
                try Output.json(["people": people])
            } else {
                Output.note("exported \(people) \(people == 1 ? "person" : "people") to \(folder)")
            }
        }
    }

    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Show the size of the cluster and its largest journals.")

        @OptionGroup var data: DataOption

        private static let shownJournals = 10

        func run() throws {
            let store = try data.clusterStore(in: nil)
            guard let cluster = store.cluster else { return }
            let journals = try cluster.journals.list()
            let people = try store.accounts().list()
            let names = Dictionary(people.map { ($0.id, $0.name) }) { first, _ in first }
            let bytes = journals.map(\.bytes).reduce(0, +)
            let largest = journals.sorted { $0.bytes > $1.bytes }.prefix(Self.shownJournals)
            if data.json {
                return try Output.json(
                    [
                        "people": .number(Double(people.count)), "journals": .number(Double(journals.count)),
                        "bytes": .number(Double(bytes)),
                        "largest": JSONValue(
                            largest.map { journal in
                                [
                                    "journal": .string(journal.name), "person": .string(names[journal.name] ?? ""),
                                    "changes": .number(Double(journal.sequence)),
                                    "changesSinceImage": .number(Double(journal.entriesSinceBase)),
                                    "bytes": .number(Double(journal.bytes)),
                                ]
                            }),
                    ] as JSONValue)
            }
            Output.line("people    \(people.count)")
            Output.line("journals  \(journals.count)")
            Output.line("size      \(bytes >> 10) KiB")
            for journal in largest {
                Output.line(
                    "\(journal.name)  \(names[journal.name] ?? "")  \(journal.sequence) changes, "
                        + "\(journal.entriesSinceBase) since the last image, \(journal.bytes >> 10) KiB")
            }
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Build each database from its journal and check it for corruption.")

        @OptionGroup var data: DataOption

        func run() throws {
            var problems: [(journal: String, problem: String)] = []
            let count = try ClusterCommand.withTemporaryFolder { temporary in
                let store = try data.clusterStore(in: temporary)
                let journals = try store.cluster?.journals.list() ?? []
                for journal in journals {
                    let found = try store.problems(of: journal.name)
                    problems += found.map { (journal.name, $0) }
                }
                return journals.count
            }
            guard problems.isEmpty else {
                throw SwitchboardError(
                    code: "damaged",
                    message: problems.prefix(5).map { "journal \($0.journal): \($0.problem)" }.joined(separator: "; ")
                        + "; restore a backup of PostgreSQL",
                    status: .malformed)
            }
            if data.json {
                try Output.json(["journals": count])
            } else {
                Output.note("\(count) \(count == 1 ? "database is" : "databases are") sound")
            }
        }
    }

    /// Calls a closure with a temporary folder and then deletes the folder.
    private static func withTemporaryFolder<Value>(_ body: (String) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("switchboard-" + UUID().uuidString)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder.path)
    }
}

extension DataOption {
    /// Connects to the cluster.
    ///
    /// - Parameter folder: A folder for copies; nil for the server's own folder.
    fileprivate func clusterStore(in folder: String?) throws -> DataStore {
        guard let connection = clusterConnection else {
            throw SwitchboardError.usage(
                "no cluster given; use --cluster with a connection string such as \"host=db dbname=switchboard\"")
        }
        return try DataStore(
            folder: try folder ?? self.folder(), cluster: connection, wait: Self.clusterWait(clusterWait))
    }
}
