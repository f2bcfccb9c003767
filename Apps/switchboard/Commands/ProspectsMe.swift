import ArgumentParser
import SwitchboardBadges
import SwitchboardKit
import SwitchboardProspects

struct ProspectsMe: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "me", abstract: "Show or set your own badge.", subcommands: [Show.self, Set.self],
        defaultSubcommand: Show.self
    )

    struct Show: Command {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show your badge as a QR code, or write it as a picture.")

        /// The background of a terminal without colours.
        enum Background: String, CaseIterable, ExpressibleByArgument {
            case dark, light
        }

        @Option("Write a PNG picture.", "file") var png: String?
        @Option("Write an SVG picture.", "file") var svg: String?
        @Option(help: "The background of a terminal without colours.")
        var ground = Background.dark
        @OptionGroup var global: GlobalOptions

        func run(_ session: Session) throws -> ExitStatus {
            guard let me = try session.switchboard().prospects.me() else {
                throw SwitchboardError(
                    code: "notSet",
                    message:
                        "your badge is not set; set it with 'switchboard prospects me set --name NAME --email ADDRESS'",
                    status: .nothingFound)
            }
            let card = Badge(me).vCard
            let code = try QRCode(card)
            if let png { try FileIO.write(code.png(), to: png) }
            if let svg { try FileIO.write(Array(code.svg().utf8), to: svg) }
            return try session.respond(MeResponse(me)) {
                if png == nil, svg == nil { session.show(code, on: ground) }
            }
        }
    }

    struct Set: Command {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Set the given fields of your badge; an empty text removes a field.")

        @Option("Your name.", "text") var name: String?
        @Option("Your e-mail address.", "address") var email: String?
        @Option("Your phone number.", "number") var phone: String?
        @Option("Your company.", "text") var organization: String?
        @Option("Your job title.", "text") var title: String?
        @Option("Your web page.", "url") var url: String?
        @OptionGroup var global: GlobalOptions

        func run(_ session: Session) throws -> ExitStatus {
            let fields = [
                (\MyDetails.name, name), (\.email, email), (\.phone, phone), (\.organization, organization),
                (\.title, title), (\.url, url),
            ]
            if fields.allSatisfy({ $0.1 == nil }) {
                throw SwitchboardError.usage("nothing to change; add an option such as --name")
            }
            let switchboard = try session.switchboard()
            var me = try switchboard.prospects.me() ?? MyDetails()
            for (field, text) in fields {
                if let text { me[keyPath: field] = text }
            }
            let kept = try switchboard.setMe(me)
            return try session.respond(
                MeResponse(kept), note: "saved; show the code with 'switchboard prospects me'")
        }
    }
}

extension Session {
    /// Draws a QR code in black on white, or in the terminal's own colours if colours are disabled.
    fileprivate func show(_ code: QRCode, on ground: ProspectsMe.Show.Background) {
        if style.isColoured {
            output.write(code.text(.blackOnWhite))
        } else {
            output.write(code.text(ground == .dark ? .lightOnDark : .darkOnLight))
        }
    }
}
