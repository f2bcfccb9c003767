import ArgumentParser
import Foundation
import SwitchboardAccounts
import SwitchboardBadges
import SwitchboardKit

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
        guard let base = URL(string: url), let scheme = base.scheme, ["http", "https"].contains(scheme),
            base.host != nil
        else { throw SwitchboardError.usage("--url: invalid URL “\(url)”; use one such as http://192.168.1.5:8080") }
        let name = try name(among: accounts)
        let code = try accounts.issueCode(to: name, scopes: scopes, lifetime: lifetime, creatingPerson: create)
        // Browsers never send the fragment, so it appears in no log.
        let address = (url.hasSuffix("/") ? url : url + "/") + "#pair=" + code
        if data.json { return try Output.json(["url": address, "person": name]) }
        Output.line(try QRCode(address).text(.blackOnWhite))
        Output.line(address)
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
