import Foundation
import Testing
import SwitchboardWebFetch

@Suite("Fetching")
struct FetchTests {
    let server: TestServer
    let fetcher = WebFetcher(
        limits: FetchLimits(bytes: 1 << 20, totalTimeout: .seconds(20)), allowsPrivateAddresses: true)

    init() throws {
        server = try TestServer()
    }

    private func fetch(_ path: String) throws(WebFetchError) -> FetchedPage {
        try fetcher.fetch(FetchRequest(server.url(path)))
    }

    @Test("A page comes with its type, its mark and what it says to search engines")
    func page() throws {
        let page = try fetch("/page#part")
        #expect(page.status == 200 && page.url == server.url("/page"))
        #expect(page.body == Array("<title>Page</title>".utf8))
        #expect(page.contentType == "text/html; charset=utf-8")
        #expect(page.entityTag == "\"v1\"" && page.robotsTags == ["noindex"])
    }

    @Test("The program says its name, and sends the headers it is given, one line each")
    func requestHeaders() throws {
        let request = FetchRequest(server.url("/echo"), headers: ["X-One": "1\r\nX-Two: 2", "Accept": "text/plain"])
        let sent = String(decoding: try fetcher.fetch(request).body, as: UTF8.self)
        #expect(sent.contains("User-Agent: Switchboard/"))
        #expect(sent.contains("X-One: 1X-Two: 2\n") && sent.contains("Accept: text/plain\n"))
        #expect(!sent.contains("Cookie") && !sent.contains("Authorization"))
    }

    @Test("What has not changed is not sent again")
    func conditional() throws {
        #expect(try fetch("/conditional").body == Array("fresh".utf8))
        let again = try fetcher.fetch(FetchRequest(server.url("/conditional"), headers: ["If-None-Match": "\"v1\""]))
        #expect(again.status == 304 && again.body.isEmpty)
        try again.requireSuccess()
    }

    @Test("A status of failure is an answer, and an error for who wants success")
    func status() throws {
        let page = try fetch("/nothing")
        #expect(page.status == 404 && page.body == Array("nothing here".utf8))
        #expect(throws: WebFetchError.status(url: page.url, status: 404)) { try page.requireSuccess() }
    }

    @Test("Packed answers are unpacked, and counted unpacked")
    func packed() throws {
        #expect(try fetch("/gzip").body == Array("<title>Packed</title>".utf8))
        #expect(throws: WebFetchError.tooLarge(url: server.url("/bomb"), limit: 1 << 20)) { try fetch("/bomb") }
        #expect { try fetch("/bad-gzip") } throws: { if case WebFetchError.damaged = $0 { true } else { false } }
    }

    @Test("Who wants it so gets a packed answer as it came")
    func raw() throws {
        let request = FetchRequest(server.url("/gzip"), decompresses: false)
        let page = try fetcher.fetch(request)
        #expect(page.body.starts(with: [0x1F, 0x8B]) && page.values(of: "content-encoding") == ["gzip"])
        let sent = try fetcher.fetch(FetchRequest(server.url("/echo"), decompresses: false))
        #expect(String(decoding: sent.body, as: UTF8.self).contains("Accept-Encoding: gzip\n"))
        #expect(try fetcher.fetch(FetchRequest(server.url("/bad-gzip"), decompresses: false)).body.count > 10)
    }

    @Test("Answers above the limit are refused, whether they say their length or not")
    func size() throws {
        #expect(try fetch("/large?1048576").body.count == 1 << 20)
        #expect(throws: WebFetchError.tooLarge(url: server.url("/large?1048577"), limit: 1 << 20)) {
            try fetch("/large?1048577")
        }
        #expect(throws: WebFetchError.tooLarge(url: server.url("/large-unknown"), limit: 1 << 20)) {
            try fetch("/large-unknown")
        }
    }

    @Test("A head of a hundred kilobytes is refused")
    func head() {
        #expect(throws: WebFetchError.headTooLarge(url: server.url("/head"))) { try fetch("/head") }
    }

    @Test("What is no answer of HTTP is called damaged", arguments: ["/torn", "/garbage"])
    func damaged(path: String) {
        #expect { try fetch(path) } throws: { if case WebFetchError.damaged = $0 { true } else { false } }
    }

    @Test("A type that is not wanted is not fetched")
    func types() throws {
        let picture = FetchRequest(server.url("/picture"), acceptedTypes: FetchRequest.pageTypes)
        #expect(throws: WebFetchError.wrongType(url: picture.url, contentType: "image/png")) {
            try fetcher.fetch(picture)
        }
        #expect(
            try fetcher.fetch(FetchRequest(server.url("/page"), acceptedTypes: FetchRequest.pageTypes)).status == 200)
        #expect(try fetcher.fetch(FetchRequest(server.url("/nothing"), acceptedTypes: [])).status == 404)
    }

    @Test("Time is limited, for answers that drip and for those that never come", arguments: ["/slow", "/silent"])
    func time(path: String) {
        let hasty = WebFetcher(limits: FetchLimits(totalTimeout: .milliseconds(500)), allowsPrivateAddresses: true)
        #expect(throws: WebFetchError.timedOut(url: server.url(path))) {
            try hasty.fetch(FetchRequest(server.url(path)))
        }
    }

    @Test("Fetching ends when it is not wanted any more")
    func cancelled() {
        var questions = 0
        #expect(throws: WebFetchError.cancelled) {
            try fetcher.fetch(FetchRequest(server.url("/silent"))) {
                questions += 1
                return questions > 3
            }
        }
        #expect(throws: WebFetchError.cancelled) { try fetcher.fetch(FetchRequest(server.url("/page"))) { true } }
    }

    @Test("Nobody there is told apart from no such name")
    func nobody() {
        #expect { try fetcher.fetch(FetchRequest("http://127.0.0.1:1/")) } throws: {
            if case WebFetchError.unreachable = $0 { true } else { false }
        }
        // A label of more than 63 letters: the machine knows without asking the network.
        let host = String(repeating: "a", count: 70) + ".example"
        #expect(throws: WebFetchError.unknownHost(host)) { try fetcher.fetch(FetchRequest("http://\(host)/")) }
    }

    @Test("One fetcher serves many threads at once")
    func threads() async throws {
        let (fetcher, url) = (fetcher, server.url("/page"))
        let bodies = await withTaskGroup { group in
            for _ in 0..<20 { group.addTask { (try? fetcher.fetch(FetchRequest(url, obeysRobots: true)))?.body.count } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(bodies == Array(repeating: 19, count: 20))
    }
}
