import Foundation
import Glibc
import SwitchboardTestFixtures
import SwitchboardTestSupport
import Synchronization
import Testing

/// The servers of a test that replaces them, and the writes that they have acknowledged.
private final class Load: Sendable {
    private struct State {
        /// All servers are kept, because the end of one deletes its folder.
        var servers: [LiveServer]
        var current: [Int]
        var acknowledged: [[String]]
    }

    private let state: Mutex<State>

    init(servers: [LiveServer], people: Int) {
        state = Mutex(
            State(
                servers: servers, current: Array(servers.indices), acknowledged: Array(repeating: [], count: people)))
    }

    func server(_ number: Int) -> LiveServer { state.withLock { $0.servers[$0.current[number]] } }

    func replace(_ number: Int, by server: LiveServer) {
        state.withLock { state in
            state.current[number] = state.servers.count
            state.servers.append(server)
        }
    }

    func acknowledge(_ name: String, of person: Int) { state.withLock { $0.acknowledged[person].append(name) } }
    func acknowledged(of person: Int) -> [String] { state.withLock { $0.acknowledged[person] } }
    func count(of person: Int) -> Int { acknowledged(of: person).count }
}

/// Two servers that share a PostgreSQL database.
///
/// Each test has a PostgreSQL of its own, since some end it.
@Suite("Cluster", .enabled(if: LocalPostgres.programs != nil, Comment(rawValue: LocalPostgres.missing)))
struct ClusterTests {
    let postgres: LocalPostgres
    let connection: String

    init() throws {
        postgres = try LocalPostgres()
        connection = postgres.parameters()
    }

    /// Starts a server with copies in a folder, by default a new one.
    private func server(_ options: [String] = [], in folder: String? = nil) throws -> LiveServer {
        let folder = folder ?? NSTemporaryDirectory() + "switchboard-cluster-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder + "/data", withIntermediateDirectories: true)
        return try LiveServer(["--cluster", connection] + options, in: folder)
    }

    private func command(_ arguments: String...) throws -> CommandEnding {
        let folder = NSTemporaryDirectory() + "switchboard-cluster-command-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try LiveServer.start(arguments + ["--cluster", connection, "--data", folder])
    }

    private func token(_ person: String = "ana", _ scope: String = "all") throws -> String {
        let made = try command("token", "create", "--create", "--person", person, "--scope", scope)
        #expect(made.status == 0, "\(made.errors)")
        return made.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func add(_ name: String, to server: LiveServer, _ token: String) throws -> Int {
        try server.ask("POST", "/v1/contacts", token: token, json: "{\"name\": \"\(name)\"}").status
    }

    /// The names of all contacts, sorted.
    private func names(_ server: LiveServer, _ token: String) throws -> [String] {
        let reply = try server.ask("GET", "/v1/contacts.vcf", token: token)
        #expect(reply.status == 200, "\(reply.text)")
        return reply.text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("FN") }
            .compactMap { $0.split(separator: ":").last.map(String.init) }.sorted()
    }

    // MARK: - Both servers are one

