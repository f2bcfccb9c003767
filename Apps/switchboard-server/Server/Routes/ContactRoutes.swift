import Foundation
import Hummingbird
import NIOPosix
import SwitchboardAccounts
import SwitchboardContacts
import SwitchboardJSON
import SwitchboardKit
import SwitchboardStorage

extension Route {
    /// The number of imported contacts after which the index is built at once.
    private static let largeImport = 1_000

    static let contacts: [Route] = [
        Route(
            .get, "/v1/contacts", "List contacts by name, or search them by text or digits.",
            access: .domain(.contacts),
            parameters: [
                .text("q", "The query."), .keypad, .text("group", "Only the contacts of this group."),
                .flag("favourite", "true lists only favourites; a search finds others, too."),
                .text(
                    "changedSince",
                    "The token of an earlier answer: what has changed or was removed since then, in parts until isComplete is true. Empty for everything."
                ),
                .limit(default: 50), .cursor,
            ],
            response: .json(Schema.listSearchOrChanges), problems: [404, 410]
        ) { _, context in
            if let text = context.query["changedSince"] { return try context.changedContacts(since: text) }
            let (group, favourites) = (context.query["group"], try context.flag("favourite"))
            return try context.listOrSearch { switchboard, input, limit in
                try switchboard.searchContacts(input, group: group, limit: limit) { Task.isCancelled }
            } list: { switchboard, cursor, limit in
                try switchboard.contacts.page(group: group, favourites: favourites, at: cursor, limit: limit)
                    .compactMap { SearchResult($0) }
            }
        },
        Route(
            .post, "/v1/contacts", "Add a contact.", access: .domain(.contacts),
            body: .json("ContactChange"), response: .json("ContactAnswer", .created)
        ) { request, context in
            let body = try ContactBody(await context.object(of: request, known: ContactBody.members))
            let contact = try context.withDatabase { try body.add(to: $0) }
            return try .created(ChangeResponse(contact), at: "/v1/contacts/\(contact.id)")
        },
        Route(
            .post, "/v1/contacts/batch", "Add, change and remove contacts. All succeed or none.",
            access: .domain(.contacts), body: .batch("ContactElement"), response: .json("BatchAnswer")
        ) { request, context in
            let batch = try ChangeBatch(await context.body(of: request), members: ContactBody.members, ContactBody.init)
            return try context.json { switchboard in
                try batch.perform(in: switchboard) {
                    try ChangeResponse(switchboard.contacts.contact($0))
                } add: {
                    .added(ChangeResponse(try $0.add(to: switchboard)))
                } change: {
                    ChangeResponse(try $1.change($0, in: switchboard))
                } remove: {
                    try switchboard.contacts.remove([$0])
                }
            }
        },
        Route(
            .post, "/v1/contacts/import", "Import vCards, or a CSV file of Google or Outlook.",
            access: .domain(.contacts),
            parameters: [
                .region,
                .text("encoding", "The character set of text that declares none; by default UTF-8, or detected."),
                .flag("strict", "true rejects a file with a malformed card as a whole."),
                .flag("dryRun", "true reports what the import would do, and changes nothing."),
                .flag("keepGood", "The default; accepted for older clients."),
            ],
            body: Body(
                types: ["text/vcard", "text/csv", "application/octet-stream"], schema: ["type": "string"],
                limit: 32 << 20),
            response: .json("ImportReport"), problems: [422]
        ) { request, context in
            let bytes = try await context.body(of: request)
            let options = ImportOptions(
                isStrict: try context.flag("strict"), isDryRun: try context.flag("dryRun"),
                region: try context.query["region"].map { try ProcessEnvironment.region($0, from: "region") },
                encoding: context.query["encoding"], isCancelled: { Task.isCancelled })
            let report = try context.withDatabase {
                try $0.contacts.importContacts(from: [.bytes(bytes, name: "body")], options: options)
            }
            if !options.isDryRun, report.added + report.merged >= Self.largeImport {
                // So that the first search does not have to.
                let (server, person) = (context.server, try context.person)
                NIOThreadPool.singleton.submit { _ in
                    try? server.databases.use(person) { try $0.contactSearch.warmUp() }
                }
            }
            if let first = report.skipped.first, report.added + report.merged + report.unchanged == 0 {
                throw Problem(
                    status: .unprocessableContent, code: "malformedInput", detail: first.reason, line: first.line,
                    column: first.column, skipped: report.skipped)
            }
            return try .json(report)
        },
        Route(
            .post, "/v1/contacts/import/undo",
            "Undo the last import. Contacts that were changed since stay as they are.", access: .domain(.contacts),
            response: .json("ImportUndo"), problems: [404]
        ) { _, context in try context.json { try $0.contacts.undoImport() } },
        Route(
            .get, "/v1/contacts/groups", "List the groups with their numbers of contacts.", access: .domain(.contacts),
            response: .json("List")
        ) { _, context in try context.json { ListResponse(try $0.contacts.groups()) } },
        Route(
            .get, "/v1/contacts/letters",
            "List the first letters of the names with their numbers of contacts, in the order of the list of contacts.",
            access: .domain(.contacts), response: .json("List")
        ) { _, context in
            try context.json { switchboard in
                ListResponse(try switchboard.contacts.letters().map { LetterRow($0) })
            }
        },
        Route(
            .get, "/v1/contacts.vcf", "Get the contacts as vCards 3.0.", access: .domain(.contacts),
            parameters: [.text("group", "Only the contacts of this group.")], response: .file("text/vcard"),
            problems: [404]
        ) { _, context in
            try context.file("contacts.vcf", "text/vcard") {
                try $0.contacts.export(.vcard3, group: context.query["group"], to: $1)
            }
        },
        Route(
            .get, "/v1/contacts.csv", "Get the contacts as a table in the columns of Google Contacts.",
            access: .domain(.contacts),
            parameters: [.text("group", "Only the contacts of this group.")], response: .file("text/csv"),
            problems: [404]
        ) { _, context in
            try context.file("contacts.csv", "text/csv") {
                try $0.contacts.export(.csv, group: context.query["group"], to: $1)
            }
        },
        Route(
            .get, "/v1/contacts/duplicates",
            "List groups of contacts that are probably the same person, the most complete contact first.",
            access: .domain(.contacts), parameters: [.limit(default: 50)], response: .json("List")
        ) { _, context in
            let limit = try context.limit(default: 50)
            return try context.json {
                ListResponse(try $0.contacts.duplicates(limit: limit).map(DuplicateRow.init))
            }
        },
        Route(
            .post, "/v1/contacts/merge", "Merge contacts into the first one, which keeps its name and identifier.",
            access: .domain(.contacts),
            parameters: [.flag("dryRun", "true returns the merged contact, and changes nothing.")],
            body: .json("ContactIDs"), response: .json("ContactAnswer"), problems: [404]
        ) { request, context in
            let object = try await context.object(of: request, known: ["ids"])
            let ids = try object.texts("ids") ?? []
            let isDryRun = try context.flag("dryRun")
            return try context.json {
                ChangeResponse(try isDryRun ? $0.contacts.mergePreview(ids) : $0.contacts.merge(ids))
            }
        },
        Route(
            .post, "/v1/contacts/different",
            "Remember that contacts are different people, so that they are not listed as duplicates.",
            access: .domain(.contacts), parameters: [.flag("undo", "true forgets it.")], body: .json("ContactIDs"),
            response: .empty, problems: [404]
        ) { request, context in
            let object = try await context.object(of: request, known: ["ids"])
            let ids = try object.texts("ids") ?? []
            let isDifferent = try !context.flag("undo")
            return try context.change { try $0.contacts.markAsDifferent(ids, isDifferent) }
        },
        Route(
            .post, "/v1/contacts/{id}/unmerge", "Undo the last merge of a contact, unless it was changed since.",
            access: .domain(.contacts), response: .json("List"), problems: [409]
        ) { _, context in
            try context.json {
                ListResponse(try $0.contacts.undoMerge(context.pathID).map { SearchResult($0) })
            }
        },
        Route(
            .get, "/v1/contacts/birthdays", "List upcoming birthdays, soonest first.", access: .domain(.contacts),
            parameters: [
                Parameter(
                    name: "days", schema: ["type": "integer", "minimum": 0, "maximum": 366, "default": 30],
                    note: "The number of days ahead; 0 is today."),
                Parameter(
                    name: "from", schema: ["type": "string", "format": "date"],
                    note: "The client's current date; by default the server's."),
            ],
            response: .json("List")
        ) { _, context in
            let days = try context.number("days", in: 0...366) ?? 30
            let from = try context.query["from"].map { text in
                guard let day = CalendarDay(text) else {
                    throw Problem.badParameter("from: cannot read the date “\(text)”; use 2026-12-24")
                }
                return day
            }
            return try context.json {
                let birthdays = try $0.contacts.birthdays(from: from ?? CalendarDay(Date()), days: days)
                return ListResponse(birthdays.map(BirthdayRow.init))
            }
        },
        Route(
            .get, "/v1/contacts/{id}/photo", "Get the photo of a contact, if browsers can display its format.",
            access: .domain(.contacts), parameters: [.version], response: .file("image/*"), problems: [415]
        ) { _, context in
            let id = try context.pathID
            guard let photo = try context.withDatabase({ try $0.contacts.photo(of: id) }), let data = photo.data else {
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
            .put, "/v1/contacts/{id}/photo", "Set the photo of a contact.", access: .domain(.contacts),
            body: Body(
                types: ["image/jpeg", "image/png", "image/gif", "image/webp", "application/octet-stream"],
                schema: Schema.binary, limit: ContactPhoto.largestPicture),
            response: .json("ContactAnswer"), problems: [422]
        ) { request, context in
            let (id, bytes) = (try context.pathID, try await context.body(of: request))
            let photo = try ContactPhoto(picture: Data(bytes))
            return try context.change(request, current: { try ChangeResponse($0.contacts.contact(id)) }) {
                ChangeResponse(try $0.contacts.setPhoto(photo, of: id))
            }
        },
        Route(
            .delete, "/v1/contacts/{id}/photo", "Remove the photo of a contact.", access: .domain(.contacts),
            response: .empty
        ) { request, context in
            let id = try context.pathID
            return try context.remove(request, current: { try ChangeResponse($0.contacts.contact(id)) }) {
                try $0.contacts.setPhoto(nil, of: id)
            }
        },
        Route(
            .get, "/v1/contacts/{id}", "Get a contact; as a vCard 4.0 if Accept has text/vcard.",
            access: .domain(.contacts), response: .json("ContactAnswer")
        ) { request, context in
            let id = try context.pathID
            var response =
                if request.headers[.accept]?.lowercased().hasPrefix("text/vcard") ?? false {
                    try context.file("contact.vcf", "text/vcard") { switchboard, write in
                        _ = try switchboard.contacts.contact(id)
                        try switchboard.contacts.export(.vcard4, only: [id], to: write)
                    }
                } else {
                    try context.json { try ChangeResponse($0.contacts.contact(id)) }
                }
            response.headers[.vary] = "Accept"
            return response
        },
        Route(
            .patch, "/v1/contacts/{id}",
            "Change fields of a contact; missing members are unchanged, null removes a value.",
            access: .domain(.contacts), body: .json("ContactChange"), response: .json("ContactAnswer")
        ) { request, context in
            let id = try context.pathID
            let body = try ContactBody(await context.object(of: request, known: ContactBody.members))
            return try context.change(request, current: { try ChangeResponse($0.contacts.contact(id)) }) {
                ChangeResponse(try body.change(id, in: $0))
            }
        },
        Route(
            .delete, "/v1/contacts/{id}", "Remove a contact, which can be restored for thirty days.",
            access: .domain(.contacts), response: .empty
        ) { request, context in
            let id = try context.pathID
            return try context.remove(request, current: { try ChangeResponse($0.contacts.contact(id)) }) {
                try $0.contacts.remove([id])
            }
        },
        Route(
            .post, "/v1/contacts/{id}/restore", "Restore a removed contact.", access: .domain(.contacts),
            response: .json("ContactAnswer")
        ) { _, context in
            try context.json {
                guard let contact = try $0.contacts.restore([context.pathID]).first else { throw Problem.notFound }
                return ChangeResponse(contact)
            }
        },
        Route(
            .post, "/v1/contacts/{id}/call", "Record a call of a contact, which then ranks higher.",
            access: .domain(.contacts), response: .json("ContactAnswer")
        ) { _, context in try context.json { try ChangeResponse($0.contacts.recordCall(context.pathID)) } },
    ]
}

extension ServerRequestContext {
    /// Returns the contacts that changed since a token, or all contacts if the text is empty.
    fileprivate func changedContacts(since text: String) throws -> Response {
        if let other = ["q", "keypad", "group", "favourite", "cursor"].first(where: { query[$0] != nil }) {
            throw Problem.badParameter("changedSince: not with \(other); use one of them")
        }
        let (token, limit) = (ChangeToken(text), try limit(default: 50))
        let changes =
            token == nil && !text.isEmpty
            ? nil : try withDatabase { try $0.contacts.changes(since: token, limit: limit) }
        guard let changes else {
            throw Problem(
                status: .gone, code: "unknownToken",
                detail: "the token is unknown or too old; read everything with an empty changedSince")
        }
        return try .json(
            ChangedContacts(
                results: changes.contacts.map { SearchResult($0) }, removed: changes.removed,
                token: changes.token.description, isComplete: changes.isComplete))
    }
}

/// The answer for `changedSince`.
private struct ChangedContacts: Encodable {
    let results: [SearchResult]
    /// The identifiers of removed contacts.
    let removed: [String]
    /// The token for the changes that follow.
    let token: String
    /// `false` if the limit has cut the changes: more follow the token.
    let isComplete: Bool
}

/// The changes to a contact in a request body.
private struct ContactBody: Sendable {
    private static let addressParts: [(name: String, path: any WritableKeyPath<PostalAddress, String> & Sendable)] = [
        ("box", \.box), ("extended", \.extended), ("street", \.street), ("locality", \.locality),
        ("region", \.region), ("postalCode", \.postalCode), ("country", \.country),
    ]
    /// The members that a body may have. The read-only members of responses are allowed, but ignored.
    static let members = Set(ContactTextField.all.map(\.key) + ContactListField.all.map(\.key)).union([
        "name", "favourite", "phones", "emails", "addresses", "urls", "groups", "id", "phoneticName",
        "callCount", "lastCalledAt", "createdAt", "modifiedAt", "uid", "otherProperties", "photo",
    ])

