import ArgumentParser
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardSearchableIndex

struct IndexSearch: Command {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find items by title, names, keywords, description, people or text content.",
        discussion: "For example: switchboard index search braking d")

    @Argument(help: ArgumentHelp("The search text.", valueName: "text"))
    var text: [String] = []

    @Option(help: ArgumentHelp("Only this domain and its subdomains.", valueName: "domain")) var domain: String?
    @Option(help: ArgumentHelp("Only this content type and types that conform to it.", valueName: "type"))
    var contentType: String?
    @Option(
        help: ArgumentHelp("Only items that match this expression of the query language.", valueName: "expression")
    )
    var `where`: String?
    @Option(help: ArgumentHelp("Open result N: record the choice and print its address.", valueName: "n"))
    var open: Int?
    @OptionGroup var index: IndexOption
    @OptionGroup var batch: BatchOptions
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let query = try batch.query(text, named: "TEXT")
        let switchboard = try session.switchboard()
        var filter = ItemFilter()
        filter.domain = domain
        filter.contentType = contentType
        if let expression = `where` {
            filter.query = try AttributeQuery(expression, attributes: switchboard.items(index.index).attributeTypes())
        }
        return try session.search(query, opening: open) {
            try switchboard.searchItems(SearchInput($0), index: index.index, limit: session.searchLimit, filter: filter)
        }
    }
}

struct IndexQuery: Command {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Find items by an expression of the query language.",
        discussion: """
            For example: switchboard index query 'keywords == "drama"c && rating >= 4'
            """)

    @Argument(help: ArgumentHelp("The expression.", valueName: "expression"))
    var expression: [String] = []

    @Option(help: ArgumentHelp("Explain why this item matches or not.", valueName: "id")) var explain: String?
    @OptionGroup var index: IndexOption
    @OptionGroup var batch: BatchOptions
    @OptionGroup var global: GlobalOptions

    private struct Explanation: Encodable {
        struct Part: Encodable {
            let attribute: String
            let holds: Bool
            let values: [String]
        }
        let id: String
        let matches: Bool
        let parts: [Part]
    }

    func run(_ session: Session) throws -> ExitStatus {
        let query = try batch.query(expression, named: "EXPRESSION")
        let switchboard = try session.switchboard()
        if let explain, let query { return try self.explain(explain, query, session) }
        return try session.search(query) {
            try switchboard.queryItems($0, index: index.index, limit: session.searchLimit)
        }
    }

    private func explain(_ id: String, _ text: String, _ session: Session) throws -> ExitStatus {
        let items = try session.switchboard().items(index.index)
        let query = try AttributeQuery(text, attributes: items.attributeTypes())
        let found = try items.explain(id, query)
        let parts = found.parts.map {
            Explanation.Part(attribute: $0.attribute, holds: $0.holds, values: $0.values.map(\.shown))
        }
        try session.respond(Explanation(id: id, matches: found.matches, parts: parts)) {
            var table = Table()
            for part in parts {
                table.add([
                    Cell(part.holds ? "✓" : "✗", part.holds ? .plain : .strong), Cell(part.attribute),
                    Cell(part.values.isEmpty ? "not set" : part.values.joined(separator: ", "), .faint),
                ])
            }
            table.write(to: session.output, style: session.style)
        }
        return found.matches ? .done : .nothingFound
    }
}

struct IndexSuggest: Command {
    static let configuration = CommandConfiguration(
        commandName: "suggest", abstract: "Suggest completions from titles and keywords.")

    @Argument(help: ArgumentHelp("The text so far.", valueName: "text")) var text: [String]
    @OptionGroup var index: IndexOption
    @OptionGroup var global: GlobalOptions

    private struct Response: Encodable {
        struct Row: Encodable {
            let text: String
        }
        let query: String
        let results: [Row]
    }

    func run(_ session: Session) throws -> ExitStatus {
        let typed = text.joined(separator: " ")
        let found = try session.switchboard().itemSearch(index.index)
            .suggestions(for: typed, limit: session.searchLimit == 0 ? 100 : session.searchLimit)
        try session.respond(Response(query: typed, results: found.map(Response.Row.init))) {
            for text in found { session.output.write(text + "\n") }
        }
        return found.isEmpty ? .nothingFound : .done
    }
}
