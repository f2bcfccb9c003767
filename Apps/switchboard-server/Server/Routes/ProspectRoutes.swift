import SwitchboardBadges
import Foundation
import HTTPTypes
import SwitchboardAccounts
import SwitchboardProspects
import SwitchboardReminders
import SwitchboardStorage
import SwitchboardKit

extension Route {
    /// Accounts met.
    static let prospects: [Route] = [
        Route(
            .get, "/v1/prospects", "The people met, or those that a text or digits find.",
            door: .scope(.read, .prospects),
            parameters: [
                .choice("filter", ProspectFilter.self, "Which of them."),
                .choice("sort", ProspectOrder.self, "In which order."), .text("q", "What was typed."),
                .keypad, .limit(usual: 50), .cursor,
            ],
            answers: .json(Schema.listOrSearch)
        ) { call in
            let filter = try call.choice("filter", usual: ProspectFilter.everyone)
            let order = try call.choice("sort", usual: ProspectOrder.name)
            let offset = try call.offset()
            if call.query["q"] != nil || call.query["keypad"] != nil {
                let limit = try call.limit()
                let (text, isKeypad) = try call.typed()
                let isCancelled = call.isCancelled
                return try .json(
                    try await call.person {
                        try $0.findProspects(
                            text, keypad: isKeypad, filter: filter, limit: limit, isCancelled: isCancelled)
                    })
            }
            let limit = try call.limit(usual: 50)
            let rows = try await call.person {
                try $0.prospects.list(filter, sortedBy: order, limit: limit + 1, offset: offset).map {
                    SearchResult($0)
                }
            }
            return try .json(Page(rows, offset: offset, limit: limit))
        },
        Route(
            .post, "/v1/prospects", "Add somebody who was met, or what is new about them.",
            door: .scope(.write, .prospects), body: .json(Schema.ref("ProspectChange")),
            answers: .json(Schema.ref("ProspectAnswer"), .created)
        ) { call in
            let object = try await call.object()
            let (change, isContacted) = (try object.prospectChange(), try object.flag("contacted") ?? false)
            let added = try await call.person { switchboard in
                var added = try switchboard.addProspect(change)
                if isContacted, let changed = try switchboard.setContacted([added.prospect.id]).first {
                    added.prospect = changed
                }
                return added
            }
            let answer = ChangeResponse(added.prospect)
            // Somebody who is met again is no new person.
            return added.wasKnown ? try .json(answer) : try .created(answer, at: "/v1/prospects/\(added.prospect.id)")
        },
        Route(
            .post, "/v1/prospects/scan", "Add the people whose badges are in a picture.",
            door: .scope(.write, .prospects), parameters: [.text("met", "Where you meet.")],
            body: Body(
                types: ["image/png", "image/jpeg", "application/octet-stream"],
                schema: ["type": "string", "contentMediaType": "image/png"], limit: 16 << 20),
            answers: .json(Schema.ref("ScanReport")), problems: [422]
        ) { call in
            let picture = try await call.body()
            let met = call.query["met"] ?? ""
            let report = try await call.person { switchboard in
                var scan = BadgeScan()
                try scan.read(picture, named: "picture")
                return try scan.finish(into: switchboard, met: met)
            }
            if let fault = report.refused.first, report.added.isEmpty, fault.text == nil {
                throw Problem(status: .unprocessableContent, code: "malformedInput", detail: fault.reason)
            }
            return try .json(report)
        },
        Route(
            .get, "/v1/prospects/{id}", "Somebody met.", door: .scope(.read, .prospects),
            answers: .json(Schema.ref("ProspectAnswer")), problems: [404]
        ) { call in
            let id = try call.path("id")
            return try .json(ChangeResponse(try await call.person { try $0.prospects.prospect(id) }))
        },
        Route(
            .patch, "/v1/prospects/{id}",
            "Change fields, or tick off as contacted; what is not named stays, null removes.",
            door: .scope(.write, .prospects), body: .json(Schema.ref("ProspectChange")),
            answers: .json(Schema.ref("ProspectAnswer")), problems: [404]
        ) { call in
            let id = try call.path("id")
            let object = try await call.object()
            let (change, isContacted) = (try object.prospectChange(), try object.flag("contacted"))
            let prospect = try await call.person { switchboard in
                try switchboard.storage.write { _ in
                    if !change.isEmpty { _ = try switchboard.editProspect(id, change) }
                    if let isContacted { try switchboard.setContacted([id], isContacted) }
                    return try switchboard.prospects.prospect(id)
                }
            }
            return try .json(ChangeResponse(prospect))
        },
        Route(
            .delete, "/v1/prospects/{id}", "Remove somebody; for thirty days that can be taken back.",
            door: .scope(.write, .prospects), answers: .empty, problems: [404]
        ) { call in
            let id = try call.path("id")
            try await call.person { try $0.removeProspects([id]) }
            return .noContent
        },
        Route(
            .post, "/v1/prospects/{id}/restore", "Take the removal of somebody back.",
            door: .scope(.write, .prospects), answers: .json(Schema.ref("ProspectAnswer")), problems: [404]
        ) { call in
            let id = try call.path("id")
            let restored = try await call.person { try $0.prospects.restore([id]) }
            guard let prospect = restored.first else { throw Problem.notFound }
            return try .json(ChangeResponse(prospect))
        },
        Route(
            .put, "/v1/prospects/{id}/reminder",
            "Be reminded to contact somebody: at the next nine o'clock, or when you say.",
            door: .scope(.write, .reminders),
            body: .json(Schema.ref("ReminderChange"), isRequired: false), answers: .json(Schema.ref("Reminder")),
            problems: [404, 409]
        ) { call in
            let id = try call.path("id")
            let object = try await call.object()
            try object.check(known: ["at", "in", "timeZone"])
            let (time, zone) = (try object.reminderTime(), try object.timeZone())
            let scheduled = try await call.person { switchboard in
                // Who asks for a reminder in so many words agrees to it; who has said no before has to take that back first.
                _ = try switchboard.prospects.prospect(id)
                if try switchboard.storage.status(of: .notifications) == .notDetermined {
                    try switchboard.storage.setStatus(.authorized, of: .notifications)
                }
                return try switchboard.remind(of: id, at: time, in: zone)
            }
            return try .json(ReminderResponse(scheduled.reminder))
        },
    ]

