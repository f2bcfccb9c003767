import Foundation
import SwitchboardTestSupport
import Testing

@Suite("--batch")
struct BatchTests {
    let bench: Bench

    init() throws {
        bench = try Bench.withSample()
    }

    @Test(
        "Answers each line of input with one line of JSON, in order",
        arguments: [
            ["contacts", "dial"], ["contacts", "find"], ["airports", "search"], ["airports", "dial"],
            ["find", "--keypad"],
            ["find"], ["airports", "nearest", "--radius", "100"],
        ])
    func inOrder(command: [String]) throws {
        let isPlace = command.contains("nearest")
        let queries = isPlace ? ["59.93,30.33", "-33.9,18.4", " 0 , 0 "] : ["5646", "", "253", "2", "000"]
        let result = try bench.run(command + ["--batch"], input: queries.joined(separator: "\n") + "\n")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.isEmpty)
        let answers = try result.lines.map(JSONObject.init(line:))
        #expect(try answers.map { try $0.string("query") } == queries)
        for answer in answers { #expect(try answer.searchRows().count <= 10) }
    }

    @Test("An invalid line is answered with an error, and the exit status is 65")
    func badLines() throws {
        let result = try bench.run(["contacts", "dial", "--batch", "--limit", "1"], input: "5646\n56x\n5646")
        #expect(result.status == 65)
        let answers = try result.lines.map(JSONObject.init(line:))
        #expect(answers.count == 3)
        #expect(try answers[1].errorCode() == "notAKey")
        #expect(try answers[1].string("query") == "56x")
        #expect(try answers[0].searchRows().ids() == answers[2].searchRows().ids())
        let places = try bench.run(["airports", "nearest", "--batch"], input: "91,0\nhere\n\n59.93,30.33\n")
        #expect(places.status == 65)
        #expect(
            try places.lines.prefix(3).map { try JSONObject(line: $0).errorCode() }
                == ["latitudeOutOfRange", "notACoordinate", "notACoordinate"])
    }

    @Test("Accepts CR LF line endings and rejects lines that are too long or not UTF-8")
    func oddLines() throws {
        #expect(try bench.run(["contacts", "dial", "--batch"], input: "").output.isEmpty)
        let windows = try bench.run(["contacts", "dial", "--batch"], input: "5646\r\n5646\r\n")
        #expect(try windows.lines.map { try JSONObject(line: $0).string("query") } == ["5646", "5646"])
        let long = try bench.run(
            ["contacts", "find", "--batch"], input: String(repeating: "a", count: 300_000) + "\ncarmen\n")
        #expect(long.status == 65)
        #expect(long.lines.count == 2)
        #expect(try JSONObject(line: long.lines[0]).errorCode() == "malformedInput")
        #expect(try JSONObject(line: long.lines[1]).searchRows().isEmpty == false)
        let conversation = try bench.start("contacts", "find", "--batch")
        conversation.send(bytes: [0x61, 0xFF, 0x0A])
        #expect(try JSONObject(line: conversation.readLine() ?? "").errorCode() == "malformedInput")
        #expect(conversation.finish().status == 65)
    }

    @Test("Flushes answers when input pauses, and continues afterwards")
    func conversation() throws {
        let conversation = try bench.start("contacts", "dial", "--batch", "--limit", "1")
        for _ in 0..<3 {
            conversation.send("5646\n")
            #expect(try JSONObject(line: conversation.readLine() ?? "").searchRows().titles() == ["Jogo"])
        }
        conversation.send("74647\n5646\n")
        #expect(try JSONObject(line: conversation.readLine() ?? "").string("query") == "74647")
        #expect(try JSONObject(line: conversation.readLine() ?? "").string("query") == "5646")
        let result = conversation.finish()
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
    }

    @Test("The next query finds a contact that another process added")
    func freshness() throws {
        let conversation = try bench.start("contacts", "find", "--batch")
        conversation.send("zyxwvu\n")
        #expect(try JSONObject(line: conversation.readLine() ?? "").searchRows().isEmpty)
        #expect(try bench.run("contacts", "add", "--name", "Zyxwvu Newcomer").status == 0)
        conversation.send("zyxwvu\n")
        #expect(try JSONObject(line: conversation.readLine() ?? "").searchRows().titles() == ["Zyxwvu Newcomer"])
        #expect(conversation.finish().status == 0)
    }

    @Test(
        "The memory of answers is released",
        arguments: [
            ["contacts", "find"], ["contacts", "dial"], ["prospects", "find"], ["airports", "search"],
            ["airports", "dial"], ["index", "search"], ["find"], ["find", "--keypad"],
        ])
    func releasesMemory(command: [String]) throws {
        let conversation = try bench.start(command + ["--batch"])
        let isKeypad = command.contains { ["dial", "--keypad"].contains($0) }
        let letters = isKeypad ? "23456789" : "abcdefghijklmnopqrstuvwxyz йц"
        let words =
            isKeypad ? ["5646", "7467", "568367", "24723"] : ["carmen", "london heathrow", "пекин", "new york"]
        func ask() throws {
            var random = SplitMix(seed: 7)
            for _ in 0..<750 {
                // A beginning of a word, of which one letter may be wrong.
                var query = Array(
                    (words.randomElement(using: &random) ?? "").prefix(.random(in: 1...12, using: &random)))
                if Bool.random(using: &random), let letter = letters.randomElement(using: &random) {
                    query[query.indices.randomElement(using: &random) ?? 0] = letter
                }
                conversation.send(String(query) + "\n")
                _ = try #require(conversation.readLine())
            }
        }
        // The same queries twice, because the rows of airports are kept when they are first found.
        try ask()
        let before = try conversation.privateMemory()
        try ask()
        let growth = try conversation.privateMemory() - before
        #expect(growth < 1 << 10, "\(growth) KiB")
        #expect(conversation.finish().status == 0)
    }

    @Test("keypad digits converts many texts")
    func digits() throws {
        let result = try bench.run(["keypad", "digits", "--batch"], input: "Rio Grande\nO'Connor\n\nИван\n")
        #expect(result.status == 0)
        let answers = try result.lines.map(JSONObject.init(line:))
        for answer in answers { try answer.check(["query", "digits"]) }
        #expect(try answers.map { try $0.string("digits") } == ["7460472633", "61266667", "", "4225"])
    }

    @Test("Rejects a query with --batch, and neither of them")
    func usage() throws {
        #expect(try bench.run("contacts", "dial", "--batch", "5646").status == 64)
        #expect(try bench.run("contacts", "dial").status == 64)
    }
}
