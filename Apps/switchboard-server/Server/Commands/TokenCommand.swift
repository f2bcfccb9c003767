import ArgumentParser
import Foundation
import SwitchboardAccounts
import SwitchboardJSON
import SwitchboardKit
import SwitchboardReminders

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Manage access tokens.",
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Create a token for a person. The token is shown only once.")

        @Option(parsing: .unconditional, help: "The name of the person.") var person: String
        @Option(
            parsing: .unconditional,
            help:
                "The scopes, comma-separated: contacts, prospects, airports, index, activities, reminders or me, each optionally with :read or :write; read; all; metrics."
        )
        var scope: String
        @Option(parsing: .unconditional, help: "A label to recognise the token by.") var label = ""
        @Option("The lifetime of the token, such as 12h or 90d; by default it does not expire.", "time")
        var expiresIn: String?
        @Flag(help: "Create the person if missing.") var create = false
        @OptionGroup var data: DataOption

        func run() throws {
            let scopes = try ScopeSet(parsing: scope)
            let issued = try data.accounts().issueToken(
                to: person, scopes: scopes, label: label, lifetime: try expiresIn.map(TokenCommand.lifetime),
                creatingPerson: create)
            guard data.json else { return Output.line(issued.secret) }
            try Output.json(
                [
                    "token": .string(issued.secret), "id": .string(issued.token.id),
                    "person": .string(issued.token.person.name), "scopes": JSONValue(scopes.words.map { .string($0) }),
                ] as JSONValue)
        }
    }

    /// Returns a value of `--expires-in`, such as 12h or 90d, in seconds.
    static func lifetime(_ text: String) throws -> TimeInterval {
        guard let delay = try? ReminderDelay(parsing: text) else {
            throw SwitchboardError.usage("--expires-in: cannot read “\(text)”; use a time such as 12h or 90d")
        }
        return TimeInterval(delay.seconds + delay.days * 86_400)
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
                let expiry = row.expiresAt.map { "expires \($0)" } ?? ""
                Output.line(
                    [row.id, row.person, row.scopes.joined(separator: ","), row.createdAt, used, expiry, row.label]
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
