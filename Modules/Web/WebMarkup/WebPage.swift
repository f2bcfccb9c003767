public import Foundation

/// What a web page says of itself.
///
/// The first of its ``items`` is the page, into which all is folded that describes the same thing: JSON-LD before
/// microdata, Open Graph, Twitter's card and plain HTML. Others follow that are things of their own, such as several
/// events.
///
/// It takes a time that grows with the page, and memory of some ten times its size.
///
/// For example:
///
/// ```swift
/// let page = try WebPage(html: bytes, contentType: "text/html; charset=koi8-r", url: "https://example.org/borscht")
/// page.items.first?.attributes["title"]  // .text("Борщ")
/// ```
public struct WebPage: Sendable {
    /// The title in its head.
    public let title: String?
    /// The address by which it wants to be known, else the one it was read from; http or https, without a fragment.
    public let canonicalURL: String?
    /// Its language, such as `de-CH`.
    public let language: String?
    /// The description that all its sources have in common: the first of them.
    public let description: String?
    /// What it allows to do with it.
    public let robots: RobotsDirectives
    /// The page, then what else it describes; at most ``mostItems``.
    public let items: [MarkedUpItem]
    /// What was passed over; of broken scripts the first hundred.
    public let warnings: [MarkupWarning]

    /// The most bytes of a page that are read, unless told otherwise: 16 MiB.
    public static let defaultLimit = 16 << 20
    /// The most items of a page.
    public static let mostItems = 500
    static let mostWarnings = 100

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - html: its bytes, in any encoding that browsers know.
    ///   - contentType: the header `Content-Type` it came with. It says the encoding, and whether this is a page at
    ///   all.
    ///   - url: the address it was read from. A file's is good too: relative addresses are then left out, but items
    ///   have an id.
    ///   - robotsTags: the values of the header `X-Robots-Tag`.
    ///   - agent: the name by which `robots` elements and headers may address this program in particular.
    ///   - zone: the zone of times that have none.
    ///   - limit: the most bytes that are read.
    /// - Throws: ``WebMarkupError``. Broken markup is no error but a warning.
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
        let outline = try PageOutlineBuilder.outline(of: decoded)
        let head = PageHead(outline, url: url.flatMap { PageURL($0) })

        var warnings = outline.warnings
        var graph = ThingGraph()
        var linkedData = LinkedDataReader(base: head.base)
        for script in outline.scripts { linkedData.read(script, into: &graph, warnings: &warnings) }
        MicrodataReader.read(outline, base: head.base, into: &graph)
        if graph.isFull {
            let message = "there are more than \(ThingGraph.mostValues) values; the others are passed over"
            warnings.append(MarkupWarning(line: nil, message: message))
        }
        let things = ThingReader(graph: graph, base: head.base, zone: zone)
        let composition = PageComposition(head: head, things: things)
        items = composition.items(warnings: &warnings)
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

    /// The type of a `Content-Type`, in small letters; nil if it says nothing.
    private static func mediaType(_ contentType: String) -> String? {
        let type = contentType.lowercased().prefix { $0 != ";" }.filter { !$0.isWhitespace }
        return type.isEmpty ? nil : type
    }

    private static let readableTypes: Set<String> = [
        "text/html", "application/xhtml+xml", "application/xml", "text/xml", "text/plain", "application/octet-stream",
    ]
}
