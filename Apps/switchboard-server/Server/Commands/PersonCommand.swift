import ArgumentParser
import Foundation
import SwitchboardAccounts
import SwitchboardBadges
import SwitchboardJSON
import SwitchboardKit
import SwitchboardReminders
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
                    "bytes": .number(Double(store.bytes(of: person.id))),
                ])
                if !data.json { Output.line("\(person.name)  \(database)  \(store.bytes(of: person.id) >> 10) KiB") }
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
        var scope: String?
        @Option(parsing: .unconditional, help: "A label to recognise the token by.") var label = ""
        @Option(
            "The name of a telephone or mail program, as the label; the scope is then \(ScopeSet.device.text) by default.",
            "name")
        var device: String?
        @Option("With --device: the URL of the server as the device reaches it, shown with a QR code for DAVx⁵.", "url")
        var url: String?
        @Option("With --url: a new file for a configuration profile for iOS and macOS, which has the password.", "file")
        var profile: String?
        @Option("The lifetime of the token, such as 12h or 90d; by default it does not expire.", "time")
        var expiresIn: String?
        @Flag(help: "Create the person if missing.") var create = false
        @OptionGroup var data: DataOption

        func run() throws {
            guard let scopes = try scope.map(ScopeSet.init(parsing:)) ?? device.map({ _ in .device }) else {
                throw SwitchboardError.usage("the scope is missing; use --scope, or --device for a telephone")
            }
            let server = try url.map(PairCommand.address)
            guard device != nil || server == nil, server != nil || profile == nil else {
                throw SwitchboardError.usage("--url needs --device, and --profile needs --url")
            }
            if let profile { try reserve(profile) }
            // Without a token, there is no profile.
            var isIssued = false
            defer { if !isIssued, let profile { try? FileManager.default.removeItem(atPath: profile) } }
            let issued = try data.accounts().issueToken(
                to: person, scopes: scopes, label: label.isEmpty ? device ?? "" : label,
                lifetime: try expiresIn.map(TokenCommand.lifetime),
                creatingPerson: create)
            isIssued = true
            if let server {
                let account = DeviceAccount(
                    url: server, user: issued.token.person.name, password: issued.secret, device: device ?? "")
                try show(account)
            }
            guard data.json else { return server == nil ? Output.line(issued.secret) : () }
            try Output.json(
                [
                    "token": .string(issued.secret), "id": .string(issued.token.id),
                    "person": .string(issued.token.person.name), "scopes": JSONValue(scopes.words.map { .string($0) }),
                ] as JSONValue)
        }

        /// Creates the file of a profile before there is a token, which nobody would know if the file failed.
        private func reserve(_ file: String) throws {
            guard !FileManager.default.fileExists(atPath: file) else {
                throw SwitchboardError.usage("\(file) already exists; choose another file")
            }
            let isMade = FileManager.default.createFile(
                atPath: file, contents: nil, attributes: [.posixPermissions: 0o600])
            guard isMade else { throw SwitchboardError.usage("cannot write \(file); choose another file") }
        }

        private func show(_ account: DeviceAccount) throws {
            if let profile { try account.profile().write(to: URL(filePath: profile)) }
            if data.json { return }
            if let address = account.loginAddress { Output.line(try QRCode(address).text(.blackOnWhite)) }
            Output.line("address   \(account.url.absoluteString)")
            Output.line("user      \(account.user)")
            Output.line("password  \(account.password)")
            if let profile { Output.line("profile   \(profile)") }
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

struct PairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Show a QR code and a link that sign a browser in to the web page.",
        discussion: """
            The code can be used once, within ten minutes or the time of --expires-in. The phone must be able to reach the \
            server at the URL. To invite someone, send them the link: 'pair --create --person bo --expires-in 7d --url …'.
            """)

    @Option("The name of the person; required if there are several.") var person: String?
    @Option(parsing: .unconditional, help: "The scopes of the phone, comma-separated.") var scope = "all"
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The URL of the page as the phone reaches it, such as http://192.168.1.5:8080.", valueName: "url"))
    var url = "http://127.0.0.1:8080"
    @Option("The time within which the code can be used, at most 30d (default: 10m).", "time") var expiresIn: String?
    @Flag(help: "Create the person if missing.") var create = false
    @OptionGroup var data: DataOption

    /// The maximum lifetime of a code in seconds, 30 days.
    private static let maximumLifetime = 30.0 * 86_400

    func run() throws {
        let lifetime = try expiresIn.map(TokenCommand.lifetime) ?? Accounts.codeLifetime
        guard lifetime <= Self.maximumLifetime else {
            throw SwitchboardError.usage("--expires-in: at most 30 days; use a time such as 7d")
        }
        let accounts = try data.accounts()
        let scopes = try ScopeSet(parsing: scope)
        _ = try Self.address(url)
        let name = try name(among: accounts)
        let code = try accounts.issueCode(to: name, scopes: scopes, lifetime: lifetime, creatingPerson: create)
        // Browsers never send the fragment, so it appears in no log.
        let address = (url.hasSuffix("/") ? url : url + "/") + "#pair=" + code
        if data.json { return try Output.json(["url": address, "person": name]) }
        Output.line(try QRCode(address).text(.blackOnWhite))
        Output.line(address)
    }

    /// Returns the URL of a server.
    static func address(_ text: String) throws -> URL {
        guard let url = URL(string: text), let scheme = url.scheme, ["http", "https"].contains(scheme), url.host != nil
        else { throw SwitchboardError.usage("--url: invalid URL “\(text)”; use one such as http://192.168.1.5:8080") }
        return url
    }

    private func name(among accounts: Accounts) throws -> String {
        if let person { return person }
        let all = try accounts.list()
        guard all.count == 1, let only = all.first else {
            throw SwitchboardError.usage("no person selected; add --person NAME")
        }
        return only.name
    }
}
