import Foundation
import Testing

@testable import SwitchboardWebFetch

@Suite("Redirects and addresses")
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

    static let addresses: [(String, Bool)] = [
        ("8.8.8.8", true), ("1.1.1.1", true), ("100.63.255.255", true), ("172.32.0.1", true), ("223.255.255.255", true),
        ("0.1.2.3", false),
        ("10.0.0.1", false), ("100.64.0.1", false), ("100.127.255.255", false), ("100.128.0.0", true),
        ("127.255.255.255", false),
        ("169.254.169.254", false), ("172.16.0.1", false), ("172.31.255.255", false), ("192.0.0.8", false),
        ("192.0.2.1", false),
        ("192.88.99.1", false), ("192.168.1.1", false), ("198.18.0.1", false), ("198.19.255.255", false),
        ("198.20.0.0", true),
        ("198.51.100.7", false), ("203.0.113.7", false), ("224.0.0.1", false), ("239.1.2.3", false),
        ("240.0.0.1", false), ("255.255.255.255", false),
        ("2606:4700::1", true), ("2a00:1450::1", true), ("::", false), ("::1", false), ("::ffff:8.8.8.8", true),
        ("::ffff:10.0.0.1", false),
        ("::ffff:169.254.169.254", false), ("::8.8.8.8", false), ("64:ff9b::8.8.8.8", true),
        ("64:ff9b::10.0.0.1", false), ("64:ff9b:1::1", false),
        ("100::1", false), ("2001::1", false), ("2001:1ff::1", false), ("2001:200::1", true), ("2001:db8::1", false),
        ("2002:7f00:1::", false),
        ("3fff:1::1", false), ("3fff:ffff::1", true), ("fc00::1", false), ("fd12::1", false), ("fe80::1", false),
        ("fec0::1", false), ("ff02::1", false),
        ("4000::1", false),
    ]

    @Test("Addresses are classified as public or private", arguments: addresses)
    func publicAddresses(_ example: (text: String, isPublic: Bool)) throws {
        var buffer = [UInt8](repeating: 0, count: 16)
        let isIPv6 = example.text.contains(":")
        #expect(inet_pton(isIPv6 ? AF_INET6 : AF_INET, example.text, &buffer) == 1)
        let address = try #require(NetworkAddress(bytes: Array(buffer.prefix(isIPv6 ? 16 : 4))))
        #expect(address.isPublic == example.isPublic)
    }

    @Test("Addresses have four or sixteen bytes")
    func wrongLength() {
        for length in [0, 3, 5, 15, 17] { #expect(NetworkAddress(bytes: Array(repeating: 1, count: length)) == nil) }
    }
}
