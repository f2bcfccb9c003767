/// A parsed robots.txt (RFC 9309).
///
/// For example:
///
/// ```swift
/// let robots = RobotsTxt(Array("User-agent: *\nDisallow: /private".utf8))
/// let isAllowed = robots.allows("/private/x", agent: "switchboard")  // false
/// ```
public struct RobotsTxt: Sendable {
    private struct Group {
        var agents: [String] = []
        var rules: [RobotsRule] = []
    }

    private var groups: [Group] = []
    /// The URLs of the site's sitemaps.
    public private(set) var sitemaps: [String] = []

    /// The maximum size in bytes: 500 KiB, as the RFC requires. Longer files are cut.
    public static let limit = 500 * 1024

    /// Rules that allow everything.
    public static let allowingAll = RobotsTxt([])

    /// Parses a file. Unknown lines are ignored, as the RFC requires.
    public init(_ bytes: [UInt8]) {
        var rest = bytes.prefix(Self.limit)
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        var isAmongAgents = false
        for line in rest.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let content = line.prefix { $0 != UInt8(ascii: "#") }
            guard let colon = content.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let value = Self.trimmed(content[content.index(after: colon)...])
            let key = String(decoding: Self.trimmed(content[..<colon]), as: UTF8.self).lowercased()
            switch key {
            case "user-agent":
                if !isAmongAgents { groups.append(Group()) }
                isAmongAgents = true
                if let name = Self.productName(value) { groups[groups.count - 1].agents.append(name) }
            case "allow", "disallow":
                isAmongAgents = false
                // Rules outside groups and empty rules are ignored.
                guard !groups.isEmpty, !value.isEmpty else { continue }
                groups[groups.count - 1].rules.append(RobotsRule(pattern: value, isAllowing: key == "allow"))
            case "sitemap":
                // Sitemaps belong to no group and end none.
                if sitemaps.count < 1000 { sitemaps.append(String(decoding: value, as: UTF8.self)) }
            default: continue
            }
        }
    }

    /// Returns whether a program may fetch a path.
    ///
    /// The rules of all groups that name the program apply, otherwise the rules of `*`. The longest matching pattern
    /// wins; at equal length, the one that allows. O(rules · path).
    ///
    /// - Parameters:
    ///   - path: The path and query of a URL, such as `/a/b?c=d`, percent-encoded or not.
    ///   - agent: The name of the program, in any case.
    public func allows(_ path: String, agent: String) -> Bool {
        let path = RobotsRule.normalized(path.isEmpty ? "/" : path)
        if path == Array("/robots.txt".utf8) { return true }
        let agent = agent.lowercased()
        let own = groups.filter { $0.agents.contains(agent) }
        let rules = (own.isEmpty ? groups.filter { $0.agents.contains("*") } : own).flatMap(\.rules)
        var decision = (length: -1, isAllowed: true)
        for rule in rules where rule.length > decision.length || (rule.length == decision.length && rule.isAllowing) {
            if rule.matches(path) { decision = (rule.length, rule.isAllowing) }
        }
        return decision.isAllowed
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
        return rest
    }

    /// Returns the product token of a user agent (the part of `ExampleBot/2.0` before the slash), or `*`.
    private static func productName(_ value: ArraySlice<UInt8>) -> String? {
        if value.first == UInt8(ascii: "*") { return "*" }
        let name = value.prefix {
            (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
        }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self).lowercased()
    }
}
