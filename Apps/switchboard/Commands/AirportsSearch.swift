import ArgumentParser
import SwitchboardKeypad
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
    @OptionGroup var search: AirportSearchOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        try session.searchAirports(try search.batch.query(text, named: "TEXT"), isKeypad: false, stages, search)
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
    @OptionGroup var search: AirportSearchOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        try session.searchAirports(try search.batch.query(digits, named: "DIGITS"), isKeypad: true, stages, search)
    }
}

extension Session {
    fileprivate func searchAirports(
        _ query: String?, isKeypad: Bool, _ stages: StageOptions, _ options: AirportSearchOptions
    ) throws -> ExitStatus {
        options.apply(to: self)
        let switchboard = try switchboard()
        return try search(query, completing: completion(stage: stages.stage)) {
            try switchboard.searchAirports(
                SearchInput($0, keypad: isKeypad), limit: searchLimit, stage: stages.stage)
        }
    }

    /// Returns a completion that adds the airports of the configured server, or `nil` without a server.
    func completion(stage: Int? = nil) throws -> Completion? {
        guard let server = try server() else { return nil }
        let switchboard = try switchboard()
        return { [searchLimit] answer in
            try switchboard.completing(answer, limit: searchLimit, stage: stage, from: server)
        }
    }
}
