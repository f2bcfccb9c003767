import Foundation
import Testing

/// Arguments of searches in any order, and errors in them.
@Suite("Arguments of searches")
struct SearchArgumentTests {
    @Test(
        "Unknown commands and languages are refused, with the nearest command",
        arguments: [
            (["help", "nothing"], "there is no command “nothing”"), (["contcts", "list"], "did you mean “contacts”?"),
            (["contacts", "lst"], "did you mean “list”?"),
            (["airports", "search", "paris", "--language", "xx"], "unknown language “xx”"),
        ])
    func unknownCommands(arguments: [String], message: String) throws {
        let result = try Bench().run(arguments)
        #expect(result.status == 64)
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(result.output.isEmpty)
    }

    @Test("Kinds in the plural, aliases and British spelling are accepted")
    func spellings() throws {
        let bench = try Bench.withSample()
        #expect(try bench.run("find", "jogo", "--kind", "contacts").status == 0)
        #expect(try bench.run("contacts", "ls").output == bench.run("contacts", "list").output)
        for command in [["contacts", "list"], ["contacts", "dial", "2"], ["find", "an"]] {
            let long = try bench.run(command + ["--limit", "3"])
            #expect(long.status == 0 && !long.lines.isEmpty)
            #expect(try bench.run(command + ["-n", "3"]).output == long.output)
            #expect(try bench.run(["-n", "3", "-q"] + command).output == long.output)
        }
        #expect(try bench.run("-V").output == bench.run("--version").output)
        let added = try bench.run("contacts", "add", "--name", "Ana Quux", "--organisation", "Initech", "--json").json()
        #expect(try added.object("contact").string("organization") == "Initech")
    }

    let bench: Bench

    init() throws {
        bench = try Bench.withSample()
    }

    @Test(
        "Are the same with a terminator at the end",
        arguments: [
            ["contacts", "dial", "5646"], ["contacts", "dial", "5646", "--json"],
            ["--json", "contacts", "dial", "6279", "533"],
            ["contacts", "--limit", "3", "dial", "2", "--json"], ["contacts", "dial", "2", "--limit", "0", "--json"],
            ["contacts", "find", "--json", "carmen", "diaz"], ["contacts", "find", "山", "--json"],
            ["contacts", "find", "nobody at all"], ["find", "rio", "--json"], ["find", "--keypad", "746", "--json"],
            ["find", "--json", "--json", "--quiet", "an"],
            ["airports", "search", "frankfrut", "--json", "--limit", "2"],
            ["airports", "dial", "372", "--json", "--no-color"],
            // Errors.
            ["contacts", "dial"], ["contacts", "dial", "x"], ["contacts", "dial", "", "--json"], ["find", "--json"],
            ["contacts", "dial", "2", "--limit", "-1"], ["contacts", "dial", "2", "--limit", "ten"],
            ["contacts", "dial", "2", "--database", ""],
            ["contacts", "dial", "2", "--keypad"], ["find", "--frob", "an"],
            ["contacts", "dial", "--batch", "2"], ["contacts", "--batch", "dial"], ["dial", "contacts", "2"],
            ["contacts", "dial", "2", "--limit", "1", "--limit", "2", "--json"], ["contacts", "find", "help"],
        ])
    func sameAnswer(arguments: [String]) throws {
        let plain = try bench.run(arguments)
        let parsed = try bench.run(arguments + ["--"])
        #expect(plain.status == parsed.status)
        #expect(Self.withoutTime(plain.output) == Self.withoutTime(parsed.output))
        #expect(plain.errors == parsed.errors)
    }

    @Test("Are read in batches, and help names the whole command")
    func batchAndHelp() throws {
        let plain = try bench.run(["contacts", "dial", "--batch"], input: "5646\nx\n2\n")
        let parsed = try bench.run(["contacts", "dial", "--batch", "--"], input: "5646\nx\n2\n")
        #expect(plain.lines.count == 3)
        #expect(plain.status == parsed.status)
        #expect(Self.withoutTime(plain.output) == Self.withoutTime(parsed.output))
        #expect(try bench.run("contacts", "dial", "5646", "--help").output.contains("USAGE: switchboard contacts dial"))
    }

    /// Removes the elapsed time from a response.
    private static func withoutTime(_ answer: String) -> String {
        answer.replacing(/"elapsedMicroseconds": [0-9.]+/, with: "")
    }
}