    /// The person's own badge.
    static let me: [Route] = [
        Route(
            .get, "/v1/me", "Your own badge.", door: .scope(.read, .me), answers: .json(Schema.ref("Me")),
            problems: [404]
        ) { call in try .json(MeResponse(try await call.me())) },
        Route(
            .put, "/v1/me", "Say what stands on your badge.", door: .scope(.write, .me),
            body: .json(Schema.ref("MeChange")), answers: .json(Schema.ref("Me"))
        ) { call in
            let object = try await call.object()
            try object.check(known: ["name", "email", "phone", "organization", "title", "url"])
            let me = MyDetails(
                name: try object.text("name") ?? "", email: try object.text("email") ?? "",
                phone: try object.text("phone") ?? "", organization: try object.text("organization") ?? "",
                title: try object.text("title") ?? "", url: try object.text("url") ?? "")
            return try .json(MeResponse(try await call.person { try $0.setMe(me) }))
        },
        Route(
            .get, "/v1/me/badge.svg", "Your badge as a QR code.", door: .scope(.read, .me),
            answers: .file("image/svg+xml"), problems: [404]
        ) { call in
            let code = try QRCode(MeResponse(try await call.me()).vCard)
            return .bytes(Array(code.svg().utf8), type: "image/svg+xml")
        },
        Route(
            .get, "/v1/me/badge.png", "Your badge as a QR code.", door: .scope(.read, .me),
            answers: .file("image/png"), problems: [404]
        ) { call in
            let me = try await call.me()
            return .bytes(try await call.work { try QRCode(MeResponse(me).vCard).png() }, type: "image/png")
        },
    ]
}

extension Call {
    fileprivate func me() async throws -> MyDetails {
        guard let me = try await person({ try $0.prospects.me() }) else {
            throw Problem(status: .notFound, code: "notSet", detail: "your badge is not set; PUT /v1/me sets it")
        }
        return me
    }
}

extension JSONObject {
    fileprivate func prospectChange() throws -> ProspectChange {
        try check(known: [
            "name", "email", "phone", "organization", "note", "met", "contacted", "id", "meetings", "contactedAt",
            "createdAt", "modifiedAt",
        ])
        var change = ProspectChange()
        change.name = try text("name")
        change.email = try text("email")
        change.phone = try text("phone")
        change.organization = try text("organization")
        change.note = try text("note")
        change.met = try text("met")
        return change
    }

    fileprivate func reminderTime() throws -> ReminderTime {
        let at = try text("at")
        switch (at, has("in")) {
        case (nil, false): return .nextNine
        case (let at?, false): return try ReminderTime(parsing: at)
        case (nil, true):
            // A number of seconds, or a delay as the command line takes it.
            if let seconds = number("in") {
                guard seconds.rounded() == seconds, (0...3660 * 86_400).contains(seconds) else {
                    throw Problem.badRequest("in: give whole seconds, at most ten years", code: "malformedInput")
                }
                return .after(ReminderDelay(seconds: Int(seconds)))
            }
            return .after(try ReminderDelay(parsing: try text("in") ?? ""))
        case (_?, true): throw Problem.badRequest("give at or in, not both", code: "malformedInput")
        }
    }

    fileprivate func timeZone() throws -> TimeZone? {
        guard let name = try text("timeZone"), !name.isEmpty else { return nil }
        guard name.utf8.count < 64, let zone = TimeZone(identifier: name) else {
            throw Problem.badRequest(
                "timeZone: there is no “\(name)”; give one such as Europe/Berlin", code: "malformedInput")
        }
        return zone
    }
}
