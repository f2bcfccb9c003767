import Foundation
import SwitchboardTestFixtures
import Testing

/// Returns the JSON of a row that only a server has.
func row(_ code: String = "QZX", _ change: (inout [String: Any]) -> Void = { _ in }) -> [String: Any] {
    var row: [String: Any] = [
        "kind": "airport", "id": code, "title": "Farther Field", "subtitle": "Elsewhere, Iceland", "match": "prefix",
        "stage": 3, "highlights": ["title": [[0, 3]]],
        "airport": [
            "code": code, "icao": NSNull(), "name": "Farther Field", "city": "Elsewhere", "cityCode": code,
            "country": "IS", "region": NSNull(), "latitude": 64.5, "longitude": -20.25,
            "timeZone": "Atlantic/Reykjavik", "popularity": 0.01, "distance": NSNull(), "isCity": false,
        ],
    ]
    change(&row)
    return row
}

/// Returns a search response with rows.
func answer(_ rows: [[String: Any]]) throws -> LocalServer.Reply {
    let answer: [String: Any] = ["query": "", "final": true, "elapsedMicroseconds": 1.5, "results": rows]
    return .answer(body: Array(try JSONSerialization.data(withJSONObject: answer)))
}

@Suite("Airports from a server")
struct RemoteSearchTests {
    let bench: Bench

    init() throws {
        bench = try Bench.withSample()
    }

    private func search(_ words: String..., on server: String, limit: String = "10") throws -> RunResult {
        try bench.run(["airports", "search"] + words + ["--json", "--limit", limit, "--remote", server])
    }

    @Test("Appends the new rows of the server once each")
    func joined() throws {
        let alone = try bench.run("airports", "search", "keflavik", "--json").found()
        let server = try LocalServer { _ in
            (try? answer([row("KEF"), row(), row("QZY"), row()])) ?? .garbage
        }
        let result = try search("keflavik", on: server.url)
        #expect(result.status == 0 && result.errors.isEmpty)
        let rows = try result.found()
        #expect(try rows.ids() == alone.ids() + ["QZX", "QZY"])
        #expect(try rows.suffix(2).allSatisfy { try $0.integer("stage") == 3 })
        #expect(try result.json().boolean("final"))
        let asked = try #require(server.requests.first)
        #expect(asked.path == "/v1/airports")
        #expect(asked.query == ["q": "keflavik", "limit": "10", "language": "en", "stage": "3"])
        #expect(asked.headers["cookie"] == nil && asked.headers["authorization"] == nil)
        #expect(try search("keflavik", on: server.url, limit: "\(alone.count + 1)").found().ids().last == "QZX")
        let table = try bench.run("airports", "search", "keflavik", "--remote", server.url + "/")
        #expect(table.output.contains("Farther Field") && table.errors.isEmpty)
    }

    @Test("Finds airports that only the server has")
    func onlyThere() throws {
        let server = try LocalServer { _ in (try? answer([row()])) ?? .garbage }
        #expect(try bench.run("airports", "search", "qqzzxxqq").status == 1)
        let result = try search("qqzzxxqq", on: server.url)
        #expect(result.status == 0)
        #expect(try result.found().ids() == ["QZX"])
    }

    @Test("Asks the server for stage 3, from three letters on, if there is room")
    func notAsked() throws {
        let server = try LocalServer { _ in (try? answer([row()])) ?? .garbage }
        for arguments in [
            ["search", "ke"], ["search", ""], ["search", "keflavik", "--stage", "1"],
            ["search", "keflavik", "--stage", "2"],
            ["search", "lon", "--limit", "1"], ["dial", "53"], ["search", String(repeating: "kef ", count: 100)],
        ] {
            let result = try bench.run(["airports"] + arguments + ["--remote", server.url])
            #expect(result.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("nothing matches") })
        }
        #expect(server.requests.isEmpty)
        _ = try bench.run("airports", "search", "keflavik", "--stage", "3", "--remote", server.url)
        #expect(server.requests.count == 1)
    }

