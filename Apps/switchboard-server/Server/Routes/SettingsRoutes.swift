import Foundation
import HTTPTypes
import SwitchboardAccounts
import SwitchboardJSON
import SwitchboardKit
import SwitchboardStorage

extension Route {
    /// Access grants and tokens.
    static let settings: [Route] = [
        Route(
            .get, "/v1/access", "List access grants.", access: .scope(.read, .me),
            response: .json(Schema.ref("List"))
        ) { context in
            try .json(
                try await context.withDatabase { switchboard in
                    let storage = try switchboard.storage
                    return ListResponse(try AccessSubject.allCases.map { try AccessRow(of: $0, in: storage) })
                })
        },
        Route(
            .put, "/v1/access/{what}", "Grant, deny or reset access.",
            access: .scope(.write, .me),
            body: .json([
                "type": "object", "required": ["status"], "additionalProperties": false,
                "properties": [
                    "status": [
                        "type": "string", "enum": JSONValue(AccessStatus.allCases.map { .string($0.rawValue) }),
                    ]
                ],
            ]),
            response: .json(Schema.ref("Access")), problems: [404]
        ) { context in
            guard let subject = AccessSubject(rawValue: try context.pathParameter("what")) else {
                throw Problem.notFound
            }
            let object = try await context.jsonObject()
            try object.check(known: ["status"])
            guard let status = AccessStatus(rawValue: try object.text("status") ?? "") else {
                let known = AccessStatus.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem.badRequest("status: missing or unknown; use one of \(known)", code: "malformedInput")
            }
            return try .json(
                try await context.withDatabase { switchboard in
                    let storage = try switchboard.storage
                    try storage.setStatus(status, of: subject)
                    return try AccessRow(of: subject, in: storage)
                })
        },
        Route(
            .get, "/v1/tokens", "List your tokens, newest first, without their secrets.", access: .all,
            response: .json(Schema.ref("List"))
        ) { context in
            let (accounts, person, current) = (
                context.server.accounts, try context.personID(), context.access?.token.id
            )
            let tokens = try await context.runBlocking { try accounts.tokens(of: person) }
            return try .json(ListResponse(tokens.map { TokenRow($0, isCurrent: $0.id == current) }))
        },
        Route(
            .delete, "/v1/tokens/{id}", "Revoke a token and its browser sessions.", access: .all,
            response: .empty, problems: [404]
        ) { context in
            let (accounts, person, id) = (
                context.server.accounts, try context.personID(), try context.pathParameter("id")
            )
            try await context.runBlocking { try accounts.revoke(id, of: person) }
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
