import Hummingbird
import SwitchboardAccounts
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardStorage

extension Route {
    /// Search across all kinds.
    static let finding: [Route] = [
        Route(
            .get, "/v1/find", "Search contacts, prospects, airports and items.",
            access: .any([.contacts, .prospects, .airports, .index]),
            parameters: [
                .text("q", "The query."),
                .text("kind", "Comma-separated kinds: contact, prospect, airport, item."),
                .keypad, .limit(), .cursor,
            ],
            response: .json("SearchAnswer")
        ) { _, context in
            let (input, kinds) = (try context.searchInput(), try context.kinds())
            return try context.searchPage { switchboard, limit in
                try switchboard.search(input, kinds: kinds, limit: limit) { Task.isCancelled }
            }
        }
    ]
}

extension ServerRequestContext {
    /// Responds with the results of a search if the request has a query, otherwise with a page of a list.
    func listOrSearch(
        search: (Switchboard, SearchInput, _ limit: Int) throws -> SearchResponse,
        list: (Switchboard, ListCursor, _ limit: Int) throws -> ListPage<SearchResult>
    ) throws -> Response {
        guard query["q"] != nil || query["keypad"] != nil else { return try page(list) }
        let input = try searchInput()
        return try searchPage { try search($0, input, $1) }
    }

    /// Responds with a page of search results from the person's data.
    func searchPage(_ search: (Switchboard, _ limit: Int) throws -> SearchResponse) throws -> Response {
        let (limit, offset) = (try limit(), try searchOffset())
        return try json { switchboard in try SearchPage(at: offset, limit: limit) { try search(switchboard, $0) } }
    }

    /// Responds with a page of search results from public data.
    func publicPage(_ search: (_ limit: Int) throws -> SearchResponse) throws -> Response {
        try .json(SearchPage(at: searchOffset(), limit: limit(), search))
    }

    /// Returns the number of results before the requested page; nil without a cursor.
    private func searchOffset() throws -> Int? {
        let offset = try offset()
        return query["cursor"] == nil ? nil : offset
    }

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

    /// The kinds that the token may read.
    var readableKinds: Set<ResultKind> {
        Set(ResultKind.allCases.filter { access?.scopes.permits(.read, of: $0.domain) ?? false })
    }

    /// Returns the requested kinds, or all kinds that the token may read.
    fileprivate func kinds() throws -> Set<ResultKind> {
        let readable = readableKinds
        guard let text = query["kind"], !text.isEmpty else { return readable }
        let asked = try text.split(separator: ",").map { word in
            guard let kind = ResultKind(rawValue: String(word)) else {
                let known = ResultKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem.badParameter("kind: unknown kind “\(word)”; use \(known)")
            }
            return kind
        }
        guard readable.isSuperset(of: asked) else {
            throw Problem.forbidden("the token may not read all requested kinds", code: "scopeTooNarrow")
        }
        return Set(asked)
    }
}

/// A letter of the alphabetical index next to a list of names.
struct LetterRow: Encodable, Sendable {
    let letter: String
    let count: Int

    init(_ letter: (letter: String, count: Int)) {
        (self.letter, count) = letter
    }
}

extension ResultKind {
    fileprivate var domain: ScopeSet.Domain {
        switch self {
        case .contact: .contacts
        case .prospect: .prospects
        case .airport: .airports
        case .item: .index
        }
    }
}
