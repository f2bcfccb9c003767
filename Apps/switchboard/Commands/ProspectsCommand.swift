import ArgumentParser
import SwitchboardBadges
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardProspects

struct ProspectsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "prospects", "Manage people met at events: scan badges, keep notes, set reminders.",
        subcommands: commands([
            ProspectsList.self, ProspectsFind.self, ProspectsShow.self, ProspectsScan.self,
            ProspectsAdd.self, ProspectsEdit.self,
            ProspectsRemove.self, ProspectsContacted.self, ProspectsRemind.self, ProspectsAddToContacts.self,
            ProspectsExport.self,
        ]) + [ProspectsMe.self])
}

struct ProspectListOptions: ParsableArguments {
    @Option(help: "everyone, contacted or uncontacted.")
    var filter = ProspectFilter.everyone

    @Option(help: "name, or recent for the last met first.")
    var sort = ProspectOrder.name
}

struct ProspectsList: Command {
    static let configuration = CommandConfiguration("list", "List prospects.", aliases: ["ls"])

    @OptionGroup var list: ProspectListOptions

    var isReading: Bool { true }

    func run(_ session: Session) throws -> ExitStatus {
        let prospects = try session.switchboard().prospects
        return try session.list(of: { try prospects.count(list.filter) }) {
            try prospects.forEachRow(list, $0)
        } ifEmpty: {
            session.noteEmpty(
                list.filter == .everyone ? "the list" : "the list of \(list.filter.rawValue) prospects",
                "add prospects with 'switchboard prospects scan IMAGE' or 'prospects add'")
        }
    }
}

struct ProspectsFind: Command {
    static let configuration = CommandConfiguration(
        "find", "Find prospects by name, company, e-mail address, phone number or note.")

    @Argument("The search text.", "text") var text: [String] = []

    @OptionGroup var batch: BatchOptions
    @OptionGroup var explaining: ExplainOption

    var isReading: Bool { true }

    func run(_ session: Session) throws -> ExitStatus {
        session.isExplaining = explaining.explain
        let query = try batch.query(text, named: "TEXT")
        let switchboard = try session.switchboard()
        return try session.search(query) {
            try switchboard.searchProspects(SearchInput($0), limit: $1)
        }
    }
}

struct ProspectsShow: Command {
    static let configuration = CommandConfiguration("show", "Show a prospect.")

    @Argument(help: "The identifier, its beginning, or the name.", completion: .prospects) var id: String

    var isReading: Bool { true }

    func run(_ session: Session) throws -> ExitStatus {
        let prospect = try session.switchboard().prospects.prospect(try session.prospect(id))
        return try session.respond(SearchResult(prospect)) { session.show(prospect.details) }
    }
}

struct ProspectsExport: Command {
    static let configuration = CommandConfiguration(
        "export", "Write prospects to standard output as vcard3, vcard4, csv, json or jsonl.")

    @Option(help: "The format. (default: vcard3, or json with --json)") var format: ExportChoice?
    @OptionGroup var list: ProspectListOptions

    var isReading: Bool { true }

    func run(_ session: Session) throws -> ExitStatus {
        let prospects = try session.switchboard().prospects
        return try session.export(format, rows: { try prospects.forEachRow(list, $0) }) {
            try prospects.export($0 as ProspectFormat, list.filter, sortedBy: list.sort, to: $1)
        }
    }
}

extension Prospects {
    fileprivate func forEachRow(_ list: ProspectListOptions, _ body: (SearchResult) throws -> Void) throws {
        try forEach(list.filter, sortedBy: list.sort) { try body(SearchResult($0)) }
    }
}

/// The options of `add` and `edit` for the fields of a prospect.
struct ProspectFlags: ParsableArguments {
    @Option("The full name.", "text") var name: String?
    @Option("The e-mail address.", "address") var email: String?
    @Option("The phone number.", "number") var phone: String?
    @Option("The company.", "text", name: [.long, .customLong("organisation")]) var organization: String?
    @Option("A note.", "text") var note: String?
    @Option("Where you met.", "place") var met: String?
    @OptionGroup var region: RegionOption

    var change: ProspectChange {
        var change = ProspectChange()
        change.name = name
        change.email = email
        change.phone = phone
        change.organization = organization
        change.note = note
        change.met = met
        return change
    }
}

struct ProspectsAdd: Command {
    static let configuration = CommandConfiguration(
        "add", "Add a prospect, or new details of a known one.",
        discussion: "For example: switchboard prospects add --name 'Ana Li' --email ana@example.org --met Oslo")

    @OptionGroup var flags: ProspectFlags

    func run(_ session: Session) throws -> ExitStatus {
        session.region = flags.region.region
        let added = try session.switchboard().addProspect(flags.change)
        try session.respond(changed: added.prospect)
        if added.wasKnown {
            session.diagnostics.note("\(added.prospect.displayName) is already listed; added the new details")
        }
        return .done
    }
}

struct ProspectsEdit: Command {
    static let configuration = CommandConfiguration(
        "edit", "Change the given fields of a prospect; an empty text removes a field.")

    @Argument(help: "The identifier, its beginning, or the name.", completion: .prospects) var id: String
    @OptionGroup var flags: ProspectFlags

    func run(_ session: Session) throws -> ExitStatus {
        session.region = flags.region.region
        if flags.change.isEmpty { throw SwitchboardError.usage("nothing to change; add an option such as --email") }
        return try session.respond(
            changed: try session.switchboard().editProspect(try session.prospect(id), flags.change))
    }
}

struct ProspectsRemove: Command {
    static let configuration = CommandConfiguration(
        "remove", "Remove prospects; if one is unknown, none is removed.",
        discussion: "--undo restores removed prospects and their reminders for \(Prospects.daysToRestore) days.",
        aliases: ["rm"])

    @Argument(help: "The identifiers or names.", completion: .prospects) var ids: [String]
    @Flag(help: "Restore removed prospects.") var undo = false

    func run(_ session: Session) throws -> ExitStatus {
        let switchboard = try session.switchboard()
        if undo {
            let removed = try ids.map(switchboard.removedProspectIdentifier)
            return try session.respond(changed: try switchboard.restoreProspects(removed))
        }
        let known = try ids.map(session.prospect)
        let names = try known.map { try switchboard.prospects.prospect($0).displayName }
        try switchboard.removeProspects(known)
        return try session.respondRemoved("prospects", known, names: names)
    }
}

struct ProspectsContacted: Command {
    static let configuration = CommandConfiguration(
        "contacted", "Mark prospects as contacted; if one is unknown, none is marked.")

    @Argument(help: "The identifiers or names.", completion: .prospects) var ids: [String]
    @Flag(help: "Remove the mark.") var undo = false

    func run(_ session: Session) throws -> ExitStatus {
        try session.respond(changed: try session.switchboard().setContacted(try ids.map(session.prospect), to: !undo))
    }
}

struct ProspectsAddToContacts: Command {
    static let configuration = CommandConfiguration("add-to-contacts", "Copy prospects to the address book.")

    @Argument(help: "The identifiers or names.", completion: .prospects) var ids: [String]

    func run(_ session: Session) throws -> ExitStatus {
        try session.respond(changed: try session.switchboard().addToContacts(try ids.map(session.prospect)))
    }
}

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
        for file in report.empty { session.diagnostics.warn("\(file): \(ScanReport.emptyReason)") }
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
        if style.isColored {
            output.write(code.text(.blackOnWhite))
        } else {
            output.write(code.text(ground == .dark ? .lightOnDark : .darkOnLight))
        }
    }
}
