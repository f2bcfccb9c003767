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
        return try session.list { try prospects.forEachRow(list, $0) }
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
        return try session.respond(SearchResult(prospect)) { session.show(prospect.details) }
    }
}

struct ProspectsExport: Command {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write prospects to standard output as vcard3, vcard4, csv, json or jsonl.")

    @Option(help: "The format. (default: vcard3, or json with --json)") var format: ExportChoice?
    @OptionGroup var list: ProspectListOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let prospects = try session.switchboard().prospects
        return try session.export(format, rows: { try prospects.forEachRow(list, $0) }) {
            try prospects.export($0 as ProspectFormat, list.filter, sortedBy: list.sort, to: $1)
        }
    }
}

extension Prospects {
    /// Calls a closure with the row of each prospect of a list.
    fileprivate func forEachRow(_ list: ProspectListOptions, _ body: (SearchResult) throws -> Void) throws {
        try forEach(list.filter, sortedBy: list.sort) { try body(SearchResult($0)) }
    }
}
