import Hummingbird
import SwitchboardAccounts
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardSearchableIndex
import SwitchboardStorage

extension Route {
    private static let index = Parameter.text("index", "The name of the index, if not the default one.")

    static let items: [Route] = [
        Route(
            .put, "/v1/index/items", "Put or update items: one, an array, or one per line. All succeed or none.",
            access: .domain(.index),
            parameters: [
                index, .text("clientState", "A client state to store with the items."),
                .text("expectState", "The expected client state; 409 if the index has another one."),
            ],
            body: Body(types: ["application/json", "application/x-ndjson"], schema: Schema.items),
            response: .json("PutAnswer"), problems: [409]
        ) { request, context in
            let bytes = try await context.body(of: request)
            if bytes.isEmpty { throw Problem.malformed("the body is missing; send items or an empty array") }
            var options = PutOptions()
            options.clientState = context.query["clientState"]
            options.expectedState = context.query["expectState"]
            return try Problem.rejectingInvalidItems {
                try context.json { try $0.items(context.indexName).put(json: bytes, options: options) }
            }
        },
        Route(
            .get, "/v1/index/items", "List items by identifier.", access: .domain(.index),
            parameters: [
                .text("domain", "Only this domain and its subdomains."),
                .flag("withoutActivities", "true leaves out the items of activities."), index, .limit(default: 50),
                .listCursor,
            ],
            response: .json("List")
        ) { _, context in
            let (domain, isOther) = (context.query["domain"], try context.flag("withoutActivities"))
            let name = context.indexName
            return try context.page { switchboard, cursor, limit in
                try switchboard.items(name)
                    .page(inDomain: domain, withoutActivities: isOther, at: cursor, limit: limit)
                    .compactMap { SearchResult($0, index: name) }
            }
        },
        Route(
            .delete, "/v1/index/items", "Delete the items of a domain and its subdomains.",
            access: .domain(.index),
            parameters: [.text("domain", "The domain to delete.", isRequired: true), index],
            response: .json("Identifiers")
        ) { _, context in
            guard let domain = context.query["domain"], !domain.isEmpty else {
                throw Problem.badParameter("domain: missing; add the domain to delete")
            }
            let person = try context.person.id
            return try context.json { switchboard in
                let index = try switchboard.items(context.indexName)
                var targets: [String?] = []
                try index.forEach(inDomain: domain) { item in
                    targets.append(PublicEntry(item.item)?.target)
                    return true
                }
                try context.server.retract(targets, by: person)
                return ["ids": try index.deleteItems(inDomains: [domain])]
            }
        },
        Route(
            .get, "/v1/index/items/{id}", "Get an item.", access: .domain(.index), parameters: [index],
            response: .json("ItemAnswer")
        ) { _, context in try context.json { try ChangeResponse($0.items(context.indexName).item(context.pathID)) } },
        Route(
            .delete, "/v1/index/items/{id}", "Delete an item and withdraw your vote for it in the public index.",
            access: .domain(.index), parameters: [index], response: .empty
        ) { request, context in
            let (id, person) = (try context.pathID, try context.person.id)
            return try context.remove(
                request, current: { try ChangeResponse($0.items(context.indexName).item(id)) }
            ) { switchboard in
                let index = try switchboard.items(context.indexName)
                try context.server.retract([PublicEntry(try index.item(id).item)?.target], by: person)
                try index.deleteItems(withIdentifiers: [id])
            }
        },
        Route(
            .post, "/v1/index/items/{id}/engage", "Engage with an item, which then ranks higher, and get its link.",
            access: .domain(.index), body: .json("Engagement", isRequired: false),
            response: .json("Continuation")
        ) { request, context in try await context.engage(request) },
        Route(
            .get, "/v1/index/search", "Search items.", access: .domain(.index),
            parameters: [
                .text("q", "The query."), .text("domain", "Only this domain and its subdomains."),
                .text("contentType", "Only items of this content type."),
                .text("where", "Only items that match this expression."),
                index, .limit(), .cursor,
            ],
            response: .json("SearchAnswer")
        ) { _, context in
            let (name, query) = (context.indexName, context.query)
            return try context.searchPage { switchboard, limit in
                var filter = ItemFilter()
                filter.domain = query["domain"]
                filter.contentType = query["contentType"]
                if let condition = query["where"] {
                    filter.query = try AttributeQuery(
                        condition, attributes: try switchboard.items(name).attributeTypes())
                }
                return try switchboard.searchItems(
                    SearchInput(query["q"] ?? ""), index: name, limit: limit, filter: filter
                ) { Task.isCancelled }
            }
        },
        Route(
            .get, "/v1/index/query", "Find the items that match an expression of the query language.",
            access: .domain(.index),
            parameters: [.text("expression", "The expression.", isRequired: true), index, .limit(), .cursor],
            response: .json("SearchAnswer")
        ) { _, context in
            guard let expression = context.query["expression"] else {
                throw Problem.badParameter("expression: missing; add an expression of the query language")
            }
            return try context.searchPage { switchboard, limit in
                try switchboard.queryItems(expression, index: context.indexName, limit: limit)
            }
        },
    ]
}

extension ServerRequestContext {
    fileprivate var indexName: String {
        query["index"].flatMap { $0.isEmpty ? nil : $0 } ?? SearchableIndex.defaultName
    }
}
