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

/// A rule of robots.txt: a path pattern, in which `*` matches any sequence and a final `$` the end.
struct RobotsRule: Sendable {
    /// The literal parts between wildcards; the first is a prefix.
    private let parts: [[UInt8]]
    /// Indicates that the last part must match at the end.
    private let isAnchored: Bool
    let isAllowing: Bool
    /// The length of the pattern in bytes, for precedence.
    let length: Int

    init(pattern: ArraySlice<UInt8>, isAllowing: Bool) {
        self.isAllowing = isAllowing
        var pattern = pattern
        isAnchored = pattern.last == UInt8(ascii: "$")
        if isAnchored { pattern.removeLast() }
        parts = pattern.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map {
            Self.normalized($0[...])
        }
        length = parts.reduce(parts.count - 1) { $0 + $1.count } + (isAnchored ? 1 : 0)
    }

    /// Returns whether a normalized path matches, in linear time.
    func matches(_ path: [UInt8]) -> Bool {
        guard let first = parts.first, path.starts(with: first) else { return false }
        if parts.count == 1 { return !isAnchored || path.count == first.count }
        var position = first.count
        for part in isAnchored ? parts[1..<parts.count - 1] : parts[1...] where !part.isEmpty {
            guard let found = path[position...].firstRange(of: part) else { return false }
            position = found.upperBound
        }
        return !isAnchored || path[position...].reversed().starts(with: parts[parts.count - 1].reversed())
    }

    static func normalized(_ path: String) -> [UInt8] { normalized(Array(path.utf8)[...]) }

    /// Returns the normal form of a path (RFC 9309, 2.2.2): percent-encoded with upper-case digits where necessary,
    /// otherwise literal. Literal stars and dollar signs are encoded too.
    private static func normalized(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            var value = byte
            var isEncoded = false
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                rest.prefix(2).allSatisfy({ $0 != 0x2B && $0 != 0x2D })
            {
                value = decoded
                isEncoded = true
                rest = rest.dropFirst(2)
            }
            let isLetter = (0x61...0x7A).contains(value | 0x20) || (0x30...0x39).contains(value)
            let isUnreserved = isLetter || "-._~".utf8.contains(value)
            let isSpecial = value == UInt8(ascii: "*") || value == UInt8(ascii: "$")
            if isUnreserved || (!isEncoded && !isSpecial && (0x21...0x7E).contains(value)) {
                result.append(value)
            } else {
                result += [0x25, digits[Int(value >> 4)], digits[Int(value & 15)]]
            }
        }
        return result
    }
}
