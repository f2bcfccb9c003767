import HTTPTypes
import Hummingbird
import SwitchboardJSON

/// Generates the OpenAPI 3.1 document from the routes, so the two cannot differ.
enum OpenAPI {
    /// The version of the API; it changes when clients would notice.
    static let version = "1.0.0"

    /// Returns the document for the routes, without the files of the web page.
    static func document(of routes: [Route]) throws -> JSONValue {
        let described = routes.filter { !$0.isPage }
        var paths: [(key: String, value: JSONValue)] = []
        for route in described where !paths.contains(where: { $0.key == route.path }) {
            let operations = described.filter { $0.path == route.path }
                .map { (key: $0.method.rawValue.lowercased(), value: operation(of: $0)) }
            paths.append((route.path, JSONValue(operations)))
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Switchboard", "version": .string(version),
                "description": "Contacts, prospects, airports and items, found in the fewest keystrokes.",
                "license": ["name": "See the repository"],
            ],
            "servers": JSONValue([["url": "/"]]),
            "paths": JSONValue(paths),
            "components": [
                "securitySchemes": [
                    "token": ["type": "http", "scheme": "bearer", "description": "A token: sb_ and 43 characters."],
                    "session": [
                        "type": "apiKey", "in": "cookie", "name": .string(Request.sessionCookie),
                        "description": "A browser session, created by POST /v1/session.",
                    ],
                ],
                "schemas": try Schema.all(),
            ],
        ]
    }

    private static func operation(of route: Route) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = [
            ("operationId", .string(identifier(of: route))), ("summary", .string(route.summary)),
            ("tags", [.string(tag(of: route))]),
        ]
        let parameters = pathParameters(of: route) + route.parameters.map(parameter)
        if !parameters.isEmpty { members.append(("parameters", JSONValue(parameters))) }
        if let body = route.body {
            let content = body.types.map { (key: $0, value: ["schema": body.schema] as JSONValue) }
            members.append(
                ("requestBody", ["required": .bool(body.isRequired), "content": JSONValue(content)]))
        }
        members.append(("responses", responses(of: route)))
        members.append(("security", route.security))
        return JSONValue(members)
    }

    private static func identifier(of route: Route) -> String {
        let words = route.path.split { !$0.isLetter }.filter { $0 != "v" }.map {
            $0.prefix(1).uppercased() + $0.dropFirst()
        }
        return route.method.rawValue.lowercased() + words.joined()
    }

    private static func tag(of route: Route) -> String {
        let parts = route.path.split(separator: "/")
        return parts.first == "v1" ? String(parts.dropFirst().first ?? "") : "operation"
    }

    private static func pathParameters(of route: Route) -> [JSONValue] {
        route.path.split(separator: "/").filter { $0.hasPrefix("{") }.map { part -> JSONValue in
            [
                "name": .string(String(part.dropFirst().dropLast())), "in": "path", "required": true,
                "schema": ["type": "string", "minLength": 1],
            ]
        }
    }

    private static func parameter(_ parameter: Route.Parameter) -> JSONValue {
        [
            "name": .string(parameter.name), "in": "query", "required": .bool(parameter.isRequired),
            "description": .string(parameter.note), "schema": parameter.schema,
        ]
    }

    private static func responses(of route: Route) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        let success: JSONValue =
            if let type = route.response.type, let schema = route.response.schema {
                [
                    "description": .string(route.response.status.reasonPhrase),
                    "content": JSONValue([(key: type, value: JSONValue([(key: "schema", value: schema)]))]),
                ]
            } else {
                ["description": .string(route.response.status.reasonPhrase)]
            }
        members.append(("\(route.response.status.code)", success))
        if route.path == "/v1/prospects", route.method == .post { members.append(("200", success)) }
        var problems: Set<Int> = [400, 421, 429, 500, 503]
        if route.response.type == "application/json", route.method == .get { problems.insert(304) }
        if route.access != .open { problems.formUnion([401, 403]) } else { problems.insert(403) }
        if route.body != nil { problems.formUnion([408, 413]) }
        problems.formUnion([414, 431])
        problems.formUnion(route.problems)
        for code in problems.sorted() {
            let status = HTTPResponse.Status(code: code)
            if code == 304 {
                members.append(("304", ["description": "Not modified."]))
            } else {
                members.append(
                    (
                        "\(code)",
                        [
                            "description": .string(status.reasonPhrase.isEmpty ? "Problem" : status.reasonPhrase),
                            "content": ["application/problem+json": ["schema": Schema.ref("Problem")]],
                        ]
                    ))
            }
        }
        return JSONValue(members)
    }
}

extension Route {
    /// `true` for files of the web page.
    fileprivate var isPage: Bool { !path.hasPrefix("/v1/") && !Route.operation.contains { $0.path == path } }

    /// The security requirements: none, a token, or a session.
    fileprivate var security: JSONValue {
        switch access {
        case .open: []
        case .metrics: JSONValue([[:], ["token": []]])
        case .signedIn, .scope, .any, .all: JSONValue([["token": []], ["session": []]])
        }
    }
}
