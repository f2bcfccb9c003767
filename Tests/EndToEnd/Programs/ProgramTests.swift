import Foundation
import Glibc
import Testing

@Suite("Program")
struct ProgramTests {
    /// A database that does not exist.
    private static let missing = "/nonexistent/people.sqlite"

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
        // Names are those of the database, which this program looks up.
        #expect(result.output.contains("---completion"))
        #expect(result.output.contains("contact prospect airport item") || result.output.contains("'prospect'"))
    }

    @Test(
        "Completion in bash offers files, groups, names, kinds and commands, and runs nothing",
        arguments: [
            ("switchboard contacts import car", ["cards.vcf"]), ("switchboard database backup car", ["cards.vcf"]),
            ("switchboard prospects scan car", ["cards.vcf"]), ("switchboard contacts photo x car", ["cards.vcf"]),
            ("switchboard contacts list --group Sai", ["Sailors"]),
            ("switchboard contacts edit x --group Sai", ["Sailors"]),
            ("switchboard find --kind air", ["airport"]), ("switchboard contacts fav", ["favourite"]),
            ("switchboard contacts edit An", ["Ana"]), ("switchboard contacts call an", ["ana"]),
            ("switchboard contacts remove Ev", ["Evil $(touch pwned) O'Brien"]),
            ("switchboard airports choose LHR", ["LHR"]), ("switchboard contacts list --columns birth", ["birthday"]),
            ("switchboard contacts call --database \(missing) A", []),
        ])
    func bashCompletion(line: String, expected: [String]) throws {
        _ = try bench.file("cards.vcf", "")
        #expect(try bench.run("contacts", "add", "--name", "Ana", "--group", "Sailors").status == 0)
        #expect(try bench.run("contacts", "add", "--name", "Evil $(touch pwned) O'Brien").status == 0)
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
        #expect(!FileManager.default.fileExists(atPath: bench.path("pwned")))
    }

    @Test(
        "Completion in zsh and fish describes names",
        arguments: [("zsh", "Ana:"), ("fish", "Ana\t"), ("bash", "Ana")])
    func describedCompletion(shell: String, expected: String) throws {
        let id = try bench.run("contacts", "add", "--name", "Ana", "--json").json().string("id")
        let result = try bench.run(
            [
                "---completion", "contacts", "call", "--", "positional@0", "3", "1", "switchboard", "contacts", "call",
                "A",
            ],
            environment: ["SAP_SHELL": shell])
        let line = shell == "bash" ? expected : expected + id
        #expect(
            result.output.split(separator: "\n").map(String.init).contains(line), "\(result.output) \(result.errors)")
    }

    @Test("Names that begin with the typed letters are completed behind many with the whole word")
    func commonWords() throws {
        let names = (1...60).map { "Zoe\($0) Mar" } + ["Maria Silva", "Mar Font"]
        let cards = names.map { "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:\($0)\r\nEND:VCARD\r\n" }.joined()
        let file = try bench.file("many.vcf", cards)
        #expect(try bench.run("contacts", "import", file).status == 0)
        let result = try bench.run(
            [
                "---completion", "contacts", "call", "--", "positional@0", "3", "3", "switchboard", "contacts", "call",
                "Mar",
            ],
            environment: ["SAP_SHELL": "bash"])
        #expect(
            Set(result.output.split(separator: "\n").map(String.init)) == ["Maria\\ Silva", "Mar\\ Font"],
            "\(result.output)")
    }

    @Test(
        "A mistyped command or option is answered with the right one at each level",
        arguments: [
            (["contacts", "serach"], "did you mean “search”?", "switchboard contacts --help"),
            (["contcats"], "did you mean “contacts”?", "switchboard --help"),
            (["import", "x.vcf"], "did you mean “contacts import”?", "switchboard --help"),
            (["undo"], "use --undo of the command", "switchboard --help"),
            (["--versoin"], "did you mean '--version'?", "switchboard --help"),
            (["contacts", "list", "--colums", "name"], "--columns", "switchboard contacts list --help"),
            (["contacts", "export", "out.vcf"], "use > out.vcf", nil),
        ] as [([String], String, String?)])
    func typos(arguments: [String], message: String, help: String?) throws {
        let result = try bench.run(arguments)
        #expect(result.status == 64 && result.output.isEmpty)
        #expect(result.errorLines.first?.contains(message) == true, "\(result.errors)")
        if let help { #expect(result.errorLines.last == "switchboard: run '\(help)' for the options and arguments") }
    }

    @Test("The words of other programs are commands, too")
    func synonyms() throws {
        #expect(try bench.run("contacts", "new", "--name", "Ana Smith", "--phone", "+442079460018").status == 0)
        #expect(try bench.run("search", "ana").output.contains("Ana Smith"))
        #expect(try bench.run("contacts", "search", "ana").output.contains("Ana Smith"))
        let card = try bench.run("contacts", "show", "ana smith", "--format", "vcard").output
        #expect(card.hasPrefix("BEGIN:VCARD\r\nVERSION:3.0\r\n") && card.contains("FN:Ana Smith"))
        #expect(try bench.run("contacts", "export", "ana smith").output == card)
        #expect(
            try bench.run("contacts", "find", "ana", "--columns", "name,phone").output == "Ana Smith  +442079460018\n")
        #expect(
            try bench.run("contacts", "find", "5646").errors.contains(
                "'switchboard contacts dial 5646' reads the digits"))
        #expect(
            try bench.run("airports", "nearest", "52.5 13.4", "--radius", "0").errors
                == "no airport within 0 km of 52.5 13.4\n")
        #expect(try bench.run("airports", "choose", "paris", "--json").json().string("id") == "PAR")
        #expect(try bench.run("contacts", "delete", "ana smith").status == 0)
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
