import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import SwitchboardAccounts
import SwitchboardAirports
import SwitchboardJSON
import SwitchboardKit
import SwitchboardStorage

extension Route {
    /// Public routes for airports: search, nearest airports and the popular snapshot.
    static let airports: [Route] = [
        Route(
            .get, "/v1/airports", "Search airports.", access: .open,
            parameters: [
                .text("q", "The query."), .keypad, .limit(), .language,
                Parameter(
                    name: "stage", schema: ["type": "integer", "minimum": 1, "maximum": 3],
                    note: "Popular airports by prefix (1), popular airports with typos (2), or all other airports (3)."),
            ],
            response: .json(Schema.ref("SearchAnswer"))
        ) { context in
            let (limit, language) = (try context.limit(), try context.language())
            let input = try context.searchInput()
            let stage = try context.stage()
            // Handled on this thread: a search takes less time than switching threads.
            return try context.cached {
                try context.server.shared.searchAirports(input, limit: limit, stage: stage, language: language)
            }
        },
        Route(
            .get, "/v1/airports/nearest", "List the airports near a location.", access: .open,
            parameters: [
                Parameter(
                    name: "lat", schema: ["type": "number", "minimum": -90, "maximum": 90],
                    note: "The latitude in degrees.",
                    isRequired: true),
                Parameter(
                    name: "lon", schema: ["type": "number", "minimum": -180, "maximum": 180],
                    note: "The longitude in degrees.",
                    isRequired: true),
                Parameter(
                    name: "radius", schema: ["type": "number", "minimum": 0, "maximum": 20040],
                    note: "The radius in kilometres; 500 by default."),
                .choice("sort", NearestOrder.self, "The order: by relevance or by distance."), .limit(),
                .language,
            ],
            response: .json(Schema.ref("SearchAnswer"))
        ) { context in
            guard let latitude = try context.number("lat", in: -90...90),
                let longitude = try context.number("lon", in: -180...180)
            else { throw Problem.badRequest("lat and lon are required, in degrees", code: "badParameter") }
            let radius = try context.number("radius", in: 0...20_040) ?? Catalogue.defaultRadius
            let order = try context.choice("sort", default: NearestOrder.relevance)
            let (limit, language) = (try context.limit(), try context.language())
            let place = try Coordinate(latitude: latitude, longitude: longitude)
            return try context.cached {
                try context.server.shared.nearestAirports(
                    to: place, query: "\(latitude),\(longitude)", radius: radius, order: order, limit: limit,
                    language: language)
            }
        },
        Route(
            .get, "/v1/airports/popular", "Get the popular airports as a gzip snapshot.", access: .open,
            response: .json(Schema.ref("Snapshot"))
        ) { context in
            let snapshot = try await context.runBlocking { [server = context.server] in
                try server.snapshots.snapshot(of: server.shared)
            }
            if EndpointResponse.isKnown(snapshot.tag, to: context.fields) {
                return .notModified(snapshot.tag, maxAge: 3_600)
            }
            return EndpointResponse.bytes(
                snapshot.bytes, type: "application/json", fields: [.contentEncoding: "gzip", .vary: "Accept-Encoding"]
            ).tagged(snapshot.tag, maxAge: 3_600)
        },
        Route(
            .get, "/v1/airports/{code}", "Get an airport or city by its code.", access: .open, parameters: [.language],
            response: .json(Schema.ref("AirportAnswer")), problems: [404]
        ) { context in
            let (code, language) = (try context.pathParameter("code"), try context.language())
            return try context.cached {
                let airport = try context.server.shared.airports.airport(code: code)
                return AirportResponse(try context.server.shared.row(of: airport, language: language))
            }
        },
    ]

    /// The airports that a person has chosen.
    static let recentAirports: [Route] = [
        Route(
            .get, "/v1/airports/recent", "List the recently chosen airports, newest first.",
            access: .scope(.read, .airports), parameters: [.limit(default: 5)], response: .json(Schema.ref("List"))
        ) { context in
            let limit = try context.limit(default: 5)
            return try .json(ListResponse(try await context.withDatabase { try $0.recentAirports(limit: limit) }))
        },
        Route(
            .post, "/v1/airports/recent", "Add an airport to the recently chosen ones.",
            access: .scope(.write, .airports),
            body: .json([
                "type": "object", "required": ["code"], "additionalProperties": false,
                "properties": ["code": ["type": "string", "minLength": 1]],
            ]),
            response: .json(Schema.ref("AirportAnswer")), problems: [404]
        ) { context in
            let object = try await context.jsonObject()
            try object.check(known: ["code"])
            guard let code = try object.text("code"), !code.isEmpty else {
                throw Problem.badRequest("code: missing; use the code of an airport", code: "malformedInput")
            }
            return try .json(ChangeResponse(try await context.withDatabase { try $0.airports.choose(code) }))
        },
    ]
}

/// An airport, or a city with its airports: `{"id", "title", "subtitle", "airport": {…}}`.
private struct AirportResponse: Encodable, Sendable {
    private let row: SearchResult

    init(_ row: SearchResult) { self.row = row }

    func encode(to encoder: any Encoder) throws { try row.encode(to: encoder) }
}

extension RouteContext {
    fileprivate func stage() throws -> Int? {
        guard let text = query["stage"] else { return nil }
        guard let stage = Int(text), (1...3).contains(stage) else {
            throw Problem.badRequest("stage: “\(text)” is out of range; use 1, 2 or 3", code: "badParameter")
        }
        return stage
    }

    /// Returns a response from the cache, or builds and stores it. Responds 304 if unchanged.
    ///
    /// Cached responses are valid until the popular list changes.
    fileprivate func cached(_ make: () throws -> some Encodable) throws -> EndpointResponse {
        let cache = server.responseCache
        let generation = try cache.generation(of: server.shared)
        let address = request.head.path ?? ""
        let accepted = fields[.acceptEncoding]
        let isPacked = accepted.map(Compression.accepts) ?? false
        let key = isPacked ? "gzip " + address : address
        if fields[.ifNoneMatch] != nil {
            let tag = ResponseCache.tag(of: address, generation)
            if EndpointResponse.isKnown(tag, to: fields) { return .notModified(tag, maxAge: 60) }
        }
        if let known = cache.response(for: key, generation) { return known }
        var response = try EndpointResponse.json(try make()).tagged(
            ResponseCache.tag(of: address, generation), maxAge: 60)
        Compression.apply(to: &response, accepting: accepted)
        cache.keep(response, for: key, generation)
        return response
    }
}
