import HTTPTypes
import SwitchboardAccounts
import SwitchboardJSON
import SwitchboardKeypad
import SwitchboardKit

extension Route {
    /// Search across all kinds.
    static let finding: [Route] = [
        Route(
            .get, "/v1/find", "Search contacts, prospects, airports and items.",
            access: .any([.contacts, .prospects, .airports, .index]),
            parameters: [
                .text("q", "The query."),
                .text("kind", "Comma-separated kinds: contact, prospect, airport, item."),
                .keypad, .limit(),
            ],
            response: .json(Schema.ref("SearchAnswer"))
        ) { context in
            let limit = try context.limit()
            let input = try context.searchInput()
            let kinds = try context.kinds()
            let isCancelled = context.isCancelled
            let response = try await context.withDatabase {
                try $0.search(input, kinds: kinds, limit: limit, isCancelled: isCancelled)
            }
            return try .json(response)
        }
    ]
}

extension RouteContext {
    /// Returns the search input: the text of `q` or the digits of `keypad`; `keypad=true` reads `q` as digits.
    func searchInput() throws -> SearchInput {
        let text = query["q"] ?? ""
        guard let digits = query["keypad"], !digits.isEmpty else { return SearchInput(text) }
        // Next to a text, the parameter is a Boolean.
        if query["q"] != nil {
            if digits == "false" || digits == "0" { return SearchInput(text) }
            if digits == "true" || digits == "1" { return try SearchInput(keys: text) }
        }
        return try SearchInput(keys: digits)
    }

    /// Returns the requested kinds, or all kinds that the token may read.
    fileprivate func kinds() throws -> Set<ResultKind> {
        let readable = Set(ResultKind.allCases.filter { access?.scopes.permits(.read, of: $0.domain) ?? false })
        guard let text = query["kind"], !text.isEmpty else { return readable }
        let asked = try text.split(separator: ",").map { word in
            guard let kind = ResultKind(rawValue: String(word)) else {
                let known = ResultKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem.badRequest("kind: unknown kind “\(word)”; use \(known)", code: "badParameter")
            }
            return kind
        }
        guard readable.isSuperset(of: asked) else {
            throw Problem.forbidden("the token may not read all requested kinds", code: "scopeTooNarrow")
        }
        return Set(asked)
    }
}

extension ResultKind {
    /// The scope domain of this kind.
    fileprivate var domain: ScopeSet.Domain {
        switch self {
        case .contact: .contacts
        case .prospect: .prospects
        case .airport: .airports
        case .item: .index
        }
    }
}
