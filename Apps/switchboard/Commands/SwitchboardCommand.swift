import ArgumentParser
import Foundation
import SwitchboardContacts
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardProspects

struct SwitchboardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "switchboard",
        abstract: "Find contacts, airports and other things in the fewest keystrokes.",
        discussion: """
            Data goes to standard output, everything else to standard error. Every command takes --json, and every search takes \
            --batch.

            Exit status: 0 success, 1 nothing found, 64 invalid usage, 65 malformed input, 66 missing input, 69 service \
            unavailable, 70 internal error, 74 input or output error, 75 temporary failure, 77 access not granted, 130 interrupted.
            """,
        version: "switchboard \(Switchboard.version)",
        subcommands: [
            Runnable<FindCommand>.self, Runnable<OpenCommand>.self, ContactsCommand.self, ProspectsCommand.self,
            RemindersCommand.self,
            KeypadCommand.self,
            AirportsCommand.self, IndexCommand.self, ActivityCommand.self, ChoicesCommand.self, AccessCommand.self,
            DesktopCommand.self, DatabaseCommand.self,
        ])
}

struct FindCommand: Command {
    static let configuration = CommandConfiguration(
        "find", "Find contacts, prospects, airports and items.",
        discussion: """
            Results of all kinds are ranked together. For example:

              switchboard find rio
              switchboard find --keypad 74647
              switchboard find --kind airport,contact paris
            """, aliases: ["search"])

    @Argument("The search text, or digits with --keypad.", "words") var words: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only these kinds, separated by commas: contact, prospect, airport, item.", valueName: "kinds"),
        completion: .list(ResultKind.allCases.map(\.rawValue)))
    var kind: [String] = []

    @Flag(help: "Read the words as keypad digits.")
    var keypad = false

    @Option(
        "The language of airport names. (default: from the locale)", "tag", parsing: .next, completion: .languages)
    var language: String?

    @Option("Open result N: record the choice and print its address.", "n", parsing: .next)
    var open: Int?

    @OptionGroup var batch: BatchOptions
    @OptionGroup var explaining: ExplainOption

    func validate() throws { try checkLanguage(language) }

    func run(_ session: Session) throws -> ExitStatus {
        session.language = language
        session.isExplaining = explaining.explain
        if !keypad { session.keypadCommand = "find --keypad" }
        let kinds = kind.isEmpty ? Set(ResultKind.allCases) : try ResultKind.named(kind)
        let query = try batch.query(words, named: "WORDS")
        let switchboard = try session.switchboard()
        session.usesPopularList = kinds.contains(.airport)
        // A query across all kinds may contain a person's name, which must not be sent to an airport server.
        let completion = kinds == [.airport] ? try session.completion() : nil
        return try session.search(query, opening: open, completing: completion) {
            try switchboard.search(SearchInput($0, keypad: keypad), kinds: kinds, limit: $1)
        }
    }
}

extension ResultKind {
    /// Returns the kinds named by arguments; an argument may list several kinds, separated by commas.
    static func named(_ arguments: [String]) throws -> Set<ResultKind> {
        try Set(
            arguments.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map { name in
                // Accept plurals, like the names of the commands.
                let singular = name.last == "s" ? name.dropLast() : name
                guard let kind = ResultKind(rawValue: String(singular)) else {
                    let known = ResultKind.allCases.map(\.rawValue).joined(separator: ", ")
                    throw SwitchboardError.usage("unknown kind “\(name)”; use \(known)")
                }
                return kind
            })
    }
}

struct OpenCommand: Command {
    static let configuration = CommandConfiguration(
        "open", "Open an object or an address on the desktop; without a desktop, print the address.",
        discussion: """
            An item is opened by its owner ('index owners'), else on its page; of other objects, the details are opened. An \
            address begins with https:, http:, mailto: or tel:, or is one that 'find --open' prints. For example:

              switchboard open LHR
              switchboard open mailto:ana@example.org
            """)

    @Argument(help: "The identifier or name of an object, or an address.", completion: .anything) var id: String

    private struct Response: Encodable {
        let open: String
        let result: SearchResult?
    }

    func run(_ session: Session) throws -> ExitStatus {
        let scheme = id.split(separator: ":", maxSplits: 1).first.map { $0.lowercased() } ?? ""
        if ["https", "http", "mailto", "tel"].contains(scheme), id.contains(":") {
            return try respond(Desktop.open(id), id, nil, session)
        }
        let switchboard = try session.switchboard()
        if let link = DeepLink(url: id), [.activity, .find].contains(link.kind) {
            return try open(switchboard.opening(at: link), nil, session)
        }
        guard let result = try result(switchboard) else {
            throw SwitchboardError(
                code: "notFound", message: "nothing has the identifier or name “\(id)”", status: .nothingFound)
        }
        try switchboard.beginShowing(result)
        defer { session.compact() }
        return try open(switchboard.opening(of: result), result, session)
    }

    private func result(_ switchboard: Switchboard) throws -> SearchResult? {
        if let link = DeepLink(url: id) { return try switchboard.result(at: link) }
        let links = [
            DeepLink(kind: .contact, id: try switchboard.contactIdentifier(ifAny: id) ?? id),
            DeepLink(kind: .prospect, id: try switchboard.prospectIdentifier(ifAny: id) ?? id),
            DeepLink(kind: .item, id: id),
            DeepLink(kind: .airport, id: id.uppercased()),
        ]
        for link in links {
            if let result = try? switchboard.result(at: link) { return result }
        }
        return nil
    }

    private func open(_ opening: Opening, _ result: SearchResult?, _ session: Session) throws -> ExitStatus {
        try respond(Desktop.open(opening), opening.address, result, session)
    }

    private func respond(
        _ outcome: Desktop.Outcome, _ address: String, _ result: SearchResult?, _ session: Session
    ) throws -> ExitStatus {
        try session.respond(Response(open: address, result: result)) {
            if outcome == .opened {
                session.diagnostics.note("opened \(address)")
            } else {
                session.output.write(address + "\n")
            }
        }
    }
}
