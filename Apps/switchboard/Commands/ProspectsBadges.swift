import ArgumentParser
import SwitchboardBadges
import SwitchboardKit
import SwitchboardProspects

struct ProspectsScan: Command {
    static let configuration = CommandConfiguration(
        "scan", "Add prospects from pictures of badges.",
        discussion: """
            Reads PNG, JPEG, HEIC, WebP and GIF files with one or more codes each. Codes that are not badges are printed and skipped, and the exit \
            status is 65. Without any code it is 1.
            """)

    @Argument(help: ArgumentHelp("The pictures, or - for standard input.", valueName: "image"), completion: .file())
    var images: [String]
    @Option("Where you met.", "place") var met: String?
    @OptionGroup var region: RegionOption

    /// The maximum size of a picture file, larger than any camera picture within the pixel limit.
    private static let largestFile = 64 << 20

    func run(_ session: Session) throws -> ExitStatus {
        session.region = region.region
        var scan = BadgeScan()
        for image in images {
            try scan.read(FileIO.read(image, limit: Self.largestFile), named: image)
        }
        let report = try scan.finish(into: session.switchboard(), met: met ?? "")
        if let fault = report.refused.first, report.added.isEmpty, images.count == 1, fault.text == nil {
            throw SwitchboardError(code: "malformedInput", message: fault.reason, file: fault.file, status: .malformed)
        }
        try session.respond(report) { session.show(report.added.map { SearchResult($0.prospect) }) }
        if !report.added.isEmpty {
            let merged = report.added.count(where: \.wasKnown)
            session.diagnostics.note("added \(report.added.count - merged), merged \(merged) met before")
        }
        for skipped in report.refused {
            let text = skipped.text.map { ": “\($0)”" } ?? ""
            session.diagnostics.warn("\(skipped.file): \(skipped.reason)\(text)")
        }
        for file in report.empty { session.diagnostics.warn("\(file): no code found in the picture") }
        return report.status
    }
}

struct ProspectsMe: ParsableCommand {
    static let configuration = CommandConfiguration(
        "me", "Show or set your own badge.", subcommands: commands([Show.self, Set.self]),
        defaultSubcommand: Runnable<Show>.self
    )

    struct Show: Command {
        static let configuration = CommandConfiguration(
            "show", "Show your badge as a QR code, or write it as a picture.")

        /// The background of a terminal without colors.
        enum Background: String, CaseIterable, ExpressibleByArgument {
            case dark, light
        }

        @Option("Write a PNG picture.", "file", completion: .file()) var png: String?
        @Option("Write an SVG picture.", "file", completion: .file()) var svg: String?
        @Option(help: "The background of a terminal without colours.")
        var ground = Background.dark

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
            if let png { session.noteEarlier(try FileIO.write(code.png(), to: png)) }
            if let svg { session.noteEarlier(try FileIO.write(Array(code.svg().utf8), to: svg)) }
            return try session.respond(MeResponse(me)) {
                if png == nil, svg == nil { session.show(code, on: ground) }
            }
        }
    }

    struct Set: Command {
        static let configuration = CommandConfiguration(
            "set", "Set the given fields of your badge; an empty text removes a field.")

        @Option("Your name.", "text") var name: String?
        @Option("Your e-mail address.", "address") var email: String?
        @Option("Your phone number.", "number") var phone: String?
        @Option("Your company.", "text", name: [.long, .customLong("organisation")]) var organization: String?
        @Option("Your job title.", "text") var title: String?
        @Option("Your web page.", "url") var url: String?

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
    /// Draws a QR code in black on white, or in the terminal's own colors if colors are disabled.
    fileprivate func show(_ code: QRCode, on ground: ProspectsMe.Show.Background) {
        if style.isColoured {
            output.write(code.text(.blackOnWhite))
        } else {
            output.write(code.text(ground == .dark ? .lightOnDark : .darkOnLight))
        }
    }
}
