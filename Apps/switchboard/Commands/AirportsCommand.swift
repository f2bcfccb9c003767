import ArgumentParser
import SwitchboardKit

struct AirportsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "airports",
        abstract: "Airports: by name, code or key, near a place, the last ones chosen.",
        subcommands: [
            AirportsSearch.self, AirportsDial.self, AirportsNearest.self, AirportsHere.self, AirportsShow.self,
            AirportsChoose.self, AirportsRecent.self, AirportsPopular.self, AirportsUpdate.self, AirportsSnapshot.self,
        ])
}

/// What the commands that name airports understand.
struct LanguageOption: ParsableArguments {
    @Option(help: ArgumentHelp("The language of names, such as ru; that of the locale otherwise.", valueName: "tag"))
    var language: String?
}

/// How an airport search goes on.
struct StageOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Only this stage: 1 popular ones, 2 popular ones with typos, 3 all.", valueName: "1|2|3"))
    var stage: Int?
}

/// Which server is asked for further airports.
struct RemoteOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A server to ask for further airports, after those of this program; $SWITCHBOARD_REMOTE otherwise.",
            valueName: "url"))
    var remote: String?
}
