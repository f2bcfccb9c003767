import HTTPTypes
import SwitchboardAccounts
import SwitchboardSearchableIndex
import SwitchboardKit

extension Route {
    /// What the person does, here and in other front ends.
    static let activities: [Route] = [
        Route(
            .get, "/v1/activities", "All activities, the last begun first.", door: .scope(.read, .activities),
            parameters: [.limit(usual: 50), .cursor], answers: .json(Schema.ref("List"))
        ) { call in
            let (limit, offset) = (try call.limit(usual: 50), try call.offset())
            let list = try await call.person { try $0.activities.list(limit: offset + limit + 1) }
            return try .json(Page(list.dropFirst(offset).map(ActivityRow.init), offset: offset, limit: limit))
        },
        Route(
            .post, "/v1/activities", "Begin an activity; it is current until another one is.",
            door: .scope(.write, .activities), body: .json(Schema.ref("ActivityChange")),
            answers: .json(Schema.ref("ActivityAnswer"), .created)
        ) { call in
            let bytes = try await call.body()
            do {
                let activity = try UserActivity(json: bytes)
                let stored = try await call.person { try $0.activities.becomeCurrent(activity) }
                return try .created(ActivityResponse(stored), at: "/v1/activities/\(stored.id)")
            } catch let fault as ItemFault {
                throw Problem(malformed: SearchableIndexError.invalidItem(fault))
            } catch let error as SearchableIndexError {
                if case .invalidItem = error { throw Problem(malformed: error) }
                throw error
            }
        },
        Route(
            .get, "/v1/activities/{id}", "An activity.", door: .scope(.read, .activities),
            answers: .json(Schema.ref("ActivityAnswer")), problems: [404]
        ) { call in
            let id = try call.path("id")
            return try .json(ActivityResponse(try await call.person { try $0.activities.activity(id) }))
        },
        Route(
            .delete, "/v1/activities/{id}", "Delete an activity; your voice for it in the public index is taken back.",
            door: .scope(.write, .activities), answers: .empty, problems: [404]
        ) { call in
            let (id, server, person) = (try call.path("id"), call.server, try call.personID())
            try await call.person { switchboard in
                try server.retract(try switchboard.activities.activity(id).activity, of: person)
                try switchboard.activities.delete([id])
            }
            return .noContent
        },
        Route(
            .post, "/v1/activities/{id}/engage", "An activity was chosen: where it leads.",
            door: .scope(.write, .activities), body: .json(Schema.ref("Engagement"), isRequired: false),
            answers: .json(Schema.ref("Continuation")), problems: [404]
        ) { call in try await call.engage(try call.path("id")) },
    ]

    /// What enough different people have chosen.
    static let shared: [Route] = [
        Route(
            .get, "/v1/public/search", "Items that enough different people have chosen.", door: .open,
            parameters: [.text("q", "What was typed."), .limit()], answers: .json(Schema.ref("SearchAnswer"))
        ) { call in
            let (text, limit, server) = (call.query["q"] ?? "", try call.limit(), call.server)
            let name = server.publicIndex.index.name
            let isCancelled = call.isCancelled
            return try .json(
                try await call.work {
                    try server.shared.findItems(text, index: name, limit: limit, isCancelled: isCancelled)
                })
        }
    ]
}

extension Problem {
    /// The problem of a body whose content is not valid.
    fileprivate init(malformed error: SearchableIndexError) {
        self.init(error)
        status = .badRequest
    }
}

extension Call {
    /// Takes up an activity or item, and counts that for the public index.
    func engage(_ id: String) async throws -> Answer {
        let object = try await object()
        try object.check(known: ["query"])
        let query = try object.text("query")
        guard let access else { throw Problem.unauthorized }
        let server = server
        let continued = try await person { switchboard in
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
    /// What of an item or activity may become public; nil if nothing.
    fileprivate func publicEntry(_ id: String) throws -> PublicEntry? {
        if let activity = try? activities.activity(id) { return PublicEntry(activity.activity) }
        return (try? items().item(id)).flatMap { PublicEntry($0.item) }
    }
}

// MARK: - Taking back

extension Server {
    /// Takes a person's voice for an item back that they delete.
    func retract(_ item: StoredItem, of person: String) throws {
        if let entry = PublicEntry(item.item) { try publicIndex.retract(entry.target, by: person) }
    }

    /// Takes a person's voice for an activity back that they delete.
    func retract(_ activity: UserActivity, of person: String) throws {
        if let entry = PublicEntry(activity) { try publicIndex.retract(entry.target, by: person) }
    }

    /// Takes a person's voice for the items of a domain back.
    func retract(from index: SearchableIndex, domain: String, of person: String) throws {
        var targets: [String] = []
        try index.forEach(inDomain: domain) { item in
            if let entry = PublicEntry(item.item) { targets.append(entry.target) }
            return true
        }
        for target in targets { try publicIndex.retract(target, by: person) }
    }
}
