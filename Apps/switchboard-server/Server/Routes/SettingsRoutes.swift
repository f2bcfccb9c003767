import Foundation
import HTTPTypes
import SwitchboardAccounts
import SwitchboardStorage
import SwitchboardKit

extension Route {
    /// What a person has agreed to, and which tokens they have.
    static let settings: [Route] = [
        Route(
            .get, "/v1/access", "What you have agreed to.", door: .scope(.read, .me),
            answers: .json(Schema.ref("List"))
        ) { call in
            try .json(
                try await call.person { switchboard in
                    let storage = try switchboard.storage
                    return ResultList(try AccessSubject.allCases.map { try AccessRow(of: $0, in: storage) })
                })
        },
        Route(
            .put, "/v1/access/{what}", "Agree to something, deny it, or forget what was said.",
            door: .scope(.write, .me),
            body: .json([
                "type": "object", "required": ["status"], "additionalProperties": false,
                "properties": [
                    "status": [
                        "type": "string", "enum": .array(AccessStatus.allCases.map { .string($0.rawValue) }),
                    ]
                ],
            ]),
            answers: .json(Schema.ref("Access")), problems: [404]
        ) { call in
            guard let subject = AccessSubject(rawValue: try call.path("what")) else { throw Problem.notFound }
            let object = try await call.object()
            try object.check(known: ["status"])
            guard let status = AccessStatus(rawValue: try object.text("status") ?? "") else {
                let known = AccessStatus.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem.badRequest("status: give one of \(known)", code: "malformedInput")
            }
            return try .json(
                try await call.person { switchboard in
                    let storage = try switchboard.storage
                    try storage.setStatus(status, of: subject)
                    return try AccessRow(of: subject, in: storage)
                })
        },
        Route(
            .get, "/v1/tokens", "Your tokens, the newest first; never their secrets.", door: .all,
            answers: .json(Schema.ref("List"))
        ) { call in
            let (people, person, current) = (call.server.people, try call.personID(), call.access?.token.id)
            let tokens = try await call.work { try people.tokens(of: person) }
            return try .json(ResultList(tokens.map { TokenRow($0, isCurrent: $0.id == current) }))
        },
        Route(
            .delete, "/v1/tokens/{id}", "End a token and the browsers it has signed in.", door: .all,
            answers: .empty, problems: [404]
        ) { call in
            let (people, person, id) = (call.server.people, try call.personID(), try call.path("id"))
            try await call.work { try people.revoke(id, of: person) }
            return .noContent
        },
    ]
}

/// A token without its secret: `{"id", "person", "scopes", "label", "createdAt", "lastUsedAt", "current"}`.
struct TokenRow: Encodable, Sendable {
    let id: String
    let person: String
    let scopes: [String]
    let label: String
    let createdAt: String
    let lastUsedAt: String?
    let current: Bool?

    init(_ token: Token, isCurrent: Bool? = nil) {
        id = token.id
        person = token.person.name
        scopes = token.scopes.words
        label = token.label
        createdAt = token.createdAt.formatted(.iso8601)
        lastUsedAt = token.usedAt?.formatted(.iso8601)
        current = isCurrent
    }
}
