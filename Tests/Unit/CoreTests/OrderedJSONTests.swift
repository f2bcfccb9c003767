import Foundation
import SwitchboardJSON
import Testing

@Suite("Ordered JSON")
struct OrderedJSONTests {
    struct Thing: Codable, Equatable {
        var zebra = 1
        var apple: String? = nil
        var list = [1.5, 2, -0.25]
        var nested: [String: [Bool]] = ["a": [true, false]]
        var inner: [[Int]] = [[], [1, 2]]
        var big = UInt64.max
        var small = Int64.min
    }

    @Test("Keys keep the order of encoding")
    func order() throws {
        struct Row: Encodable {
            let zebra = 1
            let apple = "b"
            let mango: String? = "c"
        }
        #expect(try OrderedJSON.text(Row()) == #"{"zebra": 1, "apple": "b", "mango": "c"}"#)
    }

    @Test("The output can be decoded by Foundation")
    func roundTrip() throws {
        let thing = Thing(apple: "“quoted” \"too\" \\ \n\r\t\u{0}\u{1B}[31m\u{7F}\u{9B}\u{202E} 😀 e\u{301}")
        let bytes = try OrderedJSON.bytes(thing)
        #expect(try JSONDecoder().decode(Thing.self, from: Data(bytes)) == thing)
    }

    @Test("Control characters are escaped")
    func controls() throws {
        for value in UInt32(0)...0x2070 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = try OrderedJSON.text([String(scalar)])
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
            #expect(try JSONDecoder().decode([String].self, from: Data(text.utf8)) == [String(scalar)])
        }
    }

    /// The reference of the next test, one character at a time.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": return "\\\""
            case "\\": return "\\\\"
            case "\n": return "\\n"
            case "\r": return "\\r"
            case "\t": return "\\t"
            default:
                let isControl = scalar.properties.generalCategory == .control
                return isControl ? String(format: "\\u%04x", scalar.value) : String(scalar)
            }
        }.joined()
    }

    @Test("A character is escaped at any place of a text, also of one in UTF-8")
    func places() throws {
        struct Row: JSONObjectEncodable {
            let text: String
            func encode(to members: inout JSONMembers) throws {
                try members.add(text, text)
                try members.add("utf8", Array(text.utf8)[...])
            }
        }
        for value in UInt32(0)..<0x180 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for length in 0..<18 {
                let text =
                    String(repeating: "a", count: length) + String(scalar) + String(repeating: "~", count: 17 - length)
                let expected = Self.escaped(text)
                #expect(
                    try OrderedJSON.text(Row(text: text))
                        == "{\"\(expected)\": \"\(expected)\", \"utf8\": \"\(expected)\"}")
            }
        }
    }

    @Test("Non-finite numbers become null")
    func notFinite() throws {
        #expect(try OrderedJSON.text([Double.nan, .infinity, 1]) == "[null, null, 1.0]")
    }

    @Test("Empty arrays and objects are encoded")
    func empty() throws {
        #expect(try OrderedJSON.text([Int]()) == "[]")
        #expect(try OrderedJSON.text([String: Int]()) == "{}")
    }

    @Test("A value that encodes nothing is null, wherever it is")
    func nothing() throws {
        struct Nothing: Encodable {
            func encode(to encoder: any Encoder) {}
        }
        struct Row: Encodable {
            let first = Nothing()
            let last = 1
        }
        #expect(try OrderedJSON.text(Nothing()) == "null")
        #expect(try OrderedJSON.text([Nothing(), Nothing()]) == "[null, null]")
        #expect(try OrderedJSON.text(Row()) == #"{"first": null, "last": 1}"#)
    }

    @Test("Nested containers, superclasses and a container that is opened twice are closed in the right place")
    func nested() throws {
        class Base: Encodable {
            let base = 1
        }
        final class Derived: Base {
            enum CodingKeys: CodingKey { case list, object, last }
            enum Inner: CodingKey { case a, b }

            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                var list = container.nestedUnkeyedContainer(forKey: .list)
                try list.encode([Int]())
                var inList = list.nestedContainer(keyedBy: Inner.self)
                try inList.encode("x", forKey: .a)
                var object = container.nestedContainer(keyedBy: Inner.self, forKey: .object)
                try object.encode([1: true], forKey: .b)
                try super.encode(to: container.superEncoder())
                var again = encoder.container(keyedBy: CodingKeys.self)
                try again.encodeNil(forKey: .last)
            }
        }
        #expect(
            try OrderedJSON.text(Derived())
                == #"{"list": [[], {"a": "x"}], "object": {"b": {"1": true}}, "super": {"base": 1}, "last": null}"#)
    }

    /// An object that lists its members once.
    struct Listed: JSONObjectEncodable {
        var text = "“ü” \"\u{9B}\u{202E}\n"
        var inner: [Listed] = []

        func encode(to members: inout JSONMembers) throws {
            try members.add("text", text)
            try members.add("none", nil as String?)
            try members.addOrNull("empty", "")
            try members.addUnlessEmpty("omitted", "")
            try members.add("number", -7)
            try members.add("real", 0.25)
            try members.add("infinite", Double.infinity)
            try members.add("flag", true)
            try members.addUnlessEmpty("ranges", [0..<4, 6..<8])
            try members.addUnlessEmpty("gone", [Range<Int>]())
            try members.addUnlessEmpty("inner", inner)
            try members.add("list", inner)
            if let first = inner.first { try members.add("first", first) }
        }
    }

    @Test("Members are written in order, nested and escaped")
    func members() throws {
        let members = #"""
            "text": "“ü” \"\u009b\u202e\n", "none": null, "empty": null, "number": -7, "real": 0.25, "infinite": null, \#
            "flag": true, "ranges": [[0, 4], [6, 2]]
            """#
        let leaf = #"{\#(members), "list": []}"#
        let object = #"{\#(members), "inner": [\#(leaf), \#(leaf)], "list": [\#(leaf), \#(leaf)], "first": \#(leaf)}"#
        let value = Listed(inner: [Listed(), Listed()])
        #expect(try OrderedJSON.text(value) == object)
        #expect(try OrderedJSON.text([value]) == "[\(object)]")
        #expect(try OrderedJSON.text(["key": Listed()]) == #"{"key": \#(leaf)}"#)
    }

    @Test("Other encoders get the same members")
    func membersForOtherEncoders() throws {
        struct Decoded: Decodable, Equatable {
            var text: String
            var none: String?
            var number: Int
            var ranges: [[Int]]
            var list: [Decoded]
        }
        var value = Listed(inner: [Listed(text: "a"), Listed()])
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let foundation = try JSONDecoder().decode(Decoded.self, from: encoder.encode(value))
        #expect(try JSONDecoder().decode(Decoded.self, from: Data(OrderedJSON.bytes(value))) == foundation)
        #expect(foundation.list.map(\.text) == ["a", value.text])
        value.inner = []
        #expect(try OrderedJSON.text(value).hasSuffix(#""list": []}"#))
    }
}
