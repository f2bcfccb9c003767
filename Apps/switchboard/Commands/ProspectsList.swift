import ArgumentParser
import SwitchboardProspects
import SwitchboardKit

/// Which prospects, and in which order.
struct ProspectListOptions: ParsableArguments {
    @Option(help: "everyone, contacted or uncontacted.")
    var filter = ProspectFilter.everyone

    @Option(help: "name or recent, those met last first.")
    var sort = ProspectOrder.name
}

struct ProspectsList: Command {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "The people met.")

    @OptionGroup var list: ProspectListOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let prospects = try session.switchboard().prospects
        if global.json {
            try session.writeResults(of: prospects, list)
        } else {
            try session.forEachPage(of: prospects, list) { session.show($0) }
        }
        return .done
    }
}

struct ProspectsFind: Command {
    static let configuration = CommandConfiguration(
        commandName: "find", abstract: "Find people met by name, company, address, number or note, forgiving typos.")

    @Argument(help: ArgumentHelp("What to look for.", valueName: "text"))
    var text: [String] = []

    @OptionGroup var batch: BatchOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let query = try batch.query(text, named: "TEXT")
        let switchboard = try session.switchboard()
        return try session.search(query) { try switchboard.findProspects($0, limit: session.searchLimit) }
    }
}

struct ProspectsShow: Command {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "All that is known of one.")

    @Argument(help: "The identifier.") var id: String
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let prospect = try session.switchboard().prospects.prospect(id)
        try session.answer(SearchResult(prospect)) { session.show(prospect.details) }
        return .done
    }
}

struct ProspectsExport: Command {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the people met to standard output: vcard3, vcard4, csv, json or jsonl.")

    /// The formats of the module, and JSON.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case vcard3, vcard4, csv, json, jsonl
    }

    @Option(help: "The format; vcard3 otherwise, with --json json.") var format: Format?
    @OptionGroup var list: ProspectListOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let prospects = try session.switchboard().prospects
        switch format ?? (global.json ? .json : .vcard3) {
        case .vcard3: try session.export(prospects, .vcard3, list)
        case .vcard4: try session.export(prospects, .vcard4, list)
        case .csv: try session.export(prospects, .csv, list)
        case .json: try session.writeResults(of: prospects, list)
        case .jsonl: try session.writeResults(of: prospects, list, asLines: true)
        }
        return .done
    }
}

// MARK: - Long lists

extension Session {
    /// As many rows as are aligned together and held in memory.
    private static let pageSize = 500

    private struct Enough: Error {}

    /// The rows of a list, page after page, as many as the limit allows.
    fileprivate func forEachPage(
        of prospects: Prospects, _ list: ProspectListOptions, _ show: ([SearchResult]) throws -> Void
    ) throws {
        var page: [SearchResult] = []
        var count = 0
        do {
            try prospects.forEach(list.filter, sortedBy: list.sort) { prospect in
                if listLimit > 0, count == listLimit { throw Enough() }
                count += 1
                page.append(SearchResult(prospect))
                if page.count == Self.pageSize {
                    try show(page)
                    page = []
                }
            }
        } catch is Enough {}
        if !page.isEmpty { try show(page) }
    }

    /// Writes `{"results": […]}` of a list, or each row as one line.
    fileprivate func writeResults(
        of prospects: Prospects, _ list: ProspectListOptions, asLines: Bool = false
    ) throws {
        var isFirst = true
        if !asLines { output.write("{\"results\": [") }
        try forEachPage(of: prospects, list) { page in
            for row in page {
                if !asLines, !isFirst { output.write(", ") }
                isFirst = false
                output.write(try OrderedJSON.bytes(row))
                if asLines { output.write("\n") }
            }
        }
        if !asLines { output.write("]}\n") }
    }

    /// Writes the pieces of an export, as many prospects as the limit allows.
    fileprivate func export(_ prospects: Prospects, _ format: ProspectFormat, _ list: ProspectListOptions) throws {
        // A table begins with its header; every other piece is one prospect.
        var pieces = format == .csv ? -1 : 0
        do {
            try prospects.export(format, list.filter, sortedBy: list.sort) { piece in
                if listLimit > 0, pieces == listLimit { throw Enough() }
                pieces += 1
                output.write(piece)
            }
        } catch is Enough {}
    }
}
