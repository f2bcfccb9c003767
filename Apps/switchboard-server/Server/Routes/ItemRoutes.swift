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
                .cursor,
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
            ] + order,
            response: .json("SearchAnswer")
        ) { _, context in
            let (name, query) = (context.indexName, context.query)
            var options = try context.itemOptions()
            options.filter.domain = query["domain"]
            options.filter.contentType = query["contentType"]
            return try context.searchPage { [options] switchboard, limit in
                var options = options
                if let condition = query["where"] {
                    options.filter.query = try AttributeQuery(
                        condition, attributes: try switchboard.items(name).attributeTypes())
                }
                return try switchboard.searchItems(
                    SearchInput(query["q"] ?? ""), index: name, limit: limit, options: options
                ) { Task.isCancelled }
            }
        },
        Route(
            .get, "/v1/index/query", "Find the items that match an expression of the query language.",
            access: .domain(.index),
            parameters: [.text("expression", "The expression.", isRequired: true), index, .limit(), .cursor]
                + order,
            response: .json("SearchAnswer")
        ) { _, context in
            guard let expression = context.query["expression"] else {
                throw Problem.badParameter("expression: missing; add an expression of the query language")
            }
            let options = try context.itemOptions()
            return try context.searchPage { switchboard, limit in
                try switchboard.queryItems(expression, index: context.indexName, limit: limit, options: options)
            }
        },
        Route(
            .get, "/v1/index/synonyms", "Get the groups of words that searches treat as equal.",
            access: .domain(.index),
            parameters: [index], response: .json("Synonyms")
        ) { _, context in
            try context.json { try ["synonyms": $0.items(context.indexName).synonyms()] }
        },
        Route(
            .put, "/v1/index/synonyms", "Replace the groups of words that searches treat as equal.",
            access: .domain(.index), parameters: [index], body: .json("Synonyms"), response: .json("Synonyms")
        ) { request, context in
            let groups = try await context.object(of: request, known: ["synonyms"]).groups("synonyms")
            return try context.json { switchboard in
                let items = try switchboard.items(context.indexName)
                try items.setSynonyms(groups)
                return ["synonyms": try items.synonyms()]
            }
        },
    ]

    /// The parameters that order and count results.
    private static let order: [Parameter] = [
        .text("sort", "Attributes to sort by, with - for the reverse order, and distance: -rating,title."),
        .text("facets", "Attributes for whose values the results are counted, separated by commas."),
        .text("near", "A location, such as 52.5,13.4: sorts by the distance from it."),
        .number("radius", 0...20_040, "Only items within this distance of near, in kilometers."),
        .text("boost", "Bits that prefer matches in attributes, such as keywords=6."),
    ]
}

extension ServerRequestContext {
    fileprivate func itemOptions() throws -> ItemOptions {
        try ItemOptions(
            sort: query["sort"], facets: query["facets"].map { [$0] } ?? [], boosts: query["boost"].map { [$0] } ?? [],
            near: query["near"], radius: number("radius", in: 0.0...20_040))
    }

    fileprivate var indexName: String {
        query["index"].flatMap { $0.isEmpty ? nil : $0 } ?? SearchableIndex.defaultName
    }
}

extension Route {
    /// The person's activities in all front ends.
    static let activities: [Route] = [
        Route(
            .get, "/v1/activities", "List activities, most recent first.", access: .domain(.activities),
            parameters: [.limit(default: 50), .cursor], response: .json("List")
        ) { _, context in
            try context.page { try $0.activities.page(at: $1, limit: $2).compactMap(ActivityRow.init) }
        },
        Route(
            .post, "/v1/activities", "Begin an activity, which becomes the current one.", access: .domain(.activities),
            body: .json("ActivityChange"), response: .json("ActivityAnswer", .created)
        ) { request, context in
            let bytes = try await context.body(of: request)
            return try Problem.rejectingInvalidItems {
                let activity = try UserActivity(json: bytes)
                let stored = try context.withDatabase { try $0.activities.becomeCurrent(activity) }
                return try .created(ChangeResponse(stored), at: "/v1/activities/\(stored.id)")
            }
        },
        Route(
            .get, "/v1/activities/{id}", "Get an activity.", access: .domain(.activities),
            response: .json("ActivityAnswer")
        ) { _, context in try context.json { try ChangeResponse($0.activities.activity(context.pathID)) } },
        Route(
            .delete, "/v1/activities/{id}", "Delete an activity and withdraw your vote for it in the public index.",
            access: .domain(.activities), response: .empty
        ) { request, context in
            let (id, person) = (try context.pathID, try context.person.id)
            return try context.remove(request, current: { try ChangeResponse($0.activities.activity(id)) }) {
                switchboard in
                let entry = PublicEntry(try switchboard.activities.activity(id).activity)
                try context.server.retract([entry?.target], by: person)
                try switchboard.activities.delete([id])
            }
        },
        Route(
            .post, "/v1/activities/{id}/engage", "Engage with an activity and get its link.",
            access: .domain(.activities), body: .json("Engagement", isRequired: false),
            response: .json("Continuation")
        ) { request, context in try await context.engage(request) },
    ]

    /// The public index.
    static let shared: [Route] = [
        Route(
            .get, "/v1/public/search", "Search the items that enough people have engaged with.", access: .open,
            parameters: [.text("q", "The query."), .limit(), .cursor],
            response: .json("SearchAnswer")
        ) { _, context in
            let server = context.server
            return try context.publicPage { limit in
                try server.publicItems.searchItems(
                    SearchInput(context.query["q"] ?? ""), index: server.publicIndex.index.name, limit: limit
                ) { Task.isCancelled }
            }
        }
    ]
}

extension Problem {
    /// Responds with 400, not 422, to a body with an invalid item.
    fileprivate static func rejectingInvalidItems(_ body: () throws -> Response) throws -> Response {
        do {
            return try body()
        } catch let error {
            let error = (error as? ItemError).map(SearchableIndexError.invalidItem) ?? error
            guard case SearchableIndexError.invalidItem = error else { throw error }
            var problem = Problem(error)
            problem.status = .badRequest
            throw problem
        }
    }
}

extension ServerRequestContext {
    /// Engages with the activity or item in the path, and counts a vote for it in the public index.
    func engage(_ request: Request) async throws -> Response {
        let (id, person) = (try pathID, try person.id)
        let query = try await object(of: request, known: ["query"]).text("query")
        return try json { switchboard in
            let continued = try switchboard.continueActivity(id, query: query.flatMap { $0.isEmpty ? nil : $0 })
            if let entry = try switchboard.publicEntry(id) { try server.engage(with: entry, by: person) }
            return continued
        }
    }
}

extension Switchboard {
    /// Returns the public entry of an item or activity; nil if it is not eligible.
    fileprivate func publicEntry(_ id: String) throws -> PublicEntry? {
        if let activity = try? activities.activity(id) { return PublicEntry(activity.activity) }
        return (try? items().item(id)).flatMap { PublicEntry($0.item) }
    }
}

extension Server {
    /// Counts a person's vote in the public index.
    fileprivate func engage(with entry: PublicEntry, by person: String) throws {
        try store.repeating { _ = try publicIndex.engage(with: entry, by: person) }
    }

    /// Withdraws a person's votes for targets. An item that is not eligible has a nil target.
    func retract(_ targets: [String?], by person: String) throws {
        for case let target? in targets { try store.repeating { try publicIndex.retract(target, by: person) } }
    }
}
