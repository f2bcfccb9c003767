import ArgumentParser
import SwitchboardKit

struct AirportsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "airports",
        abstract: "Find airports by name, code, keypad or location.",
        subcommands: [
            AirportsSearch.self, AirportsDial.self, AirportsNearest.self, AirportsHere.self, AirportsShow.self,
            AirportsChoose.self, AirportsRecent.self, AirportsPopular.self, AirportsUpdate.self, AirportsSnapshot.self,
        ])
}

/// The language option of the airport commands.
struct LanguageOption: ParsableArguments {
    @Option(help: ArgumentHelp("The language of names, such as ru. (default: from the locale)", valueName: "tag"))
    var language: String?
}

/// The stage option of the airport searches.
struct StageOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Only this stage: 1 popular airports, 2 popular airports with typos, 3 all airports.", valueName: "1|2|3"))
    var stage: Int?
}

/// The option that names a server for further airports.
struct RemoteOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A server whose further airports are added to the results. (default: $SWITCHBOARD_REMOTE)",
            valueName: "url"))
    var remote: String?
}
