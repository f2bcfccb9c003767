import Foundation
import SwitchboardBadges
import SwitchboardTestFixtures
import SwitchboardTestSupport
import Testing

/// Pictures that take long, which must not stop the server or other people's scans.
@Suite("Scans of pictures") struct ScanTests {
    /// A picture of some kilobytes that would keep the libraries busy for hours.
    private static let flood = GreyPicture.finderPatterns(columns: 400, rows: 300, moduleSize: 1).png ?? []

    private static func scan(_ picture: [UInt8], on server: LiveServer, as token: String) throws -> HTTPClient {
        let client = try HTTPClient(port: server.port)
        let head = [
            "POST /v1/prospects/scan HTTP/1.1", "Host: 127.0.0.1:\(server.port)", "Authorization: Bearer \(token)",
            "Content-Type: image/png", "Content-Length: \(picture.count)",
        ]
        client.send(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + picture)
        return client
    }

    /// The processes that the server has forked.
    private func children(of server: LiveServer) -> [String] {
        let tasks = "/proc/\(server.processID)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return threads.flatMap { thread in
            ((try? String(contentsOfFile: "\(tasks)/\(thread)/children", encoding: .utf8)) ?? "").split(separator: " ")
                .map(String.init)
        }
    }

    private func logged(_ status: Int, in server: LiveServer) -> Int {
        server.logText.split(separator: "\n")
            .count { $0.contains("/v1/prospects/scan") && $0.contains("\"status\": \"\(status)\"") }
    }

    @Test("A picture that takes too long or is too large gets 422 with the reason")
    func refused() throws {
        let server = try LiveServer()
        let token = try server.token()
        #expect(Self.flood.count < 64 << 10)
        let late = try Self.scan(Self.flood, on: server, as: token).readReply()
        #expect(late.status == 422 && late.text.contains("before its time was up"), "\(late.text)")
        let long = try #require(GreyPicture(width: 60_000, height: 1_000, pixels: []).png)
        let large = try Self.scan(long, on: server, as: token).readReply()
        #expect(large.status == 422 && large.text.contains("12000 pixels for a side"), "\(large.text)")
    }

    @Test("A client that disconnects ends its scan, which is logged as 499", arguments: [false, true])
    func disconnection(whileWaiting: Bool) throws {
        let server = try LiveServer()
        let token = try server.token()
        var first: HTTPClient? = try Self.scan(Self.flood, on: server, as: token)
        try eventually("the picture is being read") { !children(of: server).isEmpty }
        if whileWaiting {
            var second: HTTPClient? = try Self.scan(Self.flood, on: server, as: token)
            #expect(second != nil)
            second = nil
            try eventually("the waiting scan is logged") { logged(499, in: server) == 1 }
            #expect(try first?.readReply().status == 422)
        } else {
            first = nil
            try eventually("the scan is logged") { logged(499, in: server) == 1 }
            #expect(children(of: server).isEmpty && logged(422, in: server) == 0)
        }
    }

    @Test("The scans of a person wait for each other up to a limit, and those of others do not wait for them")
    func turns() throws {
        let server = try LiveServer()
        let (token, other) = (try server.token(), try server.token("bo"))
        let clients = try (0..<8).map { _ in try Self.scan(Self.flood, on: server, as: token) }
        try eventually("the limit is reached") { logged(429, in: server) > 0 }
        #expect(children(of: server).count <= 1)
        let code = try QRCode("Cy Ode\ncy@example.org").png()
        let reply = try Self.scan(code, on: server, as: other).readReply()
        #expect(reply.status == 200 && reply.text.contains("Cy Ode"), "\(reply.text)")
        #expect(logged(422, in: server) < 4)
        let replies = try clients.map { try $0.readReply() }
        for reply in replies where reply.status != 422 {
            #expect(reply.status == 429 && reply.headers["retry-after"] != nil, "\(reply.text)")
        }
        #expect(replies.count { $0.status == 422 } >= 4)
    }
}