    @Test("A person paired on one server is signed in on the other, and what one writes the other reads at once")
    func sharing() throws {
        let servers = [try server(), try server()]
        let token = try token()
        let pairing = try servers[0].ask("POST", "/v1/pairing", token: token).json["url"] as? String
        let code = try #require(pairing?.components(separatedBy: "#pair=").last)
        let paired = try servers[1].ask("POST", "/v1/session", json: "{\"code\": \"\(code)\"}")
        #expect(paired.status == 204, "\(paired.text)")
        let cookie = try #require(paired.headers["set-cookie"]?.split(separator: ";").first)
        for server in servers {
            let reply = try server.ask("GET", "/v1/contacts", headers: ["Cookie: \(cookie)"])
            #expect(reply.status == 200, "\(reply.text)")
        }
        #expect(try servers[0].ask("POST", "/v1/session", json: "{\"code\": \"\(code)\"}").status == 401)
        for number in 0..<20 {
            #expect(try add("Person \(number)", to: servers[number % 2], token) == 201)
            for server in servers { #expect(try names(server, token).count == number + 1) }
        }
    }

    @Test("A token of changes that one server gave continues on the other")
    func changes() throws {
        let servers = [try server(), try server()]
        let token = try token()
        #expect(try add("Ana", to: servers[0], token) == 201)
        var reply = try servers[0].ask("GET", "/v1/contacts?changedSince=", token: token)
        for (number, name) in ["Ben", "Cem", "Dee"].enumerated() {
            let known = try #require(try reply.json["token"] as? String)
            #expect(try add(name, to: servers[number % 2], token) == 201)
            let other = servers[(number + 1) % 2]
            reply = try other.ask("GET", "/v1/contacts?changedSince=\(known)", token: token)
            #expect(try reply.results.compactMap { $0["title"] as? String } == [name])
        }
    }

    @Test("A revoked token is refused at once on both servers")
    func revocation() throws {
        let servers = [try server(), try server()]
        let (token, other) = (try token(), try token("ana"))
        let list = try servers[0].ask("GET", "/v1/tokens", token: token)
        for server in servers { #expect(try server.ask("GET", "/v1/contacts", token: other).status == 200) }
        let ids = try list.results.compactMap { $0["id"] as? String }
        // The newest is first.
        #expect(try servers[1].ask("DELETE", "/v1/tokens/\(ids[0])", token: token).status == 204)
        for server in servers {
            #expect(try server.ask("GET", "/v1/contacts", token: other).status == 401)
            #expect(try server.ask("GET", "/v1/contacts", token: token).status == 200)
        }
    }

    @Test("A page on one server shows changes by the other, and each reminder is delivered once on each channel")
    func eventsAndReminders() throws {
        let delivered = NSTemporaryDirectory() + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: delivered) }
        let options = ["--deliver-with", "echo \"$SWITCHBOARD_TITLE\" >> '\(delivered)'"]
        let servers = [try server(options), try server(options)]
        let token = try token()
        let page = try HTTPClient(port: servers[0].port)
        page.send(
            "GET /v1/events HTTP/1.1\r\nHost: localhost:\(servers[0].port)\r\nAuthorization: Bearer \(token)\r\n\r\n")
        while try !page.readLine().hasPrefix("id:") {}
        #expect(try add("Zoë", to: servers[1], token) == 201)
        while try !page.readLine().contains(#""contacts""#) {}
        for name in ["Ana", "Ben", "Cem"] {
            let added = try servers[1].ask("POST", "/v1/prospects", token: token, json: "{\"name\": \"\(name)\"}")
            let id = try #require(try added.json["id"] as? String)
            let set = try servers[1].ask("PUT", "/v1/prospects/\(id)/reminder", token: token, json: #"{"in": 1}"#)
            #expect(set.status == 200, "\(set.text)")
        }
        var shown: Set<String> = []
        while shown.count < 3 {
            let line = try page.readLine()
            guard line.contains("Contact "), let name = ["Ana", "Ben", "Cem"].first(where: line.contains) else {
                continue
            }
            #expect(shown.insert(name).inserted, "\(name) came twice")
        }
        func lines() -> [String] {
            let text = (try? String(contentsOfFile: delivered, encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map(String.init).sorted()
        }
        try eventually("all are delivered") { lines().count >= 3 }
        try eventually("nothing is pending") {
            try servers[0].ask("GET", "/v1/reminders", token: token).results
                .allSatisfy { $0["state"] as? String == "delivered" }
        }
        #expect(lines() == ["Contact Ana", "Contact Ben", "Contact Cem"])
    }

    @Test("An item becomes public once enough people on any server have engaged with it")
    func publicItems() throws {
        let options = ["--public-threshold", "2"]
        let servers = [try server(options), try server(options)]
        let item = #"{"id": "1", "title": "Dunes", "url": "https://example.org/1", "eligibleForPublicIndexing": true}"#
        for (number, person) in ["ana", "ben"].enumerated() {
            let token = try token(person)
            let put = try servers[number].ask("PUT", "/v1/index/items", token: token, json: item)
            #expect(put.status == 200, "\(put.text)")
            for server in servers { #expect(try server.ask("GET", "/v1/public/search?q=dunes").results.isEmpty) }
            let engaged = try servers[number].ask("POST", "/v1/index/items/1/engage", token: token, json: "{}")
            #expect(engaged.status == 200, "\(engaged.text)")
        }
        for server in servers { #expect(try server.ask("GET", "/v1/public/search?q=dunes").results.count == 1) }
    }

    @Test("A request with an Idempotency-Key that is sent to both servers, also at the same time, is handled once")
    func repeatedRequests() async throws {
        let servers = [try server(), try server()]
        let token = try token()
        func add(_ name: String, _ key: String, to server: LiveServer) throws -> Reply {
            try server.ask(
                "POST", "/v1/contacts", token: token, json: "{\"name\": \"\(name)\"}",
                headers: ["Idempotency-Key: \(key)"])
        }
        let first = try add("Ana", "one", to: servers[0])
        let again = try add("Ana", "one", to: servers[1])
        #expect(first.status == 201 && again.status == 201, "\(again.text)")
        #expect(again.body == first.body && again.headers["location"] == first.headers["location"])
        #expect(try add("Ben", "one", to: servers[1]).status == 422)
        // A rejected request has changed nothing.
        #expect(try add("", "two", to: servers[0]).status == 400)
        #expect(try add("Ben", "two", to: servers[1]).status == 201)

        // A server that was killed before it responded.
        try postgres.sql("UPDATE switchboard.request_key SET status = NULL WHERE key LIKE '%two' RETURNING key")
        let lost = try add("Ben", "two", to: servers[0])
        #expect(try lost.status == 409 && lost.json["code"] as? String == "alreadyHandled", "\(lost.text)")

        for number in 0..<20 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for server in servers {
                    group.addTask {
                        while true {
                            let reply = try add("Person \(number)", "key \(number)", to: server)
                            if reply.status == 201 { return }
                            // Another server is first, or is still handling it.
                            #expect([409, 503].contains(reply.status), "\(reply.text)")
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        for server in servers {
            #expect(try names(server, token) == (["Ana", "Ben"] + (0..<20).map { "Person \($0)" }).sorted())
        }
    }

    // MARK: - Faults

    @Test("While PostgreSQL is away, a server is not ready and refuses requests; afterwards it serves them again")
    func away() throws {
        let server = try server(["--cluster-wait", "1"])
        let token = try token()
        #expect(try add("Ana", to: server, token) == 201)
        try eventually("the server is ready") { try server.ask("GET", "/readyz").status == 200 }
        try postgres.crash()
        #expect(try server.ask("GET", "/healthz").status == 200)
        #expect(try server.ask("GET", "/v1/airports?q=berlin").status == 200)
        for reply in [try server.ask("GET", "/readyz"), try server.ask("GET", "/v1/contacts", token: token)] {
            #expect(reply.status == 503 && reply.headers["retry-after"] != nil, "\(reply.text)")
            #expect(try reply.json["code"] as? String == "journalUnavailable")
        }
        try postgres.start()
        try eventually("the server is ready again") { try server.ask("GET", "/readyz").status == 200 }
        #expect(try names(server, token) == ["Ana"])
    }

    /// The contents of all tables of a person's copies, also those of full-text search and the position in the journal.
    private func dump(_ server: LiveServer) throws -> String {
        let script = """
            import glob, hashlib, os, sqlite3, sys
            for file in sorted(glob.glob(sys.argv[1] + "/people/*.sqlite")):
                db = sqlite3.connect(file)
                tables = db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
                for (table,) in sorted(tables):
                    rows = sorted(map(repr, db.execute(f'SELECT * FROM "{table}"')))
                    print(os.path.basename(file), table, hashlib.sha256("\\n".join(rows).encode()).hexdigest())
            """
        let made = try LiveServer.command("-c", script, server.data, program: "/usr/bin/python3")
        #expect(made.status == 0, "\(made.errors)")
        return made.output
    }

    @Test("Kills of a server and of PostgreSQL under load, and deleted copies, lose no acknowledged write")
    func faults() async throws {
        let people = ["ana", "ben", "cem"]
        let tokens = try people.map { try token($0) }
        let load = Load(servers: [try server(), try server()], people: people.count)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (person, token) in tokens.enumerated() {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread {
                            for number in 0..<10_000 where load.count(of: person) < 120 {
                                let name = "P\(person)-\(number)"
                                let status = try? add(name, to: load.server(number % 2), token)
                                if status == 201 { load.acknowledge(name, of: person) }
                            }
                            continuation.resume()
                        }.start()
                    }
                }
            }
            func writes(_ count: Int) async throws {
                try await eventually("\(count) writes of each person", timeout: .seconds(120)) {
                    people.indices.allSatisfy { load.count(of: $0) >= count }
                }
            }
            try await writes(20)
            _ = load.server(1).stop(SIGKILL)
            try await writes(40)
            load.replace(1, by: try server(in: load.server(1).folder))
            try await writes(60)
            try postgres.crash()
            try postgres.start()
            try await writes(80)
            // The copies of one server are deleted while it is stopped.
            _ = load.server(0).stop(SIGKILL)
            try FileManager.default.removeItem(atPath: load.server(0).data)
            load.replace(0, by: try server(in: load.server(0).folder))
            try await group.waitForAll()
        }
        for (person, token) in tokens.enumerated() {
            let stored = try names(load.server(0), token)
            #expect(try names(load.server(1), token) == stored)
            #expect(Set(stored).count == stored.count, "a write was repeated")
            let lost = Set(load.acknowledged(of: person)).subtracting(stored)
            #expect(lost.isEmpty, "lost: \(lost.sorted())")
        }
        let dump = try dump(load.server(0))
        #expect(dump.split(separator: "\n").count > people.count)
        #expect(try self.dump(load.server(1)) == dump)
        let check = try command("cluster", "check")
        #expect(check.status == 0, "\(check.errors)")
        #expect(check.errors == "4 databases are sound\n")
    }

    @Test("The copies of a running server may be deleted; it goes on, and builds them again after a restart")
    func deletedCopies() throws {
        let servers = [try server(), try server()]
        let token = try token()
        #expect(try add("Ana", to: servers[0], token) == 201)
        for file in try FileManager.default.contentsOfDirectory(atPath: servers[0].data) {
            try FileManager.default.removeItem(atPath: servers[0].data + "/" + file)
        }
        for number in 0..<20 { #expect(try add("Ben \(number)", to: servers[number % 2], token) == 201) }
        let late = try self.token("late")
        #expect(try add("Cem", to: servers[0], late) == 201)
        #expect(servers[0].stop() == 0)
        let restarted = try server(in: servers[0].folder)
        for server in [servers[1], restarted] {
            #expect(try names(server, token).count == 21)
            #expect(try names(server, late) == ["Cem"])
        }
        #expect(try dump(restarted).split(separator: "\n").count > 2)
    }

    // MARK: - Commands

    @Test("A single server moves into a cluster and back with its people, tokens and data")
    func moving() throws {
        let single = try LiveServer()
        let token = try single.token()
        #expect(try add("Zoë Jogo", to: single, token) == 201)
        let item = #"{"id": "1", "title": "Dunes", "url": "https://example.org/1", "eligibleForPublicIndexing": true}"#
        #expect(try single.ask("PUT", "/v1/index/items", token: token, json: item).status == 200)
        #expect(single.stop() == 0)
        let imported = try command("cluster", "import", single.data)
        #expect(imported.status == 0 && imported.errors == "imported 1 person\n", "\(imported.errors)")
        let again = try command("cluster", "import", single.data)
        #expect(again.status == 64 && again.errors.contains("already has people"), "\(again.errors)")

        let server = try server()
        #expect(try names(server, token) == ["Zoë Jogo"])
        #expect(try add("Ben", to: server, token) == 201)
        let status = try command("cluster", "status", "--json")
        #expect(status.output.contains(#""people": 1"#) && status.output.contains(#""journals": 2"#), "\(status)")

        let folder = server.folder + "/exported"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let exported = try command("cluster", "export", folder + "/data")
        #expect(exported.status == 0, "\(exported.errors)")
        let back = try LiveServer(in: folder)
        #expect(try names(back, token) == ["Ben", "Zoë Jogo"])
        #expect(try add("Cem", to: back, token) == 201)
        let refused = try command("cluster", "export", folder + "/data")
        #expect(refused.status == 64 && refused.errors.contains("already exists"), "\(refused.errors)")
    }

    @Test("A folder of the other kind, and a command without a cluster, are refused in one line")
    func mixing() throws {
        let single = try LiveServer()
        #expect(single.stop() == 0)
        let joined = try LiveServer.command("serve", "--port", "0", "--data", single.data, "--cluster", connection)
        #expect(joined.status == 64 && joined.errors.contains("cluster import"), "\(joined.errors)")
        let missing = try LiveServer.command("cluster", "status", "--data", single.data)
        #expect(missing.status == 64 && missing.errors.contains("--cluster"), "\(missing.errors)")
        let unreachable = try LiveServer.command(
            "cluster", "status", "--data", single.data, "--cluster", "host=/nowhere", "--cluster-wait", "1")
        #expect(unreachable.status == 69, "\(unreachable.errors)")
        #expect(unreachable.errors.split(separator: "\n").count == 1, "\(unreachable.errors)")
    }

    @Test("A server whose clock is wrong does not start")
    func clock() throws {
        let made = try LiveServer.start(
            ["-f", "+60s", LiveServer.program, "cluster", "init", "--cluster", connection, "--data", "/nowhere"],
            program: "/usr/bin/faketime")
        #expect(made.status == 69 && made.errors.contains("the clock differs"), "\(made.errors)")
    }

    @Test("Only a server of a cluster loads libpq")
    func libraries() throws {
        func loads(_ server: LiveServer) throws -> Bool {
            // The file says that it is empty.
            let maps = try #require(FileHandle(forReadingAtPath: "/proc/\(server.processID)/maps"))
            return String(decoding: try maps.readToEnd() ?? Data(), as: UTF8.self).contains("libpq")
        }
        let single = try LiveServer()
        let token = try single.token()
        #expect(try add("Ana", to: single, token) == 201)
        #expect(try !loads(single))
        #expect(try loads(try server()))
    }
}
