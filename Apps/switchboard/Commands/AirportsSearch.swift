import ArgumentParser
import SwitchboardKit

struct AirportsSearch: Command {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find airports by name, city, country or code, in any language, forgiving typos.",
        discussion: """
            With --remote, queries of at least three letters also search the server if there is room for more rows. If the \
            server fails or does not respond within two seconds, only local results are shown, with a message on standard \
            error. For example:

              switchboard airports search frankfrut
            """)

    @Argument(help: ArgumentHelp("The search text.", valueName: "text"))
    var text: [String] = []

    @OptionGroup var stages: StageOptions
    @OptionGroup var server: RemoteOption
    @OptionGroup var names: LanguageOption
    @OptionGroup var batch: BatchOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        session.remote = server.remote
        session.language = names.language
        return try session.searchAirports(text, isBatch: batch.batch, isKeypad: false, stage: stages.stage)
    }
}

struct AirportsDial: Command {
    static let configuration = CommandConfiguration(
        commandName: "dial",
        abstract: "Find airports by keypad.",
        discussion: "For example: switchboard airports dial 566366 for London")

    @Argument(help: ArgumentHelp("The keys to press.", valueName: "digits"))
    var digits: [String] = []

    @OptionGroup var stages: StageOptions
    @OptionGroup var server: RemoteOption
    @OptionGroup var names: LanguageOption
    @OptionGroup var batch: BatchOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        session.remote = server.remote
        session.language = names.language
        return try session.searchAirports(digits, isBatch: batch.batch, isKeypad: true, stage: stages.stage)
    }
}
