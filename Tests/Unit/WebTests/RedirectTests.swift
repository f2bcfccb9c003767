import Foundation
import Testing

@testable import SwitchboardWebFetch

@Suite("Redirects")
struct RedirectTests {
    let server: TestServer
    let fetcher = WebFetcher(allowsPrivateAddresses: true)

    init() throws {
        server = try TestServer()
    }

    @Test("Absolute and relative redirects are followed to the final URL")
    func followed() throws {
        #expect(try fetcher.fetch(FetchRequest(server.url("/redirect?/page"))).url == server.url("/page"))
        #expect(try fetcher.fetch(FetchRequest(server.url("/redirect?page"))).body == Array("<title>Page</title>".utf8))
        #expect(try fetcher.fetch(FetchRequest(server.url("/count?5"))).body == Array("there".utf8))
    }

    @Test("The number of redirects is limited, and loops are detected")
    func tooMany() {
        let far = server.url("/count?6")
        #expect(throws: WebFetchError.tooManyRedirects(url: far, limit: 5)) { try fetcher.fetch(FetchRequest(far)) }
        for path in ["/loop", "/redirect?/loop"] {
            #expect(throws: WebFetchError.redirectLoop(url: server.url(path))) {
                try fetcher.fetch(FetchRequest(server.url(path)))
            }
        }
    }

    @Test(
        "Only http and https are fetched, also after a redirect",
        arguments: [
            "file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/", "dict://127.0.0.1:11211/stat",
            "data:text/html,x",
        ])
    func schemes(target: String) {
        #expect(throws: WebFetchError.refusedScheme(target)) { try fetcher.fetch(FetchRequest(target)) }
        #expect(throws: WebFetchError.refusedScheme(target)) {
            try fetcher.fetch(FetchRequest(server.url("/redirect?\(target)")))
        }
    }

    @Test(
        "Invalid URLs are rejected",
        arguments: ["", "example.org", "http://", "http:///x", "http://user:pw@127.0.0.1/", "http://[::1", "//x"])
    func badAddresses(text: String) {
        #expect(throws: WebFetchError.badAddress(text)) { try fetcher.fetch(FetchRequest(text)) }
    }

    @Test("Redirects to other servers can be disallowed")
    func sameServer() throws {
        func fetch(_ path: String) throws -> FetchedPage {
            try fetcher.fetch(FetchRequest(server.url(path), allowsOtherServers: false))
        }
        #expect(try fetch("/redirect?/page").status == 200)
        for target in [
            server.url("/page", host: "localhost"), "http://127.0.0.1:1/", "https://127.0.0.1:\(server.port)/",
        ] {
            let url = server.url("/redirect?\(target)")
            #expect(throws: WebFetchError.redirectElsewhere(url: url, target: target)) {
                try fetch("/redirect?\(target)")
            }
        }
    }

    @Test("Headers are not sent to another host after a redirect")
    func headersStay() throws {
        let request = FetchRequest(
            server.url("/redirect?\(server.url("/echo", host: "localhost"))"), headers: ["X-Secret": "1"])
        #expect(!String(decoding: try fetcher.fetch(request).body, as: UTF8.self).contains("X-Secret"))
        let same = FetchRequest(server.url("/redirect?/echo"), headers: ["X-Secret": "1"])
        #expect(String(decoding: try fetcher.fetch(same).body, as: UTF8.self).contains("X-Secret"))
    }

    @Test(
        "Private addresses are rejected in every notation",
        arguments: [
            "127.0.0.1", "localhost", "127.1", "0x7f000001", "2130706433", "017700000001", "[::1]",
            "[::ffff:127.0.0.1]", "0.0.0.0", "[::]",
        ])
    func privateAddresses(host: String) {
        let careful = WebFetcher(limits: FetchLimits(connectTimeout: .seconds(2)), allowsPrivateAddresses: false)
        #expect {
            try careful.fetch(FetchRequest(server.url("/page", host: host)))
        } throws: { error in
            // Foundation rejects some of these as invalid URLs.
            switch error as? WebFetchError {
            case .privateAddress, .badAddress: true
            default: false
            }
        }
    }

    @Test("Redirects from public to private addresses are always rejected", arguments: [true, false])
    func publicToPrivate(allowsPrivateAddresses: Bool) throws {
        // 127.0.0.2 represents a public address.
        let world = try TestServer(at: "127.0.0.2")
        let fetcher = WebFetcher(
            limits: FetchLimits(), allowsPrivateAddresses: allowsPrivateAddresses, agent: "Test"
        ) { $0.bytes == [127, 0, 0, 2] }
        let inside = server.url("/page")
        let outside = world.url("/page", host: "127.0.0.2")
        #expect(throws: WebFetchError.privateAddress(url: inside, address: "127.0.0.1")) {
            try fetcher.fetch(FetchRequest(world.url("/redirect?\(inside)", host: "127.0.0.2")))
        }
        #expect(try fetcher.fetch(FetchRequest(world.url("/redirect?\(outside)", host: "127.0.0.2"))).status == 200)
        if allowsPrivateAddresses {
            #expect(try fetcher.fetch(FetchRequest(server.url("/redirect?\(outside)"))).status == 200)
            #expect(try fetcher.fetch(FetchRequest(server.url("/redirect?\(inside)"))).status == 200)
        }
    }

    @Test("Proxy settings of the environment are ignored")
    func proxy() throws {
        setenv("http_proxy", "http://127.0.0.1:1/", 1)
        defer { unsetenv("http_proxy") }
        #expect(try fetcher.fetch(FetchRequest(server.url("/page"))).status == 200)
    }
}
