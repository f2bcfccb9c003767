import Foundation
import Hummingbird
import SwitchboardAccounts
import SwitchboardCluster
import SwitchboardJSON
import SwitchboardKit
import SwitchboardReminders

extension Route {
    static let reminders: [Route] = [
        Route(
            .get, "/v1/reminders", "List reminders, next due first.", access: .domain(.reminders),
            parameters: [
                .choice("state", Reminder.State.self, "Only reminders in this state."),
                .flag("overdue", "Only reminders that are due and that no one has acted on."), .limit(default: 50),
                .rowCursor,
            ],
            response: .json("List")
        ) { _, context in
            let states: Set<Reminder.State> =
                context.query["state"] == nil
                ? Set(Reminder.State.allCases) : [try context.choice("state", default: Reminder.State.pending)]
            let isOverdue = try context.flag("overdue")
            return try context.page { switchboard in
                let reminders = try switchboard.reminders
                return isOverdue
                    ? try reminders.overdue().filter { states.contains($0.state) } : try reminders.list(states)
            } row: { _, reminder in
                ReminderResponse(reminder)
            }
        },
        Route(
            .delete, "/v1/reminders/{id}", "Cancel a reminder.", access: .domain(.reminders), response: .empty
        ) { request, context in
            let id = try context.pathID
            return try context.remove(request, current: { try ReminderResponse($0.reminders.reminder(id)) }) {
                try $0.reminders.cancel(ids: [id])
            }
        },
        Route(
            .get, "/v1/reminders/{id}", "Get a reminder.", access: .domain(.reminders), response: .json("Reminder")
        ) { _, context in try context.json { try ReminderResponse($0.reminders.reminder(context.pathID)) } },
        Route(
            .get, "/v1/reminders.ics", "Get the reminders as a calendar.", access: .domain(.reminders),
            response: .file("text/calendar")
        ) { _, context in try .calendar(context.withDatabase { try $0.calendar() }) },
    ]

    /// The calendar at a secret address, because phone calendars send no tokens.
    static let calendars: [Route] = [
        Route(
            .get, "/v1/calendar", "Get the secret address of the calendar, which is valid as long as the token.",
            access: .domain(.reminders),
            response: .json("CalendarAddress")
        ) { _, context in
            try .calendarAddress(context.server.accounts.calendarSecret(of: context.token.id))
        },
        Route(
            .post, "/v1/calendar", "Replace the secret address of the calendar.", access: .domain(.reminders),
            response: .json("CalendarAddress")
        ) { _, context in
            try .calendarAddress(context.server.accounts.renewCalendarSecret(of: context.token.id))
        },
        Route(
            .get, "/v1/calendars/{secret}", "Get the calendar of a secret address.", access: .open,
            response: .file("text/calendar")
        ) { _, context in
            let (name, server) = (try context.pathParameter("secret"), context.server)
            guard name.hasSuffix(".ics"),
                let person = try server.accounts.person(calendarSecret: String(name.dropLast(4)))
            else { throw Problem.notFound }
            return try .calendar(server.databases.use(person) { try $0.calendar() })
        },
    ]
}

extension Response {
    fileprivate static func calendar(_ text: String) -> Response {
        .bytes(Array(text.utf8), type: "text/calendar; charset=utf-8")
    }

    fileprivate static func calendarAddress(_ secret: String) throws -> Response {
        try .json(["url": "/v1/calendars/\(secret).ics"])
    }
}

extension Route {
    /// Reminders through the push services of browsers (RFC 8030).
    static let push: [Route] = [
        Route(
            .get, "/v1/push", "Get the public key with which a browser subscribes to its push service.",
            access: .any([.reminders]), response: .json("PushKey")
        ) { _, context in try .json(["publicKey": context.server.push.key.publicKey]) },
        Route(
            .put, "/v1/push", "Send reminders to a browser, until the token or session of the request ends.",
            access: .any([.reminders]), body: .json("PushSubscription"), response: .empty
        ) { request, context in
            let (server, token) = (context.server, try context.token)
            let object = try await context.object(of: request, known: ["endpoint", "expirationTime", "keys"])
            let keys = try object.object("keys", known: ["p256dh", "auth"])
            let subscription = try PushSubscription(
                endpoint: object.text("endpoint") ?? "", publicKey: keys.text("p256dh") ?? "",
                authenticationSecret: keys.text("auth") ?? "")
            try server.push.requirePermitted(subscription)
            let session = request.headers[.authorization] == nil ? server.session(of: request) : nil
            try server.accounts.subscribe(subscription, for: token, session: session)
            try server.store.cluster?.journals.wake(token.person.id)
            return Response(status: .noContent)
        },
        Route(
            .delete, "/v1/push", "Send no more reminders to a browser.", access: .any([.reminders]),
            parameters: [.text("endpoint", "The endpoint of its subscription.", isRequired: true)], response: .empty
        ) { _, context in
            guard let endpoint = context.query["endpoint"], !endpoint.isEmpty else {
                throw Problem.badParameter("endpoint: missing; use that of the browser's subscription")
            }
            try context.server.accounts.unsubscribe(endpoint, of: context.person.id)
            return Response(status: .noContent)
        },
    ]
}
