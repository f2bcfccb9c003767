import Foundation
import Testing

@Suite("--batch")
struct BatchTests {
    let bench: Bench

    init() throws {
        bench = try Bench.withSample()
    }

    @Test(
        "Each line of input gets one line of JSON, in order",
        arguments: [
            ["contacts", "dial"], ["contacts", "find"], ["airports", "search"], ["airports", "dial"],
            ["find", "--keypad"],
            ["find"], ["airports", "nearest", "--radius", "100"],
        ])
    func inOrder(command: [String]) throws {
        let isPlace = command.contains("nearest")
        let queries = isPlace ? ["59.93,30.33", "-33.9,18.4", " 0 , 0 "] : ["5646", "", "253", "2", "000"]
        let ending = try bench.run(command + ["--batch"], input: queries.joined(separator: "\n") + "\n")
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.errors.isEmpty)
        let answers = try ending.lines.map(Object.init(line:))
        #expect(try answers.map { try $0.string("query") } == queries)
        for answer in answers { #expect(try answer.searchRows().count <= 10) }
    }

    @Test("A bad line gets its error, the others their answers, and the status is 65")
    func badLines() throws {
        let ending = try bench.run(["contacts", "dial", "--batch", "--limit", "1"], input: "5646\n56x\n5646")
        #expect(ending.status == 65)
        let answers = try ending.lines.map(Object.init(line:))
        #expect(answers.count == 3)
        #expect(try answers[1].faultCode() == "notAKey")
        #expect(try answers[1].string("query") == "56x")
        #expect(try answers[0].searchRows().ids() == answers[2].searchRows().ids())
        let places = try bench.run(["airports", "nearest", "--batch"], input: "91,0\nhere\n\n59.93,30.33\n")
        #expect(places.status == 65)
        #expect(
            try places.lines.prefix(3).map { try Object(line: $0).faultCode() }
                == ["latitudeOutOfRange", "notACoordinate", "notACoordinate"])
    }

    @Test("No line, no answer; line ends of Windows count; a line that is no text or far too long is bad")
    func oddLines() throws {
        #expect(try bench.run(["contacts", "dial", "--batch"], input: "").output.isEmpty)
        let windows = try bench.run(["contacts", "dial", "--batch"], input: "5646\r\n5646\r\n")
        #expect(try windows.lines.map { try Object(line: $0).string("query") } == ["5646", "5646"])
        let long = try bench.run(
            ["contacts", "find", "--batch"], input: String(repeating: "a", count: 300_000) + "\ncarmen\n")
        #expect(long.status == 65)
        #expect(long.lines.count == 2)
        #expect(try Object(line: long.lines[0]).faultCode() == "malformedInput")
        #expect(try Object(line: long.lines[1]).searchRows().isEmpty == false)
        let conversation = try bench.start("contacts", "find", "--batch")
        conversation.say(bytes: [0x61, 0xFF, 0x0A])
        #expect(try Object(line: conversation.hear() ?? "").faultCode() == "malformedInput")
        #expect(conversation.end().status == 65)
    }

    @Test("Answers come when input pauses, and the next question is answered by the same process")
    func conversation() throws {
        let conversation = try bench.start("contacts", "dial", "--batch", "--limit", "1")
        for _ in 0..<3 {
            conversation.say("5646\n")
            #expect(try Object(line: conversation.hear() ?? "").searchRows().titles() == ["Jogo"])
        }
        conversation.say("74647\n5646\n")
        #expect(try Object(line: conversation.hear() ?? "").string("query") == "74647")
        #expect(try Object(line: conversation.hear() ?? "").string("query") == "5646")
        let ending = conversation.end()
        #expect(ending.status == 0)
        #expect(ending.errors.isEmpty)
    }

    @Test("What another process stores is found by the next question")
    func freshness() throws {
        let conversation = try bench.start("contacts", "find", "--batch")
        conversation.say("zyxwvu\n")
        #expect(try Object(line: conversation.hear() ?? "").searchRows().isEmpty)
        #expect(try bench.run("contacts", "add", "--name", "Zyxwvu Newcomer").status == 0)
        conversation.say("zyxwvu\n")
        #expect(try Object(line: conversation.hear() ?? "").searchRows().titles() == ["Zyxwvu Newcomer"])
        #expect(conversation.end().status == 0)
    }

    @Test("Digits for many texts")
    func digits() throws {
        let ending = try bench.run(["keypad", "digits", "--batch"], input: "Rio Grande\nO'Connor\n\nИван\n")
        #expect(ending.status == 0)
        let answers = try ending.lines.map(Object.init(line:))
        for answer in answers { try answer.check(["query", "digits"]) }
        #expect(try answers.map { try $0.string("digits") } == ["7460472633", "61266667", "", "4225"])
    }

    @Test("A query beside --batch is wrong usage, and so is neither")
    func usage() throws {
        #expect(try bench.run("contacts", "dial", "--batch", "5646").status == 64)
        #expect(try bench.run("contacts", "dial").status == 64)
    }
}
