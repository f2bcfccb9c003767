import Hummingbird
import SwitchboardAccounts
import SwitchboardJSON
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardSearchChoices

extension Route {
    /// The choices that a person made for queries. They rank first the next time.
    static let choices: [Route] = [
        Route(
            .get, "/v1/choices", "List what was chosen for which query, newest first.", access: .domain(.activities),
            parameters: [.limit(default: 50), .cursor], response: .json("List")
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
