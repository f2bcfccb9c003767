import Foundation
import Testing

@Suite("Text entry with nine keys")
struct KeypadCommandTests {
    let bench: Bench

    init() throws {
        bench = try Bench()
    }

    private func words(_ arguments: String...) throws -> [String] {
        let answer = try bench.run(["keypad", "words", "--json"] + arguments).json()
        try answer.check(["results"])
        let rows = try answer.objects("results")
        for row in rows {
            try row.check(["word", "frequency", "learned"])
            #expect(try row.number("frequency") >= 0)
            _ = try row.boolean("learned")
        }
        return try rows.map { try $0.string("word") }
    }

    private func type(_ arguments: String...) throws -> String {
        let answer = try bench.run(["keypad", "type", "--json"] + arguments).json()
        try answer.check(["text", "keystrokes", "candidates"])
        return try answer.string("text")
    }

    @Test("Looking up words does not create a database")
    func noDatabase() throws {
        #expect(try words("843").first == "the")
        #expect(try words("36 73").starts(with: ["ford", "dose"]))
        #expect(try type("843", "--no-learn") == "the")
        #expect(try bench.run("keypad", "languages").status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder).isEmpty)
    }

    @Test("words applies limits and rejects invalid keys")
    func wordLimits() throws {
        #expect(try words("2").count == 10)
        #expect(try words("2", "--limit", "3").count == 3)
        #expect(try words("843", "--limit", "0").count > 10)
        #expect(try bench.run("keypad", "words", "999999999").status == 1)
        #expect(try bench.run("keypad", "words", "0").status == 1)
        for wrong in [["84x"], ["3673*"], [], ["843", "--language", "xx"], ["843", "--limit", "-1"]] {
            let result = try bench.run(["keypad", "words"] + wrong)
            #expect(result.status == 64, "\(wrong)")
            #expect(result.output.isEmpty)
        }
        #expect(try bench.run("keypad", "words", "843").lines.first?.hasPrefix("the ") == true)
    }

    @Test("A batch answers each line in order, invalid ones with an error")
    func batch() throws {
        let result = try bench.run(["keypad", "words", "--batch"], input: "843\n\nx\n3673\n")
        #expect(result.status == 65)
        let answers = try result.lines.map(JSONObject.init(line:))
        #expect(try answers.map { try $0.string("query") } == ["843", "", "x", "3673"])
        #expect(try answers[0].objects("results").first?.string("word") == "the")
        #expect(try answers[1].objects("results").isEmpty)
        #expect(try answers[2].errorCode() == "notAKey")
        let typed = try bench.run(["keypad", "type", "--batch", "--no-learn"], input: "843\n#63\n")
        #expect(try typed.lines.map { try JSONObject(line: $0).string("text") } == ["the", "Of"])
    }

    @Test(
        "type ignores spaces between keys; # changes the case, 0 ends the word",
        arguments: [
            ("84306 2*", "the na", 7), ("#843", "The", 4), ("843#", "The", 4), ("8 4 3 # # 0", "THE ", 6),
            ("3673*0", "dose ", 6), ("43556 1 0", "hello. ", 7), ("", "", 0),
        ])
    func typing(keys: String, text: String, keystrokes: Int) throws {
        let answer = try bench.run("keypad", "type", keys, "--json").json()
        #expect(try answer.string("text") == text)
        #expect(try answer.integer("keystrokes") == keystrokes)
        #expect(answer.members["candidates"] is [String])
    }

    @Test("Learns a choice when the word ends")
    func learning() throws {
        #expect(try type("3673*") == "dose")
        #expect(try words("3673").first == "ford")
        #expect(try type("3673*0") == "dose ")
        #expect(try words("3673").prefix(2) == ["dose", "ford"])
        #expect(try type("3673") == "dose")
        let rows = try bench.run("keypad", "words", "3673", "--json").json().objects("results")
        #expect(try rows.prefix(2).map { try $0.boolean("learned") } == [true, false])
        // Also within one text.
        #expect(try type("2273*0 2273") == "case case")
        // Languages learn separately.
        #expect(try words("3673", "--language", "es").first != "dose")
    }