    private var change = ContactChange()
    /// The texts that are set as they are: a birthday of any form, and parts of a name that stays as it is displayed.
    private var texts: [ContactTextField: String] = [:]
    private let phones: [LabeledText]?
    private let emails: [LabeledText]?
    private let addresses: [PostalAddress]?
    private let urls: [WebAddress]?
    private var lists: [ContactListField: [ContactListField.Value]] = [:]

    /// - Throws: A ``Problem`` that names a member of the wrong type.
    init(_ object: JSONObject) throws {
        change.name = try object.text("name")
        for field in ContactTextField.all {
            guard let text = try object.text(field.key) else { continue }
            if [.givenName, .familyName].contains(field) { change[field] = text } else { texts[field] = text }
        }
        phones = try object.entries("phones", known: ["label", "number", "e164", "preferred"])?
            .map { try LabeledText($0, "number", of: "phones") }
        emails = try object.entries("emails", known: ["label", "address", "preferred"])?
            .map { try LabeledText($0, "address", of: "emails") }
        urls = try object.entries("urls", known: ["label", "url"])?.map { entry in
            let url = try LabeledText(entry, "url", of: "urls")
            return url.label.map { WebAddress(label: $0, url: url.text) } ?? WebAddress(typed: url.text)
        }
        addresses = try object.entries("addresses", known: Set(Self.addressParts.map(\.name)).union(["label"]))?
            .map(Self.address)
        // Empty entries count, too: the schema limits what is sent.
        try Contact.checkCount(urls?.count ?? 0, of: "url")
        try Contact.checkCount(addresses?.count ?? 0, of: "address")
        for list in ContactListField.all {
            lists[list] = try Self.values(of: list, in: object)
            try Contact.checkCount(lists[list]?.count ?? 0, of: list.name)
        }
        change.isFavourite = try object.flag("favourite")
        change.groups = try object.texts("groups")
        try Contact.checkCount(change.groups?.count ?? 0, of: "group")
    }

