import ArgumentParser
import Foundation
import SwitchboardAirports
import SwitchboardJSON
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardStorage

struct AirportsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "airports", "Find airports by name, code, keypad or location.",
        subcommands: commands([
            AirportsSearch.self, AirportsDial.self, AirportsNearest.self, AirportsHere.self, AirportsShow.self,
            AirportsChoose.self, AirportsRecent.self, AirportsPopular.self, AirportsUpdate.self, AirportsSnapshot.self,
        ]))
}

struct LanguageOption: ParsableArguments {
    @Option(
        "The language of names, such as ru. (default: from the locale)", "tag", parsing: .next, completion: .languages)
    var language: String?

    func validate() throws { try checkLanguage(language) }
}

struct StageOptions: ParsableArguments {
    @Option("Only this stage: 1 popular airports, 2 popular airports with typos, 3 all airports.", "1|2|3")
    var stage: Int?
}

struct AirportSearchOptions: ParsableArguments {
    @Option(
        "A server whose further airports are added to the results. (default: $SWITCHBOARD_REMOTE)", "url",
        parsing: .next)
    var remote: String?
    @OptionGroup var names: LanguageOption
    @OptionGroup var batch: BatchOptions
    @OptionGroup var explaining: ExplainOption

    /// Prepares a session for a search of airports.
    func apply(to session: Session) {
        session.remote = remote
        session.language = names.language
        session.isExplaining = explaining.explain
        session.usesPopularList = true
    }
}

struct AirportsSearch: Command {
    static let configuration = CommandConfiguration(
        "search", "Find airports by name, city, country or code, in any language, forgiving typos.",
        discussion: """
            With --remote, queries of at least three letters, or two characters of Chinese, Japanese or Korean, also search \
            the server if there is room for more rows. If the server fails or does not respond within two seconds, only \
            local results are shown, with a message on standard error. For example:

              switchboard airports search frankfrut
            """)

    @Argument("The search text.", "text") var text: [String] = []

    @OptionGroup var stages: StageOptions
    @OptionGroup var search: AirportSearchOptions

    func run(_ session: Session) throws -> ExitStatus {
        search.apply(to: session)
        return try session.searchAirports(
            try search.batch.query(text, named: "TEXT"), isKeypad: false, stage: stages.stage)
    }
}

struct AirportsDial: Command {
    static let configuration = CommandConfiguration(
        "dial", "Find airports by keypad.",
        discussion: "For example: switchboard airports dial 566366 for London")

    @Argument("The keys to press.", "digits") var digits: [String] = []

    @OptionGroup var stages: StageOptions
    @OptionGroup var search: AirportSearchOptions

    func run(_ session: Session) throws -> ExitStatus {
        search.apply(to: session)
        return try session.searchAirports(
            try search.batch.query(digits, named: "DIGITS"), isKeypad: true, stage: stages.stage)
    }
}

extension Session {
    /// Searches airports for one query, or for each line of standard input if the query is `nil`.
    func searchAirports(_ query: String?, isKeypad: Bool, stage: Int? = nil) throws -> ExitStatus {
        usesPopularList = true
        if !isKeypad { keypadCommand = "airports dial" }
        let switchboard = try switchboard()
        return try search(query, completing: completion(stage: stage)) {
            try switchboard.searchAirports(SearchInput($0, keypad: isKeypad), limit: $1, stage: stage)
        }
    }

    /// Returns a completion that adds airports from the configured server, or `nil` if none is configured.
    func completion(stage: Int? = nil) throws -> Completion? {
        guard let server = try server() else { return nil }
        let switchboard = try switchboard()
        return { [searchLimit] answer in
            try switchboard.completing(answer, limit: searchLimit, stage: stage, from: server)
        }
    }
}

struct AirportsNearest: Command {
    static let configuration = CommandConfiguration(
        "nearest", "List the airports near a place.",
        discussion: """
            For example: switchboard airports nearest 59.93,30.33

            A name or code of a city or airport stands for its place: switchboard airports nearest Paris
            """)

    @Argument("Latitude and longitude in degrees, or the name of a place.", "lat,lon") var place: [String] = []

    @Flag(help: "Use the place set with 'here', or else the location service.")
    var here = false

