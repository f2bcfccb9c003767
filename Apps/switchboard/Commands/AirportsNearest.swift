import ArgumentParser
import SwitchboardAirports
import SwitchboardKit
import SwitchboardStorage

struct AirportsNearest: Command {
    static let configuration = CommandConfiguration(
        commandName: "nearest",
        abstract: "List the airports near a place.",
        discussion: "For example: switchboard airports nearest 59.93,30.33")

    @Argument(help: ArgumentHelp("Latitude and longitude in degrees.", valueName: "lat,lon"))
    var place: [String] = []

    @Flag(help: "Use the place set with 'here', or else the location service.")
    var here = false

    @Option(parsing: .unconditional, help: ArgumentHelp("The maximum distance.", valueName: "km"))
    var radius = Catalogue.defaultRadius

    @Option(help: "relevance (distance and traffic) or distance.")
    var sort = NearestOrder.relevance

    @OptionGroup var search: AirportSearchOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        search.apply(to: session)
        var query: String?
        var found: Coordinate?
        if here {
            guard place.isEmpty, !search.batch.batch else {
                throw SwitchboardError.usage("--here cannot be combined with LAT,LON or --batch; omit them")
            }
            let airports = try session.switchboard().airports
            try session.requireAccess(.location)
            let place = try runBlocking { try await airports.currentLocation() }
            (query, found) = ("\(place.latitude),\(place.longitude)", place)
        } else {
            query = try search.batch.query(place, named: "LAT,LON")
        }
        return try session.search(query, completing: completion(session)) { text in
            try session.switchboard().nearestAirports(
                to: found ?? Coordinate.parse(text), query: text, radius: radius, order: sort,
                limit: session.searchLimit)
        }
    }

    private func completion(_ session: Session) throws -> Session.Completion? {
        guard let server = try session.server() else { return nil }
        let switchboard = try session.switchboard()
        return { answer in
            try switchboard.completingNearest(
                answer, to: Coordinate.parse(answer.query), radius: radius, order: sort, limit: session.searchLimit,
                from: server)
        }
    }
}

struct AirportsHere: Command {
    static let configuration = CommandConfiguration(
        commandName: "here", abstract: "Set the location of this machine, rounded to about three kilometres.")

    @Argument(help: ArgumentHelp("Latitude and longitude in degrees.", valueName: "lat,lon"))
    var place: String?

    @Flag(help: "Forget the location.") var forget = false
    @OptionGroup var global: GlobalOptions

    /// The stored location; the members are null if there is none.
    private struct Response: Encodable {
        let place: Coordinate?

        private enum CodingKeys: String, CodingKey { case latitude, longitude }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(place?.latitude, forKey: .latitude)
            try container.encode(place?.longitude, forKey: .longitude)
        }
    }

    func run(_ session: Session) throws -> ExitStatus {
        guard (place == nil) == forget else { throw SwitchboardError.usage("give either LAT,LON or --forget") }
        guard let place else {
            try session.switchboard().airports.clearLocation()
            return try session.respond(Response(place: nil), note: "forgotten")
        }
        let kept = try session.switchboard().airports.setLocation(Coordinate.parse(place))
        return try session.respond(Response(place: kept), line: "\(kept.latitude),\(kept.longitude)")
    }
}
