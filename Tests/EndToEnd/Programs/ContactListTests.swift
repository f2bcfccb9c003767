import Foundation
import Testing

@Suite("contacts list")
struct ContactListTests {
    let bench: Bench

    init() throws {
        bench = try Bench()
        let cards = [
            "FN:Zoë Alba\r\nN:Alba;Zoë\r\nORG:Umbrella\r\nADR:;;Fő utca;Budapest;;;Hungary\r\nCATEGORIES:Choir",
            "FN:Ana Zeta\r\nN:Zeta;Ana\r\nTEL:+1 212 555 0100\r\nNOTE:one\\ntwo\ttabs\r\nCATEGORIES:Choir,Work",
            "FN:Mono\r\nN:;Mono\r\nORG:Acme",
        ]
        let text = cards.map { "BEGIN:VCARD\r\nVERSION:3.0\r\n\($0)\r\nEND:VCARD\r\n" }.joined()
        #expect(try bench.run("contacts", "import", try bench.file("a.vcf", text)).status == 0)
    }

    private func list(_ arguments: String...) throws -> RunResult { try bench.run(["contacts", "list"] + arguments) }

    @Test(
        "--sort orders by a name or a time",
        arguments: [
            ("name", ["Ana Zeta", "Mono", "Zoë Alba"]), ("given", ["Ana Zeta", "Mono", "Zoë Alba"]),
            ("family", ["Zoë Alba", "Ana Zeta", "Mono"]), ("organization", ["Mono", "Zoë Alba", "Ana Zeta"]),
        ])
    func sort(order: String, names: [String]) throws {
        let result = try list("--sort", order, "--json").json().objects("results")
        #expect(try result.map { try $0.string("title") } == names)
        #expect(try list("--sort", order, "--columns", "name").lines == names)
        #expect(try list("--sort", order, "--limit", "2", "--columns", "name").lines == Array(names.prefix(2)))
    }

    @Test("--sort changed starts with the latest change")
    func recentlyChanged() throws {
        for name in ["zeta", "alba"] {
            #expect(try bench.run("contacts", "edit", name, "--nickname", "Nick").status == 0)
        }
        #expect(try list("--sort", "changed", "--columns", "name", "--limit", "2").lines == ["Zoë Alba", "Ana Zeta"])
        #expect(try list("--sort", "changed", "--group", "work", "--columns", "name").lines == ["Ana Zeta"])
    }

    @Test("--format writes tab-separated lines, JSON or JSON lines")
    func formats() throws {
        let ids = try list("--json").json().objects("results").ids()
        #expect(
            try list("--format", "tsv").lines == [
                "Ana Zeta\t\t+12125550100\t\t\t\t\t0\t\(ids[0])", "Mono\t\t\tAcme\t\t\t\t0\t\(ids[1])",
                "Zoë Alba\t\t\tUmbrella\t\t\t\t0\t\(ids[2])",
            ])
        #expect(
            try list("--format", "tsv", "--columns", "family,city,groups,note").lines == [
                "Zeta\t\tChoir, Work\tone two tabs", "\t\t\t", "Alba\tBudapest\tChoir\t",
            ])
        #expect(try list("--format", "json").output == list("--json").output)
        #expect(try list("--format", "jsonl", "--group", "choir").lines.count == 2)
        #expect(try list("--format", "table").output == list().output)
        #expect(try list("--columns", "city,given").lines == ["          Ana", "          Mono", "Budapest  Zoë"])
    }

    @Test("Hints name the option or the object that was meant")
    func hints() throws {
        let activity = try bench.run("activity", "continue", "nope")
        #expect(activity.status == 1 && activity.errors.contains("no activity or item has the identifier nope"))
        let order = try bench.run("contacts", "list", "--sort", "shoe")
        #expect(order.status == 64 && order.errors.contains("family") && !order.errors.contains("--json"))
    }

    @Test("Wrong options are usage errors that name the right ones")
    func wrongOptions() throws {
        for (arguments, hint) in [
            (["--sort", "age"], "; use name, given, family, organization, created or changed"),
            (["--format", "csv"], "; use table, tsv, json or jsonl"), (["--columns", "shoe"], "birthday"),
            (["--json", "--format", "tsv"], "omit one"), (["--json", "--columns", "name"], "omit --columns"),
            (["--columns", ""], "birthday"),
        ] {
            let result = try bench.run(["contacts", "list"] + arguments)
            #expect(result.status == 64 && result.errors.contains(hint), "\(arguments): \(result.errors)")
            #expect(result.output.isEmpty)
        }
    }

    @Test("A terminal says how many rows a limit cut off lists and searches, but not JSON or a quiet run")
    func cut() throws {
        let terminal = try TmuxTerminal(bench, columns: 100)
        var number = 0
        func run(_ arguments: String, showing text: String?) throws {
            number += 1
            try terminal.command("clear; '\(Bench.program)' \(arguments); echo en''d\(number)")
            terminal.awaitText("end\(number)")
            let screen = terminal.screen()
            #expect(screen.contains(text ?? "shown") == (text != nil), "\(arguments):\n\(screen)")
        }
        try run("contacts list --limit 2", showing: "2 of 3 shown; use --limit for more")
        try run("contacts list --limit 1 --group choir", showing: "1 of 2 shown")
        try run("contacts list --limit 1 --format tsv", showing: "1 of 3 shown")
        try run("contacts find a --limit 1", showing: "1 of 3 shown")
        try run("contacts groups --limit 1", showing: "1 of 2 shown")
        try run("contacts find a", showing: nil)
        try run("contacts list --limit 3", showing: nil)
        try run("contacts list --limit 0", showing: nil)
        try run("contacts list --limit 2 --json", showing: nil)
        try run("contacts list --limit 2 --quiet", showing: nil)
        try run("contacts find a --limit 1 2>/dev/null", showing: nil)
    }
}