    @Option(parsing: .unconditional, help: ArgumentHelp("The maximum distance.", valueName: "km"))
    var radius = Catalogue.defaultRadius

    @Option(help: "relevance (distance and traffic) or distance.")
    var sort = NearestOrder.relevance

    @OptionGroup var search: AirportSearchOptions

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
            let place = try runBlocking(handling: { (_: Never) in }, { _ in try await airports.currentLocation() })
            (query, found) = ("\(place.latitude),\(place.longitude)", place)
        } else {
            query = try search.batch.query(place, named: "LAT,LON")
        }
        let distance = radius.formatted(.number.precision(.fractionLength(0...1)).grouping(.never))
        session.nothingFound = { "no airport within \(distance) km of \($0)" }
        return try session.search(query, completing: completion(session)) { text, limit in
            try session.switchboard().nearestAirports(
                to: found ?? session.switchboard().place(text), query: text, radius: radius, order: sort,
                limit: limit)
        }
    }

    private func completion(_ session: Session) throws -> Session.Completion? {
        guard let server = try session.server() else { return nil }
        let switchboard = try session.switchboard()
        return { answer in
            try switchboard.completingNearest(
                answer, to: switchboard.place(answer.query), radius: radius, order: sort, limit: session.searchLimit,
                from: server)
        }
    }
}

struct AirportsHere: Command {
    static let configuration = CommandConfiguration(
        "here", "Set the location of this machine, rounded to about three kilometres, or show it.")

    @Argument(
        help: ArgumentHelp(
            "Latitude and longitude in degrees, or the name of a place. Without it, the location is shown.",
            valueName: "lat,lon"))
    var place: String?

    @Flag(help: "Forget the location.") var forget = false

    /// The stored location; its members are null if none is stored.
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
        let switchboard = try session.switchboard()
        if forget {
            guard place == nil else { throw SwitchboardError.usage("give either LAT,LON or --forget") }
            try switchboard.airports.clearLocation()
            return try session.respond(Response(place: nil), note: "forgotten")
        }
        let kept: Coordinate
        if let place {
            kept = try switchboard.airports.setLocation(switchboard.place(place))
        } else if let known = try switchboard.airports.knownLocation() {
            kept = known
        } else {
            throw SwitchboardError(
                code: "notFound",
                message:
                    "no location is set, or access to it is not granted; 'switchboard airports here LAT,LON' sets it",
                status: .nothingFound)
        }
        let nearest = try switchboard.nearestAirports(to: kept, query: "", order: .distance, limit: 1).results.first
        let status = try session.respond(Response(place: kept), line: "\(kept.latitude),\(kept.longitude)")
        if let nearest { session.diagnostics.note("the nearest airport is \(nearest.title)") }
        return status
    }
}

struct AirportsShow: Command {
    static let configuration = CommandConfiguration("show", "Show an airport or city.")

    @Argument(help: "The IATA, ICAO or city code, in any case.") var code: String
    @OptionGroup var names: LanguageOption

    func run(_ session: Session) throws -> ExitStatus {
        session.language = names.language
        let switchboard = try session.switchboard()
        let row = try switchboard.row(of: try switchboard.airports.airport(code: code))
        return try session.respond(row) { session.show(row.details(language: session.displayLanguage)) }
    }
}

struct AirportsChoose: Command {
    static let configuration = CommandConfiguration(
        "choose", "Record that an airport was chosen; the last five are kept.")

    @Argument(
        help: "The IATA, ICAO or city code, in any case, or the name of an airport or city.", completion: .airports)
    var code: String
    @OptionGroup var names: LanguageOption

    func run(_ session: Session) throws -> ExitStatus {
        session.language = names.language
        let switchboard = try session.switchboard()
        let airport = try switchboard.airports.choose(try switchboard.airportCode(code))
        return try session.respond(ChangeResponse(airport)) {
            if let row = try? switchboard.row(of: airport) { session.show([row]) }
        }
    }
}

struct AirportsRecent: Command {
    static let configuration = CommandConfiguration("recent", "List the last five chosen airports, newest first.")

    @OptionGroup var names: LanguageOption

    func run(_ session: Session) throws -> ExitStatus {
        session.language = names.language
        let rows = try session.switchboard().recentAirports(limit: session.listLimit)
        return try session.respond(ListResponse(rows)) { session.show(rows) }
    }
}

