public import Foundation
public import SwitchboardSearchableIndex
public import SwitchboardWebFetch
public import SwitchboardWebMarkup

/// What became of the pages that were read.
public struct MarkupReport: Sendable {
    /// A page of which nothing was taken, or something was passed over, and why.
    public struct Note: Sendable, Hashable, Encodable {
        /// The file or address.
        public let page: String
        /// Why.
        public let reason: String
    }

    /// The items of all pages.
    public var items: [SearchableItem] = []
    /// Pages that do not want to be indexed, and markup that was passed over.
    public var notes: [Note] = []

    /// Nothing was read yet.
    public init() {}

    /// Takes the items of a page, unless it does not want to be indexed.
    ///
    /// - Parameters:
    ///   - page: what was read of the page.
    ///   - name: the file or address, for notes.
    ///   - now: the present, for pages that want to be indexed only until a date.
    public mutating func take(_ page: WebPage, of name: String, at now: Date = Date()) {
        notes += page.warnings.map { Note(page: name, reason: $0.description) }
        guard page.robots.mayIndex(at: now) else {
            notes.append(Note(page: name, reason: "the page does not want to be indexed (robots)"))
            return
        }
        items += page.items.map { SearchableItem($0, expiring: page.robots.unavailableAfter) }
    }
}

extension Switchboard {
    /// The domain of items that come from web pages; what a site has is in `web.HOST`.
    public static let webDomain = "web"

    /// Reads the markup of a page that is there.
    ///
    /// - Parameters:
    ///   - html: the page as it came.
    ///   - url: where the page comes from, if that is known.
    /// - Throws: `WebMarkupError`.
    public func markup(html: [UInt8], url: String? = nil) throws -> WebPage {
        try WebPage(html: html, url: url)
    }

    /// Fetches a page and reads its markup. The site's robots.txt is obeyed.
    ///
    /// - Throws: `WebFetchError`, `WebMarkupError`.
    public func markup(
        fetching url: String, by fetcher: WebFetcher, isCancelled: @escaping () -> Bool = { false }
    ) throws -> WebPage {
        let request = FetchRequest(url, acceptedTypes: FetchRequest.pageTypes, obeysRobots: true)
        let fetched = try fetcher.fetch(request, isCancelled: isCancelled)
        try fetched.requireSuccess()
        return try WebPage(
            html: fetched.body, contentType: fetched.contentType, url: fetched.url, robotsTags: fetched.robotsTags)
    }
}

extension SearchableItem {
    /// The item that something on a page is. It belongs to the domain of the page's host.
    public init(_ markedUp: MarkedUpItem, expiring date: Date? = nil) {
        var set = SearchableItemAttributeSet()
        for (name, value) in markedUp.attributes {
            guard let attribute = Attribute(name: name) else { continue }
            set[attribute] = value.attributes
        }
        for (name, value) in markedUp.custom { set.custom[name] = value.attributes }
        set.custom["kind"] = [.text(markedUp.kind)]
        let address = set.url ?? markedUp.id
        let host = address.flatMap { URLComponents(string: $0)?.host }
        self.init(
            uniqueIdentifier: markedUp.id,
            domainIdentifier: host.map { "\(Switchboard.webDomain).\($0)" } ?? Switchboard.webDomain,
            attributeSet: set, expiration: date.map { .at($0) } ?? .usual)
    }
}

extension MarkupValue {
    fileprivate var attributes: [AttributeValue] {
        switch self {
        case .text(let text): [.text(text)]
        case .texts(let texts): texts.map { .text($0) }
        case .number(let number): [.number(number)]
        case .date(let date): [.date(date)]
        case .flag(let flag): [.flag(flag)]
        }
    }
}
