import ArgumentParser
import Foundation
import SwitchboardAccounts
import SwitchboardKit

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Tokens: who may ask the server for what.",
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Make a token for a person, who is made on first mention. It is shown once.")

        @Option(parsing: .unconditional, help: "The name of the person.") var person: String
        @Option(
            parsing: .unconditional,
            help:
                "What it is for, with commas: contacts, prospects, airports, index, activities, reminders, me, each alone or with :read or :write; read; all; metrics."
        )
        var scope: String
        @Option(parsing: .unconditional, help: "What it is made for, to tell it from others.") var label = ""
        @OptionGroup var data: DataOption

        private struct Answer: Encodable {
            let token: String
            let id: String
            let person: String
            let scopes: [String]
        }

        func run() throws {
            let scopes = try ScopeSet(parsing: scope)
            let issued = try data.people().issueToken(to: person, scopes: scopes, label: label)
            if data.json {
                try Output.json(
                    Answer(
                        token: issued.secret, id: issued.token.id, person: issued.token.person.name,
                        scopes: scopes.words))
            } else {
                Output.line(issued.secret)
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "All tokens, the newest first; never their secrets.")

        @Option(parsing: .unconditional, help: "Only those of this person.") var person: String?
        @OptionGroup var data: DataOption

        func run() throws {
            let people = try data.people()
            let id = try person.map { try people.known($0).id }
            let rows = try people.tokens(of: id).map { TokenRow($0) }
            if data.json { return try Output.json(ResultList(rows)) }
            for row in rows {
                let used = row.lastUsedAt.map { "used \($0)" } ?? "never used"
                Output.line(
                    [row.id, row.person, row.scopes.joined(separator: ","), row.createdAt, used, row.label]
                        .filter { !$0.isEmpty }.joined(separator: "  "))
            }
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "End a token and the browsers it has signed in.")

        @Argument(help: "The identifier, as 'token list' shows it.") var id: String
        @OptionGroup var data: DataOption

        func run() throws {
            try data.people().revoke(id)
            if data.json { try Output.json(["id": id]) } else { Output.note("ended \(id)") }
        }
    }
}