    @Test("Sends keypad queries and the language")
    func keys() throws {
        let server = try LocalServer { _ in (try? answer([row()])) ?? .garbage }
        let result = try bench.run(
            "airports", "dial", "53352845", "--language", "is", "--json", "--remote", server.url)
        #expect(try result.found().ids().last == "QZX")
        #expect(
            server.requests.first?.query == ["keypad": "53352845", "limit": "10", "language": "is", "stage": "3"])
    }

    @Test("Does not send queries for contacts to a configured server")
    func configured() throws {
        let server = try LocalServer { _ in (try? answer([row()])) ?? .garbage }
        let environment = ["SWITCHBOARD_REMOTE": server.url]
        for arguments in [["find", "ana maria"], ["contacts", "find", "ana"], ["find", "--keypad", "26262"]] {
            _ = try bench.run(arguments, environment: environment)
        }
        #expect(!server.requests.contains { $0.path == "/v1/airports" })
        #expect(
            try bench.run(["airports", "search", "keflavik", "--json"], environment: environment).found().ids().last
                == "QZX")
        #expect(
            try bench.run(["find", "keflavik", "--kind", "airport", "--json"], environment: environment).found().ids()
                .last == "QZX")
        #expect(try bench.run(["airports", "search", "kef"], environment: ["SWITCHBOARD_REMOTE": ""]).status == 0)
        let wrong = try bench.run(["airports", "search", "kef"], environment: ["SWITCHBOARD_REMOTE": "ftp://x"])
        #expect(wrong.status == 64 && wrong.errors.contains("SWITCHBOARD_REMOTE"))
    }

    @Test(
        "Rejects an invalid address",
        arguments: ["", "x", "ftp://example.org", "http://", "http://a:b@example.org", "http://example.org?q=1"])
    func badAddress(address: String) throws {
        let result = try bench.run("airports", "search", "kef", "--remote", address)
        #expect(result.status == 64 && result.output.isEmpty && result.errorLines.count == 1)
    }

    /// Failures and their error codes.
    static let failures: [(String, LocalServer.Reply, String)] = [
        ("status 500", .answer(500, [:], body: Array("oh".utf8)), "badStatus"),
        ("status 404", .answer(404, ["Content-Type": "application/problem+json"], body: Array("{}".utf8)), "badStatus"),
        ("a page", .answer(200, ["Content-Type": "text/html"], body: Array("<h1>Welcome</h1>".utf8)), "wrongType"),
        ("no JSON", .answer(body: Array("hello".utf8)), "malformedAnswer"),
        ("nothing", .answer(body: []), "malformedAnswer"),
        ("another shape", .answer(body: Array(#"{"rows": []}"#.utf8)), "malformedAnswer"),
        ("a list", .answer(body: Array("[]".utf8)), "malformedAnswer"),
        ("a deep one", .answer(body: Array(String(repeating: "[", count: 500_000).utf8)), "malformedAnswer"),
        ("half an answer", .cut(body: Array(#"{"results": []}"#.utf8), at: 9), "damagedAnswer"),
        ("no HTTP", .garbage, "damagedAnswer"),
        ("no end", .endless, "tooLarge"),
        ("ten megabytes", .answer(body: [UInt8](repeating: 0x20, count: 10_000_000)), "tooLarge"),
        ("another server", .answer(302, ["Location": "http://127.0.0.1:1/v1/airports"]), "redirectElsewhere"),
        ("a circle", .answer(302, ["Location": "/v1/airports"]), "tooManyRedirects"),
        ("silence", .silence, "timedOut"),
        ("a drip", .drip, "timedOut"),
    ]

    @Test("A failing server leaves the local rows and reports an error", arguments: failures.indices)
    func failure(index: Int) throws {
        let (name, reply, code) = Self.failures[index]
        let server = try LocalServer { request in
            // An endless chain of new addresses.
            if case .answer(302, ["Location": "/v1/airports"], _) = reply {
                return .answer(302, ["Location": "/v1/airports?n=\(request.query.count)\(UUID().uuidString)"])
            }
            return reply
        }
        let alone = try bench.run("airports", "search", "keflavik", "--json").found()
        let start = ContinuousClock.now
        let result = try search("keflavik", on: server.url)
        #expect(ContinuousClock.now - start < .seconds(30), "\(name)")
        #expect(result.status == 0, "\(name)")
        #expect(try result.found().ids() == alone.ids(), "\(name)")
        #expect(try !result.json().boolean("final"), "\(name)")
        #expect(result.errorLines.count == 1)
        #expect(try JSONObject(line: result.errors).errorCode() == code, "\(name): \(result.errors)")
        #expect(!result.errors.contains("keflavik"))
    }

    @Test("Reports an unreachable server in one line and keeps exit status 1")
    func nobody() throws {
        let url = "http://127.0.0.1:\(try LocalServer.closedPort())"
        let result = try bench.run("airports", "search", "keflavik", "--remote", url)
        #expect(result.status == 0 && result.output.contains("KEF"))
        #expect(result.errorLines.count == 1 && result.errors.contains(url))
        let nothing = try bench.run("airports", "search", "qqzzxxqq", "--remote", url)
        #expect(nothing.status == 1 && nothing.output.isEmpty)
        let unknown = try bench.run("airports", "search", "keflavik", "--remote", "http://no.such.host.invalid")
        #expect(unknown.status == 0 && unknown.output.contains("KEF") && unknown.errorLines.count == 1)
    }

    @Test("A batch reports an unreachable server once and answers all queries")
    func batch() throws {
        let url = "http://127.0.0.1:\(try LocalServer.closedPort())"
        let result = try bench.run(
            ["airports", "search", "--batch", "--remote", url], input: "keflavik\nreykjavik\nlondon\n")
        #expect(result.status == 0 && result.lines.count == 3 && result.errorLines.count == 1)
    }

    /// Invalid rows.
    static let hostile: [(String, @Sendable (inout [String: Any]) -> Void)] = [
        ("a latitude of 91", { $0.change("airport", "latitude", 91) }),
        ("a longitude of 1e300", { $0.change("airport", "longitude", 1e300) }),
        ("a negative popularity", { $0.change("airport", "popularity", -1) }),
        ("a distance beyond the earth", { $0.change("airport", "distance", 1e9) }),
        ("a code that is none", { $0.change("airport", "code", "../") }),
        ("an identifier of another", { $0["id"] = "LHR" }),
        ("a title that commands terminals", { $0["title"] = "\u{1B}[2JHa" }),
        ("a name that commands terminals", { $0.change("airport", "name", "\u{9B}2J") }),
        ("a title without end", { $0["title"] = String(repeating: "x", count: 100_000) }),
        ("a contact", { $0["kind"] = "contact" }),
        ("no airport", { $0["airport"] = nil }),
        ("a number for a name", { $0.change("airport", "name", 5) }),
        ("a match that is none", { $0["match"] = "magic" }),
        ("a city of hostile airports", { $0["airports"] = [["code": "QZX"]] }),
    ]

    @Test("One invalid row discards the whole response", arguments: hostile.indices)
    func hostileRow(index: Int) throws {
        let (name, change) = Self.hostile[index]
        let server = try LocalServer { _ in (try? answer([row("QZY"), row("QZX", change)])) ?? .garbage }
        let result = try search("keflavik", on: server.url)
        #expect(result.status == 0)
        #expect(try !result.found().ids().contains { $0.hasPrefix("QZ") }, "\(name)")
        #expect(try JSONObject(line: result.errors).errorCode() == "malformedAnswer", "\(name)")
        #expect(!result.errors.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x9B })
    }

    @Test(
        "Ignores invalid highlights",
        arguments: [[[0, 99]], [[5, 2], [1, 2]], [[-1, 2]], [[1]], [[Int.max, 5]]])
    func highlights(ranges: [[Int]]) throws {
        let server = try LocalServer { _ in
            (try? answer([row { $0["highlights"] = ["title": ranges, "secret": [[0, 1]]] }])) ?? .garbage
        }
        let found = try search("keflavik", on: server.url).found()
        #expect(try found.last?.string("id") == "QZX")
        #expect(try found.last?.object("highlights").members.isEmpty == true)
    }

    @Test("Sends the place rounded to a hundredth of a degree and measures distances locally")
    func nearest() throws {
        let server = try LocalServer { _ in
            (try? answer([row { $0.change("airport", "distance", 3) }, row("KEF")])) ?? .garbage
        }
        let result = try bench.run(
            "airports", "nearest", "64.14651,-21.94267", "--json", "--remote", server.url, "--limit", "0")
        let rows = try result.found()
        #expect(try rows.ids().count { $0 == "KEF" } == 1)
        let new = try #require(try rows.first { try $0.string("id") == "QZX" })
        #expect(try new.object("airport").number("distance") > 80)
        #expect(try new.string("match") == "nearby")
        let asked = try #require(server.requests.first)
        #expect(asked.path == "/v1/airports/nearest")
        #expect(asked.query["lat"] == "64.15" && asked.query["lon"] == "-21.94")
        #expect(asked.query["radius"] == "500.0" && asked.query["sort"] == "relevance")
        let near = try bench.run(
            "airports", "nearest", "64.14651,-21.94267", "--json", "--remote", server.url, "--radius", "50")
        #expect(try !near.found().ids().contains("QZX"))
        let sorted = try bench.run(
            "airports", "nearest", "64.14651,-21.94267", "--json", "--remote", server.url, "--sort", "distance")
        let distances = try sorted.found().map { try $0.object("airport").number("distance") }
        #expect(try distances == distances.sorted() && sorted.found().ids().contains("QZX"))
    }
}

extension [String: Any] {
    /// Changes a value of a nested object.
    fileprivate mutating func change(_ key: String, _ inner: String, _ value: Any) {
        var object = self[key] as? [String: Any] ?? [:]
        object[inner] = value
        self[key] = object
    }
}
