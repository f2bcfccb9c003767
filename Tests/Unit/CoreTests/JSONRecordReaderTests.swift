import SwitchboardJSON
import SwitchboardTestSupport
import Testing

@Suite("Objects in a stream of JSON")
struct JSONRecordReaderTests {
    /// Returns the texts of the objects with their places, and the errors.
    private static func records(_ bytes: [UInt8], piece: Int = .max, upTo size: Int = 1_000) throws -> [String] {
        var rest = bytes[...]
        var reader = JSONRecordReader(of: "a thing", in: "results", upTo: size) {
            defer { rest = rest.dropFirst(piece) }
            return Array(rest.prefix(piece))
        }
        var found: [String] = []
        while true {
            do {
                guard let record = try reader.next() else { return found }
                found.append(
                    "\(record.place.line):\(record.place.column) \(String(decoding: record.bytes, as: UTF8.self))")
            } catch let error as MalformedInput {
                found.append("\(error.line):\(error.column ?? 0) \(error.reason)")
            }
        }
    }

    @Test(
        "Objects are read from lists, from an object with a list, and one after another",
        arguments: [
            (#"[{"a": 1}, {"b": [{}]}]"#, [#"1:2 {"a": 1}"#, #"1:12 {"b": [{}]}"#]),
            ("\u{FEFF}{\"a\": \"}\\\"\"}\n{}{}", [#"1:1 {"a": "}\""}"#, "2:1 {}", "2:3 {}"]),
            (
                #"{"q": "results", "é": {"results": []}, "results" : [{"results": 1}], "b": ["}"]} {}"#,
                [#"1:53 {"results": 1}"#, "1:82 {}"]
            ),
            (#"[[{}], {"results": [{}]}]"#, ["1:3 {}", "1:21 {}"]), ("[]", []), (" \r\n\t", []),
            ("[{},]\n{}", ["1:2 {}", "1:5 expected a thing after the comma", "2:1 {}"]),
            ("[{} {}]", ["1:2 {}", "1:5 expected a comma or “]” after a thing"]),
            ("[{}\n", ["1:2 {}", "2:1 the list is not closed; add “]”"]),
            (#"{"results": [{}], "a": 1"#, ["1:14 {}", "1:25 the object is not closed; add “}”"]),
            (#"[{"a": "#, [#"1:2 {"a": "#]), ("[1, {}]", ["1:2 expected a thing as a JSON object"]),
        ])
    func forms(text: String, records: [String]) throws {
        #expect(try Self.records(Array(text.utf8)) == records)
    }

    @Test("An object that is too large is skipped with an error")
    func tooLarge() throws {
        let text = #"[{"a": 1},\#n{"results": "\#(String(repeating: "]", count: 3 << 20))"}, {"b": 2}]"#
        let records = try Self.records(Array(text.utf8), piece: 1_000, upTo: 1 << 20)
        #expect(records == [#"1:2 {"a": 1}"#, "2:1 a thing has at most 1 MiB", #"2:3145746 {"b": 2}"#])
    }

    @Test("A stream may be of any length")
    func long() throws {
        let object = Array("{\"a\": \"\(String(repeating: "x", count: 1 << 16))\"},\n".utf8)
        var (read, count) = (0, 0)
        var reader = JSONRecordReader(of: "a thing", upTo: 1 << 20) {
            read += 1
            return read == 1 ? Array("[\n".utf8) : read <= 5_000 ? object : read == 5_001 ? Array("{}]".utf8) : nil
        }
        while let record = try reader.next() {
            count += 1
            #expect(record.place.line == count + 1)
        }
        #expect(count == 5_000)
    }

    @Test("Changed texts are read alike in pieces of any size", arguments: 1...4)
    func pieces(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let seeds = [
            #"{"results": [{"a": "\"é"}, [{}], {"results": [{}]}], "b": {}}"#, "{\"a\": [1, {}]}\n[{}]\n{}",
            "[{}, {}, {}]",
        ].map { Array($0.utf8) }
        let signs = Array("{}[]\",:\\r \n".utf8)
        for _ in 0..<2_000 {
            var bytes = seeds.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let position = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.insert(signs.randomElement(using: &random) ?? 0, at: position)
                case 1: bytes.remove(at: position)
                default: bytes[position] = .random(in: 0...255, using: &random)
                }
            }
            let whole = try Self.records(bytes)
            #expect(try Self.records(bytes, piece: Int.random(in: 1...20, using: &random)) == whole)
        }
    }
}
