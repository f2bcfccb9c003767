import Foundation
import Testing

@testable import SwitchboardSearchableIndex

extension ItemChange {
    fileprivate var uniqueIdentifier: String {
        switch self {
        case .put(let item): item.uniqueIdentifier
        case .update(let update): update.uniqueIdentifier
        }
    }
}

@Suite("Items as JSON")
struct ItemInputTests {
    private static func items(_ text: String) throws -> [ItemChange] {
        var reader = ItemReader(Array(text.utf8))
        var items: [ItemChange] = []
        while let item = try reader.next() { items.append(item) }
        return items
    }

    @Test(
        "An array, single objects, JSON lines and Apple's names are accepted",
        arguments: [
            #"[{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]"#,
            "{\"id\": \"a\", \"title\": \"A\"}\n{\"id\": \"b\", \"title\": \"B\"}\n",
            #"{"id":"a","title":"A"}{"id":"b","title":"B"}"#,
            "\u{FEFF}\r\n[ {\"uniqueIdentifier\": \"a\", \"attributeSet\": {\"title\": \"A\"}}\n,\n{\"id\": \"b\", \"title\": \"\\u0042\"} ]\n",
        ])
    func forms(_ text: String) throws {
        let items = try Self.items(text)
        #expect(items.map(\.uniqueIdentifier) == ["a", "b"])
        guard case .put(let second) = items[1] else { return }
        #expect(second.attributeSet.title == "B")
    }

    @Test(
        "Errors have line, column, attribute and item",
        arguments: [
            ("{\"id\": \"a\",\n \"title\" \"x\"}", 2, 10, nil, nil),
            ("[{\"id\": \"a\"}\n {\"id\": \"b\"}]", 2, 2, nil, nil),
            ("[{\"id\": \"a\"},]", 1, 14, nil, nil),
            ("[{\"id\": \"a\"}] x", 1, 15, nil, nil),
            ("[{\"id\": \"a\"}", 1, 13, nil, nil),
            ("hello", 1, 1, nil, nil),
            ("{\"id\": \"ä\", \"titel\": \"x\"}", 1, 13, "titel", "ä"),
            ("{\"id\": \"a\"}\n{\"id\": \"b\", \"title\": 7}", 2, 13, "title", "b"),
            ("{\"id\": \"a\", \"keywords\": [\"x\", 1]}", 1, 31, "keywords", "a"),
            ("{\"id\": \"a\", \"startDate\": \"tomorrow\"}", 1, 13, "startDate", "a"),
            ("{\"id\": \"a\", \"rankingHint\": 101}", 1, 13, "rankingHint", "a"),
            ("{\"id\": \"a\", \"url\": \"no address\"}", 1, 13, "url", "a"),
            ("{\"id\": \"a\", \"thumbnailData\": \"*\"}", 1, 13, "thumbnailData", "a"),
            ("{\"id\": \"\", \"title\": \"x\"}", 1, 2, "id", nil),
            ("{\"isUpdate\": true, \"title\": \"x\"}", 1, 2, "id", nil),
            ("{\"id\": \"a\", \"custom\": {\"title\": 1}}", 1, 24, "custom.title", "a"),
            ("{\"id\": \"a\", \"custom\": {\"k\": [1, \"x\"]}}", 1, 24, "custom.k", "a"),
            ("{\"id\": \"a\", \"title\": \"\\ud800\"}", 1, 23, nil, nil),
            ("{\"id\": \"a\", \"rating\": 1e999}", 1, 23, nil, nil),
            ("{\"id\": \"a\", \"title\": \"x", 1, 22, nil, nil),
        ] as [(String, Int, Int, String?, String?)])
    func errors(_ text: String, _ line: Int, _ column: Int, _ attribute: String?, _ item: String?) {
        #expect {
            _ = try Self.items(text)
        } throws: { error in
            guard let fault = error as? ItemError else { return false }
            #expect(fault.line == line && fault.column == column, "\(fault)")
            #expect(fault.attribute == attribute && fault.item == item, "\(fault)")
            return true
        }
    }

    @Test("Invalid UTF-8 and deep nesting are rejected")
    func hostile() {
        var bytes = Array(#"{"id": "a", "title": ""#.utf8)
        bytes += [0xFF, 0xFE]
        bytes += Array(#""}"#.utf8)
        var reader = ItemReader(bytes)
        #expect(throws: ItemError.self) { try reader.next() }
        var deep = ItemReader(Array((#"{"id": "# + String(repeating: "[", count: 100_000)).utf8))
        #expect(throws: ItemError.self) { try deep.next() }
    }

    @Test("Mutated input is parsed alike in chunks of any size, and never traps")
    func fuzz() throws {
        let rounds = ProcessInfo.processInfo.environment["FUZZ_ROUNDS"].flatMap { Int($0) } ?? 5_000
        let seeds = [
            #"[{"id": "a", "title": "A\u00e9\ud83d\ude00", "keywords": ["x", "y"], "rating": -1.5e3, "allDay": true},{"id":"b"}]"#,
            #"{"id": "a", "domain": null, "expiresAt": "2026-11-21T09:00:00+01:00", "custom": {"k": [1, 2]}, "authors": [{"name": "n", "phones": []}]}"#,
            "{\"uniqueIdentifier\": \"ü\", \"isUpdate\": true, \"attributeSet\": {\"title\": null}}\n{\"id\": \"2\"}\n",
        ].map { Array($0.utf8) }
        var random = SystemRandomNumberGenerator()
        let signs = Array("{}[]\",:\\u0tfn-.eE \n".utf8)
        for _ in 0..<rounds {
            var bytes = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let position = Int.random(in: 0...bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.insert(signs[Int.random(in: 0..<signs.count, using: &random)], at: position)
                case 1: if position < bytes.count { bytes.remove(at: position) }
                case 2: if position < bytes.count { bytes[position] = .random(in: 0...255) }
                default:
                    bytes =
                        Array(bytes[..<position]) + Array(bytes[min(position, bytes.count)...].prefix(9))
                        + Array(bytes[position...])
                }
            }
            // Reading in chunks gives the same result.
            var rest = bytes[...]
            let size = Int.random(in: 1...20, using: &random)
            var chunked = ItemReader(reading: {
                defer { rest = rest.dropFirst(size) }
                return Array(rest.prefix(size))
            })
            var whole = ItemReader(bytes)
            func all(_ reader: inout ItemReader) -> [String] {
                var found: [String] = []
                do {
                    // Generated identifiers differ.
                    while let item = try reader.next() {
                        found.append(item.uniqueIdentifier.utf8.count == 36 ? "" : item.uniqueIdentifier)
                    }
                } catch { found.append("\(error)") }
                return found
            }
            #expect(all(&chunked) == all(&whole))
        }
        print("Items read: \(rounds)")
    }
}
