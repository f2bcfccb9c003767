import ArgumentParser
import SwitchboardKeypad
import SwitchboardKit

struct FindCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find contacts, prospects, airports and items.",
        discussion: """
            Results of all kinds are ranked together. For example:

              switchboard find rio
              switchboard find --keypad 74647
              switchboard find --kind airport,contact paris
            """)

    @Argument(help: ArgumentHelp("The search text, or digits with --keypad.", valueName: "words"))
    var words: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only these kinds, separated by commas: contact, prospect, airport, item.", valueName: "kinds"))
    var kind: [String] = []

    @Flag(help: "Read the words as keypad digits.")
    var keypad = false

    @Option("The language of airport names. (default: from the locale)", "tag", parsing: .next)
    var language: String?

    @Option("Open result N: record the choice and print its address.", "n", parsing: .next)
    var open: Int?

    @OptionGroup var batch: BatchOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        session.language = language
        let kinds = try kinds()
        let query = try batch.query(words, named: "WORDS")
        let switchboard = try session.switchboard()
        session.usesPopularList = kinds.contains(.airport)
        // A query across all kinds may contain a person's name, which must not be sent to an airport server.
        let completion = kinds == [.airport] ? try session.completion() : nil
        return try session.search(query, opening: open, completing: completion) {
            try switchboard.search(SearchInput($0, keypad: keypad), kinds: kinds, limit: session.searchLimit)
        }
    }

    private func kinds() throws -> Set<ResultKind> {
        if kind.isEmpty { return Set(ResultKind.allCases) }
        return try Set(
            kind.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map { name in
                guard let kind = ResultKind(rawValue: String(name)) else {
                    let known = ResultKind.allCases.map(\.rawValue).joined(separator: ", ")
                    throw SwitchboardError.usage("unknown kind “\(name)”; use \(known)")
                }
                return kind
            })
    }
}
