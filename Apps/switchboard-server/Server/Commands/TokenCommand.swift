import ArgumentParser
import SwitchboardAccounts
import SwitchboardJSON
import SwitchboardKit

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Manage access tokens.",
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Create a token for a person, who is created if missing. The token is shown only once.")

        @Option(parsing: .unconditional, help: "The name of the person.") var person: String
        @Option(
            parsing: .unconditional,
            help:
                "The scopes, comma-separated: contacts, prospects, airports, index, activities, reminders or me, each optionally with :read or :write; read; all; metrics."
        )
        var scope: String
        @Option(parsing: .unconditional, help: "A label to recognise the token by.") var label = ""
        @OptionGroup var data: DataOption

        func run() throws {
            let scopes = try ScopeSet(parsing: scope)
            let issued = try data.accounts().issueToken(to: person, scopes: scopes, label: label)
            guard data.json else { return Output.line(issued.secret) }
            try Output.json(
                [
                    "token": .string(issued.secret), "id": .string(issued.token.id),
                    "person": .string(issued.token.person.name), "scopes": JSONValue(scopes.words.map { .string($0) }),
                ] as JSONValue)
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List all tokens, newest first, without their secrets.")

        @Option("Only tokens of this person.") var person: String?
        @OptionGroup var data: DataOption

        func run() throws {
            let accounts = try data.accounts()
            let id = try person.map { try accounts.person(matching: $0).id }
            let rows = try accounts.tokens(of: id).map { TokenRow($0) }
            if data.json { return try Output.json(ListResponse(rows)) }
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
            commandName: "revoke", abstract: "Revoke a token and the browser sessions that it opened.")

        @Argument(help: "The identifier, as shown by 'token list'.") var id: String
        @OptionGroup var data: DataOption

        func run() throws {
            try data.accounts().revoke(id)
            if data.json { try Output.json(["id": id]) } else { Output.note("revoked \(id)") }
        }
    }
}
