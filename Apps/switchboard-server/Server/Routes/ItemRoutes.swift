import HTTPTypes
import SwitchboardAccounts
import SwitchboardJSON
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardSearchableIndex

extension Route {
    private static let index = Parameter.text("index", "The name of the index, if not the default one.")

    /// The searchable index.
    static let items: [Route] = [
        Route(
            .put, "/v1/index/items", "Put or update items: one, an array, or one per line. All succeed or none.",
            access: .scope(.write, .index),
            parameters: [
                index, .text("clientState", "A client state to store with the items."),
                .text("expectState", "The expected client state; 409 if the index has another one."),
            ],
            body: Body(types: ["application/json", "application/x-ndjson"], schema: Schema.items),
            response: .json(Schema.ref("PutAnswer")), problems: [409]
        ) { context in
            let bytes = try await context.body()
            if bytes.isEmpty {
                throw Problem.badRequest("the body is missing; send items or an empty array", code: "malformedInput")
            }
            let name = context.indexName
            var options = PutOptions()
            options.clientState = context.query["clientState"]
            options.expectedState = context.query["expectState"]
            let putOptions = options
            do {
                let report = try await context.withDatabase { try $0.items(name).put(json: bytes, options: putOptions) }
                return try .json(PutResponse(report))
            } catch let error as SearchableIndexError {
                guard case .invalidItem = error else { throw error }
                var problem = Problem(error)
                problem.status = .badRequest
                throw problem
            }
        },
        Route(
            .get, "/v1/index/items", "List items by identifier.", access: .scope(.read, .index),
            parameters: [.text("domain", "Only this domain and its subdomains."), index, .limit(default: 50), .cursor],
            response: .json(Schema.ref("List"))
        ) { context in
            let (limit, offset) = (try context.limit(default: 50), try context.offset())
            let (name, domain) = (context.indexName, context.query["domain"])
            let rows = try await context.withDatabase { switchboard in
                var rows: [SearchResult] = []
                var position = 0
                try switchboard.items(name).forEach(inDomain: domain) { item in
                    if position >= offset { rows.append(SearchResult(item, index: name)) }
                    position += 1
                    return rows.count <= limit
                }
                return rows
            }
            return try .json(Page(rows, offset: offset, limit: limit))
        },
        Route(
            .delete, "/v1/index/items", "Delete the items of a domain and its subdomains.",
            access: .scope(.write, .index),
            parameters: [.text("domain", "The domain to delete.", isRequired: true), index],
            response: .json(Schema.ref("Identifiers"))
        ) { context in
            guard let domain = context.query["domain"], !domain.isEmpty else {
                throw Problem.badRequest("domain: missing; add the domain to delete", code: "badParameter")
            }
            let name = context.indexName
            let (server, person) = (context.server, try context.personID())
            let deleted = try await context.withDatabase { switchboard in
                let index = try switchboard.items(name)
                try server.retract(from: index, domain: domain, of: person)
                return try index.deleteItems(inDomains: [domain])
            }
            return try .json(Identifiers(ids: deleted))
        },
        Route(
            .get, "/v1/index/items/{id}", "Get an item.", access: .scope(.read, .index), parameters: [index],
            response: .json(Schema.ref("ItemAnswer")), problems: [404]
        ) { context in
            let (id, name) = (try context.pathParameter("id"), context.indexName)
            return try .json(ItemResponse(try await context.withDatabase { try $0.items(name).item(id) }))
        },
        Route(
            .delete, "/v1/index/items/{id}", "Delete an item and withdraw your vote for it in the public index.",
            access: .scope(.write, .index), parameters: [index], response: .empty, problems: [404]
        ) { context in
            let (id, name, server, person) = (
                try context.pathParameter("id"), context.indexName, context.server, try context.personID()
            )
            try await context.withDatabase { switchboard in
                let index = try switchboard.items(name)
                try server.retract(try index.item(id), of: person)
                try index.deleteItems(withIdentifiers: [id])
            }
            return .noContent
        },
        Route(
            .post, "/v1/index/items/{id}/engage", "Engage with an item, which then ranks higher, and get its link.",
            access: .scope(.write, .index), body: .json(Schema.ref("Engagement"), isRequired: false),
            response: .json(Schema.ref("Continuation")), problems: [404]
        ) { context in try await context.engage(try context.pathParameter("id")) },
        Route(
            .get, "/v1/index/search", "Search items.", access: .scope(.read, .index),
            parameters: [
                .text("q", "The query."), .text("domain", "Only this domain and its subdomains."),
                .text("contentType", "Only items of this content type."),
                .text("where", "Only items that match this expression."),
                index, .limit(),
            ],
            response: .json(Schema.ref("SearchAnswer"))
        ) { context in
            let (text, name, limit) = (context.query["q"] ?? "", context.indexName, try context.limit())
            let (domain, type, condition) = (
                context.query["domain"], context.query["contentType"], context.query["where"]
            )
            let isCancelled = context.isCancelled
            return try .json(
                try await context.withDatabase { switchboard in
                    var filter = ItemFilter()
                    filter.domain = domain
                    filter.contentType = type
                    if let condition {
                        filter.query = try AttributeQuery(
                            condition, attributes: try switchboard.items(name).attributeTypes())
                    }
                    return try switchboard.searchItems(
                        SearchInput(text), index: name, limit: limit, filter: filter, isCancelled: isCancelled)
                })
        },
        Route(
            .get, "/v1/index/query", "Find the items that match an expression of the query language.",
            access: .scope(.read, .index),
            parameters: [.text("expression", "The expression.", isRequired: true), index, .limit()],
            response: .json(Schema.ref("SearchAnswer"))
        ) { context in
            guard let expression = context.query["expression"] else {
                throw Problem.badRequest(
                    "expression: missing; add an expression of the query language", code: "badParameter")
            }
            let (name, limit) = (context.indexName, try context.limit())
            return try .json(
                try await context.withDatabase { try $0.queryItems(expression, index: name, limit: limit) })
        },
    ]
}

/// `{"id": "…", "item": {…}}`
private struct ItemResponse: Encodable {
    let id: String
    let item: StoredItem

    init(_ stored: StoredItem) {
        id = stored.item.uniqueIdentifier
        item = stored
    }
}

/// `{"ids": […]}`
struct Identifiers: Encodable {
    let ids: [String]
}

extension RouteContext {
    var indexName: String {
        let name = query["index"] ?? ""
        return name.isEmpty ? SearchableIndex.defaultName : name
    }
}
