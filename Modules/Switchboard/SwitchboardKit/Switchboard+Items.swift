public import Foundation
import SwitchboardIncrementalIndex
public import SwitchboardKeypad
import SwitchboardSearchEngine
public import SwitchboardSearchableIndex
public import SwitchboardWebFetch
public import SwitchboardWebMarkup

extension Switchboard {
    /// Searches items by text, or titles by keypad.
    ///
    /// - Parameters:
    ///   - input: The text, in any script, or the digits of a keypad.
    ///   - index: The name of the index.
    ///   - limit: The maximum number of results; 0 for all.
    ///   - filter: The filter.
    ///   - isCancelled: Polled during the search; `true` cancels it.
    /// - Throws: ``SwitchboardError`` for a negative limit, `CancellationError`, `StorageError`.
    public func searchItems(
        _ input: SearchInput, index: String = SearchableIndex.defaultName, limit: Int = 10,
        filter: ItemFilter = ItemFilter(),
        isCancelled: CancellationCheck? = nil
    ) throws -> SearchResponse {
        try Self.validate(input, limit: limit)
        let search = try itemSearch(index)
        func found(_ limit: Int) throws -> SearchResults<ItemHit> {
            try search.search(input, limit: limit, filter: filter, isCancelled: isCancelled)
        }
        let answer = try found(limit)
        let results = try preferringChosen(
            answer.hits.map { SearchResult($0, index: index) }, .item, for: input, limit: limit
        ) { try found($0).hits.map { SearchResult($0, index: index) } }
        return SearchResponse(input, elapsed: answer.searchTime, results: results)
    }

    /// Returns the items that match an expression of the query language.
    ///
    /// - Throws: ``SwitchboardError`` for a negative limit, `QueryError`, `StorageError`.
    public func queryItems(
        _ expression: String, index name: String = SearchableIndex.defaultName, limit: Int = 10
    ) throws -> SearchResponse {
        try Self.validate(limit: limit)
        let index = try items(name)
        let query = try AttributeQuery(expression, attributes: index.attributeTypes())
        let start = ContinuousClock.now
        let items = try index.search(query, limit: limit)
        let elapsed = ContinuousClock.now - start
        let results = items.map { item in
            var row = SearchResult(item, index: name)
            row.match = .exact
            return row
        }
        return SearchResponse(SearchInput(expression), elapsed: elapsed, results: results)
    }

    /// The domain of items from web pages; the items of a site are in `web.HOST`.
    public static let webDomain = "web"

    /// Fetches a page and reads its markup, respecting the site's robots.txt.
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

extension SearchResult {
    /// Creates the row for an item.
    ///
    /// - Parameters:
    ///   - item: The stored item.
    ///   - index: The name of its index.
    public init(_ item: StoredItem, index: String = SearchableIndex.defaultName) {
        let set = item.attributeSet
        let description = set.texts(of: .contentDescription).first.map {
            Snippet(of: $0, field: "contentDescription", highlights: [0..<0]).text
        }
        self.init(
            id: item.uniqueIdentifier, title: set.shownName ?? item.uniqueIdentifier,
            subtitle: description ?? set.texts(of: .keywords).joined(separator: ", "),
            object: .item(item, index: index == SearchableIndex.defaultName ? nil : index))
    }

    /// Creates the row for a search hit. A match in the description or text becomes the subtitle.
    public init(_ hit: ItemHit, index: String = SearchableIndex.defaultName) {
        self.init(hit.item, index: index)
        match = hit.match
        edits = hit.edits
        highlights = hit.highlights
        if let snippet = hit.snippet {
            subtitle = snippet.text
            highlights["subtitle"] = snippet.highlights
        }
    }
}

/// The items and notes collected from web pages.
public struct MarkupReport: Sendable {
    /// A note about a page that was skipped, or about ignored markup.
    public struct Note: Sendable, Hashable, Encodable {
        /// The file or address.
        public let page: String
        /// The reason.
        public let reason: String
    }

    /// The items of all pages.
    public var items: [SearchableItem] = []
    /// The notes about skipped pages and ignored markup.
    public var notes: [Note] = []

    /// Creates an empty report.
    public init() {}

    /// Adds the items of a page, unless the page forbids indexing.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - name: The file or address, for notes.
    ///   - now: The current time, for pages with an expiry date.
    public mutating func take(_ page: WebPage, of name: String, at now: Date = Date()) {
        notes += page.warnings.map { Note(page: name, reason: $0.description) }
        guard page.robots.mayIndex(at: now) else {
            notes.append(Note(page: name, reason: "the page forbids indexing (robots)"))
            return
        }
        items += page.items.map { SearchableItem($0, expiring: page.robots.unavailableAfter) }
    }
}

extension SearchableItem {
    /// Creates an item from web markup, in the domain of the page's host.
    public init(_ markedUp: MarkupItem, expiring date: Date? = nil) {
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
            attributeSet: set, expiration: date.map { .at($0) } ?? .default)
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
