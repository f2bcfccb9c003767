import HTTPTypes
import Hummingbird
import SwitchboardJSON
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardStorage

/// A page of a list: `{"results": […], "nextCursor": "…", "total": …}`, without the cursor on the last one.
///
/// Clients treat a cursor as opaque.
struct Page<Row: Encodable & Sendable>: Encodable, Sendable {
    let results: [Row]
    let nextCursor: String?
    /// The number of rows on all pages.
    let total: Int

    init(_ page: ListPage<Row>) {
        total = page.total
        results = page.rows
        nextCursor = page.next?.description
    }
}

/// A row of a list with the `ETag` of the object that it shows, so that it can be changed without another request.
private struct TaggedRow: JSONObjectEncodable, Sendable {
    let row: SearchResult
    let tag: String

    init(_ row: SearchResult) throws {
        self.row = row
        let representation: ChangeResponse =
            switch row.object {
            case .contact(let contact): ChangeResponse(contact)
            case .prospect(let prospect): ChangeResponse(prospect)
            case .item(let item, _): ChangeResponse(item)
            case .airport(let airport, _): ChangeResponse(airport)
            }
        tag = EntityTag.of(try OrderedJSON.bytes(representation))
    }

    func encode(to members: inout JSONMembers) throws {
        try row.encode(to: &members)
        try members.add("etag", "\"\(tag)\"")
    }
}

/// The place of a page among the results of a search: behind a number of results, and behind the last of these if it is
/// still found. So no result is repeated or left out because others are added or removed.
struct SearchCursor: Sendable {
    fileprivate let offset: Int
    /// The tag of the last result before the page; nil if only the number counts.
    private let tag: String?

    fileprivate init(behind offset: Int, _ last: SearchResult?) {
        (self.offset, tag) = (offset, last.map(Self.tag))
    }

    /// Creates the cursor with a text, which is a number of results or ``text``.
    init?(_ text: String) {
        let parts = text.hasPrefix("k") ? text.dropFirst().split(separator: "-", maxSplits: 1) : [text[...]]
        guard let digits = parts.first, digits.utf8.count <= 9, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let offset = Int(digits), parts.count == (text.hasPrefix("k") ? 2 : 1)
        else { return nil }
        (self.offset, tag) = (offset, parts.count == 2 ? String(parts[1]) : nil)
    }

    fileprivate var text: String { tag.map { "k\(offset)-\($0)" } ?? String(offset) }

    /// Returns the position of the first result of the page.
    fileprivate func start(in results: [SearchResult]) -> Int {
        func isLast(_ position: Int) -> Bool {
            results.indices.contains(position) && Self.tag(of: results[position]) == tag
        }
        if tag == nil || isLast(offset - 1) { return offset }
        let last = results.indices.filter(isLast).min { abs($0 + 1 - offset) < abs($1 + 1 - offset) }
        return last.map { $0 + 1 } ?? offset
    }

    private static func tag(of result: SearchResult) -> String {
        EntityTag.of(Array("\(result.kind.rawValue) \(result.id)".utf8))
    }
}

/// A page of search results: a response with `nextCursor` and with `total`, or with `totalExceeds` if there are more
/// results than the search looked for.
private struct SearchPage: JSONObjectEncodable, Sendable {
    /// The maximum number of results on all pages. Few people read that far, and every row costs time.
    static let maximumResults = 1_000

    private var response: SearchResponse
    private let nextCursor: String?
    private let total: Int?
    private let totalExceeds: Int?

    /// Creates a page with all results.
    init(_ response: SearchResponse) {
        self.response = response
        (nextCursor, total, totalExceeds) = (nil, nil, nil)
    }

