import Foundation
import SwitchboardWebFetch
import Testing

@Suite("robots.txt")
struct RobotsTests {
    struct Case: Sendable {
        let file: String
        let path: String
        var agent = "Switchboard"
        let isAllowed: Bool

        init(_ file: String, _ path: String, _ isAllowed: Bool, agent: String = "Switchboard") {
            self.file = file
            self.path = path
            self.isAllowed = isAllowed
            self.agent = agent
        }
    }

    static let cases: [Case] = [
        Case("", "/x", true), Case("User-agent: *\nDisallow: /", "/x", false),
        Case("User-agent: *\nDisallow:", "/x", true),
        Case("User-agent: *\nDisallow: /", "/robots.txt", true), Case("User-agent: *\nDisallow: /a", "/a/b?c", false),
        Case("User-agent: *\nDisallow: /a", "/b", true), Case("User-agent: *\nDisallow: /a/", "/a", true),
        // Precedence
        Case("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", true),
        Case("User-agent: *\nAllow: /a/b\nDisallow: /a", "/a/c", false),
        Case("User-agent: *\nDisallow: /page\nAllow: /page", "/page", true),
        Case("User-agent: *\nAllow: /\nDisallow: /p*", "/page", false),
        // Groups
        Case("User-agent: other\nDisallow: /", "/x", true), Case("User-agent: SWITCHBOARD\nDisallow: /", "/x", false),
        Case("User-agent: switchboard/2.0\nDisallow: /", "/x", false),
        Case("User-agent: switch\nDisallow: /", "/x", true),
        Case("User-agent: *\nDisallow: /\n\nUser-agent: switchboard\nAllow: /", "/x", true),
        Case("User-agent: *\nDisallow: /\nUser-agent: switchboard\nDisallow: /y", "/x", true),
        Case("User-agent: switchboard\nUser-agent: other\nDisallow: /x", "/x", false),
        Case(
            "User-agent: switchboard\nDisallow: /x\nUser-agent: a\nDisallow: /\nUser-agent: Switchboard\nDisallow: /y",
            "/y", false),
        Case(
            "User-agent: switchboard\nDisallow: /x\nUser-agent: a\nDisallow: /\nUser-agent: Switchboard\nDisallow: /y",
            "/x", false),
        Case("Disallow: /\nUser-agent: *\nAllow: /", "/x", true),
        Case("User-agent: a\nSitemap: /s\nUser-agent: *\nDisallow: /", "/x", false),
        // Wildcards and anchors
        Case("User-agent: *\nDisallow: /*.php", "/a/b.php?x", false),
        Case("User-agent: *\nDisallow: /*.php$", "/a/b.php?x", true),
        Case("User-agent: *\nDisallow: /*.php$", "/a/b.php", false),
        Case("User-agent: *\nDisallow: /*.php$", "/a.php/b.php", false),
        Case("User-agent: *\nDisallow: /a*b*c", "/a1b2c3", false),
        Case("User-agent: *\nDisallow: /a*b*c", "/a1c2b3", true),
        Case("User-agent: *\nDisallow: *x", "/ax", false), Case("User-agent: *\nDisallow: /$", "/", false),
        Case("User-agent: *\nDisallow: /$", "/x", true),
        Case("User-agent: *\nDisallow: *", "/x", false), Case("User-agent: *\nDisallow: /ab*ba$", "/aba", true),
        Case("User-agent: *\nDisallow: **$", "/x", false),
        Case("User-agent: *\nDisallow: /a$b", "/a$b", false), Case("User-agent: *\nDisallow: /a%2Ab", "/a*b", false),
        Case("User-agent: *\nDisallow: /a%2Ab", "/axb", true),
        Case("User-agent: *\nDisallow: /a$", "/a$", true),
        // Percent encoding
        Case("User-agent: *\nDisallow: /ü", "/%C3%BC", false), Case("User-agent: *\nDisallow: /%c3%bc", "/ü", false),
        Case("User-agent: *\nDisallow: /%7Ejoe", "/~joe", false), Case("User-agent: *\nDisallow: /a%2Fb", "/a/b", true),
        Case("User-agent: *\nDisallow: /a%2fb", "/a%2Fb", false), Case("User-agent: *\nDisallow: /%zz", "/%zz", false),
        // File format
        Case("\u{FEFF}User-agent: *\r\nDisallow: /x\r\n", "/x", false),
        Case("user-AGENT : * # all\ndisALLOW\t:\t/x # secret", "/x", false),
        Case("User-agent: *\rDisallow: /x\rAllow: /y", "/x", false),
        Case("User-agent: *\n\n\nDisallow: /x", "/x", false),
        Case("User-agent *\nDisallow: /x", "/x", true),
        Case("User-agent: *\nCrawl-delay: 5\nDisallow: /x", "/x", false),
        Case("User-agent: *\nDisallow: x", "/x", true), Case("User-agent:\nDisallow: /", "/x", true),
        Case("\0\u{1}: :\n:::", "/x", true),
        Case("User-agent: *\nDisallow: /", "", false),
    ]

