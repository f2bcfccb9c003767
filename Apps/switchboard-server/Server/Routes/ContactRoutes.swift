import SwitchboardContacts
import Foundation
import HTTPTypes
import SwitchboardAccounts
import SwitchboardKit

extension Route {
    /// The address book.
    static let contacts: [Route] = [
        Route(
            .get, "/v1/contacts", "All contacts by name, or those that a text or digits find.",
            door: .scope(.read, .contacts),
            parameters: [
                .text("q", "What was typed."), .keypad, .text("group", "Of a list, only those in this group."),
                .limit(usual: 50), .cursor,
            ],
            answers: .json(Schema.listOrSearch), problems: [404]
        ) { call in
            // A search has one page, but what is no cursor is none there, either.
            let offset = try call.offset()
            if call.query["q"] != nil || call.query["keypad"] != nil {
                let limit = try call.limit()
                let (text, isKeypad) = try call.typed()
                let isCancelled = call.isCancelled
                return try .json(
                    try await call.person {
                        try isKeypad
                            ? $0.dialContacts(text, limit: limit, isCancelled: isCancelled)
                            : $0.findContacts(text, limit: limit, isCancelled: isCancelled)
                    })
            }
            let limit = try call.limit(usual: 50)
            let group = call.query["group"]
            let rows = try await call.person {
                try $0.contacts.list(group: group, limit: limit + 1, offset: offset).map { SearchResult($0) }
            }
            return try .json(Page(rows, offset: offset, limit: limit))
        },
        Route(
            .post, "/v1/contacts", "Add a contact.", door: .scope(.write, .contacts),
            body: .json(Schema.ref("ContactChange")), answers: .json(Schema.ref("ContactAnswer"), .created)
        ) { call in
            let change = try ContactBody(try await call.object())
            let contact = try await call.person { try $0.addContact(change) }
            return try .created(ChangeResponse(contact), at: "/v1/contacts/\(contact.id)")
        },
        Route(
            .post, "/v1/contacts/import", "Take in a file of vCards, or a table of Google or Outlook.",
            door: .scope(.write, .contacts),
            parameters: [
                .region,
                .text("keepGood", "true keeps the good cards of a file that has malformed ones."),
            ],
            body: Body(
                types: ["text/vcard", "text/csv", "application/octet-stream"], schema: ["type": "string"],
                limit: 32 << 20),
            answers: .json(Schema.ref("ImportReport")), problems: [422]
        ) { call in
            let bytes = try await call.body()
            let isCancelled = call.isCancelled
            let region = try call.query["region"].map { try ProcessEnvironment.region($0, from: "region") }
            let options = ImportOptions(
                keepsGood: call.query["keepGood"] == "true", region: region, isCancelled: isCancelled)
            let report = try await call.person {
                try $0.contacts.importing([.bytes(bytes, name: "body")], options: options)
            }
            if let first = report.skipped.first, report.added + report.merged + report.unchanged == 0 {
                var problem = Problem(status: .unprocessableContent, code: "malformedInput", detail: first.reason)
                problem.line = first.line
                problem.column = first.column
                problem.skipped = report.skipped
                throw problem
            }
            return try .json(report)
        },
        Route(
            .get, "/v1/contacts/groups", "The groups that contacts are in, and how many.",
            door: .scope(.read, .contacts), answers: .json(Schema.ref("List"))
        ) { call in
            try .json(ResultList(try await call.person { try $0.contacts.groups() }))
        },
        Route(
            .get, "/v1/contacts/birthdays", "Whose birthday is coming, the nearest first.",
            door: .scope(.read, .contacts),
            parameters: [
                Route.Parameter(
                    name: "days", schema: ["type": "integer", "minimum": 0, "maximum": 366, "default": 30],
                    note: "How many days ahead; 0 is today."),
                Route.Parameter(
                    name: "from", schema: ["type": "string", "format": "date"],
                    note: "The day it is where the reader is; without it, where the server is."),
            ],
            answers: .json(Schema.ref("List"))
        ) { call in
            let days = try call.integer("days", in: 0...366) ?? 30
            let from = try call.query["from"].map { text in
                guard let day = CalendarDay(text) else {
                    throw Problem.badRequest("from: give a day as 2026-12-24, not “\(text)”", code: "badParameter")
                }
                return day
            }
            let birthdays = try await call.person {
                try $0.contacts.birthdays(from: from ?? CalendarDay(Date()), days: days)
            }
            return try .json(ResultList(birthdays.map(BirthdayRow.init)))
        },
        Route(
            .get, "/v1/contacts/{id}/photo", "The photograph of a contact, if it is of a kind that browsers may show.",
            door: .scope(.read, .contacts), answers: .file("image/*"), problems: [404, 415]
        ) { call in
            let id = try call.path("id")
            guard let photo = try await call.person({ try $0.contacts.photo(of: id) }), let data = photo.data else {
                throw ContactBookError.noPhoto(id: id)
            }
            // Whatever else somebody has sent as a picture is not handed to a browser as one.
            guard photo.isShowable else {
                throw Problem(
                    status: .unsupportedMediaType, code: "notShown",
                    detail: "the photograph is \(photo.mediaType), which browsers do not show; it is in an export")
            }
            return .bytes([UInt8](data), type: photo.mediaType, fields: [.contentDisposition: "inline"])
        },
        Route(
            .put, "/v1/contacts/{id}/photo", "Give a contact a photograph, in the place of the one it has.",
            door: .scope(.write, .contacts),
            body: Body(
                types: ["image/jpeg", "image/png", "image/gif", "image/webp", "application/octet-stream"],
                schema: ["type": "string", "contentMediaType": "image/jpeg"], limit: ContactPhoto.largestPicture),
            answers: .json(Schema.ref("ContactAnswer")), problems: [404, 422]
        ) { call in
            let id = try call.path("id")
            let bytes = try await call.body()
            return try .json(
                ChangeResponse(
                    try await call.person { try $0.contacts.setPhoto(try ContactPhoto(picture: Data(bytes)), of: id) }))
        },
        Route(
            .delete, "/v1/contacts/{id}/photo", "Take the photograph of a contact away.",
            door: .scope(.write, .contacts), answers: .empty, problems: [404]
        ) { call in
            let id = try call.path("id")
            _ = try await call.person { try $0.contacts.setPhoto(nil, of: id) }
            return .noContent
        },
        Route(
            .get, "/v1/contacts/{id}", "A contact.", door: .scope(.read, .contacts),
            answers: .json(Schema.ref("ContactAnswer")), problems: [404]
        ) { call in
            let id = try call.path("id")
            return try .json(ChangeResponse(try await call.person { try $0.contacts.contact(id) }))
        },
        Route(
            .patch, "/v1/contacts/{id}", "Change fields of a contact; what is not named stays, null removes.",
            door: .scope(.write, .contacts), body: .json(Schema.ref("ContactChange")),
            answers: .json(Schema.ref("ContactAnswer")), problems: [404]
        ) { call in
            let id = try call.path("id")
            let change = try ContactBody(try await call.object())
            return try .json(ChangeResponse(try await call.person { try $0.editContact(id, change) }))
        },
        Route(
            .delete, "/v1/contacts/{id}", "Remove a contact.", door: .scope(.write, .contacts), answers: .empty,
            problems: [404]
        ) { call in
            let id = try call.path("id")
            try await call.person { try $0.contacts.remove([id]) }
            return .noContent
        },
        Route(
            .post, "/v1/contacts/{id}/call", "Remember that a contact was chosen: it comes earlier next time.",
            door: .scope(.write, .contacts), answers: .json(Schema.ref("ContactAnswer")), problems: [404]
        ) { call in
            let id = try call.path("id")
            return try .json(ChangeResponse(try await call.person { try $0.contacts.recordCall(id) }))
        },
    ]
}

