import ArgumentParser
import SwitchboardBadges
import SwitchboardProspects
import SwitchboardKit

struct ProspectsMe: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "me", abstract: "Your own badge.", subcommands: [Show.self, Set.self], defaultSubcommand: Show.self
    )

    struct Show: Command {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Your badge as a QR code: in the terminal, or as a picture.")

        /// What the terminal is like, where colours may not be set.
        enum Ground: String, CaseIterable, ExpressibleByArgument {
            case dark, light
        }

        @Option(parsing: .unconditional, help: ArgumentHelp("Write a PNG picture.", valueName: "file"))
        var png: String?
        @Option(parsing: .unconditional, help: ArgumentHelp("Write an SVG picture.", valueName: "file"))
        var svg: String?
        @Option(help: "The ground of the terminal, where the code is drawn without colours.")
        var ground = Ground.dark
        @OptionGroup var global: GlobalOptions

        func run(_ session: Session) throws -> ExitStatus {
            guard let me = try session.switchboard().prospects.me() else {
                throw Fault(
                    code: "notSet", message: "your badge is not set; 'prospects me set --name … --email …' sets it",
                    status: .nothingFound)
            }
            let card = Badge(me).vCard
            let code = try QRCode(card)
            if let png { try WholeFile.write(code.png(), to: png) }
            if let svg { try WholeFile.write(Array(code.svg().utf8), to: svg) }
            try session.answer(MeResponse(me)) {
                if png == nil, svg == nil { session.show(code, on: ground) }
            }
            return .done
        }
    }

    struct Set: Command {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Say what stands on your badge; what no flag names stays, an empty text removes.")

        @Option(parsing: .unconditional, help: ArgumentHelp("Your name.", valueName: "text"))
        var name: String?
        @Option(parsing: .unconditional, help: ArgumentHelp("Your e-mail address.", valueName: "address"))
        var email: String?
        @Option(parsing: .unconditional, help: ArgumentHelp("Your phone number.", valueName: "number"))
        var phone: String?
        @Option(parsing: .unconditional, help: ArgumentHelp("Your company.", valueName: "text"))
        var organization: String?
        @Option(parsing: .unconditional, help: ArgumentHelp("What you do there.", valueName: "text"))
        var title: String?
        @Option(parsing: .unconditional, help: ArgumentHelp("Your page.", valueName: "url"))
        var url: String?
        @OptionGroup var global: GlobalOptions

        func run(_ session: Session) throws -> ExitStatus {
            let fields = [
                (\MyDetails.name, name), (\.email, email), (\.phone, phone), (\.organization, organization),
                (\.title, title), (\.url, url),
            ]
            if fields.allSatisfy({ $0.1 == nil }) { throw Fault.usage("nothing to change; give a flag such as --name") }
            let switchboard = try session.switchboard()
            var me = try switchboard.prospects.me() ?? MyDetails()
            for (field, text) in fields {
                if let text { me[keyPath: field] = text }
            }
            let kept = try switchboard.setMe(me)
            try session.answer(MeResponse(kept)) {
                session.diagnostics.note("kept; 'prospects me' shows the code")
            }
            return .done
        }
    }
}

extension Session {
    /// Draws a code so that it can be read from the screen: with colours of its own, or, where there may be none, in the colour of
    /// letters.
    fileprivate func show(_ code: QRCode, on ground: ProspectsMe.Show.Ground) {
        if style.isColoured {
            output.write(code.text(.blackOnWhite))
        } else {
            output.write(code.text(ground == .dark ? .lightOnDark : .darkOnLight))
        }
    }
}
