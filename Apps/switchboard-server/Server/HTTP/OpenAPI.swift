import HTTPTypes
import Hummingbird
import SwitchboardContacts
import SwitchboardIncrementalIndex
import SwitchboardJSON
import SwitchboardKit
import SwitchboardStorage

/// Generates the OpenAPI 3.1 document from the routes, so the two cannot differ.
enum OpenAPI {
    /// The version of the API, which changes whenever clients would notice.
    static let version = "1.0.0"

    /// Returns the document for the routes, without the files of the web page.
    static func document(of routes: [Route]) throws -> JSONValue {
        let described = routes.filter { !$0.isPage }
        var paths: [(key: String, value: JSONValue)] = []
        for route in described where !paths.contains(where: { $0.key == route.path }) {
            let operations = described.filter { $0.path == route.path }
                .map { (key: $0.method.rawValue.lowercased(), value: operation(of: $0, among: described)) }
            paths.append((route.path, JSONValue(operations)))
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Switchboard", "version": .string(version),
                "description": "Contacts, prospects, airports and items, found in the fewest keystrokes.",
                "license": ["name": "Apache License 2.0", "identifier": "Apache-2.0"],
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

    private static func operation(of route: Route, among routes: [Route]) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = [
            ("operationId", .string(identifier(of: route))), ("summary", .string(route.summary)),
            ("tags", [.string(tag(of: route))]),
        ]
        let parameters = pathParameters(of: route) + route.parameters.map(parameter) + headers(of: route)
        if !parameters.isEmpty { members.append(("parameters", JSONValue(parameters))) }
        if let body = route.body {
            let content = body.types.map { type -> (key: String, value: JSONValue) in
                let isBinary = type.hasPrefix("image/") || type == "application/octet-stream"
                return (type, ["schema": isBinary ? Schema.binary : body.schema])
            }
            members.append(
                ("requestBody", ["required": .bool(body.isRequired), "content": JSONValue(content)]))
        }
        members.append(("responses", responses(of: route, among: routes)))
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
            let name = String(part.dropFirst().dropLast())
            var schema: [(key: String, value: JSONValue)] = [("type", "string"), ("minLength", 1)]
            if name == "what" {
                schema.append(("enum", JSONValue(AccessSubject.allCases.map { .string($0.rawValue) })))
            }
            return ["name": .string(name), "in": "path", "required": true, "schema": JSONValue(schema)]
        }
    }

    /// Returns the links from a response with an object, or a list of objects, to the operations on that object.
    private static func links(of route: Route, among routes: [Route]) -> JSONValue? {
        let isList = route.method == .get
        guard isList || route.response.status == .created || route.path == "/v1/prospects/{id}/reminder",
            route.response.type == "application/json"
        else { return nil }
        // A reminder is a separate object, although it is set through its prospect.
        let path = route.path == "/v1/prospects/{id}/reminder" ? "/v1/reminders" : route.path
        let links = routes.filter { $0.path.hasPrefix(path + "/{") }.map { target -> (key: String, value: JSONValue) in
            let name = target.path.dropFirst(path.count + 2).prefix { $0 != "}" }
            // Rows and objects have an id, except for the subjects of access rights.
            let member = name == "what" ? name : "id"
            let value = isList ? "$response.body#/results/0/\(member)" : "$response.body#/\(member)"
            let parameters: [(key: String, value: JSONValue)] = [(String(name), .string(value))]
            return (
                identifier(of: target),
                ["operationId": .string(identifier(of: target)), "parameters": JSONValue(parameters)]
            )
        }
        return links.isEmpty ? nil : JSONValue(links)
    }

    /// Returns the header fields for idempotency keys and preconditions.
    private static func headers(of route: Route) -> [JSONValue] {
        if route.isRepeatable {
            return [
                [
                    "name": "Idempotency-Key", "in": "header", "required": false,
                    "schema": ["type": "string", "minLength": 1, "maxLength": 255],
                    "description":
                        "A unique text; a request with the same one and the same content gets the same response.",
                ]
            ]
        }
        guard route.changesResource else { return [] }
        return [
            [
                "name": "If-Match", "in": "header", "required": false, "schema": ["type": "string"],
                "description": "The ETag of the version to change; 412 with the current one if there is another.",
            ]
        ]
    }

