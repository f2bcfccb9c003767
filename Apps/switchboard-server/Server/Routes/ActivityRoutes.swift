import HTTPTypes
import SwitchboardAccounts
import SwitchboardJSON
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardSearchableIndex

extension Route {
    /// The person's activities in all front ends.
    static let activities: [Route] = [
        Route(
            .get, "/v1/activities", "List activities, most recent first.", access: .scope(.read, .activities),
            parameters: [.limit(default: 50), .cursor], response: .json(Schema.ref("List"))
        ) { context in
            let (limit, offset) = (try context.limit(default: 50), try context.offset())
            let list = try await context.withDatabase { try $0.activities.list(limit: offset + limit + 1) }
            return try .json(Page(list.dropFirst(offset).map(ActivityRow.init), offset: offset, limit: limit))
        },
        Route(
            .post, "/v1/activities", "Begin an activity, which becomes the current one.",
            access: .scope(.write, .activities), body: .json(Schema.ref("ActivityChange")),
            response: .json(Schema.ref("ActivityAnswer"), .created)
        ) { context in
            let bytes = try await context.body()
            do {
                let activity = try UserActivity(json: bytes)
                let stored = try await context.withDatabase { try $0.activities.becomeCurrent(activity) }
                return try .created(ActivityResponse(stored), at: "/v1/activities/\(stored.id)")
            } catch let fault as ItemError {
                throw Problem(malformed: SearchableIndexError.invalidItem(fault))
            } catch let error as SearchableIndexError {
                if case .invalidItem = error { throw Problem(malformed: error) }
                throw error
            }
        },
        Route(
            .get, "/v1/activities/{id}", "Get an activity.", access: .scope(.read, .activities),
            response: .json(Schema.ref("ActivityAnswer")), problems: [404]
        ) { context in
            let id = try context.pathParameter("id")
            return try .json(ActivityResponse(try await context.withDatabase { try $0.activities.activity(id) }))
        },
        Route(
            .delete, "/v1/activities/{id}", "Delete an activity and withdraw your vote for it in the public index.",
            access: .scope(.write, .activities), response: .empty, problems: [404]
        ) { context in
            let (id, server, person) = (try context.pathParameter("id"), context.server, try context.personID())
            try await context.withDatabase { switchboard in
                try server.retract(try switchboard.activities.activity(id).activity, of: person)
                try switchboard.activities.delete([id])
            }
            return .noContent
        },
        Route(
            .post, "/v1/activities/{id}/engage", "Engage with an activity and get its link.",
            access: .scope(.write, .activities), body: .json(Schema.ref("Engagement"), isRequired: false),
            response: .json(Schema.ref("Continuation")), problems: [404]
        ) { context in try await context.engage(try context.pathParameter("id")) },
    ]

    /// The public index.
    static let shared: [Route] = [
        Route(
            .get, "/v1/public/search", "Search the items that enough people have engaged with.", access: .open,
            parameters: [.text("q", "The query."), .limit()], response: .json(Schema.ref("SearchAnswer"))
        ) { context in
            let (text, limit, server) = (context.query["q"] ?? "", try context.limit(), context.server)
            let name = server.publicIndex.index.name
            let isCancelled = context.isCancelled
            return try .json(
                try await context.runBlocking {
                    try server.shared.searchItems(
                        SearchInput(text), index: name, limit: limit, isCancelled: isCancelled)
                })
        }
    ]
}

extension Problem {
    /// Creates the problem for a body with invalid content.
    fileprivate init(malformed error: SearchableIndexError) {
        self.init(error)
        status = .badRequest
    }
}

extension RouteContext {
    /// Engages with an activity or item, and counts a vote for it in the public index.
    func engage(_ id: String) async throws -> EndpointResponse {
        let object = try await jsonObject()
        try object.check(known: ["query"])
        let query = try object.text("query")
        guard let access else { throw Problem.unauthorized }
        let server = server
        let continued = try await withDatabase { switchboard in
            let continued = try switchboard.continueActivity(id, query: query.flatMap { $0.isEmpty ? nil : $0 })
            if let entry = try switchboard.publicEntry(id) {
                try server.publicIndex.engage(with: entry, by: access.person.id)
            }
            return continued
        }
        return try .json(continued)
    }
}

extension Switchboard {
    /// Returns the public entry of an item or activity; nil if it is not eligible.
    fileprivate func publicEntry(_ id: String) throws -> PublicEntry? {
        if let activity = try? activities.activity(id) { return PublicEntry(activity.activity) }
        return (try? items().item(id)).flatMap { PublicEntry($0.item) }
    }
}

// MARK: - Withdrawing votes

extension Server {
    /// Withdraws a person's vote for an item.
    func retract(_ item: StoredItem, of person: String) throws {
        if let entry = PublicEntry(item.item) { try publicIndex.retract(entry.target, by: person) }
    }

    /// Withdraws a person's vote for an activity.
    func retract(_ activity: UserActivity, of person: String) throws {
        if let entry = PublicEntry(activity) { try publicIndex.retract(entry.target, by: person) }
    }

    /// Withdraws a person's votes for the items of a domain.
    func retract(from index: SearchableIndex, domain: String, of person: String) throws {
        var targets: [String] = []
        try index.forEach(inDomain: domain) { item in
            if let entry = PublicEntry(item.item) { targets.append(entry.target) }
            return true
        }
        for target in targets { try publicIndex.retract(target, by: person) }
    }
}