    @Test("Does not learn with --no-learn or while learning is off, which keeps learned words")
    func notLearning() throws {
        #expect(try type("3673*0", "--no-learn") == "dose ")
        #expect(try words("3673").first == "ford")
        #expect(try bench.run("keypad", "learning", "off", "--json").json().boolean("learning") == false)
        #expect(try type("3673*0") == "dose ")
        #expect(try words("3673").first == "ford")
        #expect(try bench.run("keypad", "learn", "dope").status == 0)
        #expect(try words("3673").first == "dope")
        #expect(try bench.run("keypad", "learning").output == "off\n")
        #expect(try bench.run("keypad", "learning", "on").output == "on\n")
        #expect(try type("3673*0") == "ford ")
        #expect(try words("3673").prefix(2) == ["ford", "dope"])
        #expect(try bench.run("keypad", "learning", "maybe").status == 64)
    }

    @Test("Adds and forgets words")
    func addingAndForgetting() throws {
        let added = try bench.run("keypad", "learn", "Zyxwvu", "--json").json()
        #expect(try added.string("id") == "Zyxwvu")
        #expect(try added.string("digits") == "999988")
        #expect(try words("999988") == ["Zyxwvu"])
        #expect(try words("9999").first == "Zyxwvu")
        #expect(try type("999988") == "Zyxwvu")
        #expect(try bench.run("keypad", "forget", "Zyxwvu").status == 0)
        #expect(try bench.run("keypad", "words", "999988").status == 1)
        #expect(try bench.run("keypad", "forget", "Zyxwvu").status == 1)
        #expect(try bench.run("keypad", "learn", "two words").status == 64)
        #expect(try bench.run("keypad", "learn", "!").status == 64)
        #expect(try bench.run("keypad", "forget").status == 64)
        #expect(try type("/999*99*9*88/0") == "yxwu ")
        #expect(try words("9998").first == "yxwu")
        #expect(try bench.run("keypad", "forget", "--all").status == 0)
        #expect(try !words("9998").contains("yxwu"))
    }

    @Test("Suggests the word that followed before")
    func suggestions() throws {
        #expect(try type("843 0 3673**0") == "the dope ")
        let answer = try bench.run("keypad", "type", "843 0", "--json").json()
        #expect((answer.members["candidates"] as? [String])?.first == "dope")
        #expect(try type("843 0*") == "the dope")
        #expect(try type("843 0*0 63") == "the dope of")
    }

    @Test("Suggests likely next words without a database")
    func likelyWords() throws {
        #expect(try type("63 0*", "--no-learn") == "of the")
        #expect(try type("63 0* 2455 1 0", "--no-learn") == "of the bill. ")
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder).isEmpty)
    }

    @Test("Offers the names of contacts as words")
    func names() throws {
        #expect(try bench.run("contacts", "add", "--name", "Felix Qwzyx").status == 0)
        #expect(try words("33549") == ["Felix", "Felix's"])
        #expect(try words("79999") == ["Qwzyx"])
        #expect(try words("799").contains("Qwzyx"))
        #expect(try type("79999 0") == "Qwzyx ")
    }

    @Test("The language comes from the option, the locale, or is English")
    func languages() throws {
        #expect(try words("564236", "--language", "ru").first == "привет")
        #expect(try words("564236", "--language", "ru_RU").first == "привет")
        let russian = try bench.run(
            "keypad", "words", "564236", "--json", environment: ["LANG": "ru_RU.UTF-8"])
        #expect(try russian.json().objects("results").first?.string("word") == "привет")
        let other = try bench.run("keypad", "words", "843", "--json", environment: ["LANG": "ja_JP.UTF-8"])
        #expect(try other.json().objects("results").first?.string("word") == "the")
        let list = try bench.run("keypad", "languages", "--json").json().objects("results")
        #expect(try list.map { try $0.string("language") }.prefix(4) == ["en", "es", "tr", "ru"])
        #expect(list.count == 11)
        for row in list { try row.check(["language", "name", "words", "current"]) }
    }

    @Test("type needs keys or a terminal and rejects invalid keys")
    func usage() throws {
        #expect(try bench.run("keypad", "type").status == 64)
        #expect(try bench.run("keypad", "type", "84x").status == 64)
        #expect(try bench.run("keypad", "type", "843", "--language", "xx").status == 64)
        #expect(try bench.run("keypad", "type", "--batch", "843").status == 64)
    }
}