    private static func values(of list: ContactListField, in object: JSONObject) throws -> [ContactListField.Value]? {
        if list.parts.count == 1 { return try object.texts(list.key)?.map { .init([$0]) } }
        return try object.entries(list.key, known: Set(list.parts))?.map { entry in
            switch entry {
            case .text(let text): .init(typed: text, in: list)
            case .object(let object): .init(try list.parts.map { try object.text($0) ?? "" })
            }
        }
    }

    private static func address(_ entry: JSONObject.Entry) throws -> PostalAddress {
        switch entry {
        case .text(let text): return PostalAddress(typed: text)
        case .object(let object):
            var address = PostalAddress(label: Labels.label(ofWords: try object.text("label") ?? ""))
            for (name, path) in addressParts { address[keyPath: path] = try object.text(name) ?? "" }
            return address
        }
    }

    /// Adds a contact with the values of the body.
    func add(to switchboard: Switchboard) throws -> Contact {
        var contact = Contact()
        try apply(to: &contact, region: switchboard.settings.region)
        return try switchboard.contacts.add(contact)
    }

    /// Applies the body to a contact.
    func change(_ id: String, in switchboard: Switchboard) throws -> Contact {
        let region = switchboard.settings.region
        return try switchboard.contacts.edit(id) { try apply(to: &$0, region: region) }
    }

