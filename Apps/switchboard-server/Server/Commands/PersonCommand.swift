import ArgumentParser
import Foundation
import SwitchboardAccounts
import SwitchboardJSON
import SwitchboardKit
import SwitchboardSearchableIndex
import SwitchboardStorage

struct PersonCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "person", abstract: "Manage the people of this server.",
        subcommands: [List.self, Import.self, Export.self, Rename.self, Delete.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List all people with their database files, which other programs may use at the same time.")

        @OptionGroup var data: DataOption

        func run() throws {
            let store = try data.store()
            var rows: [JSONValue] = []
            for person in try store.accounts().list() {
                let database = store.file(of: person.id)
                rows.append([
                    "id": .string(person.id), "name": .string(person.name),
                    "createdAt": .string(person.createdAt.formatted(.iso8601)), "database": .string(database),
                ])
                if !data.json { Output.line("\(person.name)  \(database)") }
            }
            if data.json { try Output.json(ListResponse(rows)) }
        }
    }

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Create a person with the data of a Switchboard database.",
            discussion: "The database may be one of the command line, or one that 'person export' has written.")

        @Argument(help: "The name of the new person.") var person: String
        @Argument(help: "The database.") var file: String
        @OptionGroup var data: DataOption

        func run() throws {
            let store = try data.store()
            let accounts = try store.accounts()
            if let known = try? accounts.person(matching: person) {
                throw AccountsError.nameInUse(known.name)
            }
            guard FileManager.default.fileExists(atPath: file) else {
                throw SwitchboardError(code: "missing", message: "\(file) does not exist", file: file, status: .missing)
            }
            let person = try accounts.person(named: person, creating: true)
            do {
                // The restored database replaces the empty one.
                try store.remove(person.id)
                try store.restore(person.id, from: file)
            } catch {
                try accounts.delete(person.id)
                try store.remove(person.id)
                throw error
            }
            if data.json {
                try Output.json(["id": person.id, "person": person.name])
            } else {
                Output.note("created \(person.name) with the data of \(file)")
            }
        }
    }

    struct Rename: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "rename", abstract: "Rename a person.")

        @Argument(help: "The name or identifier.") var person: String
        @Argument(help: "The new name.") var name: String
        @OptionGroup var data: DataOption

        func run() throws {
            let accounts = try data.accounts()
            let person = try accounts.person(matching: person)
            try accounts.rename(person.id, to: name)
            if data.json {
                try Output.json(["id": person.id, "person": name])
            } else {
                Output.note("renamed \(person.name) to \(name)")
            }
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Export all data of a person as a Switchboard database.")

        @Argument(help: "The name or identifier.") var person: String
        @Option(name: .shortAndLong, parsing: .unconditional, help: "The file to write, which must not exist yet.")
        var output: String
        @OptionGroup var data: DataOption

        func run() throws {
            let store = try data.store()
            let person = try store.accounts().person(matching: person)
            guard !FileManager.default.fileExists(atPath: output) else {
                throw SwitchboardError(
                    code: "exists", message: "\(output) already exists; choose another file", file: output,
                    status: .usage)
            }
            try store.requireDatabase(of: person.id)
            let switchboard = Switchboard(store.settings(of: person.id))
            try switchboard.storage.backup(to: output)
            if data.json {
                try Output.json(["id": person.id, "file": output])
            } else {
                Output.note("exported \(person.name) to \(output)")
            }
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete a person: their database, tokens and sessions.",
            discussion:
                "A running server may keep the database open for a few minutes, but no one can access it any more."
        )

        @Argument(help: "The name or identifier.") var person: String
        @Flag(help: "Confirm the deletion.") var yes = false
        @OptionGroup var data: DataOption

        func run() throws {
            let store = try data.store()
            let accounts = try store.accounts()
            let person = try accounts.person(matching: person)
            let file = store.file(of: person.id)
            guard yes else {
                throw SwitchboardError.usage(
                    "this would delete \(file) and all tokens of \(person.name); confirm with --yes")
            }
            try accounts.delete(person.id)
            try store.remove(person.id)
            if data.json { try Output.json(["id": person.id]) } else { Output.note("deleted \(person.name)") }
        }
    }
}

struct PublicCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "public", abstract: "Manage the public index.", subcommands: [Withdraw.self])

    struct Withdraw: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "withdraw", abstract: "Remove an item from the public index for good.")

        @Argument(help: "The URL of the item.") var url: String
        @OptionGroup var data: DataOption

        func run() throws {
            let store = try data.store()
            let index = store.publicIndex(try store.publicStorage()) { _, _ in Data() }
            try store.repeating { try index.withdraw(url) }
            if data.json { try Output.json(["id": url]) } else { Output.note("withdrew \(url)") }
        }
    }
}
