import Foundation
import Glibc
import Testing

@Suite("Program")
struct ProgramTests {
    let bench: Bench

    init() throws {
        bench = try Bench()
    }

    @Test(
        "Prints help and version on standard output",
        arguments: [
            ["--help"], ["--version"], ["contacts", "--help"], ["contacts", "dial", "-h"], ["help", "airports"],
            ["--json", "--help"],
        ])
    func help(arguments: [String]) throws {
        let result = try bench.run(arguments)
        #expect(result.status == 0)
        #expect(!result.output.isEmpty)
        #expect(result.errors.isEmpty)
    }

    @Test("Generates completion scripts", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) throws {
        let result = try bench.run("--generate-completion-script", shell)
        #expect(result.status == 0)
        #expect(result.output.contains("nearest"))
        // Groups and identifiers are those of the database.
        #expect(result.output.contains("switchboard contacts groups --json"))
        #expect(result.output.contains("switchboard contacts list --format tsv --columns id"))
        #expect(result.output.contains("contact prospect airport item") || result.output.contains("'prospect'"))
    }

    @Test(
        "Completion in bash offers files, groups, identifiers, kinds and commands",
        arguments: [
            ("switchboard contacts import car", ["cards.vcf"]), ("switchboard database backup car", ["cards.vcf"]),
            ("switchboard prospects scan car", ["cards.vcf"]), ("switchboard contacts photo x car", ["cards.vcf"]),
            ("switchboard contacts list --group Sai", ["Sailors"]),
            ("switchboard contacts edit x --group Sai", ["Sailors"]),
            ("switchboard find --kind air", ["airport"]), ("switchboard contacts fav", ["favourite"]),
        ])
    func bashCompletion(line: String, expected: [String]) throws {
        _ = try bench.file("cards.vcf", "")
        #expect(try bench.run("contacts", "add", "--name", "Ana", "--group", "Sailors").status == 0)
        let script = try bench.file("completion.bash", bench.run("--generate-completion-script", "bash").output)
        // The script calls the program by its name.
        try FileManager.default.createDirectory(atPath: bench.path("bin"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: bench.path("bin/switchboard"), withDestinationPath: Bench.program)
        let test = """
            cd '\(bench.folder)'; PATH='\(bench.path("bin"))':$PATH; . '\(script)'
            COMP_LINE='\(line)'; COMP_POINT=${#COMP_LINE}; COMP_WORDS=($COMP_LINE); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _switchboard switchboard "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let output = try bench.file("completed", "")
        let shell = try ChildProcess(
            ["-c", test], of: "/bin/bash",
            environment: ["HOME": bench.folder, "PATH": "/usr/bin:/bin", "SWITCHBOARD_DATABASE": bench.database],
            streams: [.path("/dev/null"), .path(output), .path(output)])
        _ = shell.wait()
        let completed = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(completed == expected)
    }

    @Test(
        "Invalid usage exits with 64 and prints an error and a hint, or only an error as JSON",
        arguments: [
            ["frob"], ["contacts", "frob"], ["contacts", "dial", "--frob"], ["contacts", "show"],
            ["contacts", "count", "x"],
            ["airports", "show", "--language"], ["--database", "", "contacts", "count"],
            ["contacts", "list", "--limit", "-1"],
        ])
    func usage(arguments: [String]) throws {
        let result = try bench.run(arguments)
        #expect(result.status == 64)
        #expect(result.output.isEmpty)
        #expect(result.errorLines.count == 2)
        #expect(result.errorLines.last?.contains("--help") == true)
        let json = try bench.run(["--json"] + arguments)
        #expect(json.status == 64)
        #expect(json.output.isEmpty)
        #expect(json.errorLines.count == 1)
        #expect(try JSONObject(line: json.errors).errorCode() == "usage")
    }

    @Test("keypad digits does not create a database")
    func digits() throws {
        let result = try bench.run("keypad", "digits", "Rio", "Grande")
        #expect(result.output == "7460472633\n")
        let json = try bench.run("keypad", "digits", "Rio", "--json").json()
        try json.check(["digits"])
        #expect(try bench.run("keypad", "digits", "!!!").status == 1)
        #expect(!FileManager.default.fileExists(atPath: bench.database))
    }

    @Test("Exits with 74 if output cannot be written, and ends quietly on a closed pipe")
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
        conversation.closeOutput()
        conversation.send("carmen\n")
        let result = conversation.finish()
        #expect(result.signal == SIGPIPE)
        #expect(result.errors.isEmpty)
    }

    @Test("Escapes control characters of names in all output")
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
            let result = try bench.run(arguments)
            for text in [result.output, result.errors] {
                let raw = text.unicodeScalars.filter { scalar in
                    (scalar.value < 0x20 && scalar != "\n") || (0x7F..<0xA0).contains(scalar.value)
                        || scalar == "\u{202E}"
                }
                #expect(raw.isEmpty, "\(arguments)")
            }
        }
    }

    @Test("Aligns columns of names in any script, even with LANG=C")
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
