import SwitchboardAirports
import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import SwitchboardAccounts
import SwitchboardStorage
import SwitchboardKit

extension Route {
    /// Airports, for everybody: the server side of stage 3, of "nearest" and of the popular list.
    static let airports: [Route] = [
        Route(
            .get, "/v1/airports", "The airports that a text finds.", door: .open,
            parameters: [
                .text("q", "What was typed."), .keypad, .limit(), .language,
                Parameter(
                    name: "stage", schema: ["type": "integer", "minimum": 1, "maximum": 3],
                    note: "Only popular airports by their beginnings (1), with typos (2), or all others (3)."),
            ],
            answers: .json(Schema.ref("SearchAnswer"))
        ) { call in
            let (limit, language) = (try call.limit(), try call.language())
            let (text, isKeypad) = try call.typed()
            let stage = try call.stage()
            // Made on this thread: it takes less than handing it to another one and back.
            return try call.cached {
                try isKeypad
                    ? call.server.shared.dialAirports(text, limit: limit, stage: stage, language: language)
                    : call.server.shared.searchAirports(text, limit: limit, stage: stage, language: language)
            }
        },
        Route(
            .get, "/v1/airports/nearest", "The airports near a place.", door: .open,
            parameters: [
                Parameter(
                    name: "lat", schema: ["type": "number", "minimum": -90, "maximum": 90], note: "Degrees north.",
                    isRequired: true),
                Parameter(
                    name: "lon", schema: ["type": "number", "minimum": -180, "maximum": 180], note: "Degrees east.",
                    isRequired: true),
                Parameter(
                    name: "radius", schema: ["type": "number", "minimum": 0, "maximum": 20040],
                    note: "Kilometres; 500 unless given."),
                .choice("sort", NearestOrder.self, "By how useful they are, or by distance alone."), .limit(),
                .language,
            ],
            answers: .json(Schema.ref("SearchAnswer"))
        ) { call in
            guard let latitude = try call.number("lat", in: -90...90),
                let longitude = try call.number("lon", in: -180...180)
            else { throw Problem.badRequest("give lat and lon, in degrees", code: "badParameter") }
            let radius = try call.number("radius", in: 0...20_040) ?? Catalogue.defaultRadius
            let order = try call.choice("sort", usual: NearestOrder.relevance)
            let (limit, language) = (try call.limit(), try call.language())
            let place = try Coordinate(latitude: latitude, longitude: longitude)
            return try call.cached {
                try call.server.shared.nearestAirports(
                    to: place, query: "\(latitude),\(longitude)", radius: radius, order: order, limit: limit,
                    language: language)
            }
        },
        Route(
            .get, "/v1/airports/popular", "The most used airports, as a gzip snapshot.", door: .open,
            answers: .json(Schema.ref("Snapshot"))
        ) { call in
            let snapshot = try await call.work { [server = call.server] in
                try server.snapshots.snapshot(of: server.shared)
            }
            if Answer.isKnown(snapshot.tag, to: call.fields) { return .notModified(snapshot.tag, maxAge: 3_600) }
            return Answer.bytes(
                snapshot.bytes, type: "application/json", fields: [.contentEncoding: "gzip", .vary: "Accept-Encoding"]
            ).tagged(snapshot.tag, maxAge: 3_600)
        },
        Route(
            .get, "/v1/airports/{code}", "The airport or city of a code.", door: .open, parameters: [.language],
            answers: .json(Schema.ref("AirportAnswer")), problems: [404]
        ) { call in
            let (code, language) = (try call.path("code"), try call.language())
            return try call.cached {
                let airport = try call.server.shared.airports.airport(code: code)
                return AirportResponse(try call.server.shared.row(of: airport, language: language))
            }
        },
    ]

    /// What a person has chosen.
    static let recentAirports: [Route] = [
        Route(
            .get, "/v1/airports/recent", "The last five airports chosen, the newest first.",
            door: .scope(.read, .airports), parameters: [.limit(usual: 5)], answers: .json(Schema.ref("List"))
        ) { call in
            let limit = try call.limit(usual: 5)
            return try .json(ResultList(try await call.person { try $0.recentAirports(limit: limit) }))
        },
        Route(
            .post, "/v1/airports/recent", "Remember that an airport was chosen.", door: .scope(.write, .airports),
            body: .json([
                "type": "object", "required": ["code"], "additionalProperties": false,
                "properties": ["code": ["type": "string", "minLength": 1]],
            ]),
            answers: .json(Schema.ref("AirportAnswer")), problems: [404]
        ) { call in
            let object = try await call.object()
            try object.check(known: ["code"])
            guard let code = try object.text("code"), !code.isEmpty else {
                throw Problem.badRequest("code: give the code of an airport", code: "malformedInput")
            }
            return try .json(ChangeResponse(try await call.person { try $0.airports.choose(code) }))
        },
    ]
}

/// An airport: `{"id", "title", "subtitle", "airport": {…}}`, a city's with its airports.
private struct AirportResponse: Encodable, Sendable {
    private let row: SearchResult

    init(_ row: SearchResult) { self.row = row }

    func encode(to encoder: any Encoder) throws { try row.encode(to: encoder) }
}

extension Call {
    fileprivate func stage() throws -> Int? {
        guard let text = query["stage"] else { return nil }
        guard let stage = Int(text), (1...3).contains(stage) else {
            throw Problem.badRequest("stage: give 1, 2 or 3, not “\(text)”", code: "badParameter")
        }
        return stage
    }

    /// An answer that stays the same as long as the popular list does: what was answered before is answered again, and a client
    /// that has it already gets it no second time.
    fileprivate func cached(_ make: () throws -> some Encodable) throws -> Answer {
        let cache = server.answers
        let generation = try cache.generation(of: server.shared)
        let address = request.head.path ?? ""
        let accepted = fields[.acceptEncoding]
        let isPacked = accepted.map(Compression.accepts) ?? false
        let key = isPacked ? "gzip " + address : address
        if fields[.ifNoneMatch] != nil {
            let tag = AnswerCache.tag(of: address, generation)
            if Answer.isKnown(tag, to: fields) { return .notModified(tag, maxAge: 60) }
        }
        if let known = cache.answer(for: key, generation) { return known }
        var answer = try Answer.json(try make()).tagged(AnswerCache.tag(of: address, generation), maxAge: 60)
        Compression.apply(to: &answer, accepting: accepted)
        cache.keep(answer, for: key, generation)
        return answer
    }
}
