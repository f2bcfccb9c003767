import ArgumentParser
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardSearchChoices
import SwitchboardStorage

struct AccessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "access", "Manage access to contacts, notifications and location.",
        subcommands: commands([Status.self, Grant.self, Deny.self, Reset.self]))

    struct Status: Command {
        static let configuration = CommandConfiguration("status", "Show what is granted and denied.")

        func run(_ session: Session) throws -> ExitStatus { try session.showAccess(of: AccessSubject.allCases) }
    }

    struct Grant: Command {
        static let configuration = CommandConfiguration("grant", "Grant access.")

        @OptionGroup var subjects: AccessSubjects

        func run(_ session: Session) throws -> ExitStatus { try subjects.set(.authorized, session) }
    }

    struct Deny: Command {
        static let configuration = CommandConfiguration("deny", "Deny access.")

        @OptionGroup var subjects: AccessSubjects

        func run(_ session: Session) throws -> ExitStatus { try subjects.set(.denied, session) }
    }

    struct Reset: Command {
        static let configuration = CommandConfiguration(
            "reset", "Forget earlier answers, so that the next use asks again.")

        @OptionGroup var subjects: AccessSubjects

        func run(_ session: Session) throws -> ExitStatus { try subjects.set(.notDetermined, session) }
    }
}

struct AccessSubjects: ParsableArguments {
    @Argument(help: "contacts, notifications or location.") var what: [AccessSubject]

    fileprivate func set(_ status: AccessStatus, _ session: Session) throws -> ExitStatus {
        let storage = try session.switchboard().storage
        for subject in what { try storage.setStatus(status, of: subject) }
        return try session.showAccess(of: what)
    }
}

extension Session {
    /// The answers of the user in words.
    private static let words = [
        AccessStatus.notDetermined.rawValue: "not asked yet", AccessStatus.authorized.rawValue: "allowed",
        AccessStatus.denied.rawValue: "denied",
    ]

    fileprivate func showAccess(of subjects: [AccessSubject]) throws -> ExitStatus {
        let storage = try switchboard().storage
        return try respond(subjects.map { try AccessRow(of: $0, in: storage) }) {
            var purpose = Cell($0.purpose, .faint)
            purpose.isSentence = true
            return [Cell($0.what, .strong), Cell(Self.words[$0.status] ?? $0.status), purpose]
        }
    }
}

struct DesktopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "desktop", "Choose what the desktop's own search shows.",
        subcommands: commands([Status.self, Enable.self, Disable.self]))

    struct Status: Command {
        static let configuration = CommandConfiguration("status", "Show which kinds the desktop's search shows.")

        func run(_ session: Session) throws -> ExitStatus {
            try session.show(DesktopSettings(file: session.settingsFile("desktop.conf")))
        }
    }

    struct Enable: Command {
        static let configuration = CommandConfiguration("enable", "Show all kinds, or the named ones, too.")

        @OptionGroup var selection: KindSelection

        func run(_ session: Session) throws -> ExitStatus {
            try session.change { $0.formUnion(try selection.selected()) }
        }
    }

    struct Disable: Command {
        static let configuration = CommandConfiguration("disable", "Hide all kinds, or the named ones.")

        @OptionGroup var selection: KindSelection

        func run(_ session: Session) throws -> ExitStatus {
            try session.change { $0.subtract(try selection.selected()) }
        }
    }
}

struct KindSelection: ParsableArguments {
    @Option(
        "Only these kinds, separated by commas: contact, prospect, airport, item.", "kinds",
        completion: .list(ResultKind.allCases.map(\.rawValue)))
    var kinds: [String] = []

    fileprivate func selected() throws -> Set<ResultKind> {
        kinds.isEmpty ? Set(ResultKind.allCases) : try ResultKind.named(kinds)
    }
}

extension Session {
    fileprivate func change(_ edit: (inout Set<ResultKind>) throws -> Void) throws -> ExitStatus {
        let file = try settingsFile("desktop.conf")
        var settings = try DesktopSettings(file: file)
        try edit(&settings.shownKinds)
        try settings.write(to: file)
        return try show(settings)
    }

    fileprivate func show(_ settings: DesktopSettings) throws -> ExitStatus {
        try respond(settings.rows) { [Cell($0.kind.rawValue, .strong), Cell($0.isShown ? "shown" : "hidden")] }
        if !isRegisteredOnDesktop {
            diagnostics.note("the desktop does not search here yet; install the package switchboard-desktop")
        }
        return .done
    }
}

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
