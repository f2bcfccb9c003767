import HTTPTypes
import SwitchboardKeypad
import SwitchboardAccounts
import SwitchboardKit

extension Route {
    /// Across everything.
    static let finding: [Route] = [
        Route(
            .get, "/v1/find", "Find contacts, prospects, airports and items.",
            door: .any([.contacts, .prospects, .airports, .index]),
            parameters: [
                .text("q", "What was typed."),
                .text("kind", "Kinds with commas: contact, prospect, airport, item."),
                .keypad, .limit(),
            ],
            answers: .json(Schema.ref("SearchAnswer"))
        ) { call in
            let limit = try call.limit()
            let (text, isKeypad) = try call.typed()
            let kinds = try call.kinds()
            let isCancelled = call.isCancelled
            let answer = try await call.person {
                try $0.find(text, kinds: kinds, keypad: isKeypad, limit: limit, isCancelled: isCancelled)
            }
            return try .json(answer)
        }
    ]
}

extension Call {
    /// What was typed: `q`, or the digits `keypad`; `keypad=true` reads `q` as digits.
    func typed() throws -> (text: String, isKeypad: Bool) {
        let text = query["q"] ?? ""
        guard let digits = query["keypad"], !digits.isEmpty else { return (text, false) }
        // Beside a text it says how that is meant.
        if query["q"] != nil {
            if digits == "false" || digits == "0" { return (text, false) }
            if digits == "true" || digits == "1" { return (text, true) }
        }
        return (digits, true)
    }

    /// The kinds that were asked for, or all that the token may read.
    fileprivate func kinds() throws -> Set<ResultKind> {
        let readable = Set(ResultKind.allCases.filter { access?.scopes.permits(.read, of: $0.domain) ?? false })
        guard let text = query["kind"], !text.isEmpty else { return readable }
        let asked = try text.split(separator: ",").map { word in
            guard let kind = ResultKind(rawValue: String(word)) else {
                let known = ResultKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem.badRequest("kind: there is no “\(word)”; give \(known)", code: "badParameter")
            }
            return kind
        }
        guard readable.isSuperset(of: asked) else {
            throw Problem.forbidden("the token may not read all of these kinds", code: "scopeTooNarrow")
        }
        return Set(asked)
    }
}

extension ResultKind {
    /// The domain whose scope reads things of this kind.
    fileprivate var domain: ScopeSet.Domain {
        switch self {
        case .contact: .contacts
        case .prospect: .prospects
        case .airport: .airports
        case .item: .index
        }
    }
}
