import Foundation
import Glibc
import SwitchboardTestSupport
import Testing

@Suite("contacts import")
struct ImportCommandTests {
    let bench: Bench

    init() throws {
        bench = try Bench()
    }

    static let good = "BEGIN:VCARD\nVERSION:3.0\nFN:Ana Smith\nN:Smith;Ana;;;\nTEL:+12125550123\nEND:VCARD\n"
    static let cut = good + "BEGIN:VCARD\nVERSION:3.0\nFN:Bo Lee\nN:Lee;Bo"

    private func report(_ result: RunResult) throws -> JSONObject {
        let report = try result.json()
        try report.check(["added", "merged", "merges", "unchanged", "skipped", "changed"], optional: ["rejected"])
        for skipped in try report.objects("skipped") {
            try skipped.check(["file", "line", "reason"], optional: ["column"])
        }
        return report
    }

    private func count() throws -> String { try bench.run("contacts", "count").output }

    @Test("Importing the sample again changes nothing")
    func twice() throws {
        let first = try bench.run("contacts", "import", Bench.sample, "--region", "GB", "--json")
        #expect(first.status == 0, "\(first.errors)")
        #expect(try report(first).integer("added") == 342)
        let second = try bench.run("contacts", "import", Bench.sample, "--region", "GB", "--json")
        #expect(second.status == 0)
        #expect(try report(second).integer("unchanged") == 342)
        #expect(try count() == "342\n")
        #expect(try bench.run("contacts", "import", Bench.sample).output == "added 0, merged 0, unchanged 342\n")
    }

    @Test("A family with one number stays apart, and each merge is named with its proof")
    func merges() throws {
        func card(_ lines: String...) -> String {
            "BEGIN:VCARD\nVERSION:3.0\n" + lines.joined(separator: "\n") + "\nTEL:+442079460100\nEND:VCARD\n"
        }
        let family = ["John Roper", "John Roper Jr.", "J. Roper", "Roper", "Dr. Joan Roper"]
        let cards = family.enumerated().map { card("UID:fam-\($0.offset)", "FN:\($0.element)") }
        let file = try bench.file("family.vcf", cards.joined())
        let apart = try bench.run("contacts", "import", file)
        #expect(apart.output == "added 5, merged 0, unchanged 0\n" && apart.errors.isEmpty)

        let newer = try bench.file("newer.vcf", card("UID:fam-1", "FN:John Roper Jr.", "TITLE:Cook"))
        let merged = try bench.run("contacts", "import", newer)
        #expect(merged.output == "added 0, merged 1, unchanged 0\n")
        #expect(merged.errors.contains("\(newer):1: merged “John Roper Jr.” into “John Roper Jr.” (same UID)"))
        let latest = try bench.file("latest.vcf", card("FN:john roper", "TITLE:Mate"))
        let report = try report(bench.run("contacts", "import", latest, "--json"))
        let merge = try #require(report.objects("merges").first)
        try merge.check(["kept", "merged", "reason", "file", "line"])
        #expect(try merge.string("kept") == "John Roper" && merge.string("merged") == "john roper")
        #expect(try merge.string("reason") == "same name and number" && merge.integer("line") == 1)
    }

    @Test("With --strict a truncated card rejects its whole file with the position, but no other file")
    func cutCard() throws {
        let good = try bench.file("good.vcf", Self.good.replacingOccurrences(of: "Ana", with: "Zoe"))
        let cut = try bench.file("cut.vcf", Self.cut)
        let result = try bench.run("contacts", "import", cut, good, "--strict", "--json")
        #expect(result.status == 65)
        let report = try report(result)
        #expect(try report.integer("added") == 1)
        let skipped = try report.objects("skipped")
        #expect(try skipped.first?.string("file") == cut)
        #expect(try skipped.first?.integer("line") ?? 0 >= 7)
        let fault = try JSONObject(line: result.errorLines.first ?? "")
        #expect(try fault.errorCode() == "malformedInput")
        #expect(try fault.object("error").string("file") == cut)
        #expect(try bench.run("contacts", "list", "--json").json().listRows().titles() == ["Zoe Smith"])
    }

