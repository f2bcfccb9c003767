import ArgumentParser
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

    @Option(help: ArgumentHelp("The language of airport names. (default: from the locale)", valueName: "tag"))
    var language: String?

    @Option(help: ArgumentHelp("Open result N: record the choice and print its address.", valueName: "n"))
    var open: Int?

    @OptionGroup var batch: BatchOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        session.language = language
        return try session.find(
            words, isBatch: batch.batch, kinds: kinds(), isKeypad: keypad, opening: open)
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
