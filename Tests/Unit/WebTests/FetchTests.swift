import Foundation
import SwitchboardWebFetch
import Testing

@Suite("Fetching")
struct FetchTests {
    let server: TestServer
    let fetcher = WebFetcher(
        limits: FetchLimits(bytes: 1 << 20, totalTimeout: .seconds(20)), allowsPrivateAddresses: true)

    init() throws {
        server = try TestServer()
    }

    private func fetch(_ path: String) throws -> FetchedPage {
        try fetcher.fetch(FetchRequest(server.url(path)))
    }

    @Test("A response has its content type, entity tag and robots tags")
    func page() throws {
        let page = try fetch("/page#part")
        #expect(page.status == 200 && page.url == server.url("/page"))
        #expect(page.body == Array("<title>Page</title>".utf8))
        #expect(page.contentType == "text/html; charset=utf-8")
        #expect(page.entityTag == "\"v1\"" && page.robotsTags == ["noindex"])
    }

    @Test("The user agent and given headers are sent, without line breaks")
    func requestHeaders() throws {
        let request = FetchRequest(server.url("/echo"), headers: ["X-One": "1\r\nX-Two: 2", "Accept": "text/plain"])
        let sent = String(decoding: try fetcher.fetch(request).body, as: UTF8.self)
        #expect(sent.contains("User-Agent: Switchboard/"))
        #expect(sent.contains("X-One: 1X-Two: 2\n") && sent.contains("Accept: text/plain\n"))
        #expect(!sent.contains("Cookie") && !sent.contains("Authorization"))
    }

    @Test("A conditional request returns 304 if unchanged")
    func conditional() throws {
        #expect(try fetch("/conditional").body == Array("fresh".utf8))
        let again = try fetcher.fetch(FetchRequest(server.url("/conditional"), headers: ["If-None-Match": "\"v1\""]))
        #expect(again.status == 304 && again.body.isEmpty)
        try again.requireSuccess()
    }

    @Test("An error status is a response, and an error on request")
    func status() throws {
        let page = try fetch("/nothing")
        #expect(page.status == 404 && page.body == Array("nothing here".utf8))
        #expect(throws: WebFetchError.status(url: page.url, status: 404)) { try page.requireSuccess() }
    }

    @Test("Compressed bodies are decompressed, and limited after decompression")
    func compressed() throws {
        #expect(try fetch("/gzip").body == Array("<title>Packed</title>".utf8))
        #expect(throws: WebFetchError.tooLarge(url: server.url("/bomb"), limit: 1 << 20)) { try fetch("/bomb") }
        #expect { try fetch("/bad-gzip") } throws: { if case WebFetchError.damaged = $0 { true } else { false } }
    }

    @Test("Decompression can be disabled")
    func raw() throws {
        let request = FetchRequest(server.url("/gzip"), decompresses: false)
        let page = try fetcher.fetch(request)
        #expect(page.body.starts(with: [0x1F, 0x8B]) && page.values(of: "content-encoding") == ["gzip"])
        let sent = try fetcher.fetch(FetchRequest(server.url("/echo"), decompresses: false))
        #expect(String(decoding: sent.body, as: UTF8.self).contains("Accept-Encoding: gzip\n"))
        #expect(try fetcher.fetch(FetchRequest(server.url("/bad-gzip"), decompresses: false)).body.count > 10)
    }

    @Test("Bodies above the limit are rejected, with and without Content-Length")
    func size() throws {
        #expect(try fetch("/large?1048576").body.count == 1 << 20)
        #expect(throws: WebFetchError.tooLarge(url: server.url("/large?1048577"), limit: 1 << 20)) {
            try fetch("/large?1048577")
        }
        #expect(throws: WebFetchError.tooLarge(url: server.url("/large-unknown"), limit: 1 << 20)) {
            try fetch("/large-unknown")
        }
    }

    @Test("Large headers are rejected")
    func head() {
        #expect(throws: WebFetchError.headTooLarge(url: server.url("/head"))) { try fetch("/head") }
    }

    @Test("Truncated and invalid responses are reported as corrupt", arguments: ["/torn", "/garbage"])
    func corrupt(path: String) {
        #expect { try fetch(path) } throws: { if case WebFetchError.damaged = $0 { true } else { false } }
    }

    @Test("Unaccepted media types are not fetched")
    func types() throws {
        let picture = FetchRequest(server.url("/picture"), acceptedTypes: FetchRequest.pageTypes)
        #expect(throws: WebFetchError.wrongType(url: picture.url, contentType: "image/png")) {
            try fetcher.fetch(picture)
        }
        #expect(
            try fetcher.fetch(FetchRequest(server.url("/page"), acceptedTypes: FetchRequest.pageTypes)).status == 200)
        #expect(try fetcher.fetch(FetchRequest(server.url("/nothing"), acceptedTypes: [])).status == 404)
    }

    @Test("Slow and missing responses time out", arguments: ["/slow", "/silent"])
    func time(path: String) {
        let impatient = WebFetcher(limits: FetchLimits(totalTimeout: .milliseconds(500)), allowsPrivateAddresses: true)
        #expect(throws: WebFetchError.timedOut(url: server.url(path))) {
            try impatient.fetch(FetchRequest(server.url(path)))
        }
    }

    @Test("Requests can be cancelled")
    func cancelled() {
        var polls = 0
        #expect(throws: CancellationError.self) {
            try fetcher.fetch(FetchRequest(server.url("/silent"))) {
                polls += 1
                return polls > 3
            }
        }
        #expect(throws: CancellationError.self) { try fetcher.fetch(FetchRequest(server.url("/page"))) { true } }
    }

    @Test("Unreachable and unknown hosts are distinguished")
    func unreachable() {
        #expect { try fetcher.fetch(FetchRequest("http://127.0.0.1:1/")) } throws: {
            if case WebFetchError.unreachable = $0 { true } else { false }
        }
        // A label of more than 63 letters fails without a DNS query.
        let host = String(repeating: "a", count: 70) + ".example"
        #expect(throws: WebFetchError.unknownHost(host)) { try fetcher.fetch(FetchRequest("http://\(host)/")) }
    }

    @Test("A fetcher can be used from several threads")
    func threads() async throws {
        let (fetcher, url) = (fetcher, server.url("/page"))
        let bodies = await withTaskGroup { group in
            for _ in 0..<20 { group.addTask { (try? fetcher.fetch(FetchRequest(url, obeysRobots: true)))?.body.count } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(bodies == Array(repeating: 19, count: 20))
    }
}
