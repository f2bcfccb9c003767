import ArgumentParser
import SwitchboardBadges
import Foundation
import SwitchboardAccounts
import SwitchboardKit

/// Signs a phone in by a picture on the screen.
struct PairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Show a QR code that opens the page on a phone, signed in.",
        discussion:
            "The code is good once, for ten minutes. The phone must be able to reach the server under the address.")

    @Option(parsing: .unconditional, help: "The name of the person; needed where there is not just one.") var person:
        String?
    @Option(parsing: .unconditional, help: "What the phone may do.") var scope = "all"
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The address of the page as the phone sees it, such as http://192.168.1.5:8080.", valueName: "url"))
    var url = "http://127.0.0.1:8080"
    @OptionGroup var data: DataOption

    func run() throws {
        let people = try data.people()
        let scopes = try ScopeSet(parsing: scope)
        guard let base = URL(string: url), let scheme = base.scheme, ["http", "https"].contains(scheme),
            base.host != nil
        else { throw Fault.usage("--url \(url): give an address such as http://192.168.1.5:8080") }
        let name = try name(among: people)
        let code = try people.issueCode(to: name, scopes: scopes)
        // What follows # is never sent to a server, so it stands in no log.
        let address = (url.hasSuffix("/") ? url : url + "/") + "#pair=" + code
        if data.json { return try Output.json(["url": address, "person": name]) }
        Output.line(try QRCode(address).text(.blackOnWhite))
        Output.line(address)
    }

    private func name(among people: Accounts) throws -> String {
        if let person { return person }
        let all = try people.list()
        guard all.count == 1, let only = all.first else {
            throw Fault.usage("say whose phone it is: --person NAME")
        }
        return only.name
    }
}
