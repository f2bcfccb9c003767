import Foundation
import Glibc
import Testing

@Suite("The program as a whole")
struct ProgramTests {
    let bench: Bench

    init() throws {
        bench = try Bench()
    }

    @Test(
        "Help and version go to standard output",
        arguments: [
            ["--help"], ["--version"], ["contacts", "--help"], ["contacts", "dial", "-h"], ["help", "airports"],
            ["--json", "--help"],
        ])
    func help(arguments: [String]) throws {
        let ending = try bench.run(arguments)
        #expect(ending.status == 0)
        #expect(!ending.output.isEmpty)
        #expect(ending.errors.isEmpty)
    }

    @Test("Completion scripts", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) throws {
        let ending = try bench.run("--generate-completion-script", shell)
        #expect(ending.status == 0)
        #expect(ending.output.contains("nearest"))
    }

    @Test(
        "Wrong usage is 64, one line and a hint; as JSON an error alone",
        arguments: [
            ["frob"], ["contacts", "frob"], ["contacts", "dial", "--frob"], ["contacts", "show"],
            ["contacts", "count", "x"],
            ["airports", "show", "--language"], ["--database", "", "contacts", "count"],
            ["contacts", "list", "--limit", "-1"],
        ])
    func usage(arguments: [String]) throws {
        let ending = try bench.run(arguments)
        #expect(ending.status == 64)
        #expect(ending.output.isEmpty)
        #expect(ending.errorLines.count == 2)
        #expect(ending.errorLines.last?.contains("--help") == true)
        let json = try bench.run(["--json"] + arguments)
        #expect(json.status == 64)
        #expect(json.output.isEmpty)
        #expect(json.errorLines.count == 1)
        #expect(try Object(line: json.errors).faultCode() == "usage")
    }

    @Test("keypad digits needs no database")
    func digits() throws {
        let ending = try bench.run("keypad", "digits", "Rio", "Grande")
        #expect(ending.output == "7460472633\n")
        let json = try bench.run("keypad", "digits", "Rio", "--json").json()
        try json.check(["digits"])
        #expect(try bench.run("keypad", "digits", "!!!").status == 1)
        #expect(!FileManager.default.fileExists(atPath: bench.database))
    }

    @Test("Output that cannot be written is 74; output nobody reads ends quietly")
    func outputFails() throws {
        #expect(try bench.run("contacts", "import", Bench.sample).status == 0)
        let full = try bench.run(["contacts", "export"], streams: [1: "/dev/full"])
        #expect(full.status == 74)
        #expect(full.errorLines.count == 1)
        let closed = try bench.run(["contacts", "count"], closing: [1])
        #expect(closed.status == 74)
        #expect(try bench.run(["contacts", "count"], closing: [0, 2]).output == "342\n")
        #expect(try bench.run("database", "check").status == 0)

        let conversation = try bench.start("contacts", "find", "--batch")
        conversation.stopListening()
        conversation.say("carmen\n")
        let ending = conversation.end()
        #expect(ending.signal == SIGPIPE)
        #expect(ending.errors.isEmpty)
    }

    @Test("Names cannot command the terminal, in no kind of output")
    func controlCharacters() throws {
        let name = "Evil\u{1B}[2J\u{9B}31m\u{7}\u{202E}Name"
        let added = try bench.run(["contacts", "add", "--name", name, "--note", "a\u{1B}c\nb", "--json"])
        #expect(added.status == 0)
        let id = try added.json().string("id")
        #expect(try added.json().object("contact").string("name") == name)
        for arguments in [
            ["contacts", "list"], ["contacts", "list", "--json"], ["contacts", "show", id],
            ["contacts", "find", "evil"],
            ["contacts", "find", "\u{1B}[2Jxx"], ["contacts", "show", "\u{1B}[2Jxx\n"],
            ["airports", "show", "\u{1B}[2J"],
        ] {
            let ending = try bench.run(arguments)
            for text in [ending.output, ending.errors] {
                let raw = text.unicodeScalars.filter { scalar in
                    (scalar.value < 0x20 && scalar != "\n") || (0x7F..<0xA0).contains(scalar.value)
                        || scalar == "\u{202E}"
                }
                #expect(raw.isEmpty, "\(arguments)")
            }
        }
    }

    @Test("Columns stand below each other, whatever the letters, also with LANG=C")
    func alignment() throws {
        for name in ["Ana", "山田太郎", "김민준", "Zoe\u{301}"] {
            #expect(try bench.run("contacts", "add", "--name", name, "--phone", "+1 212 555 0123").status == 0)
        }
        let lines = try bench.run("contacts", "list").lines
        let widths = Set(
            lines.compactMap { line in
                line.range(of: "+1 212").map { range in
                    line[..<range.lowerBound].unicodeScalars.reduce(0) { sum, scalar in
                        sum + (scalar.value >= 0x1100 ? 2 : scalar == "\u{301}" ? 0 : 1)
                    }
                }
            })
        #expect(lines.count == 4)
        #expect(widths.count == 1)
    }
}