    private static func parameter(_ parameter: Route.Parameter) -> JSONValue {
        [
            "name": .string(parameter.name), "in": "query", "required": .bool(parameter.isRequired),
            "description": .string(parameter.note), "schema": parameter.schema,
        ]
    }

    private static func responses(of route: Route, among routes: [Route]) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        let (status, type, schema) = (route.response.status, route.response.type, route.response.schema)
        let success = response(
            status.reasonPhrase, type, schema, headers: successHeaders(of: route),
            links: links(of: route, among: routes))
        members.append(("\(status.code)", success))
        if route.path == "/v1/prospects", route.method == .post { members.append(("200", success)) }
        var problems: Set<Int> = [400, 421, 429, 500, 503]
        if route.response.type == "application/json", route.method == .get { problems.insert(304) }
        if route.access != .open { problems.formUnion([401, 403]) } else { problems.insert(403) }
        if route.body != nil { problems.formUnion([408, 413, 415]) }
        if route.changesResource { problems.insert(412) }
        if route.isRepeatable { problems.formUnion([409, 422]) }
        problems.formUnion([414, 431])
        problems.formUnion(route.problems)
        if route.path.contains("{") { problems.insert(404) }
        for code in problems.sorted() {
            let reason = HTTPResponse.Status(code: code).reasonPhrase
            let problem =
                code == 304
                ? response("Not modified.", nil, nil, headers: ["ETag"])
                : response(
                    reason.isEmpty ? "Problem" : reason, Problem.contentType, Schema.ref("Problem"),
                    headers: problemHeaders[code] ?? [])
            members.append(("\(code)", problem))
        }
        return JSONValue(members)
    }

    /// The descriptions of the header fields of responses.
    private static let headerNotes = [
        "ETag": "The version of the representation, for If-None-Match and If-Match.",
        "Location": "The path of the new resource.",
        "Retry-After": "The seconds after which to try again.",
        "Server-Timing": "The duration of the search in milliseconds: search;dur=1.234.",
        "Content-Disposition": "The name of the file.",
        "WWW-Authenticate": "The scheme: Bearer.",
    ]

    private static let problemHeaders: [Int: [String]] = [
        401: ["WWW-Authenticate"], 412: ["ETag"], 429: ["Retry-After"], 503: ["Retry-After"],
    ]

    private static func successHeaders(of route: Route) -> [String] {
        var names: [String] = []
        let isRepresentation = route.method == .get && (route.access != .open || route.isCached)
        if isRepresentation && route.path != "/v1/events" && route.path != "/metrics" { names.append("ETag") }
        if route.response.status == .created { names += ["ETag", "Location"] }
        if [.put, .patch].contains(route.method), route.changesResource { names.append("ETag") }
        if route.parameters.contains(where: { $0.name == "q" }) { names.append("Server-Timing") }
        if ["application/zip", "text/vcard", "image/*"].contains(route.response.type) {
            names.append("Content-Disposition")
        }
        return names
    }

    private static func response(
        _ description: String, _ type: String?, _ schema: JSONValue?, headers: [String] = [], links: JSONValue? = nil
    ) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = [("description", .string(description))]
        if !headers.isEmpty {
            let described = headers.map { name -> (key: String, value: JSONValue) in
                let type = name == "Retry-After" ? "integer" : "string"
                return (
                    name,
                    ["description": .string(headerNotes[name] ?? ""), "schema": ["type": .string(type)]] as JSONValue
                )
            }
            members.append(("headers", JSONValue(described)))
        }
        if let type, let schema {
            let content: [(key: String, value: JSONValue)] = [(type, ["schema": schema])]
            members.append(("content", JSONValue(content)))
        }
        if let links { members.append(("links", links)) }
        return JSONValue(members)
    }
}

extension Route {
    /// `true` for files of the web page.
    var isPage: Bool { !path.hasPrefix("/v1/") && !Route.operation.contains { $0.path == path } }

