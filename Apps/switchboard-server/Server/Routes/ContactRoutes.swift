import Foundation
import HTTPTypes
import SwitchboardAccounts
import SwitchboardContacts
import SwitchboardJSON
import SwitchboardKit

extension Route {
    /// The contacts of a person.
    static let contacts: [Route] = [
        Route(
            .get, "/v1/contacts", "List contacts by name, or search them by text or digits.",
            access: .scope(.read, .contacts),
            parameters: [
                .text("q", "The query."), .keypad, .text("group", "List only the contacts of this group."),
                .limit(default: 50), .cursor,
            ],
            response: .json(Schema.listOrSearch), problems: [404]
        ) { context in
            // A search has one page but still rejects an invalid cursor.
            let offset = try context.offset()
            if context.query["q"] != nil || context.query["keypad"] != nil {
                let limit = try context.limit()
                let input = try context.searchInput()
                let isCancelled = context.isCancelled
                return try .json(
                    try await context.withDatabase {
                        try $0.searchContacts(input, limit: limit, isCancelled: isCancelled)
                    })
            }
            let limit = try context.limit(default: 50)
            let group = context.query["group"]
            let rows = try await context.withDatabase {
                try $0.contacts.list(group: group, limit: limit + 1, offset: offset).map { SearchResult($0) }
            }
            return try .json(Page(rows, offset: offset, limit: limit))
        },
        Route(
            .post, "/v1/contacts", "Add a contact.", access: .scope(.write, .contacts),
            body: .json(Schema.ref("ContactChange")), response: .json(Schema.ref("ContactAnswer"), .created)
        ) { context in
            let change = try ContactBody(try await context.jsonObject())
            let contact = try await context.withDatabase { try $0.addContact(change) }
            return try .created(ChangeResponse(contact), at: "/v1/contacts/\(contact.id)")
        },
        Route(
            .post, "/v1/contacts/import", "Import vCards, or a CSV file of Google or Outlook.",
            access: .scope(.write, .contacts),
            parameters: [
                .region,
                .text("keepGood", "true imports the good cards of a file with malformed ones."),
            ],
            body: Body(
                types: ["text/vcard", "text/csv", "application/octet-stream"], schema: ["type": "string"],
                limit: 32 << 20),
            response: .json(Schema.ref("ImportReport")), problems: [422]
        ) { context in
            let bytes = try await context.body()
            let isCancelled = context.isCancelled
            let region = try context.query["region"].map { try ProcessEnvironment.region($0, from: "region") }
            let options = ImportOptions(
                keepsGood: context.query["keepGood"] == "true", region: region, isCancelled: isCancelled)
            let report = try await context.withDatabase {
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
            .get, "/v1/contacts/groups", "List the groups with their numbers of contacts.",
            access: .scope(.read, .contacts), response: .json(Schema.ref("List"))
        ) { context in
            try .json(ListResponse(try await context.withDatabase { try $0.contacts.groups() }))
        },
        Route(
            .get, "/v1/contacts/birthdays", "List upcoming birthdays, soonest first.",
            access: .scope(.read, .contacts),
            parameters: [
                Route.Parameter(
                    name: "days", schema: ["type": "integer", "minimum": 0, "maximum": 366, "default": 30],
                    note: "The number of days ahead; 0 is today."),
                Route.Parameter(
                    name: "from", schema: ["type": "string", "format": "date"],
                    note: "The client's current date; by default the server's."),
            ],
            response: .json(Schema.ref("List"))
        ) { context in
            let days = try context.integer("days", in: 0...366) ?? 30
            let from = try context.query["from"].map { text in
                guard let day = CalendarDay(text) else {
                    throw Problem.badRequest(
                        "from: cannot read the date “\(text)”; use 2026-12-24", code: "badParameter")
                }
                return day
            }
            let birthdays = try await context.withDatabase {
                try $0.contacts.birthdays(from: from ?? CalendarDay(Date()), days: days)
            }
            return try .json(ListResponse(birthdays.map(BirthdayRow.init)))
        },
        Route(
            .get, "/v1/contacts/{id}/photo", "Get the photo of a contact, if browsers can display its format.",
            access: .scope(.read, .contacts), response: .file("image/*"), problems: [404, 415]
        ) { context in
            let id = try context.pathParameter("id")
            guard let photo = try await context.withDatabase({ try $0.contacts.photo(of: id) }), let data = photo.data
            else {
                throw ContactBookError.noPhoto(id: id)
            }
            // Other formats, such as SVG, may contain scripts.
            guard photo.isShowable else {
                throw Problem(
                    status: .unsupportedMediaType, code: "notShown",
                    detail: "cannot display a photo of type \(photo.mediaType); export the contact to get it")
            }
            return .bytes([UInt8](data), type: photo.mediaType, fields: [.contentDisposition: "inline"])
        },
        Route(
            .put, "/v1/contacts/{id}/photo", "Set the photo of a contact.",
            access: .scope(.write, .contacts),
            body: Body(
                types: ["image/jpeg", "image/png", "image/gif", "image/webp", "application/octet-stream"],
                schema: ["type": "string", "contentMediaType": "image/jpeg"], limit: ContactPhoto.largestPicture),
            response: .json(Schema.ref("ContactAnswer")), problems: [404, 422]
        ) { context in
            let id = try context.pathParameter("id")
            let bytes = try await context.body()
            return try .json(
                ChangeResponse(
                    try await context.withDatabase {
                        try $0.contacts.setPhoto(try ContactPhoto(picture: Data(bytes)), of: id)
                    }))
        },
        Route(
            .delete, "/v1/contacts/{id}/photo", "Remove the photo of a contact.",
            access: .scope(.write, .contacts), response: .empty, problems: [404]
        ) { context in
            let id = try context.pathParameter("id")
            _ = try await context.withDatabase { try $0.contacts.setPhoto(nil, of: id) }
            return .noContent
        },
        Route(
            .get, "/v1/contacts/{id}", "Get a contact.", access: .scope(.read, .contacts),
            response: .json(Schema.ref("ContactAnswer")), problems: [404]
        ) { context in
            let id = try context.pathParameter("id")
            return try .json(ChangeResponse(try await context.withDatabase { try $0.contacts.contact(id) }))
        },
        Route(
            .patch, "/v1/contacts/{id}",
            "Change fields of a contact; missing members are unchanged, null removes a value.",
            access: .scope(.write, .contacts), body: .json(Schema.ref("ContactChange")),
            response: .json(Schema.ref("ContactAnswer")), problems: [404]
        ) { context in
            let id = try context.pathParameter("id")
            let change = try ContactBody(try await context.jsonObject())
            return try .json(ChangeResponse(try await context.withDatabase { try $0.editContact(id, change) }))
        },
        Route(
            .delete, "/v1/contacts/{id}", "Remove a contact.", access: .scope(.write, .contacts), response: .empty,
            problems: [404]
        ) { context in
            let id = try context.pathParameter("id")
            try await context.withDatabase { try $0.contacts.remove([id]) }
            return .noContent
        },
        Route(
            .post, "/v1/contacts/{id}/call", "Record a call of a contact, which then ranks higher.",
            access: .scope(.write, .contacts), response: .json(Schema.ref("ContactAnswer")), problems: [404]
        ) { context in
            let id = try context.pathParameter("id")
            return try .json(ChangeResponse(try await context.withDatabase { try $0.contacts.recordCall(id) }))
        },
    ]
}

/// The changes to a contact in a request body.
struct ContactBody: Sendable {
    private typealias TextField = WritableKeyPath<Contact, String> & Sendable

    let change: ContactChange
    private let texts: [(path: any TextField, text: String)]

    private static let otherTexts: [(name: String, path: any TextField)] = [
        ("namePrefix", \.name.prefix), ("middleName", \.name.middle), ("nameSuffix", \.name.suffix),
        ("phoneticGivenName", \.phoneticGivenName), ("phoneticFamilyName", \.phoneticFamilyName),
        ("department", \.department), ("title", \.title), ("birthday", \.birthday),
    ]
    /// The read-only members of responses, which are accepted and ignored.
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

    /// Applies the changes to a contact.
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
