import Foundation
import SwitchboardWebMarkup
import Testing

@Suite("Robots directives")
struct RobotsDirectivesTests {
    /// Header values and elements with the resulting permissions.
    static let cases: [(headers: [String], head: String, mayIndex: Bool, mayFollow: Bool)] = [
        ([], "", true, true), (["noindex"], "", false, true), (["NoIndex, NOFOLLOW"], "", false, false),
        (["none"], "", false, false),
        (["all"], "", true, true), (["index, follow"], "", true, true), (["otherbot: noindex"], "", true, true),
        (["switchboard: noindex"], "", false, true), (["Switchboard: nofollow, noindex"], "", false, false),
        (["otherbot: noindex, nofollow, switchboard: nofollow"], "", true, false),
        (["otherbot: noindex", "nofollow"], "", true, false),
        (["*: noindex"], "", false, true), (["max-snippet: 20, noindex"], "", false, true),
        ([], "<meta name=robots content=noindex>", false, true),
        ([], "<meta name=ROBOTS content='NONE'>", false, false),
        ([], "<meta name=switchboard content='noindex,nofollow'>", false, false),
        ([], "<meta name=otherbot content=noindex>", true, true),
        ([], "<meta name=robots content=all><meta name=robots content='nofollow'>", true, false),
        (["nofollow"], "<meta name=robots content=noindex>", false, false),
        ([""], "<meta name=robots content=',, ,'>", true, true),
        ([": noindex"], "", true, true), (["unavailable_after: nonsense"], "", true, true),
    ]

    @Test("The strictest directive wins", arguments: cases)
    func directives(_ example: (headers: [String], head: String, mayIndex: Bool, mayFollow: Bool)) throws {
        let robots = try WebPage(html: example.head.utf8, robotsTags: example.headers).robots
        #expect(robots.mayIndex == example.mayIndex && robots.mayFollow == example.mayFollow)
    }

    static let dates = [
        "unavailable_after: 25 Jun 2027 15:00:00 GMT", "unavailable_after: 2027-06-25T15:00:00Z",
        "unavailable_after: Friday, 25-Jun-27 15:00:00 UTC", "noarchive, unavailable_after: 25 Jun 2027 07:00:00 PST",
        "unavailable_after: Fri, 25 Jun 2027 17:00:00 +0200, nofollow", "unavailable_after: 25 June 2027 15:00:00",
    ]

    @Test("A page may be indexed until unavailable_after", arguments: dates)
    func unavailableAfter(value: String) throws {
        let robots = try WebPage(html: [], robotsTags: [value]).robots
        let end = try Date("2027-06-25T15:00:00Z", strategy: .iso8601)
        #expect(robots.unavailableAfter == end)
        #expect(robots.mayIndex(at: end.addingTimeInterval(-1)) && !robots.mayIndex(at: end))
    }

    @Test("Snippets and copies are restricted")
    func snippets() throws {
        let robots = try WebPage(html: [], robotsTags: ["max-snippet: 50, noarchive, noimageindex", "max-snippet:20"])
            .robots
        #expect(robots.maximumSnippetLength == 20 && !robots.mayArchive && !robots.mayIndexImages && robots.maySnippet)
        #expect(try !WebPage(html: [], robotsTags: ["max-snippet: 0"]).robots.maySnippet)
        #expect(try !WebPage(html: [], robotsTags: ["nosnippet"]).robots.maySnippet)
    }
}
