import ArgumentParser
import Foundation
import SwitchboardAccounts
import SwitchboardSearchableIndex
import SwitchboardStorage
import SwitchboardKit

struct PersonCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "person", abstract: "The people of this server, and what is theirs as a whole.",
        subcommands: [List.self, Export.self, Delete.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Everybody, with the database file of each, which the command line may work on at the same time.")

        @OptionGroup var data: DataOption

        private struct Row: Encodable, Sendable {
            let id: String
            let name: String
            let createdAt: String
            let database: String
        }

        func run() throws {
            let folder = try data.folder()
            let rows = try data.people().list().map {
                Row(
                    id: $0.id, name: $0.name, createdAt: $0.createdAt.formatted(.iso8601),
                    database: PersonDatabases.file(of: $0.id, in: folder))
            }
            if data.json { return try Output.json(ResultList(rows)) }
            for row in rows { Output.line("\(row.name)  \(row.database)") }
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Write everything a person has into one file: a database of Switchboard.")

        @Argument(help: "The name or identifier.") var person: String
        @Option(name: .shortAndLong, parsing: .unconditional, help: "The file to write; it must not exist.")
        var output: String
        @OptionGroup var data: DataOption

        func run() throws {
            let person = try data.people().known(person)
            guard !FileManager.default.fileExists(atPath: output) else {
                throw Fault(
                    code: "exists", message: "\(output) exists; name a file that does not", file: output, status: .usage
                )
            }
            let switchboard = Switchboard(
                Settings(database: PersonDatabases.file(of: person.id, in: try data.folder())))
            try switchboard.storage.backup(to: output)
            if data.json {
                try Output.json(["id": person.id, "file": output])
            } else {
                Output.note("\(person.name): \(output); 'switchboard --database \(output) find …' reads it")
            }
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete a person: their database, tokens and sessions.",
            discussion:
                "A server that has the database open goes on with it for some minutes, but nobody can ask for it any more."
        )

        @Argument(help: "The name or identifier.") var person: String
        @Flag(help: "Do it; without, it is only said what would be deleted.") var yes = false
        @OptionGroup var data: DataOption

        func run() throws {
            let people = try data.people()
            let person = try people.known(person)
            let file = PersonDatabases.file(of: person.id, in: try data.folder())
            guard yes else {
                throw Fault.usage("this deletes \(file) and all tokens of \(person.name); say --yes if you mean it")
            }
            try people.delete(person.id)
            let files = FileManager.default
            for path in [file, file + "-wal", file + "-shm", String(file.dropLast(7)) + ".index"]
            where files.fileExists(atPath: path) {
                try files.removeItem(atPath: path)
            }
            if data.json { try Output.json(["id": person.id]) } else { Output.note("deleted \(person.name)") }
        }
    }
}

/// What of the public index only who wordSuffixes the server may do.
struct PublicCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "public", abstract: "The public index.", subcommands: [Withdraw.self])

    struct Withdraw: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "withdraw",
            abstract: "Take something back for everybody: it is not found any more, however many choose it later.")

        @Argument(help: "The address of its page.") var url: String
        @OptionGroup var data: DataOption

        func run() throws {
            let folder = try data.folder()
            let storage = try Storage(at: folder + "/public.sqlite", migrations: Server.migrations)
            try PublicIndex(storage: storage) { _, _ in Data() }.withdraw(url)
            if data.json { try Output.json(["id": url]) } else { Output.note("withdrawn: \(url)") }
        }
    }
}
