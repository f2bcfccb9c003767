import Foundation
import SwitchboardTestFixtures
import SwitchboardTestSupport
import Testing

@Suite("Popular list of a server")
struct RemoteListTests {
    let bench: Bench
    /// A compressed snapshot of three airports.
    let small: [UInt8]

    static let gzip = ["Content-Type": "application/json", "Content-Encoding": "gzip", "ETag": "\"v1\""]

    init() throws {
        bench = try Bench.withSample()
        small = try Self.snapshot(["LHR", "CDG", "FRA"], in: bench)
    }

    /// Returns a compressed snapshot of airports with the given codes, which may repeat.
    private static func snapshot(_ codes: [String], in bench: Bench) throws -> [UInt8] {
        let airports = codes.enumerated().map { index, code in
            [
                "code": code, "name": "Airport \(code)", "city": "City", "cityCode": code, "country": "DE",
                "latitude": 50.5, "longitude": 8.5, "timeZone": "Europe/Berlin", "popularity": 0.9 - Double(index) / 10,
            ] as [String: Any]
        }
        let object: [String: Any] = ["schema": 1, "generatedAt": "2026-11-20T09:00:00Z", "airports": airports]
        return try packed(Array(JSONSerialization.data(withJSONObject: object)), in: bench)
    }

    private static func packed(_ bytes: [UInt8], in bench: Bench) throws -> [UInt8] {
        let file = try bench.file("plain-\(UUID().uuidString)", Data(bytes))
        let process = Process()
        process.executableURL = URL(filePath: "/bin/gzip")
        process.arguments = [file]
        try process.run()
        process.waitUntilExit()
        defer { try? FileManager.default.removeItem(atPath: file + ".gz") }
        return Array(try Data(contentsOf: URL(filePath: file + ".gz")))
    }

    /// Starts a server that sends the list and supports its ETag.
    private func server(_ headers: [String: String] = gzip) throws -> LocalServer {
        try LocalServer { [small] request in
            guard request.path == "/v1/airports/popular" else { return .answer(404, [:]) }
            let isKnown = request.headers["if-none-match"] == "\"v1\""
            return isKnown ? .answer(304, ["ETag": "\"v1\""]) : .answer(200, headers, body: small)
        }
    }

    private func popular() throws -> [String] {
        try bench.run("airports", "popular", "--json").json().listRows().ids()
    }

    @Test(
        "Fetches a compressed response or file from the address of the server or the list",
        arguments: [gzip, ["Content-Type": "application/gzip"], [:]], ["", "/", "/v1/airports/popular"])
    func update(headers: [String: String], path: String) throws {
        let server = try server(headers)
        let result = try bench.run("airports", "update", "--from", server.url + path, "--json")
        #expect(result.status == 0, "\(result.errors)")
        let answer = try result.json()
        try answer.check(["airports", "changed"])
        #expect(try answer.integer("airports") == 3 && answer.boolean("changed"))
        #expect(try popular() == ["LHR", "CDG", "FRA"])
        #expect(server.requests.first?.headers["accept-encoding"] == "gzip")
    }

