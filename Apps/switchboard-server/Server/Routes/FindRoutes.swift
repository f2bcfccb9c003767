import Hummingbird
import SwitchboardAccounts
import SwitchboardJSON
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardSearchChoices
import SwitchboardStorage

extension Route {
    /// Search across all kinds.
    static let finding: [Route] = [
        Route(
            .get, "/v1/find", "Search contacts, prospects, airports and items.",
            access: .any([.contacts, .prospects, .airports, .index]),
            parameters: [
                .text("q", "The query."),
                .text("kind", "Comma-separated kinds: contact, prospect, airport, item."),
                .keypad, .limit(), .cursor,
            ],
            response: .json("SearchAnswer")
        ) { _, context in
            let (input, kinds) = (try context.searchInput(), try context.kinds())
            return try context.searchPage { switchboard, limit in
                try switchboard.search(input, kinds: kinds, limit: limit) { Task.isCancelled }
            }
        }
    ]
}

extension ServerRequestContext {
    /// The kinds that the token may read.
    fileprivate var readableKinds: Set<ResultKind> {
        Set(ResultKind.allCases.filter { access?.scopes.permits(.read, of: $0.domain) ?? false })
    }

    /// Returns the requested kinds, or all kinds that the token may read.
    fileprivate func kinds() throws -> Set<ResultKind> {
        let readable = readableKinds
        guard let text = query["kind"], !text.isEmpty else { return readable }
        let asked = try text.split(separator: ",").map { word in
            guard let kind = ResultKind(rawValue: String(word)) else {
                let known = ResultKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem.badParameter("kind: unknown kind “\(word)”; use \(known)")
            }
            return kind
        }
        guard readable.isSuperset(of: asked) else {
            throw Problem.forbidden("the token may not read all requested kinds", code: "scopeTooNarrow")
        }
        return Set(asked)
    }
}

extension ResultKind {
    fileprivate var domain: ScopeSet.Domain {
        switch self {
        case .contact: .contacts
        case .prospect: .prospects
        case .airport: .airports
        case .item: .index
        }
    }
}

extension Route {
    /// The choices that a person made for queries. They rank first the next time.
    static let choices: [Route] = [
        Route(
            .get, "/v1/choices", "List what was chosen for which query, newest first.", access: .domain(.activities),
            parameters: [.limit(default: 50), .rowCursor], response: .json("List")
        ) { _, context in
            let kinds = context.readableKinds
            return try context.page {
                try $0.choices(of: kinds)
            } row: {
                ChosenRow($1, in: $0)
            }
        },
        Route(
            .post, "/v1/choices", "Record that an object was chosen for a query, unless learning is off.",
            access: .domain(.activities), body: .json("Choice"), response: .empty, problems: [404]
        ) { request, context in
            let body = try await context.object(of: request, known: ["kind", "id", "index", "q", "keypad"])
            guard let kind = try body.text("kind").flatMap(ResultKind.init(rawValue:)), let id = try body.text("id")
            else { throw Problem.malformed("kind and id are required; kind is contact, prospect, airport or item") }
            guard context.readableKinds.contains(kind) else {
                throw Problem.forbidden("the token may not read this kind", code: "scopeTooNarrow")
            }
            let input = try body.text("keypad").map(SearchInput.init(keys:)) ?? SearchInput(body.text("q") ?? "")
            let link = DeepLink(kind: DeepLink.Kind(kind), id: id, index: try body.text("index"))
            return try context.change { try $0.recordChoice(of: link, for: input) }
        },
        Route(
            .delete, "/v1/choices", "Forget all choices.", access: .domain(.activities), response: .empty
        ) { _, context in try context.change { try $0.choices.forgetAll() } },
        Route(
            .get, "/v1/choices/learning", "Tell whether choices are learned.", access: .domain(.activities),
            response: .json("Learning")
        ) { _, context in try context.json { ["learning": try $0.choices.isOn()] } },
        Route(
            .put, "/v1/choices/learning", "Switch the learning of choices on or off.", access: .domain(.activities),
            body: .json("Learning"), response: .json("Learning")
        ) { request, context in
            let body = try await context.object(of: request, known: ["learning"])
            guard let isOn = try body.flag("learning") else {
                throw Problem.malformed("learning is required; send true or false")
            }
            return try context.json { switchboard in
                try switchboard.choices.setOn(isOn)
                return ["learning": isOn]
            }
        },
    ]
}

extension DeepLink.Kind {
    fileprivate init(_ kind: ResultKind) {
        switch kind {
        case .contact: self = .contact
        case .prospect: self = .prospect
        case .airport: self = .airport
        case .item: self = .item
        }
    }
}

extension Route {
    /// Text entry on a nine-key keypad.
    static let keypad: [Route] = [
        Route(
            .get, "/v1/keypad", "Get the text and the candidate words for a sequence of keys.", access: .open,
            parameters: [
                Parameter(
                    name: "keys", schema: ["type": "string", "pattern": "^[0-9*#]{0,256}$"],
                    note: "Digits, * for the next word, # for the case.", isRequired: true),
                .language, .limit(),
            ],
            response: .json("KeypadAnswer")
        ) { request, context in
            guard let keys = context.query["keys"], keys.utf8.count <= 256 else {
                throw Problem.badParameter("keys: missing or too long; use at most 256 keys")
            }
            let (language, limit) = (try context.language(), try context.limit())
            // The word lists are part of the program, so the response to an address changes only with the program's
            // version.
            let tag = EntityTag.of(Array("\(Switchboard.version) \(request.head.path ?? "")".utf8))
            return try request.response(tagged: tag, maxAge: 3_600) {
                try .json(Switchboard.keypadResponse(keys: keys, language: language, limit: limit))
            }
        }
    ]
}
