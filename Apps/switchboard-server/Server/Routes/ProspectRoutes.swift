import Foundation
import Hummingbird
import SwitchboardAccounts
import SwitchboardBadges
import SwitchboardJSON
import SwitchboardKit
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardStorage

extension Route {
    static let prospects: [Route] = [
        Route(
            .get, "/v1/prospects", "List prospects, or search them by text or digits.", access: .domain(.prospects),
            parameters: [
                .choice("filter", ProspectFilter.self, "The prospects to list."),
                .choice("sort", ProspectOrder.self, "The order of the list."), .text("q", "The query."),
                .keypad, .limit(default: 50), .cursor,
            ],
            response: .json(Schema.listOrSearch)
        ) { _, context in
            let filter = try context.choice("filter", default: ProspectFilter.everyone)
            let order = try context.choice("sort", default: ProspectOrder.name)
            return try context.listOrSearch { switchboard, input, limit in
                try switchboard.searchProspects(input, filter: filter, limit: limit) { Task.isCancelled }
            } list: { switchboard, cursor, limit in
                try switchboard.prospects.page(filter, sortedBy: order, at: cursor, limit: limit)
                    .compactMap { SearchResult($0) }
            }
        },
        Route(
            .get, "/v1/prospects.csv", "Get the prospects as a table.", access: .domain(.prospects),
            response: .file("text/csv")
        ) { _, context in try context.file("prospects.csv", "text/csv") { try $0.prospects.export(.csv, to: $1) } },
        Route(
            .get, "/v1/prospects.vcf", "Get the prospects as vCards 3.0.", access: .domain(.prospects),
            response: .file("text/vcard")
        ) { _, context in
            try context.file("prospects.vcf", "text/vcard") { try $0.prospects.export(.vcard3, to: $1) }
        },
        Route(
            .get, "/v1/prospects/letters",
            "List the first letters of the names with their numbers of prospects, in the order of the list by name.",
            access: .domain(.prospects),
            parameters: [.choice("filter", ProspectFilter.self, "The prospects to count.")], response: .json("List")
        ) { _, context in
            let filter = try context.choice("filter", default: ProspectFilter.everyone)
            return try context.json { ListResponse(try $0.prospects.letters(filter).map(LetterRow.init)) }
        },
        Route(
            .post, "/v1/prospects", "Add a prospect, or new details of a known one.",
            access: .domain(.prospects), body: .json("ProspectChange"),
            response: .json("ProspectAnswer", .created)
        ) { request, context in
            let body = try ProspectBody(await context.object(of: request, known: ProspectBody.members))
            let added = try context.withDatabase { try body.add(to: $0) }
            let response = ChangeResponse(added.prospect)
            // Adding a known prospect updates it.
            return added.wasKnown
                ? try .json(response) : try .created(response, at: "/v1/prospects/\(added.prospect.id)")
        },
        Route(
            .post, "/v1/prospects/batch", "Add, change and remove prospects. All succeed or none.",
            access: .domain(.prospects), body: .batch("ProspectElement"), response: .json("BatchAnswer")
        ) { request, context in
            let batch = try ChangeBatch(
                await context.body(of: request), members: ProspectBody.members, ProspectBody.init)
            return try context.json { switchboard in
                try batch.perform(in: switchboard) {
                    try ChangeResponse(switchboard.prospects.prospect($0))
                } add: {
                    let added = try $0.add(to: switchboard)
                    let response = ChangeResponse(added.prospect)
                    return added.wasKnown ? .changed(response) : .added(response)
                } change: {
                    ChangeResponse(try $1.change($0, in: switchboard))
                } remove: {
                    try switchboard.removeProspects([$0])
                }
            }
        },
        Route(
            .post, "/v1/prospects/scan", "Add the people whose badges are in a picture.",
            access: .domain(.prospects), parameters: [.text("met", "The place of the meeting.")],
            body: Body(
                types: [
                    "image/png", "image/jpeg", "image/heic", "image/webp", "image/gif", "application/octet-stream",
                ],
                schema: Schema.binary, limit: 16 << 20),
            response: .json("ScanReport"), problems: [422]
        ) { request, context in
            let picture = try await context.body(of: request)
            let scan = try await context.server.scans.run(for: context.person.id) {
                var scan = BadgeScan()
                try scan.read(picture, named: "picture") { Task.isCancelled }
                return scan
            }
            let report = try context.withDatabase { try scan.finish(into: $0, met: context.query["met"] ?? "") }
            if let fault = report.refused.first, report.added.isEmpty, fault.text == nil {
                throw Problem(status: .unprocessableContent, code: "malformedInput", detail: fault.reason)
            }
            return try .json(report)
        },
        Route(
            .get, "/v1/prospects/{id}", "Get a prospect.", access: .domain(.prospects),
            response: .json("ProspectAnswer")
        ) { _, context in try context.json { try ChangeResponse($0.prospects.prospect(context.pathID)) } },
        Route(
            .patch, "/v1/prospects/{id}",
            "Change fields or mark as contacted; missing members are unchanged, null removes a value.",
            access: .domain(.prospects), body: .json("ProspectChange"), response: .json("ProspectAnswer")
        ) { request, context in
            let id = try context.pathID
            let body = try ProspectBody(await context.object(of: request, known: ProspectBody.members))
            return try context.change(request, current: { try ChangeResponse($0.prospects.prospect(id)) }) {
                ChangeResponse(try body.change(id, in: $0))
            }
        },
        Route(
            .delete, "/v1/prospects/{id}", "Remove a prospect, which can be restored for thirty days.",
            access: .domain(.prospects), response: .empty
        ) { request, context in
            let id = try context.pathID
            return try context.remove(request, current: { try ChangeResponse($0.prospects.prospect(id)) }) {
                try $0.removeProspects([id])
            }
        },
        Route(
            .post, "/v1/prospects/{id}/restore", "Restore a removed prospect.", access: .domain(.prospects),
            response: .json("ProspectAnswer")
        ) { _, context in
            try context.json {
                guard let prospect = try $0.restoreProspects([context.pathID]).first else { throw Problem.notFound }
                return ChangeResponse(prospect)
            }
        },
        Route(
            .put, "/v1/prospects/{id}/reminder",
            "Set a reminder to contact a prospect, by default at the next nine o'clock.", access: .domain(.reminders),
            body: .json("ReminderChange", isRequired: false), response: .json("Reminder"), problems: [409]
        ) { request, context in
            let id = try context.pathID
            let object = try await context.object(of: request, known: ["at", "in", "timeZone"])
            let (time, zone) = (try object.reminderTime(), try object.timeZone())
            return try context.json { switchboard in
                // Asking for a reminder counts as consent, unless consent was denied before.
                _ = try switchboard.prospects.prospect(id)
                if try switchboard.storage.status(of: .notifications) == .notDetermined {
                    try switchboard.storage.setStatus(.authorized, of: .notifications)
                }
                return ReminderResponse(try switchboard.remind(of: id, at: time, in: zone).reminder)
            }
        },
    ]

