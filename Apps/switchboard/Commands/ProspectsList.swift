import ArgumentParser
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardProspects

/// The filter and order of a list of prospects.
struct ProspectListOptions: ParsableArguments {
    @Option(help: "everyone, contacted or uncontacted.")
    var filter = ProspectFilter.everyone

    @Option(help: "name, or recent for the last met first.")
    var sort = ProspectOrder.name
}

struct ProspectsList: Command {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List prospects.")

    @OptionGroup var list: ProspectListOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let prospects = try session.switchboard().prospects
        try session.list { try prospects.forEachRow(list, $0) }
        return .done
    }
}

struct ProspectsFind: Command {
    static let configuration = CommandConfiguration(
        commandName: "find", abstract: "Find prospects by name, company, e-mail address, phone number or note.")

    @Argument(help: ArgumentHelp("The search text.", valueName: "text"))
    var text: [String] = []

    @OptionGroup var batch: BatchOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let query = try batch.query(text, named: "TEXT")
        let switchboard = try session.switchboard()
        return try session.search(query) {
            try switchboard.searchProspects(SearchInput($0), limit: session.searchLimit)
        }
    }
}

struct ProspectsShow: Command {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a prospect.")

    @Argument(help: "The identifier.") var id: String
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let prospect = try session.switchboard().prospects.prospect(id)
        try session.respond(SearchResult(prospect)) { session.show(prospect.details) }
        return .done
    }
}

struct ProspectsExport: Command {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write prospects to standard output as vcard3, vcard4, csv, json or jsonl.")

    /// The formats of `ProspectFormat`, JSON, and JSON lines.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case vcard3, vcard4, csv, json, jsonl
    }

    @Option(help: "The format. (default: vcard3, or json with --json)") var format: Format?
    @OptionGroup var list: ProspectListOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let prospects = try session.switchboard().prospects
        switch format ?? (global.json ? .json : .vcard3) {
        case .vcard3: try export(prospects, .vcard3, session)
        case .vcard4: try export(prospects, .vcard4, session)
        case .csv: try export(prospects, .csv, session)
        case .json: try session.writeJSON { try prospects.forEachRow(list, $0) }
        case .jsonl: try session.writeJSON(asLines: true) { try prospects.forEachRow(list, $0) }
        }
        return .done
    }

    private func export(_ prospects: Prospects, _ format: ProspectFormat, _ session: Session) throws {
        try session.export(hasHeader: format == .csv) {
            try prospects.export(format, list.filter, sortedBy: list.sort, to: $0)
        }
    }
}

extension Prospects {
    /// Calls a closure with the row of each prospect of a list.
    fileprivate func forEachRow(_ list: ProspectListOptions, _ body: (SearchResult) throws -> Void) throws {
        try forEach(list.filter, sortedBy: list.sort) { try body(SearchResult($0)) }
    }
}
