import Foundation
import Testing

@Suite("contacts find --format")
struct LineFormatTests {
    let bench: Bench

    init() throws {
        bench = try Bench()
        let cards = [
            """
            FN:Ana Smith\r\nORG:Initech\r\nTITLE:Clerk\r\nEMAIL;TYPE=HOME:ana@example.org\r\nEMAIL:a.smith@example.com\r
            TEL:0532 123 45 67\r\nNOTE:met in Bergen\\nlikes\ttea\r\nBDAY:1980-04-15\r\nUID:1
            """,
            "FN:Ana\\nTab\tbed \u{1B}[31m\r\nEMAIL:tab@example.org\r\nUID:2",
            "FN:Ana Nomail\r\nTEL:+1 212 555 0100\r\nUID:3",
        ]
        let text = cards.map { "BEGIN:VCARD\r\nVERSION:3.0\r\n\($0)\r\nEND:VCARD\r\n" }.joined()
        let result = try bench.run("contacts", "import", try bench.file("a.vcf", text), "--region", "TR")
        #expect(result.output == "added 3, merged 0, unchanged 0\n", "\(result.errors)")
    }

    private func find(_ arguments: String...) throws -> RunResult { try bench.run(["contacts", "find"] + arguments) }

    @Test("mutt: a message, then address, name, label and company")
    func mutt() throws {
        let result = try find("smith", "--format", "mutt")
        #expect(result.status == 0)
        #expect(
            result.lines == [
                "2 addresses", "ana@example.org\tAna Smith\thome, Initech", "a.smith@example.com\tAna Smith\tInitech",
            ])
        #expect(result.errors.isEmpty)
    }

    @Test("abook: an empty message and the note, or Not found with status 1")
    func abook() throws {
        #expect(
            try find("smith", "--format", "abook").lines == [
                "", "ana@example.org\tAna Smith\tmet in Bergen likes tea",
                "a.smith@example.com\tAna Smith\tmet in Bergen likes tea",
            ])
        for text in ["zzzzzzzz", "nomail"] {
            let nobody = try find(text, "--format", "abook")
            #expect(nobody.status == 1)
            #expect(nobody.output == "Not found\n")
            #expect(nobody.errors.isEmpty)
            #expect(try find(text, "--format", "mutt").lines.count == 1)
            #expect(try find(text, "--format", "mutt").status == 1)
        }
    }

    @Test("tsv: one line with nine fields per contact, without a heading")
    func tsv() throws {
        let result = try find("smith", "--format", "tsv")
        let id = try find("smith", "--json").json().objects("results").ids()[0]
        #expect(
            result.lines == [
                "Ana Smith\tana@example.org\t+905321234567\tInitech\tClerk\t\t1980-04-15\t0\t\(id)"
            ])
        #expect(try find("nomail", "--format", "tsv").lines.count == 1)
        let nobody = try find("zzzzzzzz", "--format", "tsv")
        #expect(nobody.status == 1)
        #expect(nobody.output.isEmpty)
    }

    @Test("Sanitizes tabs, line breaks and escape codes in values", arguments: ["mutt", "abook", "tsv"])
    func harmless(format: String) throws {
        let result = try find("bed", "--format", format)
        let line = try #require(result.lines.last)
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        #expect(fields.count == (format == "tsv" ? 9 : 3))
        #expect(fields.contains("Ana Tab bed ␛[31m"))
        #expect(!result.output.contains("\u{1B}"))
    }

    @Test("The limit counts contacts with a line")
    func limit() throws {
        let cards = (0..<60).map { number in
            let mail = number == 59 ? "EMAIL:last@example.org\r\n" : ""
            let name = String(format: "Xaver %02d", number)
            return "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:\(name)\r\n\(mail)UID:x\(number)\r\nEND:VCARD\r\n"
        }
        #expect(try bench.run("contacts", "import", bench.file("x.vcf", cards.joined())).status == 0)
        for limit in ["1", "2", "0"] {
            let result = try find("xaver", "--format", "mutt", "--limit", limit)
            #expect(result.lines == ["1 address", "last@example.org\tXaver 59\t"])
        }
        #expect(try find("ana", "--format", "mutt", "--limit", "1").lines.count <= 3)
    }

    @Test("dial supports the formats; conflicting options are rejected")
    func others() throws {
        let result = try bench.run("contacts", "dial", "76484", "--format", "abook")
        #expect(result.lines.count == 3)
        #expect(try bench.run("contacts", "dial", "56a", "--format", "abook").status == 64)
        #expect(try find("ana", "--format", "pine").status == 64)
        #expect(try find("ana", "--format", "mutt", "--json").status == 64)
        #expect(try bench.run("contacts", "find", "--batch", "--format", "mutt").status == 64)
        #expect(try find("--format", "mutt", "--", "smith").lines.count == 3)
    }
}
