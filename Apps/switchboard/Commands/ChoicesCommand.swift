import ArgumentParser
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardSearchChoices

struct ChoicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "choices", "Manage what was chosen for which query, which comes first the next time.",
        subcommands: commands([
            ChoicesList.self, ChoicesRecord.self, ChoicesForget.self, ChoicesLearning.self,
        ]))
}

struct ChoicesList: Command {
    static let configuration = CommandConfiguration(
        "list", "List the choices, newest first.", discussion: "A query that begins with # was typed by keypad.")

    var isReading: Bool { true }

    func run(_ session: Session) throws -> ExitStatus {
        try session.respond(session.switchboard().chosen(limit: session.listLimit)) { row in
            [
                Cell(row.query, .strong), Cell(row.title), Cell("\(row.count)×", .faint, isRightAligned: true),
                Cell(row.kind, .faint), Cell(row.id, .faint),
            ]
        }
    }
}

struct ChoicesRecord: Command {
    static let configuration = CommandConfiguration(
        "record", "Record that an object was chosen for a query, as 'find --open' does.",
        discussion: "For example: switchboard choices record LHR --kind airport --query lon")

    @Argument(help: "The identifier of the object; also the name of a contact or prospect.") var id: String
    @Option(
        help: ArgumentHelp("contact, prospect, airport or item.", valueName: "kind"),
        completion: .list(ResultKind.allCases.map(\.rawValue)))
    var kind: String
    @Option(help: ArgumentHelp("The typed text, or digits with --keypad.", valueName: "text")) var query: String
    @Flag(help: "Read the query as keypad digits.") var keypad = false
    @Option("The index of an item.", "name", parsing: .next) var index: String?

    func run(_ session: Session) throws -> ExitStatus {
        guard let kind = ResultKind(rawValue: kind) else {
            let known = ResultKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw SwitchboardError.usage("unknown kind “\(kind)”; use \(known)")
        }
        let link =
            switch kind {
            case .contact: DeepLink(kind: .contact, id: try session.contact(id))
            case .prospect: DeepLink(kind: .prospect, id: try session.prospect(id))
            case .airport: DeepLink(kind: .airport, id: id.uppercased())
            case .item: DeepLink(kind: .item, id: id, index: index)
            }
        let switchboard = try session.switchboard()
        try switchboard.recordChoice(of: link, for: SearchInput(query, keypad: keypad))
        let isOn = try switchboard.choices.isOn()
        return try session.respond(
            ["id": link.id], note: isOn ? "recorded \(link.id) for “\(query)”" : "learning is off; nothing was recorded"
        )
    }
}

struct ChoicesForget: Command {
    static let configuration = CommandConfiguration(
        "forget", "Forget the choices of an object, or all of them with --all.")

    @Argument(help: "The identifier that 'choices list' shows.") var id: String?
    @Flag(help: "Forget all choices.") var all = false

    func run(_ session: Session) throws -> ExitStatus {
        guard (id == nil) == all else { throw SwitchboardError.usage("give either the ID to forget or --all") }
        let choices = try session.switchboard().choices
        guard let id else {
            try choices.forgetAll()
            return try session.respond(["ids": [String]()], note: "forgot all choices")
        }
        guard try choices.forget(id) > 0 else {
            throw SwitchboardError(
                code: "notFound", message: "“\(id)” was not chosen; 'switchboard choices list' shows what was",
                status: .nothingFound)
        }
        return try session.respond("forgot the choices of", ids: [id])
    }
}

struct ChoicesLearning: Command {
    static let configuration = CommandConfiguration(
        "learning", "Show whether choices are learned, or switch learning on or off.",
        discussion: """
            While learning is off, choices are neither recorded nor used. 'choices forget --all' deletes them.
            """)

    @Argument(help: "on or off. (default: show the setting)") var state: LearningState?

    func run(_ session: Session) throws -> ExitStatus {
        let choices = try session.switchboard().choices
        if let state { try choices.setOn(state == .on) }
        let isOn = try choices.isOn()
        return try session.respond(["learning": isOn], line: isOn ? "on" : "off")
    }
}

enum LearningState: String, ExpressibleByArgument, CaseIterable {
    case on, off
}
