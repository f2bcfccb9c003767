import Foundation
import Glibc
import Testing

@Suite("contacts import")
struct ImportCommandTests {
    let bench: Bench

    init() throws {
        bench = try Bench()
    }

    static let good = "BEGIN:VCARD\nVERSION:3.0\nFN:Ana Smith\nN:Smith;Ana;;;\nTEL:+12125550123\nEND:VCARD\n"
    static let cut = good + "BEGIN:VCARD\nVERSION:3.0\nFN:Bo Lee\nN:Lee;Bo"

    private func report(_ ending: Ending) throws -> Object {
        let report = try ending.json()
        try report.check(["added", "merged", "unchanged", "skipped"])
        for skipped in try report.objects("skipped") {
            try skipped.check(["file", "line", "reason"], optional: ["column"])
        }
        return report
    }

    private func count() throws -> String { try bench.run("contacts", "count").output }

    @Test("The sample comes in whole; a second time nothing changes")
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

    @Test("A vCard cut in the middle: the file is refused whole, its place named, the other file kept")
    func cutCard() throws {
        let good = try bench.file("good.vcf", Self.good.replacingOccurrences(of: "Ana", with: "Zoe"))
        let cut = try bench.file("cut.vcf", Self.cut)
        let ending = try bench.run("contacts", "import", cut, good, "--json")
        #expect(ending.status == 65)
        let report = try report(ending)
        #expect(try report.integer("added") == 1)
        let skipped = try report.objects("skipped")
        #expect(try skipped.first?.string("file") == cut)
        #expect(try skipped.first?.integer("line") ?? 0 >= 7)
        let fault = try Object(line: ending.errorLines.first ?? "")
        #expect(try fault.faultCode() == "malformedInput")
        #expect(try fault.object("error").string("file") == cut)
        #expect(try bench.run("contacts", "list", "--json").json().listRows().titles() == ["Zoe Smith"])
    }

    @Test("The good cards of a malformed file are kept if asked for, the status stays 65")
    func keepGood() throws {
        let cut = try bench.file("cut.vcf", Self.cut)
        let ending = try bench.run("contacts", "import", cut, "--keep-good")
        #expect(ending.status == 65)
        #expect(ending.errorLines.count == 1)
        #expect(ending.errors.hasPrefix("switchboard: \(cut):"))
        #expect(try count() == "1\n")
    }

    @Test("A table with the wrong columns is malformed, and nothing is stored")
    func wrongColumns() throws {
        let table = try bench.file("table.csv", "Colour,Weight\nred,3\nblue,4\n")
        let ending = try bench.run("contacts", "import", table)
        #expect(ending.status == 65)
        #expect(ending.errors.contains("\(table):1"))
        #expect(try count() == "0\n")
    }

    @Test("Standard input is a file too; without any card it is malformed")
    func standardInput() throws {
        #expect(try bench.run(["contacts", "import", "-"], input: Self.good).status == 0)
        #expect(try count() == "1\n")
        #expect(try bench.run(["contacts", "import", "-"], input: "").status == 65)
        #expect(try bench.run(["contacts", "import", "-"], input: "hello\n").status == 65)
    }

    @Test("A missing file is 66, a folder 74, and nothing of the call is stored")
    func missing() throws {
        let good = try bench.file("good.vcf", Self.good)
        let missing = try bench.run("contacts", "import", good, bench.path("none.vcf"))
        #expect(missing.status == 66)
        #expect(missing.output.isEmpty)
        #expect(missing.errorLines.count == 1)
        #expect(try bench.run("contacts", "import", good, bench.folder).status == 74)
        #expect(try count() == "0\n")
        #expect(try bench.run("contacts", "import").status == 64)
    }

    @Test("The region is for numbers without a country code: option, then variable, then locale")
    func region() throws {
        let card = Self.good.replacingOccurrences(of: "+12125550123", with: "0532 123 45 67")
        let file = try bench.file("a.vcf", card)
        func number(_ arguments: [String], _ environment: [String: String]) throws -> Object {
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

    // MARK: - Ended in the middle

    /// Many cards through a pipe: some are taken in, then the program waits for more.
    private func halfway() throws -> Conversation {
        let conversation = try bench.start("contacts", "import", "-")
        for number in 0..<3_000 {
            conversation.say("BEGIN:VCARD\nVERSION:3.0\nFN:Person \(number)\nN:\(number);Person;;;\nEND:VCARD\n")
        }
        return conversation
    }

    @Test("A process killed in the middle of an import leaves nothing of that file")
    func killed() throws {
        let good = try bench.file("good.vcf", Self.good)
        #expect(try bench.run("contacts", "import", good).status == 0)
        let conversation = try halfway()
        usleep(200_000)
        conversation.running.send(SIGKILL)
        #expect(conversation.end().signal == SIGKILL)
        #expect(try count() == "1\n")
        #expect(try bench.run("database", "check").status == 0)
        #expect(try bench.run("contacts", "find", "person", "--json").status == 1)
        #expect(try bench.run("contacts", "import", Bench.sample).status == 0)
    }

    @Test("Ctrl-C in the middle of an import leaves nothing of that file and ends with 130")
    func interrupted() throws {
        let conversation = try halfway()
        usleep(200_000)
        conversation.running.send(SIGINT)
        #expect(conversation.end().status == 130)
        #expect(try count() == "0\n")
        #expect(try bench.run("database", "check").status == 0)
    }
}
