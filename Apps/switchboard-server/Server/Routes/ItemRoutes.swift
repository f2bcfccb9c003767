import HTTPTypes
import SwitchboardAccounts
import SwitchboardSearchableIndex
import SwitchboardKit

extension Route {
    private static let index = Parameter.text("index", "The name of another index.")

    /// Items.
    static let items: [Route] = [
        Route(
            .put, "/v1/index/items", "Put or update items: one, an array, or one a line; all of them or none.",
            door: .scope(.write, .index),
            parameters: [
                index, .text("clientState", "Kept with what is put."),
                .text("expectState", "Put only if the index is in this client state; 409 otherwise."),
            ],
            body: Body(types: ["application/json", "application/x-ndjson"], schema: Schema.items),
            answers: .json(Schema.ref("PutAnswer")), problems: [409]
        ) { call in
            let bytes = try await call.body()
            if bytes.isEmpty {
                throw Problem.badRequest("the body is missing; send items, or [] for none", code: "malformedInput")
            }
            let name = call.indexName
            var options = PutOptions()
            options.clientState = call.query["clientState"]
            options.expectedState = call.query["expectState"]
            let settled = options
            do {
                let report = try await call.person { try $0.items(name).put(json: bytes, options: settled) }
                return try .json(PutResponse(report))
            } catch let error as SearchableIndexError {
                guard case .invalidItem = error else { throw error }
                var problem = Problem(error)
                problem.status = .badRequest
                throw problem
            }
        },
        Route(
            .get, "/v1/index/items", "The items, in order of their identifiers.", door: .scope(.read, .index),
            parameters: [.text("domain", "Only this domain and those inside it."), index, .limit(usual: 50), .cursor],
            answers: .json(Schema.ref("List"))
        ) { call in
            let (limit, offset) = (try call.limit(usual: 50), try call.offset())
            let (name, domain) = (call.indexName, call.query["domain"])
            let rows = try await call.person { switchboard in
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
            .delete, "/v1/index/items", "Delete the items of a domain and those inside it.",
            door: .scope(.write, .index),
            parameters: [.text("domain", "The domain.", isRequired: true), index],
            answers: .json(Schema.ref("Identifiers"))
        ) { call in
            guard let domain = call.query["domain"], !domain.isEmpty else {
                throw Problem.badRequest("domain: say which; nothing is deleted without", code: "badParameter")
            }
            let name = call.indexName
            let (server, person) = (call.server, try call.personID())
            let deleted = try await call.person { switchboard in
                let index = try switchboard.items(name)
                try server.retract(from: index, domain: domain, of: person)
                return try index.deleteItems(inDomains: [domain])
            }
            return try .json(Identifiers(ids: deleted))
        },
        Route(
            .get, "/v1/index/items/{id}", "An item.", door: .scope(.read, .index), parameters: [index],
            answers: .json(Schema.ref("ItemAnswer")), problems: [404]
        ) { call in
            let (id, name) = (try call.path("id"), call.indexName)
            return try .json(ItemResponse(try await call.person { try $0.items(name).item(id) }))
        },
        Route(
            .delete, "/v1/index/items/{id}", "Delete an item; your voice for it in the public index is taken back.",
            door: .scope(.write, .index), parameters: [index], answers: .empty, problems: [404]
        ) { call in
            let (id, name, server, person) = (try call.path("id"), call.indexName, call.server, try call.personID())
            try await call.person { switchboard in
                let index = try switchboard.items(name)
                try server.retract(try index.item(id), of: person)
                try index.deleteItems(withIdentifiers: [id])
            }
            return .noContent
        },
        Route(
            .post, "/v1/index/items/{id}/engage", "An item was chosen: where it leads; it comes earlier next time.",
            door: .scope(.write, .index), body: .json(Schema.ref("Engagement"), isRequired: false),
            answers: .json(Schema.ref("Continuation")), problems: [404]
        ) { call in try await call.engage(try call.path("id")) },
        Route(
            .get, "/v1/index/search", "The items that a text finds.", door: .scope(.read, .index),
            parameters: [
                .text("q", "What was typed."), .text("domain", "Only this domain and those inside it."),
                .text("contentType", "Only this type."), .text("where", "Only items for which this expression holds."),
                index, .limit(),
            ],
            answers: .json(Schema.ref("SearchAnswer"))
        ) { call in
            let (text, name, limit) = (call.query["q"] ?? "", call.indexName, try call.limit())
            let (domain, type, condition) = (call.query["domain"], call.query["contentType"], call.query["where"])
            let isCancelled = call.isCancelled
            return try .json(
                try await call.person { switchboard in
                    var filter = ItemFilter()
                    filter.domain = domain
                    filter.contentType = type
                    if let condition {
                        filter.query = try AttributeQuery(
                            condition, attributes: try switchboard.items(name).attributeTypes())
                    }
                    return try switchboard.findItems(
                        text, index: name, limit: limit, filter: filter, isCancelled: isCancelled)
                })
        },
        Route(
            .get, "/v1/index/query", "The items for which an expression of the query language holds.",
            door: .scope(.read, .index),
            parameters: [.text("expression", "The expression.", isRequired: true), index, .limit()],
            answers: .json(Schema.ref("SearchAnswer"))
        ) { call in
            guard let expression = call.query["expression"] else {
                throw Problem.badRequest("expression: say what is asked", code: "badParameter")
            }
            let (name, limit) = (call.indexName, try call.limit())
            return try .json(
                try await call.person { try $0.queryItems(expression, index: name, limit: limit) })
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

extension Call {
    var indexName: String {
        let name = query["index"] ?? ""
        return name.isEmpty ? SearchableIndex.defaultName : name
    }
}
