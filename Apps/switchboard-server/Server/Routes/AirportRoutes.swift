import Hummingbird
import SwitchboardAccounts
import SwitchboardAirports
import SwitchboardJSON
import SwitchboardKit
import SwitchboardStorage
import Synchronization

extension Route {
    /// Public routes for airports: search, nearest airports and the popular snapshot.
    static let airports: [Route] = [
        Route(
            .get, "/v1/airports", "Search airports.", access: .open,
            parameters: [
                .text("q", "The query."), .keypad, .limit(), .cursor, .language,
                .number(
                    "stage", 1...3,
                    "Popular airports by prefix (1), popular airports with typos (2), or all other airports (3).",
                    type: "integer"),
            ],
            response: .json("SearchAnswer"), isCached: true
        ) { _, context in
            let (input, language) = (try context.searchInput(), try context.language())
            let (stage, shared) = (try context.stage(), context.server.shared)
            return try context.publicPage { limit in
                try shared.searchAirports(input, limit: limit, stage: stage, language: language) { Task.isCancelled }
            }
        },
        Route(
            .get, "/v1/airports/nearest", "List the airports near a location.", access: .open,
            parameters: [
                .number("lat", -90...90, "The latitude in degrees.", isRequired: true),
                .number("lon", -180...180, "The longitude in degrees.", isRequired: true),
                .number("radius", 0...20_040, "The radius in kilometres; 500 by default."),
                .choice("sort", NearestOrder.self, "The order: by relevance or by distance."), .limit(), .language,
            ],
            response: .json("SearchAnswer"), isCached: true
        ) { _, context in
            guard let latitude = try context.number("lat", in: -90.0...90),
                let longitude = try context.number("lon", in: -180.0...180)
            else { throw Problem.badParameter("lat and lon are required, in degrees") }
            let radius = try context.number("radius", in: 0.0...20_040) ?? Catalogue.defaultRadius
            return try context.answer(
                context.server.shared.nearestAirports(
                    to: Coordinate(latitude: latitude, longitude: longitude), query: "\(latitude),\(longitude)",
                    radius: radius, order: context.choice("sort", default: .relevance), limit: context.limit(),
                    language: context.language()))
        },
        Route(
            .get, "/v1/airports/popular", "Get the popular airports as a gzip snapshot.", access: .open,
            response: .json("Snapshot")
        ) { request, context in
            let snapshot = try context.server.snapshots.snapshot(of: context.server.shared)
            return request.response(tagged: snapshot.tag, maxAge: 3_600) {
                .bytes(
                    snapshot.bytes, type: "application/json",
                    fields: [.contentEncoding: "gzip", .vary: "Accept-Encoding"])
            }
        },
        Route(
            .get, "/v1/airports/list",
            "Get the popular airports with their names in one language and in English, for pickers and maps.",
            access: .open, parameters: [.language], response: .json("AirportList"), isCached: true
        ) { _, context in
            let shared = context.server.shared
            let language = try context.language() ?? shared.settings.language
            let airports = try shared.airports.popular().map { ListedAirport($0, language: language) }
            return try .json(["airports": airports], fields: [.cacheControl: "public, max-age=3600"])
        },
        Route(
            .get, "/v1/airports/{code}", "Get an airport or city by its code.", access: .open, parameters: [.language],
            response: .json("AirportAnswer"), isCached: true
        ) { _, context in
            let (shared, language) = (context.server.shared, try context.language())
            let airport = try shared.airports.airport(code: context.pathParameter("code"))
            return try .json(shared.row(of: airport, language: language))
        },
    ]

    /// The airports that a person has chosen.
    static let recentAirports: [Route] = [
        Route(
            .get, "/v1/airports/recent", "List the recently chosen airports, newest first.", access: .domain(.airports),
            parameters: [.limit(default: 5)], response: .json("List")
        ) { _, context in
            try context.json { try ListResponse($0.recentAirports(limit: context.limit(default: 5))) }
        },
        Route(
            .post, "/v1/airports/recent", "Add an airport to the recently chosen ones.", access: .domain(.airports),
            body: .json([
                "type": "object", "required": ["code"], "additionalProperties": false,
                "properties": ["code": ["type": "string", "minLength": 1]],
            ]),
            response: .json("AirportAnswer"), problems: [404]
        ) { request, context in
            guard let code = try await context.object(of: request, known: ["code"]).text("code"), !code.isEmpty else {
                throw Problem.malformed("code: missing; use the code of an airport")
            }
            return try context.json { ChangeResponse(try $0.airports.choose(code)) }
        },
    ]
}

/// An airport in the list for pickers, with the members that searches and maps need: an eighth of the snapshot.
private struct ListedAirport: JSONObjectEncodable {
    let airport: Airport
    let name: String
    let city: String

    init(_ airport: Airport, language: String) {
        self.airport = airport
        name = airport.title(in: language)
        city = airport.cityTitle(in: language)
    }

    func encode(to members: inout JSONMembers) throws {
        try members.add("code", airport.code)
        try members.add("name", name)
        try members.add("city", city)
        // The English name usually contains the name of the city.
        let english = airport.name.hasPrefix(airport.city) ? [airport.name] : [airport.name, airport.city]
        try members.addUnlessEmpty("names", english.filter { $0 != name && $0 != city })
        if airport.cityCode != airport.code { try members.add("cityCode", airport.cityCode) }
        try members.add("country", airport.country)
        try members.add("latitude", airport.latitude)
        try members.add("longitude", airport.longitude)
        try members.add("timeZone", airport.timeZone)
        try members.add("popularity", airport.popularity)
    }
}

extension ServerRequestContext {
    fileprivate func stage() throws -> Int? {
        guard let text = query["stage"] else { return nil }
        guard let stage = Int(text), (1...3).contains(stage) else {
            throw Problem.badParameter("stage: “\(text)” is out of range; use 1, 2 or 3")
        }
        return stage
    }
}

/// The snapshot of the popular airports, built once for each change of the list.
final class SnapshotCache: Sendable {
    struct Snapshot: Sendable {
        let generation: Int64
        let bytes: [UInt8]
        let tag: String
    }

    private let cached = Mutex<Snapshot?>(nil)

    /// Returns the snapshot of the current list.
    func snapshot(of switchboard: Switchboard) throws -> Snapshot {
        let generation = try switchboard.storage.generation(of: Airports.popularGeneration)
        if let cached = cached.withLock({ $0 }), cached.generation == generation { return cached }
        let bytes = Array(try switchboard.airports.snapshot())
        // The snapshot contains its creation time. The tag depends only on the list, so it is the same on all servers.
        let list = try OrderedJSON.bytes(try switchboard.airports.popular())
        let snapshot = Snapshot(generation: generation, bytes: bytes, tag: EntityTag.of(list))
        cached.withLock { $0 = snapshot }
        return snapshot
    }
}