    @Test("Does not fetch an unchanged list again")
    func unchanged() throws {
        let server = try server()
        #expect(try bench.run("airports", "update", "--from", server.url).status == 0)
        let again = try bench.run("airports", "update", "--from", server.url)
        #expect(again.status == 0 && again.output.contains("unchanged"))
        let json = try bench.run(["airports", "update", "--json"], environment: ["SWITCHBOARD_REMOTE": server.url])
        #expect(try json.json().boolean("changed") == false && json.json().integer("airports") == 3)
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, "\"v1\"", "\"v1\""])
        #expect(try popular() == ["LHR", "CDG", "FRA"])
    }

    @Test("Sends no ETag after a list from another source")
    func forgotten() throws {
        let (one, other) = (try server(), try server())
        let file = bench.path("popular.gz")
        #expect(try bench.run("airports", "snapshot", "--output", file).status == 0)
        #expect(try bench.run("airports", "update", "--from", one.url).status == 0)
        #expect(try bench.run("airports", "update", "--from", other.url).status == 0)
        #expect(other.requests.first?.headers["if-none-match"] == nil)
        #expect(try bench.run("airports", "update", "--from", file).status == 0)
        #expect(try popular().count > 1_000)
        #expect(try bench.run("airports", "update", "--from", other.url).status == 0)
        #expect(other.requests.last?.headers["if-none-match"] == nil)
        #expect(try popular().count == 3)
    }

    @Test("Rejects a truncated or invalid list and changes nothing")
    func broken() throws {
        let good = try server()
        #expect(try bench.run("airports", "update", "--from", good.url).status == 0)
        let twice = try Self.snapshot(["LHR", "LHR"], in: bench)
        let bomb = try Self.packed([UInt8](repeating: 0x20, count: 80 << 20), in: bench)
        let gzip = ["Content-Type": "application/json", "Content-Encoding": "gzip", "ETag": "\"v2\""]
        let file = ["Content-Type": "application/gzip", "ETag": "\"v2\""]
        let replies: [(String, LocalServer.Reply, Int32)] = [
            ("cut off", .answer(200, gzip, body: Array(small.dropLast(20))), 65),
            ("cut off file", .answer(200, file, body: Array(small.dropLast(20))), 65),
            ("without its checksum", .answer(200, gzip, body: Array(small.dropLast(8))), 65),
            ("closed in the middle", .cut(gzip, body: small, at: small.count / 2), 65),
            ("a code twice", .answer(200, gzip, body: twice), 65), ("a bomb", .answer(200, gzip, body: bomb), 65),
            ("empty", .answer(200, gzip, body: []), 65), ("not packed", .answer(200, gzip, body: Array("{}".utf8)), 65),
            ("a page", .answer(200, ["Content-Type": "text/html"], body: Array("<h1>Hello</h1>".utf8)), 65),
            ("another server", .answer(302, ["Location": "http://localhost:1/popular"]), 65),
            ("unchanged, unasked", .answer(304, [:]), 65), ("no HTTP", .garbage, 65),
            ("status 500", .answer(500, [:]), 69), ("status 404", .answer(404, [:]), 66),
        ]
        for (name, reply, status) in replies {
            let server = try LocalServer { _ in reply }
            let result = try bench.run("airports", "update", "--from", server.url)
            #expect(result.status == status, "\(name): \(result.errors)")
            #expect(result.output.isEmpty && result.errorLines.count == 1, "\(name): \(result.errors)")
            let json = try bench.run("airports", "update", "--from", server.url, "--json")
            #expect(try json.output.isEmpty && !JSONObject(line: json.errors).errorCode().isEmpty, "\(name)")
        }
        #expect(try popular() == ["LHR", "CDG", "FRA"])
    }

    @Test("Exits with 69 without a reachable or configured server")
    func nobody() throws {
        let closed = "http://127.0.0.1:\(try LocalServer.closedPort())"
        #expect(try bench.run("airports", "update", "--from", closed).status == 69)
        #expect(try bench.run("airports", "update", "--from", "http://no.such.host.invalid").status == 69)
        #expect(try bench.run("airports", "update").status == 69)
        #expect(try bench.run("airports", "update", "--from", "http://").status == 64)
        #expect(try bench.run(["airports", "update"], environment: ["SWITCHBOARD_REMOTE": "x"]).status == 64)
        #expect(try popular().count > 1_000)
    }

    // MARK: - Background refresh

    @Test("Refreshes the list of a configured server in the background, once a day")
    func refresh() throws {
        let server = try server()
        let environment = ["SWITCHBOARD_REMOTE": server.url]
        func lists() -> Int { server.requests.count { $0.path == "/v1/airports/popular" } }
        #expect(try bench.run(["airports", "popular", "--limit", "1"], environment: environment).status == 0)
        try eventually("the list is refreshed", timeout: .seconds(60)) { try popular() == ["LHR", "CDG", "FRA"] }
        for _ in 0..<3 { _ = try bench.run(["airports", "popular"], environment: environment) }
        let due = try bench.run(["airports", "update", "--if-due", "--json"], environment: environment)
        #expect(try due.status == 0 && due.json().boolean("changed") == false)
        #expect(lists() == 1)
    }

    @Test("Does not refresh the list without a configured server")
    func noRefresh() throws {
        let (server, configured) = (try self.server(), try self.server())
        let result = try bench.run("airports", "search", "ke", "--remote", server.url)
        #expect(result.status == 0)
        // A later refresh from a configured server, which an earlier one would prevent for a day.
        let later = try bench.run(["airports", "popular"], environment: ["SWITCHBOARD_REMOTE": configured.url])
        #expect(later.status == 0)
        try eventually("the configured server is asked", timeout: .seconds(60)) { !configured.requests.isEmpty }
        #expect(server.requests.isEmpty)
    }

    @Test("A refresh of the list never delays an answer")
    func bounded() throws {
        let server = try LocalServer { request in
            request.path == "/v1/airports" ? ((try? answer([row()])) ?? .garbage) : .silence
        }
        let conversation = try bench.start(
            "airports", "search", "--batch", environment: ["SWITCHBOARD_REMOTE": server.url])
        conversation.send("keflavik\n")
        #expect(conversation.readLine()?.contains("QZX") == true)
        conversation.send("reykjavik\n")
        #expect(conversation.readLine()?.contains("QZX") == true)
        #expect(!server.requests.contains { $0.path == "/v1/airports/popular" })
        // The output ends although the background process continues.
        conversation.closeInput()
        #expect(conversation.readLine() == nil)
        #expect(conversation.finish().status == 0)
        try eventually("the server is asked for the list", timeout: .seconds(60)) {
            server.requests.contains { $0.path == "/v1/airports/popular" }
        }
        // A second refresh does not start.
        let again = try bench.run(
            ["airports", "update", "--if-due"], environment: ["SWITCHBOARD_REMOTE": server.url])
        #expect(again.status == 0 && again.output.contains("unchanged"))
    }
}