    private func apply(to contact: inout Contact, region: String?) throws {
        let before = contact
        try change.apply(to: &contact, region: region)
        for (field, text) in texts { contact[field] = text }
        if let phones { try contact.replacePhones(with: phones.lazy.map { $0.phone(region: region) }) }
        if let emails { try contact.replaceEmails(with: emails.map(\.email)) }
        if let addresses { contact.addresses = addresses.filter { !$0.isEmpty } }
        if let urls { contact.urls = urls.filter { !$0.url.isEmpty } }
        for (list, values) in lists { try contact.set(list, to: values) }
        contact = contact.adoptingVendorData(of: before)
    }
}

/// A phone number, email address or web address with its label.
private struct LabeledText: Sendable {
    /// The label; nil if the text is as a person types it and may begin with a label.
    let label: String?
    let text: String
    let isPreferred: Bool

    /// - Parameters:
    ///   - entry: A string, or an object with the text in a member.
    ///   - member: The name of the member.
    ///   - list: The name of the list.
    init(_ entry: JSONObject.Entry, _ member: String, of list: String) throws {
        switch entry {
        case .text(let text): (label, self.text, isPreferred) = (nil, text, false)
        case .object(let object):
            guard object.has(member) else {
                throw Problem.malformed("\(list): must be a list of strings, or of objects with “\(member)”")
            }
            label = try object.text("label").map { Labels.label(ofWords: $0) }
            text = try object.text(member) ?? ""
            isPreferred = try object.flag("preferred") ?? false
        }
    }

    func phone(region: String?) -> Phone {
        var phone =
            label.map { Phone(label: $0, number: PhoneNumber(text, region: region)) }
            ?? Phone(typed: text, region: region)
        phone.isPreferred = isPreferred
        return phone
    }

    var email: Email {
        var email = label.map { Email(label: $0, address: text) } ?? Email(typed: text)
        email.isPreferred = isPreferred
        return email
    }
}