/// The fields of a contact that a request names.
struct ContactBody: Sendable {
    private typealias TextField = WritableKeyPath<Contact, String> & Sendable

    let change: ContactChange
    private let texts: [(path: any TextField, text: String)]

    private static let otherTexts: [(name: String, path: any TextField)] = [
        ("namePrefix", \.name.prefix), ("middleName", \.name.middle), ("nameSuffix", \.name.suffix),
        ("phoneticGivenName", \.phoneticGivenName), ("phoneticFamilyName", \.phoneticFamilyName),
        ("department", \.department), ("title", \.title), ("birthday", \.birthday),
    ]
    /// Members that an answer has and that cannot be set: sent back as they were they do no harm.
    private static let readOnly: Set<String> = [
        "id", "phoneticName", "callCount", "lastCalledAt", "createdAt", "modifiedAt", "uid", "otherProperties",
        "addresses", "urls", "photo",
    ]

    init(_ object: JSONObject) throws {
        try object.check(
            known: Self.readOnly.union(Self.otherTexts.map(\.name)).union([
                "name", "givenName", "familyName", "nickname", "organization", "note", "favourite", "phones", "emails",
                "groups",
            ]))
        var change = ContactChange()
        change.name = try object.text("name")
        change.given = try object.text("givenName")
        change.family = try object.text("familyName")
        change.nickname = try object.text("nickname")
        change.organization = try object.text("organization")
        change.note = try object.text("note")
        change.isFavourite = try object.flag("favourite")
        change.phones = try object.texts("phones", in: "number")
        change.emails = try object.texts("emails", in: "address")
        change.groups = try object.texts("groups", in: "name")
        self.change = change
        texts = try Self.otherTexts.compactMap { field in try object.text(field.name).map { (field.path, $0) } }
    }

    /// Makes the change.
    func apply(to contact: inout Contact, region: String?) throws {
        try change.apply(to: &contact, region: region)
        for (path, text) in texts { contact[keyPath: path] = text }
    }
}

extension Switchboard {
    fileprivate func addContact(_ body: ContactBody) throws -> Contact {
        var contact = Contact()
        try body.apply(to: &contact, region: settings.region)
        return try contacts.add(contact)
    }

    fileprivate func editContact(_ id: String, _ body: ContactBody) throws -> Contact {
        let region = settings.region
        return try contacts.edit(id) { contact in try body.apply(to: &contact, region: region) }
    }
}
