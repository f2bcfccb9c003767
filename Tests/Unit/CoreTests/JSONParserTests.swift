import SwitchboardJSON
import Testing

@Suite("JSON parser")
struct JSONParserTests {
    private func parsed(_ text: String) throws -> JSONValue { try JSONParser.value(of: Array(text.utf8)) }

    private func lenient(_ text: String, limit: Int = 100) throws -> JSONValue {
        JSONValue(try JSONParser.lenientValues(of: Array(text.utf8), limit: limit).values)
    }

    @Test("Values are written as they were parsed")
    func roundTrip() throws {
        let text = #"{"z": [1, -0.25, 1e+21, true, false, null], "a": {"b": "\u202e“q”\\ 😀"}, "a": {}, "": []}"#
        #expect(try OrderedJSON.text(parsed(text)) == text)
        #expect(try parsed(#" "\ud83d\ude00\b\f\/" "#).string == "😀\u{8}\u{C}/")
        #expect(try parsed(#"{"a": "x", "a": "y"}"#)["a"]?.string == "y")
    }

    @Test("Members and elements have their offsets")
    func offsets() throws {
        guard case .object(let members) = try parsed(#"{ "é": [10, 20]}"#),
            case .array(let elements)? = members.first?.value
        else {
            Issue.record("the text is an object with an array")
            return
        }
        #expect(members.map(\.offset) == [2])
        #expect(elements.map(\.offset) == [9, 13])
    }

    @Test(
        "A syntax error names its reason and offset",
        arguments: [
            ("", "expected a value, found the end", 0), ("[1,]", "expected a value, found “]”", 3),
            ("[1 2]", "expected “,” or “]”, found “2”", 3),
            ("{a: 1}", "expected a member name in quotes, found “a”", 1),
            (#"{"a" 1}"#, "expected “:”, found “1”", 5), ("01", "expected the end, found “1”", 1),
            ("-", "expected a digit, found the end", 1), ("1e999", "the number is out of range", 0),
            ("\"a\nb\"", "unescaped control character in a string; escape it as \\u000A", 2),
            (#""\q""#, "unknown escape sequence", 1), (#""\ud800""#, "unpaired surrogate; write both halves", 1),
            (#""\u12"#, "expected four hexadecimal digits, found the end", 5),
            ("nul", "expected “null”, found the end", 3),
            (#"["a"#, "the string is not closed; add a quote", 1), ("1 x", "expected the end, found “x”", 2),
        ])
    func syntaxErrors(text: String, reason: String, offset: Int) {
        do {
            _ = try parsed(text)
            Issue.record("“\(text)” is not valid")
        } catch let error as JSONSyntaxError {
            #expect(error.reason == reason)
            #expect(error.offset == offset)
        } catch {
            Issue.record(error)
        }
    }

    @Test("Invalid UTF-8 and deep nesting are syntax errors")
    func limits() {
        #expect(throws: JSONSyntaxError.self) { try JSONParser.value(of: [0x22, 0xFF, 0x22]) }
        #expect(throws: JSONSyntaxError.self) { try parsed(String(repeating: "[", count: 100_000)) }
        #expect(throws: Never.self) {
            try parsed(String(repeating: "[", count: 64) + String(repeating: "]", count: 64))
        }
    }

    @Test(
        "The lenient form reads what pages contain",
        arguments: [
            ("<!-- \n// <![CDATA[\n{\"a\": 1,, \"b\": [2,],}; // ]]>", #"[{"a": 1, "b": [2]}]"#),
            ("/* note */ [undefined, NaN, +1, .5] the rest", "[[null, null, 1, 0.5]]"),
            ("{\"a\": \"line\nbreak \\q \\é \\ud800\\u12\"}{\"b\": 1}", #"[{"a": "line\nbreak q é ��12"}, {"b": 1}]"#),
        ])
    func lenientText(text: String, expected: String) throws {
        #expect(try OrderedJSON.text(lenient(text)) == expected)
    }

    @Test(
        "The lenient form rejects text without a complete object or array",
        arguments: ["", "x", "{", "[1", "{\"a\" 1}"])
    func lenientErrors(text: String) {
        #expect(throws: JSONSyntaxError.self) { try lenient(text) }
    }

    @Test("The lenient form counts nested values and stops at the limit")
    func lenientLimit() throws {
        #expect(try JSONParser.lenientValues(of: Array(#"{"a": [1, 2]}"#.utf8), limit: 4).count == 4)
        #expect(throws: JSONSyntaxError.self) { try lenient(#"{"a": [1, 2]}"#, limit: 3) }
    }

    @Test("Mutated text never traps")
    func mutations() {
        let seed = Array(#"{"a": [1, -2.5e3, "x\u00e9\ud83d\ude00", {"b": null}], "c": true} // <!-- ]]>"#.utf8)
        var state: UInt64 = 1
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for _ in 0..<20_000 {
            var text = seed
            for _ in 0...random(4) {
                switch random(3) {
                case 0: text[random(text.count)] = UInt8(random(256))
                case 1: text.remove(at: random(text.count))
                default: text.insert(seed[random(seed.count)], at: random(text.count))
                }
            }
            _ = try? JSONParser.value(of: text)
            _ = try? JSONParser.lenientValues(of: text, limit: 50)
        }
    }
}
