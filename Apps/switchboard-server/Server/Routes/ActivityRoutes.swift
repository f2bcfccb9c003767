import Hummingbird
import SwitchboardAccounts
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardSearchableIndex
import SwitchboardStorage

extension Route {
    /// The person's activities in all front ends.
    static let activities: [Route] = [
        Route(
            .get, "/v1/activities", "List activities, most recent first.", access: .domain(.activities),
            parameters: [.limit(default: 50), .listCursor], response: .json("List")
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
    static func rejectingInvalidItems(_ body: () throws -> Response) throws -> Response {
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
