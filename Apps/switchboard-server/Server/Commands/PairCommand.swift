import ArgumentParser
import Foundation
import SwitchboardAccounts
import SwitchboardBadges
import SwitchboardKit

struct PairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Show a QR code that signs a phone in to the web page.",
        discussion:
            "The code can be used once, within ten minutes. The phone must be able to reach the server at the URL.")

    @Option("The name of the person; required if there are several.") var person: String?
    @Option(parsing: .unconditional, help: "The scopes of the phone, comma-separated.") var scope = "all"
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The URL of the page as the phone reaches it, such as http://192.168.1.5:8080.", valueName: "url"))
    var url = "http://127.0.0.1:8080"
    @Flag(help: "Create the person if missing.") var create = false
    @OptionGroup var data: DataOption

    func run() throws {
        let accounts = try data.accounts()
        let scopes = try ScopeSet(parsing: scope)
        guard let base = URL(string: url), let scheme = base.scheme, ["http", "https"].contains(scheme),
            base.host != nil
        else { throw SwitchboardError.usage("--url: invalid URL “\(url)”; use one such as http://192.168.1.5:8080") }
        let name = try name(among: accounts)
        let code = try accounts.issueCode(to: name, scopes: scopes, creatingPerson: create)
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
