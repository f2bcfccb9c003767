import Foundation
import HTTPTypes
import SwitchboardAccounts
import SwitchboardJSON
import SwitchboardKit
import SwitchboardReminders

extension Route {
    /// The reminders of a person.
    static let reminders: [Route] = [
        Route(
            .get, "/v1/reminders", "List reminders, next due first.", access: .scope(.read, .reminders),
            parameters: [
                .choice("state", Reminder.State.self, "Only reminders in this state."), .limit(default: 50), .cursor,
            ],
            response: .json(Schema.ref("List"))
        ) { context in
            let states: Set<Reminder.State> =
                context.query["state"] == nil
                ? Set(Reminder.State.allCases) : [try context.choice("state", default: Reminder.State.pending)]
            let (limit, offset) = (try context.limit(default: 50), try context.offset())
            let reminders = try await context.withDatabase { try $0.reminders.list(states) }
            let rows = reminders.dropFirst(offset).prefix(limit + 1).map(ReminderResponse.init)
            return try .json(Page(rows, offset: offset, limit: limit))
        },
        Route(
            .delete, "/v1/reminders/{id}", "Cancel a reminder.", access: .scope(.write, .reminders),
            response: .empty, problems: [404]
        ) { context in
            let id = try context.pathParameter("id")
            _ = try await context.withDatabase { try $0.reminders.cancel([id]) }
            return .noContent
        },
        Route(
            .get, "/v1/reminders.ics", "Get the reminders as a calendar.", access: .scope(.read, .reminders),
            response: .file("text/calendar")
        ) { context in .calendar(try await context.withDatabase { try $0.calendar() }) },
    ]

    /// The calendar at a secret address, because phone calendars send no tokens.
    static let calendars: [Route] = [
        Route(
            .get, "/v1/calendar", "Get the secret address of the calendar.", access: .scope(.read, .reminders),
            response: .json(Schema.ref("CalendarAddress"))
        ) { context in
            guard let access = context.access else { throw Problem.unauthorized }
            let accounts = context.server.accounts
            return try .json(
                CalendarAddress(
                    secret: try await context.runBlocking { try accounts.calendarSecret(of: access.person.id) }))
        },
        Route(
            .post, "/v1/calendar", "Replace the secret address of the calendar.",
            access: .scope(.write, .reminders), response: .json(Schema.ref("CalendarAddress"))
        ) { context in
            guard let access = context.access else { throw Problem.unauthorized }
            let accounts = context.server.accounts
            return try .json(
                CalendarAddress(
                    secret: try await context.runBlocking { try accounts.renewCalendarSecret(of: access.person.id) }))
        },
        Route(
            .get, "/v1/calendars/{secret}", "Get the calendar of a secret address.", access: .open,
            response: .file("text/calendar"), problems: [404]
        ) { context in
            let name = try context.pathParameter("secret")
            guard name.hasSuffix(".ics") else { throw Problem.notFound }
            let server = context.server
            let text = try await context.runBlocking {
                guard let person = try server.accounts.person(calendarSecret: String(name.dropLast(4))) else {
                    throw Problem.notFound
                }
                return try server.databases.use(person) { try $0.calendar() }
            }
            return .calendar(text)
        },
    ]
}

/// `{"url": "/v1/calendars/….ics"}`
private struct CalendarAddress: Encodable {
    let url: String

    init(secret: String) { url = "/v1/calendars/\(secret).ics" }
}

extension Switchboard {
    /// Returns the reminders as a calendar.
    fileprivate func calendar() throws -> String {
        ReminderCalendar.text(of: try reminders.list([.pending, .delivered]), now: Date())
    }
}

extension EndpointResponse {
    fileprivate static func calendar(_ text: String) -> EndpointResponse {
        .bytes(Array(text.utf8), type: "text/calendar; charset=utf-8")
    }
}
