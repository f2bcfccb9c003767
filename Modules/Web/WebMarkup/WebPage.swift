public import Foundation
import SwitchboardAlgorithms
@_exported public import SwitchboardErrors

/// The structured data of a web page.
///
/// The first of its ``items`` is the page itself, merged from JSON-LD, microdata, Open Graph, Twitter cards and plain
/// HTML, in this order of trust. Other things on the page, such as several events, follow. A page without title, text and
/// markup has no items, and a warning.
///
/// Time is linear in the size of the page, and memory about ten times its size.
///
/// For example:
///
/// ```swift
/// let page = try WebPage(html: bytes, contentType: "text/html; charset=koi8-r", url: "https://example.org/borscht")
/// print(page.items.first?.attributes["title"] as Any)  // .text("Борщ")
/// ```
public struct WebPage: Sendable {
    /// The title.
    public let title: String?
    /// The canonical URL, otherwise the URL it was read from; http or https, without a fragment.
    public let canonicalURL: String?
    /// The language, such as `de-CH`.
    public let language: String?
    /// The description of the first item.
    public let description: String?
    /// The directives for search engines.
    public let robots: RobotsDirectives
    /// The page itself and the other items; at most ``maximumItems``.
    public let items: [MarkupItem]
    /// The warnings about ignored markup; at most a hundred about scripts.
    public let warnings: [MarkupWarning]

    /// The default maximum size of a page in bytes: 16 MiB.
    public static let defaultLimit = 16 << 20
    /// The maximum number of items.
    public static let maximumItems = 500
    static let maximumWarnings = 100

    /// Parses a page.
    ///
    /// - Parameters:
    ///   - html: The bytes, in any encoding that browsers support.
    ///   - contentType: The `Content-Type` header, for the encoding and media type.
    ///   - url: The URL of the page. With a file URL, relative URLs are omitted, but items have identifiers.
    ///   - robotsTags: The values of the `X-Robots-Tag` header.
    ///   - agent: The name of this program in robots directives.
    ///   - zone: The time zone of times without one.
    ///   - limit: The maximum size in bytes.
    /// - Throws: A ``WebMarkupError``. Invalid markup only causes warnings.
    public init(
        html: some Sequence<UInt8>, contentType: String? = nil, url: String? = nil, robotsTags: [String] = [],
        agent: String = "switchboard", zone: TimeZone = .gmt, limit: Int = defaultLimit
    ) throws(WebMarkupError) {
        let bytes = Array(html)
        guard bytes.count <= limit else { throw .tooLarge(bytes: bytes.count, limit: limit) }
        if let type = contentType.flatMap(Self.mediaType), !Self.readableTypes.contains(type) {
            throw .notHTML(contentType: type)
        }
        let decoded = PageEncoding(of: bytes, contentType: contentType).decode(bytes)
        let isText = Self.isText(bytes)
        let outline = isText ? try PageOutlineBuilder.outline(of: decoded) : PageOutline()
        let head = PageHead(outline, url: url.flatMap { PageURL($0) })

        var warnings = outline.warnings
        var graph = ThingGraph()
        var linkedData = LinkedDataReader(base: head.base)
        for script in outline.scripts { linkedData.read(script, into: &graph, warnings: &warnings) }
        MicrodataReader.read(outline, base: head.base, into: &graph)
        if graph.isFull {
            let message = "the page has more than \(ThingGraph.maximumValues) values; the others are ignored"
            warnings.append(MarkupWarning(line: nil, message: message))
        }
        let things = ThingReader(graph: graph, base: head.base, zone: zone)
        let composition = PageComposition(
            head: head, things: things,
            textBeginning: MarkupText.line(String(decoding: outline.text.prefix(1_024), as: UTF8.self), limit: 100),
            contentID: "page-" + String(StableHash.of(bytes), radix: 16))
        items = composition.items(warnings: &warnings)
        if items.isEmpty {
            let problem = isText ? "the page has no title, no text and no markup" : "the file is not text"
            warnings.append(MarkupWarning(line: nil, message: "nothing to index: \(problem); choose another page"))
        }
        self.warnings = warnings

        title = head.title
        canonicalURL = head.address?.webText
        language = head.language ?? composition.language
        description = if case .text(let text)? = items.first?.attributes["contentDescription"] { text } else { nil }
        var robots = RobotsDirectives()
        for name in ["robots", agent.lowercased()] {
            for content in head.metas(name) { robots.add(metaContent: content) }
        }
        for value in robotsTags { robots.add(headerValue: value, agent: agent) }
        self.robots = robots
    }

    /// Returns `false` for the bytes of a picture, a document or a program.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        let beginning = bytes.prefix(4_096)
        if bytes.starts(with: "%PDF-".utf8) { return false }
        // UTF-16 has many zero bytes.
        let isUTF16 =
            bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
            || bytes.starts(with: [0x3C, 0]) || bytes.starts(with: [0, 0x3C])
        let controls = beginning.count { $0 < 0x20 && !(0x09...0x0D).contains($0) && $0 != 0x1B }
        return isUTF16 || controls * 50 <= beginning.count
    }

    /// Returns the media type of a `Content-Type` in lower case; `nil` if empty.
    private static func mediaType(_ contentType: String) -> String? {
        let type = contentType.lowercased().prefix { $0 != ";" }.filter { !$0.isWhitespace }
        return type.isEmpty ? nil : type
    }

    private static let readableTypes: Set<String> = [
        "text/html", "application/xhtml+xml", "application/xml", "text/xml", "text/plain", "application/octet-stream",
    ]
}

/// An error of reading a page.
///
/// Invalid markup is not an error: it becomes a ``MarkupWarning``, and the rest of the page is read.
public enum WebMarkupError: CodedError, Hashable {
    /// The page is larger than allowed.
    case tooLarge(bytes: Int, limit: Int)
    /// The content type is not HTML.
    case notHTML(contentType: String)
    /// libxml2 is not installed.
    case noLibrary
    /// Memory is exhausted.
    case noMemory

    /// The code, the category and the message.
    public var details: ErrorDetails {
        switch self {
        case .tooLarge(let bytes, let limit):
            .init(
                "pageTooLarge", .malformed,
                "the page has \(bytes) bytes, more than \(limit / 1_048_576) MiB; save only the part with the markup")
        case .notHTML(let contentType):
            .init("notHTML", .malformed, "cannot read \(contentType) as a web page; use an HTML page")
        case .noLibrary: .init("noHTMLLibrary", .unavailable, "libxml2 is missing; install libxml2")
        case .noMemory: .init("noMemory", .locked, "out of memory for the page; use a smaller one")
        }
    }
}

/// A warning about ignored markup.
public struct MarkupWarning: Hashable, Sendable {
    /// The line of the page, from 1; `nil` if the warning concerns the whole page.
    public let line: Int?
    /// The problem.
    public let message: String

    /// Creates a warning.
    public init(line: Int?, message: String) {
        self.line = line
        self.message = message
    }
}

extension MarkupWarning: CustomStringConvertible {
    /// The line and the problem.
    public var description: String { line.map { "line \($0): \(message)" } ?? message }
}
