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
    @Option("The language of names, such as ru. (default: from the locale)", "tag", parsing: .next)
    var language: String?
}

/// The stage option of the airport searches.
struct StageOptions: ParsableArguments {
    @Option("Only this stage: 1 popular airports, 2 popular airports with typos, 3 all airports.", "1|2|3")
    var stage: Int?
}

/// The options of every airport search.
struct AirportSearchOptions: ParsableArguments {
    @Option(
        "A server whose further airports are added to the results. (default: $SWITCHBOARD_REMOTE)", "url",
        parsing: .next)
    var remote: String?
    @OptionGroup var names: LanguageOption
    @OptionGroup var batch: BatchOptions

    /// Prepares a session for a search of airports.
    func apply(to session: Session) {
        session.remote = remote
        session.language = names.language
        session.usesPopularList = true
    }
}
