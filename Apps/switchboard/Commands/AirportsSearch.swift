import ArgumentParser
import SwitchboardKit

struct AirportsSearch: Command {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find airports by name, city, country or code, in any language, forgiving typos.",
        discussion: """
            A server that is named is asked from three letters on, if there is room for more rows. If it does not answer within two \
            seconds, or not as it should, the rows are those of this program, and standard error says so. For example:

              switchboard airports search frankfrut
            """)

    @Argument(help: ArgumentHelp("What to look for.", valueName: "text"))
    var text: [String] = []

    @OptionGroup var stages: StageOptions
    @OptionGroup var server: RemoteOption
    @OptionGroup var names: LanguageOption
    @OptionGroup var batch: BatchOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        session.remote = server.remote
        session.language = names.language
        return try session.searchAirports(text, isBatch: batch.batch, stage: stages.stage)
    }
}

struct AirportsDial: Command {
    static let configuration = CommandConfiguration(
        commandName: "dial",
        abstract: "Find airports by the keys of a telephone.",
        discussion: "For example: switchboard airports dial 566366 for London")

    @Argument(help: ArgumentHelp("The keys.", valueName: "digits"))
    var digits: [String] = []

    @OptionGroup var stages: StageOptions
    @OptionGroup var server: RemoteOption
    @OptionGroup var names: LanguageOption
    @OptionGroup var batch: BatchOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        session.remote = server.remote
        session.language = names.language
        return try session.dialAirports(digits, isBatch: batch.batch, stage: stages.stage)
    }
}