    /// Searches for a page.
    ///
    /// - Parameters:
    ///   - cursor: The place of the page; nil for the first one, which is the cheapest.
    ///   - search: Returns up to the given number of results.
    init(at cursor: SearchCursor?, limit: Int, _ search: (Int) throws -> SearchResponse) throws {
        let maximum = cursor == nil ? limit : Self.maximumResults
        response = try search(maximum + 1)
        let (count, start) = (response.results.count, cursor?.start(in: response.results) ?? 0)
        let end = min(start + limit, maximum)
        total = count <= maximum ? count : response.total
        totalExceeds = total == nil ? maximum : nil
        let isLast = end >= min(count, Self.maximumResults)
        nextCursor = isLast ? nil : SearchCursor(behind: end, response.results.prefix(end).last).text
        response.results = Array(response.results.prefix(end).dropFirst(start))
    }

    /// The response, with the duration of the search in milliseconds, to the microsecond, in a header.
    func answer() throws -> Response {
        let microseconds = Int(response.elapsedMicroseconds.rounded())
        let fraction = String(microseconds % 1_000 + 1_000).dropFirst()
        return try .json(self, fields: [.serverTiming: "search;dur=\(microseconds / 1_000).\(fraction)"])
    }

    func encode(to members: inout JSONMembers) throws {
        try response.encode(to: &members, isTimed: false)
        if let nextCursor { try members.add("nextCursor", nextCursor) }
        if let total { try members.add("total", total) }
        if let totalExceeds { try members.add("totalExceeds", totalExceeds) }
    }
}

extension HTTPField.Name {
    /// The durations of the parts of a response (W3C Server Timing).
    static let serverTiming = Self("Server-Timing")!
}

/// A letter of the alphabetical index next to a list of names.
struct LetterRow: Encodable, Sendable {
    let letter: String
    let count: Int

    init(_ letter: (letter: String, count: Int)) {
        (self.letter, count) = letter
    }
}

extension ServerRequestContext {
    /// Responds with the results of a search if the request has a query, otherwise with a page of a list.
    func listOrSearch(
        search: (Switchboard, SearchInput, _ limit: Int) throws -> SearchResponse,
        list: (Switchboard, ListCursor, _ limit: Int) throws -> ListPage<SearchResult>
    ) throws -> Response {
        guard query["q"] != nil || query["keypad"] != nil else {
            return try page { switchboard, cursor, limit in
                let page = try list(switchboard, cursor, limit)
                return ListPage(rows: try page.rows.map(TaggedRow.init), next: page.next, total: page.total)
            }
        }
        let input = try searchInput()
        return try searchPage { try search($0, input, $1) }
    }

    /// Responds with a page of search results from the person's data.
    func searchPage(_ search: (Switchboard, _ limit: Int) throws -> SearchResponse) throws -> Response {
        let (limit, cursor) = (try limit(), try searchCursor())
        return try withDatabase { switchboard in
            try SearchPage(at: cursor, limit: limit) { try search(switchboard, $0) }
        }.answer()
    }

    /// Responds with a page of search results from public data.
    func publicPage(_ search: (_ limit: Int) throws -> SearchResponse) throws -> Response {
        try SearchPage(at: searchCursor(), limit: limit(), search).answer()
    }

    /// Responds with all results of a search.
    func answer(_ response: SearchResponse) throws -> Response { try SearchPage(response).answer() }

    /// Responds with a page of a list that may be long.
    func page<Row: Encodable & Sendable>(
        _ list: (Switchboard, ListCursor, _ limit: Int) throws -> ListPage<Row>
    ) throws -> Response {
        let (limit, cursor) = (try limit(default: 50), try listCursor())
        return try json { Page(try list($0, cursor, limit)) }
    }

    /// Responds with a page of a list that is short enough to load completely.
    func page<Element, Row: Encodable & Sendable>(
        of list: (Switchboard) throws -> [Element], row: (Switchboard, Element) throws -> Row
    ) throws -> Response {
        let (limit, offset) = (try limit(default: 50), try offset())
        return try json { switchboard in
            let all = try list(switchboard)
            let end = offset + limit
            return Page(
                ListPage(
                    rows: try all.dropFirst(offset).prefix(limit).map { try row(switchboard, $0) },
                    next: end < all.count ? .rows(end) : nil, total: all.count))
        }
    }
}
