import Foundation
import HTTPTypes
import SwitchboardAccounts
import SwitchboardReminders
import SwitchboardKit

extension Route {
    /// Reminders.
    static let reminders: [Route] = [
        Route(
            .get, "/v1/reminders", "All reminders, those due first first.", door: .scope(.read, .reminders),
            parameters: [.choice("state", Reminder.State.self, "Only those."), .limit(usual: 50), .cursor],
            answers: .json(Schema.ref("List"))
        ) { call in
            let states: Set<Reminder.State> =
                call.query["state"] == nil
                ? Set(Reminder.State.allCases) : [try call.choice("state", usual: Reminder.State.pending)]
            let (limit, offset) = (try call.limit(usual: 50), try call.offset())
            let reminders = try await call.person { try $0.reminders.list(states) }
            let rows = reminders.dropFirst(offset).prefix(limit + 1).map(ReminderResponse.init)
            return try .json(Page(rows, offset: offset, limit: limit))
        },
        Route(
            .delete, "/v1/reminders/{id}", "Take a reminder back.", door: .scope(.write, .reminders),
            answers: .empty, problems: [404]
        ) { call in
            let id = try call.path("id")
            _ = try await call.person { try $0.reminders.cancel([id]) }
            return .noContent
        },
        Route(
            .get, "/v1/reminders.ics", "The reminders as a calendar.", door: .scope(.read, .reminders),
            answers: .file("text/calendar")
        ) { call in .calendar(try await call.person { try $0.calendar() }) },
    ]

    /// The calendar under an address that only its person knows, since calendars of phones send no tokens.
    static let calendars: [Route] = [
        Route(
            .get, "/v1/calendar", "The secret address of the calendar.", door: .scope(.read, .reminders),
            answers: .json(Schema.ref("CalendarAddress"))
        ) { call in
            guard let access = call.access else { throw Problem.unauthorized }
            let people = call.server.people
            return try .json(
                CalendarAddress(secret: try await call.work { try people.calendarSecret(of: access.person.id) }))
        },
        Route(
            .post, "/v1/calendar", "Give the calendar another address; the old one is gone.",
            door: .scope(.write, .reminders), answers: .json(Schema.ref("CalendarAddress"))
        ) { call in
            guard let access = call.access else { throw Problem.unauthorized }
            let people = call.server.people
            return try .json(
                CalendarAddress(secret: try await call.work { try people.renewCalendarSecret(of: access.person.id) }))
        },
        Route(
            .get, "/v1/calendars/{secret}", "The calendar of whoever has this address.", door: .open,
            answers: .file("text/calendar"), problems: [404]
        ) { call in
            let name = try call.path("secret")
            guard name.hasSuffix(".ics") else { throw Problem.notFound }
            let server = call.server
            let text = try await call.work {
                guard let person = try server.people.person(calendarSecret: String(name.dropLast(4))) else {
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
    /// The reminders as a calendar.
    fileprivate func calendar() throws -> String {
        ReminderCalendar.text(of: try reminders.list([.pending, .delivered]), now: Date())
    }
}

extension Answer {
    fileprivate static func calendar(_ text: String) -> Answer {
        .bytes(Array(text.utf8), type: "text/calendar; charset=utf-8")
    }
}