    /// `true` if the route honors `Idempotency-Key`, because sending its request twice would add something twice.
    var isRepeatable: Bool { method == .post && access != .open }

    /// `true` if the route changes or removes a single resource that GET returns, and honors `If-Match`.
    fileprivate var changesResource: Bool {
        guard [.put, .patch, .delete].contains(method) else { return false }
        switch path {
        case "/v1/me", "/v1/contacts/{id}/photo": return true
        default: return path.hasSuffix("/{id}") && Server.routes.contains { $0.path == path && $0.method == .get }
        }
    }

    /// The security requirements: none, a token, or a session.
    fileprivate var security: JSONValue {
        switch access {
        case .open: []
        case .metrics: JSONValue([[:], ["token": []]])
        case .signedIn, .domain, .any, .all: JSONValue([["token": []], ["session": []]])
        }
    }
}

/// The JSON schemas (2020-12) of requests and responses, in `schemas.json`.
///
/// Objects in responses may gain members; clients can rely on the listed ones.
enum Schema {
    /// Returns a reference to a schema of ``all``.
    static func ref(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

    /// Bytes that are no text.
    static let binary: JSONValue = ["type": "string", "format": "binary"]

    /// The response of a route that searches if it has a query and lists otherwise.
    static let listOrSearch: JSONValue = ["anyOf": JSONValue([ref("SearchAnswer"), ref("List")])]

    /// The response of a route that also returns what has changed.
    static let listSearchOrChanges: JSONValue = ["anyOf": JSONValue([listOrSearch, ref("ContactChanges")])]

    /// One item or an array of items.
    static let items: JSONValue = ["anyOf": JSONValue([ref("Item"), ["type": "array", "items": ref("Item")]])]

    /// Returns all schemas by name.
    static func all() throws -> JSONValue {
        // The values of these enumerations come from the search.
        let text = String(decoding: PackageResources.schemas_json, as: UTF8.self)
            .replacing("\"$ResultKind\"", with: try OrderedJSON.text(ResultKind.allCases.map(\.rawValue)))
            .replacing("\"$ResultMatch\"", with: try OrderedJSON.text(ResultMatch.allCases.map(\.rawValue)))
            .replacing(
                "\"$ContactTexts\": {}",
                with: try contactTexts {
                    let optional: JSONValue = ["string", "null"]
                    return ["type": $0.isAlwaysPresent ? optional : "string"]
                }
            )
            .replacing(
                "\"$ContactTextChanges\": {}",
                with: try contactTexts { ref($0.limit > Contact.largestName ? "LongText" : "ShortText") })
        let schemas = try JSONParser.value(of: Array(text.utf8))
        guard case .object(let members) = schemas else { return schemas }
        return .object(
            members
                + ["Contact", "Prospect"].compactMap { kind in
                    schemas["\(kind)Change"].map { JSONValue.Member("\(kind)Element", batchElement(of: $0)) }
                })
    }

    /// Returns the schema of a ``ChangeBatch`` element: the schema of a change plus the members that select its object.
    /// Returns the members of a schema for the text fields of a contact.
    private static func contactTexts(_ schema: (ContactTextField) -> JSONValue) throws -> String {
        try ContactTextField.all.map { "\"\($0.key)\": \(try OrderedJSON.text(schema($0)))" }.joined(separator: ", ")
    }

    private static func batchElement(of change: JSONValue) -> JSONValue {
        func described(_ type: String, _ description: String) -> JSONValue {
            ["type": [.string(type), "null"], "description": .string(description)]
        }
        let selection: JSONValue = [
            "id": described("string", "The object to change or remove; without it, one is added."),
            "remove": described("boolean", "true removes the object."),
            "ifMatch": described("string", "The ETag of the version to change or remove."),
        ]
        guard case .object(var members) = change, case .object(let selecting) = selection,
            let place = members.firstIndex(where: { $0.name == "properties" }),
            case .object(let fields) = members[place].value
        else { return change }
        members[place] = JSONValue.Member("properties", .object(selecting + fields))
        return .object(members)
    }
}
