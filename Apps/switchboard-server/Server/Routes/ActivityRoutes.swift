import Hummingbird
import SwitchboardAccounts
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardSearchableIndex

extension Route {
    /// The person's activities in all front ends.
    static let activities: [Route] = [
        Route(
            .get, "/v1/activities", "List activities, most recent first.", access: .scope(.read, .activities),
            parameters: [.limit(default: 50), .cursor], response: .json("List")
        ) { _, context in
            let (limit, offset) = (try context.limit(default: 50), try context.offset())
            return try context.json {
                let rows = try $0.activities.list(limit: offset + limit + 1).dropFirst(offset)
                return Page(rows.map(ActivityRow.init), offset: offset, limit: limit)
            }
        },
        Route(
            .post, "/v1/activities", "Begin an activity, which becomes the current one.",
            access: .scope(.write, .activities), body: .json("ActivityChange"),
            response: .json("ActivityAnswer", .created)
        ) { request, context in
            let bytes = try await context.body(of: request)
            return try Problem.rejectingInvalidItems {
                let activity = try UserActivity(json: bytes)
                let stored = try context.withDatabase { try $0.activities.becomeCurrent(activity) }
                return try .created(ActivityResponse(stored), at: "/v1/activities/\(stored.id)")
            }
        },
        Route(
            .get, "/v1/activities/{id}", "Get an activity.", access: .scope(.read, .activities),
            response: .json("ActivityAnswer"), problems: [404]
        ) { _, context in
            let id = try context.pathID
            return try context.json { ActivityResponse(try $0.activities.activity(id)) }
        },
        Route(
            .delete, "/v1/activities/{id}", "Delete an activity and withdraw your vote for it in the public index.",
            access: .scope(.write, .activities), response: .empty, problems: [404]
        ) { _, context in
            let (id, person) = (try context.pathID, try context.person.id)
            try context.withDatabase { switchboard in
                try context.server.retract(try switchboard.activities.activity(id).activity, of: person)
                try switchboard.activities.delete([id])
            }
            return .noContent
        },
        Route(
            .post, "/v1/activities/{id}/engage", "Engage with an activity and get its link.",
            access: .scope(.write, .activities), body: .json("Engagement", isRequired: false),
            response: .json("Continuation"), problems: [404]
        ) { request, context in try await context.engage(request) },
    ]

    /// The public index.
    static let shared: [Route] = [
        Route(
            .get, "/v1/public/search", "Search the items that enough people have engaged with.", access: .open,
            parameters: [.text("q", "The query."), .limit()], response: .json("SearchAnswer")
        ) { _, context in
            let server = context.server
            return try .json(
                server.shared.searchItems(
                    SearchInput(context.query["q"] ?? ""), index: server.publicIndex.index.name, limit: context.limit()
                ) { Task.isCancelled })
        }
    ]
}

extension Problem {
    /// Responds with 400, not 422, to a body with an invalid item.
    static func rejectingInvalidItems(_ body: () throws -> Response) throws -> Response {
        do {
            return try body()
        } catch let fault as ItemError {
            throw Problem(malformed: .invalidItem(fault))
        } catch let error as SearchableIndexError {
            if case .invalidItem = error { throw Problem(malformed: error) }
            throw error
        }
    }

    private init(malformed error: SearchableIndexError) {
        self.init(error)
        status = .badRequest
    }
}

extension ServerRequestContext {
    /// Engages with the activity or item in the path, and counts a vote for it in the public index.
    func engage(_ request: Request) async throws -> Response {
        let (id, person) = (try pathID, try person.id)
        let query = try await object(of: request, known: ["query"]).text("query")
        return try json { switchboard in
            let continued = try switchboard.continueActivity(id, query: query.flatMap { $0.isEmpty ? nil : $0 })
            if let entry = try switchboard.publicEntry(id) { try server.publicIndex.engage(with: entry, by: person) }
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
