import ArgumentParser
import SwitchboardAirports
import SwitchboardKit

struct AirportsShow: Command {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show an airport or city.")

    @Argument(help: "The IATA, ICAO or city code, in any case.") var code: String
    @OptionGroup var names: LanguageOption
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        session.language = names.language
        let switchboard = try session.switchboard()
        let row = try switchboard.row(of: try switchboard.airports.airport(code: code))
        return try session.respond(row) { session.show(row.details(language: session.displayLanguage)) }
    }
}

struct AirportsChoose: Command {
    static let configuration = CommandConfiguration(
        commandName: "choose", abstract: "Record that an airport was chosen; the last five are kept.")

    @Argument(help: "The IATA, ICAO or city code, in any case.") var code: String
    @OptionGroup var names: LanguageOption
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        session.language = names.language
        let switchboard = try session.switchboard()
        let airport = try switchboard.airports.choose(code)
        return try session.respond(ChangeResponse(airport)) {
            if let row = try? switchboard.row(of: airport) { session.show([row]) }
        }
    }
}

struct AirportsRecent: Command {
    static let configuration = CommandConfiguration(
        commandName: "recent", abstract: "List the last five chosen airports, newest first.")

    @OptionGroup var names: LanguageOption
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        session.language = names.language
        let rows = try session.switchboard().recentAirports(limit: session.listLimit)
        return try session.respond(ListResponse(rows)) { session.show(rows) }
    }
}

struct AirportsPopular: Command {
    static let configuration = CommandConfiguration(
        commandName: "popular", abstract: "List the popular airports, most used first.")

    @OptionGroup var names: LanguageOption
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        session.language = names.language
        session.usesPopularList = true
        let rows = try session.switchboard().popularAirports(limit: session.listLimit)
        return try session.respond(ListResponse(rows)) { session.show(rows) }
    }
}