    @Test("Paths are allowed as in RFC 9309", arguments: cases)
    func paths(_ example: Case) {
        let isAllowed = RobotsTxt(Array(example.file.utf8)).allows(example.path, agent: example.agent)
        #expect(isAllowed == example.isAllowed, "\(example.file.debugDescription) \(example.path)")
    }

    @Test("Files are read up to 500 KiB, and sitemaps are found")
    func limit() {
        let start = Array("User-agent: *\nSitemap: https://example.org/map.xml\nDisallow: /a\n".utf8)
        let filler = Array(String(repeating: "#\n", count: 256_000).utf8)
        let robots = RobotsTxt(start + filler + Array("Disallow: /b".utf8))
        #expect(!robots.allows("/a", agent: "x") && robots.allows("/b", agent: "x"))
        #expect(robots.sitemaps == ["https://example.org/map.xml"])
    }

    @Test("Patterns match in linear time")
    func slowPatterns() {
        let pattern = String(repeating: "a*", count: 20_000)
        let robots = RobotsTxt(Array("User-agent: *\nDisallow: /\(pattern)b$".utf8))
        #expect(robots.allows("/" + String(repeating: "a", count: 8000), agent: "x"))
        let many = String(repeating: "Disallow: /*aaaaaaab\n", count: 500)
        #expect(
            RobotsTxt(Array("User-agent: *\n\(many)".utf8)).allows(
                "/" + String(repeating: "a", count: 8000), agent: "x"))
    }

    // MARK: - HTTP

    private func answers(status: Int, _ file: String, _ paths: [String]) throws -> (results: [String], reads: String) {
        let server = try TestServer()
        let fetcher = WebFetcher(allowsPrivateAddresses: true)
        let text = file.replacing(" ", with: "+").replacing("\n", with: "%0A")
        _ = try fetcher.fetch(FetchRequest(server.url("/set-robots?\(status)&\(text)")))
        let results = paths.map { path in
            do {
                return "\(try fetcher.fetch(FetchRequest(server.url(path), obeysRobots: true)).status)"
            } catch {
                return (error as? WebFetchError)?.code ?? "\(error)"
            }
        }
        let reads = try fetcher.fetch(FetchRequest(server.url("/robots-reads"))).body
        return (results, String(decoding: reads, as: UTF8.self))
    }

    @Test("robots.txt is fetched once, and checked before each request and redirect")
    func checked() throws {
        let (results, reads) = try answers(
            status: 200, "User-agent: switchboard\nDisallow: /gzip", ["/page", "/gzip", "/redirect?/gzip", "/page"])
        #expect(results == ["200", "disallowed", "disallowed", "200"])
        #expect(reads == "1")
    }

    @Test("A missing file allows everything, an unavailable one nothing")
    func missing() throws {
        #expect(try answers(status: 404, "User-agent: *\nDisallow: /", ["/page"]).results == ["200"])
        #expect(try answers(status: 403, "", ["/page"]).results == ["200"])
        #expect(
            try answers(status: 503, "", ["/page", "/page"]).results == ["robotsUnreachable", "robotsUnreachable"])
    }
}
