import Foundation
import SwitchboardTestFixtures
import SwitchboardTestSupport
import Testing

/// Slow requests of some clients, and their effect on others.
@Suite("Concurrency") struct ConcurrencyTests {
    /// An expression that matches no title, so that a query reads all items.
    private static let slowQuery = "/v1/index/query?expression=title%20%3D%3D%20%22*%E2%82%AC*%22"

    /// Starts a server and stores so many items that a query of them takes long.
    private func serverWithItems(_ count: Int) throws -> (server: LiveServer, token: String) {
        let server = try LiveServer()
        let token = try server.token()
        for start in stride(from: 0, to: count, by: 5_000) {
            let items = (start..<min(start + 5_000, count)).map {
                #"{"id": "\#($0)", "title": "Item number \#($0) of many"}"#
            }
            let put = try server.ask(
                "PUT", "/v1/index/items", token: token, json: "[" + items.joined(separator: ", ") + "]")
            #expect(put.status == 200, "\(put.text)")
        }
        return (server, token)
    }

    private func send(_ target: String, _ token: String, to server: LiveServer) throws -> HTTPClient {
        let client = try HTTPClient(port: server.port)
        client.send(
            "GET \(target) HTTP/1.1\r\nHost: localhost:\(server.port)\r\nAuthorization: Bearer \(token)\r\n\r\n")
        return client
    }

    /// Returns how many requests of the slow query the server has counted, by status.
    private func finishedQueries(_ server: LiveServer) throws -> [Int: Int] {
        let lines = try server.ask("GET", "/metrics").text.split(separator: "\n")
        var counts: [Int: Int] = [:]
        for line in lines {
            guard
                let match = line.wholeMatch(
                    of: /switchboard_requests_total\{method="GET",route="\/v1\/index\/query",status="(\d+)"\} (\d+)/)
            else { continue }
            counts[Int(match.1) ?? 0] = Int(match.2)
        }
        return counts
    }

    @Test("Airports, health and writes are answered while private searches wait for each other")
    func lanes() throws {
        let (server, token) = try serverWithItems(10_000)
        let waiting = try (0..<120).map { _ in try send(Self.slowQuery, token, to: server) }
        #expect(try server.ask("GET", "/v1/airports?q=frankfrut").status == 200)
        #expect(try server.ask("GET", "/healthz").status == 200)
        #expect(try server.ask("POST", "/v1/contacts", token: token, json: #"{"name": "Ana"}"#).status == 201)
        let finished = try finishedQueries(server)[200] ?? 0
        #expect(finished < waiting.count / 2, "\(finished) of \(waiting.count) private searches came first")
        for client in waiting.prefix(4) { #expect(try client.readReply().status == 200) }
    }

    @Test("A client that disconnects cancels its searches, which are neither errors nor counted as such")
    func disconnected() throws {
        let (server, token) = try serverWithItems(10_000)
        var waiting = try (0..<40).map { _ in try send(Self.slowQuery, token, to: server) }
        #expect(waiting.count == 40)
        waiting = []
        try eventually("all searches have ended") { try finishedQueries(server).values.reduce(0, +) == 40 }
        let finished = try finishedQueries(server)
        #expect(finished[499] ?? 0 > 20, "\(finished)")
        #expect(finished.keys.allSatisfy { $0 < 500 }, "\(finished)")
        #expect(try server.ask("GET", "/v1/session", token: token).status == 200)
        #expect(server.stop() == 0)
        #expect(!server.logText.contains(#""level": "error""#), "\(server.logText)")
    }

    @Test("A client that closes only its sending side gets its response")
    func halfClosed() throws {
        let server = try LiveServer()
        let client = try HTTPClient(port: server.port)
        client.send("GET /healthz HTTP/1.1\r\nHost: localhost:\(server.port)\r\n\r\n")
        client.endSending()
        #expect(try client.readReply().status == 200)
        #expect(client.isClosed())
    }
}