    /// The person's badge.
    static let me: [Route] = [
        Route(
            .get, "/v1/me", "Get your badge.", access: .domain(.me), response: .json("Me"), problems: [404]
        ) { _, context in try .json(context.me()) },
        Route(
            .put, "/v1/me", "Set the details on your badge.", access: .domain(.me), body: .json("MeChange"),
            response: .json("Me")
        ) { request, context in
            let object = try await context.object(
                of: request, known: ["name", "email", "phone", "organization", "title", "url"])
            let me = MyDetails(
                name: try object.text("name") ?? "", email: try object.text("email") ?? "",
                phone: try object.text("phone") ?? "", organization: try object.text("organization") ?? "",
                title: try object.text("title") ?? "", url: try object.text("url") ?? "")
            return try context.change(request, current: { MeResponse(try $0.prospects.me() ?? MyDetails()) }) {
                MeResponse(try $0.setMe(me))
            }
        },
        Route(
            .get, "/v1/me/badge.svg", "Get your badge as a QR code.", access: .domain(.me), parameters: [.version],
            response: .file("image/svg+xml"), problems: [404]
        ) { _, context in .bytes(Array(try QRCode(context.me().vCard).svg().utf8), type: "image/svg+xml") },
        Route(
            .get, "/v1/me/badge.png", "Get your badge as a QR code.", access: .domain(.me), parameters: [.version],
            response: .file("image/png"), problems: [404]
        ) { _, context in .bytes(try QRCode(context.me().vCard).png(), type: "image/png") },
    ]
}

/// The changes to a prospect in a request body.
private struct ProspectBody: Sendable {
    /// The members that a body may have. The read-only members of responses are allowed, but ignored.
    static let members: Set<String> = [
        "name", "email", "phone", "organization", "note", "met", "contacted", "id", "meetings", "contactedAt",
        "createdAt", "modifiedAt",
    ]

    private var change = ProspectChange()
    private let isContacted: Bool?

    /// - Throws: A ``Problem`` that names a member of the wrong type.
    init(_ object: JSONObject) throws {
        isContacted = try object.flag("contacted")
        try object.copy(
            [
                ("name", \.name), ("email", \.email), ("phone", \.phone), ("organization", \.organization),
                ("note", \.note), ("met", \.met),
            ], to: &change)
    }

    /// Adds a prospect, or new details of a known one.
    func add(to switchboard: Switchboard) throws -> Prospects.Added {
        try switchboard.storage.write { _ in
            var added = try switchboard.addProspect(change)
            if isContacted ?? false, let changed = try switchboard.setContacted([added.prospect.id]).first {
                added.prospect = changed
            }
            return added
        }
    }

    /// Applies the body to a prospect.
    func change(_ id: String, in switchboard: Switchboard) throws -> Prospect {
        try switchboard.storage.write { _ in
            if !change.isEmpty { _ = try switchboard.editProspect(id, change) }
            if let isContacted { try switchboard.setContacted([id], to: isContacted) }
            return try switchboard.prospects.prospect(id)
        }
    }
}

extension ServerRequestContext {
    fileprivate func me() throws -> MeResponse {
        guard let me = try withDatabase({ try $0.prospects.me() }) else {
            throw Problem(status: .notFound, code: "notSet", detail: "your badge is not set; set it with PUT /v1/me")
        }
        return MeResponse(me)
    }
}

extension JSONObject {
    fileprivate func reminderTime() throws -> ReminderTime {
        let at = try text("at")
        switch (at, has("in")) {
        case (nil, false): return .nextNine
        case (let at?, false): return try ReminderTime(parsing: at)
        case (nil, true):
            // A number of seconds, or a delay such as 2h.
            if let seconds = number("in") {
                guard seconds.rounded() == seconds, (0...3660 * 86_400).contains(seconds) else {
                    throw Problem.malformed("in: out of range; use whole seconds, up to ten years")
                }
                return .after(ReminderDelay(seconds: Int(seconds)))
            }
            return .after(try ReminderDelay(parsing: try text("in") ?? ""))
        case (_?, true): throw Problem.malformed("conflicting members; use either at or in")
        }
    }

    fileprivate func timeZone() throws -> TimeZone? {
        guard let name = try text("timeZone"), !name.isEmpty else { return nil }
        guard name.utf8.count < 64, let zone = TimeZone(identifier: name) else {
            throw Problem.malformed("timeZone: unknown time zone “\(name)”; use one such as Europe/Berlin")
        }
        return zone
    }
}
