public import Foundation

/// The directives of a page for search engines, from `robots` elements and the `X-Robots-Tag` header. The strictest
/// wins.
public struct RobotsDirectives: Hashable, Sendable {
    /// Indicates that the items may be indexed; see also ``mayIndex(at:)``.
    public var mayIndex = true
    /// Indicates that links may be followed.
    public var mayFollow = true
    /// Indicates that a copy may be shown.
    public var mayArchive = true
    /// Indicates that the description may be shown.
    public var maySnippet = true
    /// Indicates that images may be indexed.
    public var mayIndexImages = true
    /// The maximum length of a shown description in characters; `nil` for any.
    public var maximumSnippetLength: Int?
    /// The date after which the page may not be indexed.
    public var unavailableAfter: Date?

    /// Creates directives that allow everything.
    public init() {}

    /// Returns whether the items may be indexed at a time.
    public func mayIndex(at time: Date) -> Bool {
        mayIndex && unavailableAfter.map { time < $0 } ?? true
    }

    /// Adds the directives of a header value, such as `noindex, nofollow`, `unavailable_after: 25 Jun 2027 15:00:00
    /// GMT` or `otherbot: noindex`. Directives for programs other than `agent` (a product name, in any case) are
    /// ignored.
    public mutating func add(headerValue: String, agent: String) {
        var isForUs = true
        for directive in Self.directives(of: headerValue) {
            var directive = directive
            // A name before a colon is a program, unless it is a directive with a value.
            while let colon = directive.firstIndex(of: ":") {
                let name = Self.name(directive[..<colon])
                if Self.withValue.contains(name) { break }
                isForUs = name == agent.lowercased() || name == "*"
                directive = directive[directive.index(after: colon)...]
            }
            if isForUs { add(directive) }
        }
    }

    /// Adds the directives in the `content` of a `meta` element.
    public mutating func add(metaContent: String) {
        for directive in Self.directives(of: metaContent) { add(directive) }
    }

    private static let withValue: Set<String> = [
        "unavailable_after", "max-snippet", "max-image-preview", "max-video-preview",
    ]

    private mutating func add(_ directive: Substring) {
        let parts = directive.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first else { return }
        let value = parts.count > 1 ? parts[1].trimmingPrefix(while: \.isWhitespace) : ""
        switch Self.name(first) {
        case "none": (mayIndex, mayFollow) = (false, false)
        case "noindex": mayIndex = false
        case "nofollow": mayFollow = false
        case "noarchive", "nocache": mayArchive = false
        case "nosnippet": maySnippet = false
        case "noimageindex": mayIndexImages = false
        case "max-snippet":
            guard let most = Int(value), most >= 0 else { return }
            maximumSnippetLength = min(maximumSnippetLength ?? most, most)
            if most == 0 { maySnippet = false }
        case "unavailable_after":
            guard let date = Self.date(String(value)) else { return }
            unavailableAfter = min(unavailableAfter ?? date, date)
        default: break
        }
    }

    private static func name(_ text: Substring) -> String {
        text.lowercased().filter { !$0.isWhitespace }
    }

    /// Splits directives at commas, except inside dates such as `Friday, 25-Jun-27`.
    private static func directives(of text: String) -> [Substring] {
        var parts: [Substring] = []
        for part in text.prefix(10_000).split(separator: ",") {
            if let last = parts.last, name(last).hasPrefix("unavailable_after"), part.contains(where: \.isNumber),
                part.first == " ", part.contains("-") || part.contains(":") || part.contains(" 20"),
                !part.contains("max-"), !last.contains(where: \.isNumber)
            {
                parts[parts.count - 1] = text[last.startIndex..<part.endIndex]
            } else {
                parts.append(part)
            }
        }
        return parts
    }

    /// Parses dates of RFC 822, RFC 850 and ISO 8601.
    private static func date(_ text: String) -> Date? {
        if let date = MarkupDate(text, zone: .gmt) { return date.date }
        let words = text.split { $0.isWhitespace || $0 == "," || $0 == "-" }.filter { word in
            !weekdays.contains(word.lowercased().prefix(3).description) || word.contains(where: \.isNumber)
        }
        guard words.count >= 3, let day = Int(words[0]), var year = Int(words[2]),
            let month = months.firstIndex(of: words[1].lowercased().prefix(3).description)
        else { return nil }
        if year < 100 { year += 2000 }
        let time = words.count > 3 ? "T\(words[3])" : ""
        let zone = words.count > 4 ? offset(of: words[4].uppercased(), sign: text.contains(" -") ? "-" : "+") : "Z"
        let digits = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return MarkupDate("\(year)-\(digits(month + 1))-\(digits(day))\(time)\(time.isEmpty ? "" : zone)", zone: .gmt)?
            .date
    }

    /// Returns the offset of a time zone by name (North American zones of RFC 822) or number.
    private static func offset(of name: String, sign: String) -> String {
        let hours = [
            "EST": "-05", "EDT": "-04", "CST": "-06", "CDT": "-05", "MST": "-07", "MDT": "-06", "PST": "-08",
            "PDT": "-07",
        ]
        if let known = hours[name] { return known + ":00" }
        let digits = name.filter(\.isNumber)
        return digits.count == 4 ? sign + digits : "Z"
    }

    private static let weekdays: Set<String> = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
}
