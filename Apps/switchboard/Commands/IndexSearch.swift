import ArgumentParser
import SwitchboardJSON
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardSearchableIndex

struct IndexSearch: Command {
    static let configuration = CommandConfiguration(
        "search", "Find items by title, names, keywords, description, people or text content.",
        discussion: "For example: switchboard index search braking d")

    @Argument("The search text.", "text") var text: [String] = []

    @Option("Only this domain and its subdomains.", "domain", parsing: .next) var domain: String?
    @Option("Only this content type and types that conform to it.", "type", parsing: .next) var contentType: String?
    @Option("Only items that match this expression of the query language.", "expression", parsing: .next)
    var `where`: String?
    @Option("Open result N: record the choice and print its address.", "n", parsing: .next) var open: Int?
    @OptionGroup var index: IndexOption
    @OptionGroup var batch: BatchOptions
    @OptionGroup var explaining: ExplainOption

    func run(_ session: Session) throws -> ExitStatus {
        session.isExplaining = explaining.explain
        let query = try batch.query(text, named: "TEXT")
        let switchboard = try session.switchboard()
        var filter = ItemFilter()
        filter.domain = domain
        filter.contentType = contentType
        if let expression = `where` {
            filter.query = try AttributeQuery(expression, attributes: switchboard.items(index.index).attributeTypes())
        }
        return try session.search(query, opening: open) {
            try switchboard.searchItems(SearchInput($0), index: index.index, limit: $1, filter: filter)
        }
    }
}

struct IndexQuery: Command {
    static let configuration = CommandConfiguration(
        "query", "Find items by an expression of the query language.",
        discussion: """
            For example: switchboard index query 'keywords == "drama"c && rating >= 4'
            """)

    @Argument("The expression.", "expression") var expression: [String] = []

    @Option("Explain why this item matches or not.", "id", parsing: .next) var explain: String?
    @OptionGroup var index: IndexOption
    @OptionGroup var batch: BatchOptions

    func run(_ session: Session) throws -> ExitStatus {
        let query = try batch.query(expression, named: "EXPRESSION")
        let switchboard = try session.switchboard()
        if let explain, let query { return try self.explain(explain, query, session) }
        return try session.search(query) {
            try switchboard.queryItems($0, index: index.index, limit: $1)
        }
    }

    private func explain(_ id: String, _ text: String, _ session: Session) throws -> ExitStatus {
        let items = try session.switchboard().items(index.index)
        let query = try AttributeQuery(text, attributes: items.attributeTypes())
        let found = try items.explain(id, query)
        let parts: [JSONValue] = found.parts.map { part in
            [
                "attribute": .string(part.attribute), "holds": .bool(part.holds),
                "values": JSONValue(part.values.map { .string($0.shown) }),
            ]
        }
        let response: JSONValue = ["id": .string(id), "matches": .bool(found.matches), "parts": JSONValue(parts)]
        try session.respond(response) {
            session.showTable(
                found.parts.map { part in
                    let values = part.values.map(\.shown).joined(separator: ", ")
                    return [
                        Cell(part.holds ? "✓" : "✗", part.holds ? .plain : .strong), Cell(part.attribute),
                        Cell(part.values.isEmpty ? "not set" : values, .faint),
                    ]
                })
        }
        return found.matches ? .done : .nothingFound
    }
}

struct IndexSuggest: Command {
    static let configuration = CommandConfiguration("suggest", "Suggest completions from titles and keywords.")

    @Argument(help: ArgumentHelp("The text so far.", valueName: "text")) var text: [String]
    @OptionGroup var index: IndexOption

    func run(_ session: Session) throws -> ExitStatus {
        let typed = text.joined(separator: " ")
        let found = try session.switchboard().itemSearch(index.index)
            .suggestions(for: typed, limit: session.searchLimit == 0 ? 100 : session.searchLimit)
        let results = JSONValue(found.map { ["text": .string($0)] })
        try session.respond(["query": .string(typed), "results": results] as JSONValue) {
            for text in found { session.output.write(text + "\n") }
        }
        return found.isEmpty ? .nothingFound : .done
    }
}