    @Test("Malformed cards and rows are written to a file, and the status is 65")
    func rejected() throws {
        let cut = try bench.file("cut.vcf", Self.cut)
        let result = try bench.run("contacts", "import", cut)
        #expect(result.status == 65)
        #expect(result.errors.hasPrefix("switchboard: \(cut):"))
        #expect(try count() == "1\n")
        let rejected = try String(contentsOfFile: bench.path("cut.rejected.vcf"), encoding: .utf8)
        let card = Self.cut.dropFirst(Self.good.count) + "\n"
        #expect(rejected == card.replacing("\n", with: "\r\n"))
        #expect(result.errorLines.last?.contains("cut.rejected.vcf") == true)

        let table = try bench.file("table.csv", "Given Name,Notes\nAda,\"one\ntwo\"\nBo,\"a\" b\nCy,\n")
        let report = try report(bench.run("contacts", "import", table, "--json"))
        #expect(try report.integer("added") == 2)
        #expect(report.members["rejected"] as? [String] == [bench.path("table.rejected.csv")])
        let rows = try String(contentsOfFile: bench.path("table.rejected.csv"), encoding: .utf8)
        #expect(rows == "Given Name,Notes\r\nBo,\"a\" b\r\n")

        // Cards of standard input are written to the current folder.
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.currentDirectoryURL = URL(fileURLWithPath: bench.path("."))
        shell.arguments = ["-c", "\"$0\" --database input.sqlite --quiet contacts import - < cut.vcf", Bench.program]
        shell.standardOutput = FileHandle.nullDevice
        shell.standardError = FileHandle.nullDevice
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 65)
        #expect(try String(contentsOfFile: bench.path("import.rejected.vcf"), encoding: .utf8) == rejected)
    }

    @Test("--dry-run changes nothing, and --undo takes the last import back")
    func dryRunAndUndo() throws {
        let good = try bench.file("good.vcf", Self.good)
        #expect(try bench.run("contacts", "import", "--undo").status == 1)
        let dry = try bench.run("contacts", "import", good, "--dry-run")
        #expect(dry.output == "added 1, merged 0, unchanged 0\n" && dry.status == 0)
        #expect(try count() == "0\n")
        #expect(try bench.run("contacts", "import", good).output == dry.output)
        #expect(try bench.run("contacts", "import", "--undo", good).status == 64)
        let undone = try bench.run("contacts", "import", "--undo", "--json").json()
        #expect(try undone.integer("removed") == 1)
        #expect(try undone.string("importedAt").hasSuffix("Z"))
        #expect(try count() == "0\n")
        #expect(try bench.run("contacts", "import").status == 64)
    }

    @Test("Rejects a table with unknown columns")
    func wrongColumns() throws {
        let table = try bench.file("table.csv", "Colour,Weight\nred,3\nblue,4\n")
        let result = try bench.run("contacts", "import", table)
        #expect(result.status == 65)
        #expect(result.errors.contains("\(table):1"))
        #expect(try count() == "0\n")
    }

    @Test("Imports standard input; without any card it is malformed")
    func standardInput() throws {
        #expect(try bench.run(["contacts", "import", "-"], input: Self.good).status == 0)
        #expect(try count() == "1\n")
        #expect(try bench.run(["contacts", "import", "-"], input: "").status == 65)
        #expect(try bench.run(["contacts", "import", "-"], input: "hello\n").status == 65)
    }

    @Test("A missing file exits with 66 and a folder with 74, and nothing is stored")
    func missing() throws {
        let good = try bench.file("good.vcf", Self.good)
        let missing = try bench.run("contacts", "import", good, bench.path("none.vcf"))
        #expect(missing.status == 66)
        #expect(missing.output.isEmpty)
        #expect(missing.errorLines.count == 1)
        let folder = try bench.run("contacts", "import", good, bench.folder)
        #expect(folder.status == 74)
        #expect(folder.errors.contains("'switchboard contacts link \(bench.folder)' follows a folder"))
        #expect(try count() == "0\n")
        #expect(try bench.run("contacts", "import").status == 64)
    }

    @Test("The region of numbers comes from the option, the variable or the locale, in this order")
    func region() throws {
        let card = Self.good.replacingOccurrences(of: "+12125550123", with: "0532 123 45 67")
        let file = try bench.file("a.vcf", card)
        func number(_ arguments: [String], _ environment: [String: String]) throws -> JSONObject {
            let database = bench.path(UUID().uuidString + ".sqlite")
            let command = ["contacts", "import", file, "--database", database] + arguments
            #expect(try bench.run(command, environment: environment).status == 0)
            let rows = try bench.run("contacts", "list", "--json", "--database", database).json().listRows()
            return try #require(try rows.first?.object("contact").objects("phones").first)
        }
        #expect(try number([], [:]).isNull("e164"))
        #expect(try number(["--region", "TR"], ["LANG": "en_US.UTF-8"]).string("e164") == "+905321234567")
        #expect(try number([], ["SWITCHBOARD_REGION": "TR", "LANG": "en_US"]).string("e164") == "+905321234567")
        #expect(try number([], ["LANG": "tr_TR.UTF-8"]).string("e164") == "+905321234567")
        #expect(try bench.run("contacts", "import", file, "--region", "Turkey").status == 64)
    }

    // MARK: - Interruptions

    /// Starts an import through a pipe, which has read all cards and waits for more.
    private func halfway() throws -> InteractiveProcess {
        let conversation = try bench.start("contacts", "import", "-")
        for number in 0..<3_000 {
            conversation.send("BEGIN:VCARD\nVERSION:3.0\nFN:Person \(number)\nN:\(number);Person;;;\nEND:VCARD\n")
        }
        try eventually("the import has read the cards") { conversation.unreadCount == 0 }
        return conversation
    }

    @Test("A killed import stores nothing of the file")
    func killed() throws {
        let good = try bench.file("good.vcf", Self.good)
        #expect(try bench.run("contacts", "import", good).status == 0)
        let conversation = try halfway()
        conversation.child.send(SIGKILL)
        #expect(conversation.finish().signal == SIGKILL)
        #expect(try count() == "1\n")
        #expect(try bench.run("database", "check").status == 0)
        #expect(try bench.run("contacts", "find", "person", "--json").status == 1)
        #expect(try bench.run("contacts", "import", Bench.sample).status == 0)
    }

    @Test("Ctrl-C during an import stores nothing of the file and exits with 130")
    func interrupted() throws {
        let conversation = try halfway()
        conversation.child.send(SIGINT)
        #expect(conversation.finish().status == 130)
        #expect(try count() == "0\n")
        #expect(try bench.run("database", "check").status == 0)
    }
}
