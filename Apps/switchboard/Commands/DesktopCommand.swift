import ArgumentParser
import SwitchboardKit

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