struct AirportsPopular: Command {
    static let configuration = CommandConfiguration("popular", "List the popular airports, most used first.")

    @OptionGroup var names: LanguageOption

    func run(_ session: Session) throws -> ExitStatus {
        session.language = names.language
        session.usesPopularList = true
        let rows = try session.switchboard().popularAirports(limit: session.listLimit)
        return try session.respond(ListResponse(rows)) { session.show(rows) }
    }
}

struct AirportsUpdate: Command {
    static let configuration = CommandConfiguration(
        "update", "Replace the list of popular airports with a snapshot.",
        discussion: """
            An incomplete or invalid snapshot changes nothing. A server sends its list only if it has changed since the last \
            update. For example:

              switchboard airports update --from https://example.org
              switchboard airports update --from popular.gz
            """)

    @Option(
        """
        A server, the address of a snapshot, or a file written by 'airports snapshot' (- for standard input). \
        (default: $SWITCHBOARD_REMOTE)
        """, "url|file", parsing: .next, completion: .file())
    var from: String?

    @Flag(help: "Only if the list is older than a day and the last attempt was more than an hour ago.") var ifDue =
        false

    /// The maximum size of a snapshot file; a typical snapshot has a few hundred kilobytes.
    private static let largestFile = 64 << 20

    func run(_ session: Session) throws -> ExitStatus {
        if let address = try address(session) { return try refresh(from: address, session) }
        guard let from else {
            throw SwitchboardError(
                code: "unavailable",
                message: "no server is configured; name a server or a snapshot with --from",
                status: .unavailable)
        }
        if ifDue { throw SwitchboardError.usage("--if-due needs a server; omit it for a file") }
        let data = Data(try FileIO.read(from, limit: Self.largestFile))
        do {
            let count = try session.switchboard().airports.update(snapshot: data)
            return try session.respond(["airports": count], line: "\(count) popular airports")
        } catch let error as AirportsError {
            throw SwitchboardError(error).about(file: from)
        }
    }

    /// Returns the address of the list, or `nil` for a file or if no server is configured.
    private func address(_ session: Session) throws -> String? {
        guard let from else { return try session.server()?.popularAddress }
        let scheme = from.prefix { $0 != ":" }.lowercased()
        return scheme == "http" || scheme == "https" ? try AirportServer.popularAddress(at: from) : nil
    }

    private func refresh(from address: String, _ session: Session) throws -> ExitStatus {
        // An update can be due only in an existing database.
        session.createsDatabase = !ifDue
        let switchboard = try session.switchboard()
        let interruption = SignalObserver.interruption()
        session.progress.show("fetching \(address)")
        let refresh: PopularRefresh
        do {
            refresh = try switchboard.refreshPopular(from: address, onlyIfDue: ifDue) { interruption.wasReceived }
        } catch {
            throw SwitchboardError(error).about(file: address)
        }
        session.progress.clear()
        let count = try refresh.airports ?? switchboard.airports.popular().count
        let isNew = if case .replaced = refresh { true } else { false }
        let reason = refresh == .notDue ? "checked within the last day" : "nothing newer"
        let response: JSONValue = ["airports": .number(Double(count)), "changed": .bool(isNew)]
        try session.respond(response, line: "\(count) popular airports" + (isNew ? "" : ", unchanged: \(reason)"))
        // Build the index now to speed up the next search.
        if isNew, ifDue { try? switchboard.airportSearch.warmUp() }
        return .done
    }
}

struct AirportsSnapshot: Command {
    static let configuration = CommandConfiguration(
        "snapshot", "Write the list of popular airports to a snapshot for 'airports update'.")

    @Option(help: ArgumentHelp("The file to write.", valueName: "file"), completion: .file())
    var output: String

    func run(_ session: Session) throws -> ExitStatus {
        let airports = try session.switchboard().airports
        let count = try airports.popular().count
        session.noteEarlier(try FileIO.write([UInt8](try airports.snapshot()), to: output))
        let response: JSONValue = ["file": .string(output), "airports": .number(Double(count))]
        return try session.respond(response, note: "\(count) airports written to \(output)")
    }
}
