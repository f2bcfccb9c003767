import ArgumentParser
import SwitchboardKit

struct FindCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find people, places and things, whatever they are.",
        discussion: """
            Results are in order of how well they match, whatever their kind. For example:

              switchboard find rio
              switchboard find --keypad 74647
              switchboard find --kind airport,contact paris
            """)

    @Argument(help: ArgumentHelp("What to look for, or with --keypad the digits.", valueName: "words"))
    var words: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only these kinds: contact, prospect, airport, item; several with commas.", valueName: "kinds"))
    var kind: [String] = []

    @Flag(help: "Read the words as digits of a keypad.")
    var keypad = false

    @Option(help: ArgumentHelp("The language of airports' names; that of the locale otherwise.", valueName: "tag"))
    var language: String?

    @Option(help: ArgumentHelp("Open result N: remember the choice and print where it leads.", valueName: "n"))
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
                    throw Fault.usage("--kind: there is no kind “\(name)”; known are \(known)")
                }
                return kind
            })
    }
}
