import ArgumentParser
import Foundation
import SwitchboardJSON
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardSearchableIndex
import SwitchboardWebFetch
import SwitchboardWebMarkup

struct IndexCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "index", "Manage and search the index of items from other programs.",
        subcommands: commands([
            IndexPut.self, IndexGet.self, IndexDelete.self, IndexList.self, IndexStats.self, IndexSearch.self,
            IndexSuggest.self, IndexQuery.self, IndexMarkup.self, IndexDeclare.self, IndexSynonyms.self,
        ]) + [IndexOwners.self])
}

struct IndexOption: ParsableArguments {
    @Option(help: ArgumentHelp("The name of the index.", valueName: "name"))
    var index = SearchableIndex.defaultName
}

/// The options of searches and queries that order and count their results.
struct OrderOptions: ParsableArguments {
    @Option(
        "Sort by attributes: -rating,title sorts by the highest rating, then by title; distance, with --near.", "list")
    var sort: String?
    @Option("Count the results for each value of an attribute; may be repeated.", "attribute")
    var facet: [String] = []
    @Option("Sort by the distance from this location.", "lat,lon") var near: String?
    @Option("Only items within this distance of --near.", "km", parsing: .next) var radius: Double?
    @Option("Prefer matches in an attribute by bits, such as keywords=6; may be repeated.", "attribute=bits")
    var boost: [String] = []

    func options() throws -> ItemOptions {
        try ItemOptions(sort: sort, facets: facet, boosts: boost, near: near, radius: radius)
    }
}

struct IndexGet: Command {
    static let configuration = CommandConfiguration("get", "Show an item.")

    @Argument(help: "The identifier.") var id: String
    @OptionGroup var index: IndexOption

    func run(_ session: Session) throws -> ExitStatus {
        let item = try session.switchboard().items(index.index).item(id)
        return try session.respond(SearchResult(item, index: index.index)) {
            session.show(item.details, most: (lines: 20, letters: 200))
        }
    }
}

struct IndexDelete: Command {
    static let configuration = CommandConfiguration(
        "delete", "Delete items by identifier or domain, or all items.",
        discussion: """
            If one identifier is unknown, no item is deleted. A domain includes its subdomains: account includes account.mailbox \
            but not accounts.
            """)

    @Argument(help: "The identifiers.") var ids: [String] = []
    @Option(help: ArgumentHelp("Delete the items of this domain; may be repeated.", valueName: "domain"))
    var domain: [String] = []
    @Flag(help: "Delete all items and the client state.") var all = false
    @OptionGroup var index: IndexOption

    func run(_ session: Session) throws -> ExitStatus {
        guard [!ids.isEmpty, !domain.isEmpty, all].count(where: { $0 }) == 1 else {
            throw SwitchboardError.usage("name the items to delete, or use --domain or --all")
        }
        let items = try session.switchboard().items(index.index)
        var deleted = ids
        if all {
            deleted = try items.deleteAllItems()
        } else if !domain.isEmpty {
            deleted = try items.deleteItems(inDomains: domain)
        } else {
            try items.deleteItems(withIdentifiers: ids)
        }
        defer { session.compact() }
        return try session.respond("deleted", ids: deleted)
    }
}

struct IndexList: Command {
    static let configuration = CommandConfiguration("list", "List all items in order of their identifiers.")

    @Option("Only this domain and its subdomains.", "domain", parsing: .next) var domain: String?
    @OptionGroup var index: IndexOption

    func run(_ session: Session) throws -> ExitStatus {
        let items = try session.switchboard().items(index.index)
        return try session.list(of: domain == nil ? { try items.count() } : nil) { body in
            try items.forEach(inDomain: domain) { item in
                try body(SearchResult(item, index: index.index))
                return true
            }
        }
    }
}

struct IndexStats: Command {
    static let configuration = CommandConfiguration(
        "stats", "Show items by domain, expired items and the client state.")

    @OptionGroup var index: IndexOption

    private struct Response: Encodable {
        struct Expired: Encodable {
            let id: String
            let domain: String?
            let title: String?
            let expiredAt: String
        }
        let index: String
        let items: Int
        let domains: [ItemStats.Domain]
        let expired: [Expired]
        let clientState: String?
        let customAttributes: [CustomAttribute]
        let indexes: [String]

        init(_ stats: ItemStats, _ name: String) {
            index = name
            items = stats.items
            domains = stats.domains
            expired = stats.expired.map {
                Expired(id: $0.id, domain: $0.domain, title: $0.title, expiredAt: $0.expiredAt.formatted(.iso8601))
            }
            clientState = stats.clientState
            customAttributes = stats.customAttributes
            indexes = stats.indexes
        }
    }

    func run(_ session: Session) throws -> ExitStatus {
        let stats = try session.switchboard().items(index.index).stats()
        return try session.respond(Response(stats, index.index)) {
            var rows = stats.domains.map { ("in " + ($0.domain.isEmpty ? "no domain" : $0.domain), "\($0.items)") }
            if let state = stats.clientState { rows.append(("client state", state)) }
            rows += stats.customAttributes.map {
                ("custom attribute", "\($0.key): \($0.type.rawValue)\($0.isSearchable ? ", searchable" : "")")
            }
            rows += stats.expired.map {
                ("expired", "\($0.expiredAt.formatted(.iso8601))  \($0.title ?? "")  \($0.id)")
            }
            session.showTable(
                [[Cell("items", .faint), Cell("\(stats.items)", .strong)]]
                    + rows.map { [Cell($0.0, .faint), Cell($0.1)] })
        }
    }
}

struct IndexDeclare: Command {
    static let configuration = CommandConfiguration("declare", "Declare a custom attribute.")

    @Argument(help: "The key, as in the custom object of an item.") var key: String
    @Option(help: ArgumentHelp("text, number, date or flag.", valueName: "type")) var type = "text"
    @Flag(inversion: .prefixedNo, help: "Include the attribute in searches, or not.") var searchable = false
    @Flag(
        inversion: .prefixedNo,
        help:
            "Index the numbers or dates of the attribute for queries with ranges, or not; also of a standard attribute."
    )
    var indexed: Bool?
    @OptionGroup var index: IndexOption

    func run(_ session: Session) throws -> ExitStatus {
        let items = try session.switchboard().items(index.index)
        // A known attribute keeps its type.
        if let indexed, try items.attributeTypes()[key] != nil {
            try items.setIndexed(indexed, key)
            return try session.respond(["key": key], note: indexed ? "indexed \(key)" : "\(key) is no longer indexed")
        }
        guard let type = AttributeType(rawValue: type) else {
            throw SwitchboardError.usage("unknown type “\(type)”; use text, number, date or flag")
        }
        let attribute = CustomAttribute(key: key, type: type, isSearchable: searchable)
        if indexed ?? false, type == .text || type == .flag { throw SearchableIndexError.notIndexable(key) }
        try items.declare(attribute)
        if let indexed { try items.setIndexed(indexed, key) }
        defer { session.compact() }
        return try session.respond(attribute, note: "declared \(key)")
    }
}

struct IndexPut: Command {
    static let configuration = CommandConfiguration(
        "put", "Add items: a JSON array, one object, or one object per line.",
        discussion: """
            If one item is invalid, none is stored and the exit status is 65. An item with a known identifier is replaced, or \
            updated if it has "isUpdate": true. For example:

              echo '{"id": "show-1", "domain": "tv-shows", "title": "Breaking Dunes"}' | switchboard index put -
            """)

    @Argument(help: "The file, or - for standard input.", completion: .file()) var file: String
    @Option(
        "A text of at most 250 bytes to store with the items. With --batch-size, {n} becomes the number of items.",
        "text", parsing: .next)
    var clientState: String?
    @Option(
        "Store only if this is the current client state, or an empty text for none; otherwise exit with 75.", "text",
        parsing: .next)
    var expectState: String?
    @Option("Commit after each N items.", "n", parsing: .next)
    var batchSize: Int?
    @OptionGroup var index: IndexOption

    func run(_ session: Session) throws -> ExitStatus {
        if let batchSize, batchSize < 1 {
            throw SwitchboardError.usage("--batch-size \(batchSize) is too small; use 1 or more")
        }
        let bytes = try FileReader(file)
        let interruption = SignalObserver.interruption(ofInput: file == "-")
        let progress = session.progress
        var options = PutOptions()
        options.clientState = clientState
        options.expectedState = expectState
        options.batchSize = batchSize
        options.isCancelled = { interruption.wasReceived }
        options.progress = { [name = bytes.name, size = bytes.size] count in
            progress.show("\(name): \(count) items", fraction: size.map { Double(bytes.position) / Double(max($0, 1)) })
        }
        let report: PutReport
        do {
            report = try session.switchboard().items(index.index).put(reading: bytes.next, options: options)
        } catch let error as SearchableIndexError {
            progress.clear()
            if case .invalidItem = error { throw SwitchboardError(error).about(file: file) }
            throw error
        }
        progress.clear()
        try session.respond(report) {
            var text = "indexed \(report.indexed), updated \(report.updated)"
            if let state = report.clientState { text += ", client state “\(state)”" }
            session.output.write(text + "\n")
        }
        session.prepareSearch(after: report.indexed + report.updated) {
            try session.switchboard().itemSearch(index.index).warmUp()
        }
        return .done
    }
}

struct IndexMarkup: Command {
    static let configuration = CommandConfiguration(
        "markup", "Add items from web pages: JSON-LD, microdata, Open Graph, Twitter cards, app links.",
        discussion: """
            Pages that exclude robots are skipped with a message. If one page cannot be read, nothing is added. For example:

              switchboard index markup page.html --url https://example.org/page
            """)

    @Argument(help: "HTML files, http or https addresses, or - for standard input.", completion: .file()) var pages:
        [String]
    @Option("The address of the file, which resolves its relative links.", "address", parsing: .next)
    var url: String?
    @Flag(help: "Show the items without storing them.") var dryRun = false
    @OptionGroup var index: IndexOption

    private struct Response: Encodable {
        let indexed: Int
        let updated: Int
        let results: [SearchResult]
        let notes: [MarkupReport.Note]
    }

    func run(_ session: Session) throws -> ExitStatus {
        if url != nil, pages.count != 1 { throw SwitchboardError.usage("--url takes exactly one page") }
        let switchboard = try session.switchboard()
        let interruption = SignalObserver.interruption(ofInput: pages.contains("-"))
        // The user may give private addresses. A redirect from a public to a private address is refused.
        let fetcher = WebFetcher(allowsPrivateAddresses: true)
        var report = MarkupReport()
        for page in pages {
            do {
                if Self.isAddress(page) {
                    session.progress.show("fetching \(page)")
                    report.take(
                        try switchboard.markup(fetching: page, by: fetcher) { interruption.wasReceived }, of: page)
                } else {
                    let html = try FileIO.read(page, limit: 64 << 20)
                    report.take(try WebPage(html: html, url: url), of: page)
                }
            } catch {
                session.progress.clear()
                throw SwitchboardError(error).about(file: page)
            }
        }
        session.progress.clear()
        let items = try switchboard.items(index.index)
        let put = dryRun ? PutReport() : try items.put(report.items)
        let rows = try report.items.map { item in
            SearchResult(
                dryRun ? StoredItem(item) : try items.item(item.uniqueIdentifier), index: index.index)
        }
        let answer = Response(indexed: put.indexed, updated: put.updated, results: rows, notes: report.notes)
        try session.respond(answer) { session.show(rows) }
        for note in report.notes { session.diagnostics.note("\(note.page): \(note.reason)") }
        if !dryRun { session.compact() }
        return report.items.isEmpty ? .nothingFound : .done
    }

    private static func isAddress(_ page: String) -> Bool {
        let page = page.lowercased()
        return page.hasPrefix("http://") || page.hasPrefix("https://")
    }
}

struct IndexSearch: Command {
    static let configuration = CommandConfiguration(
        "search", "Find items by title, names, keywords, description, people or text content.",
        discussion: """
            In the text, "a phrase" keeps its words together, -word leaves items out, and a OR b finds either. For example:

              switchboard index search 'dunes OR desert -comedy' --sort -rating --facet keywords
            """)

    @Argument("The search text.", "text") var text: [String] = []

    @Option("Only this domain and its subdomains.", "domain", parsing: .next) var domain: String?
    @Option("Only this content type and types that conform to it.", "type", parsing: .next) var contentType: String?
    @Option("Only items that match this expression of the query language.", "expression", parsing: .next)
    var `where`: String?
    @Option("Open result N: record the choice and print its address.", "n", parsing: .next) var open: Int?
    @OptionGroup var order: OrderOptions
    @OptionGroup var index: IndexOption
    @OptionGroup var batch: BatchOptions
    @OptionGroup var explaining: ExplainOption

    func run(_ session: Session) throws -> ExitStatus {
        session.isExplaining = explaining.explain
        let query = try batch.query(text, named: "TEXT")
        let switchboard = try session.switchboard()
        var options = try order.options()
        options.filter.domain = domain
        options.filter.contentType = contentType
        if let expression = `where` {
            options.filter.query = try AttributeQuery(
                expression, attributes: switchboard.items(index.index).attributeTypes())
        }
        return try session.search(query, opening: open) {
            try switchboard.searchItems(SearchInput($0), index: index.index, limit: $1, options: options)
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
    @OptionGroup var order: OrderOptions
    @OptionGroup var index: IndexOption
    @OptionGroup var batch: BatchOptions

    func run(_ session: Session) throws -> ExitStatus {
        let query = try batch.query(expression, named: "EXPRESSION")
        let switchboard = try session.switchboard()
        if let explain, let query { return try self.explain(explain, query, session) }
        let options = try order.options()
        return try session.search(query) {
            try switchboard.queryItems($0, index: index.index, limit: $1, options: options)
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

struct IndexSynonyms: Command {
    static let configuration = CommandConfiguration(
        "synonyms", "Show or set the words and phrases that searches treat as equal.",
        discussion: """
            A file has a group in each line, its terms separated by commas; it replaces all groups. For example:

              echo 'tv, television, telly' | switchboard index synonyms -
            """)

    @Argument(help: "The file, or - for standard input.", completion: .file()) var file: String?
    @OptionGroup var index: IndexOption

    func run(_ session: Session) throws -> ExitStatus {
        let items = try session.switchboard().items(index.index)
        if let file {
            let text = String(decoding: try FileIO.read(file, limit: 64 << 20), as: UTF8.self)
            try items.setSynonyms(
                text.split(whereSeparator: \.isNewline).map { line in
                    line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
                }.filter { !$0.isEmpty })
        }
        let groups = try items.synonyms()
        return try session.respond(["synonyms": groups]) {
            for group in groups { session.output.write(group.joined(separator: ", ") + "\n") }
        }
    }
}

struct IndexOwners: ParsableCommand {
    static let configuration = CommandConfiguration(
        "owners", "Manage the programs that open the items of a domain.",
        subcommands: commands([List.self, Set.self, Remove.self]))

    struct List: Command {
        static let configuration = CommandConfiguration("list", "List the owners by domain.")

        @OptionGroup var index: IndexOption

        var isReading: Bool { true }

        func run(_ session: Session) throws -> ExitStatus {
            let owners = try session.switchboard().items(index.index).owners()
            try session.respond(owners) { owner in
                [
                    Cell(owner.domain, .strong), Cell(owner.application),
                    Cell(
                        [owner.action.map { "action \($0)" }, owner.urlTemplate].compactMap(\.self).joined(
                            separator: ", ")),
                ]
            }
            if owners.isEmpty {
                session.diagnostics.note(
                    "no domain has an owner; set one with 'switchboard index owners set DOMAIN APPLICATION'")
            }
            return .done
        }
    }

    struct Set: Command {
        static let configuration = CommandConfiguration(
            "set", "Make a program open the items of a domain and of its subdomains.",
            discussion: """
                The program gets an item as the URL of the template, or else as the item's own URL; with --action, it gets the \
                identifier and the activity over D-Bus. For example:

                  switchboard index owners set notes org.example.Notes --url 'notes://open/{id}'
                """)

        @Argument(help: "The domain.") var domain: String
        @Argument(help: "The identifier of the program's desktop entry, such as org.example.Notes.")
        var application: String
        @Option("The URL of an item, with {id} for its identifier.", "template", parsing: .next) var url: String?
        @Option("The action of the program that opens an item.", "name", parsing: .next) var action: String?
        @OptionGroup var index: IndexOption

        func run(_ session: Session) throws -> ExitStatus {
            let owner = try ItemOwner(domain: domain, application: application, urlTemplate: url, action: action)
            try session.switchboard().items(index.index).setOwner(owner)
            return try session.respond(owner, note: "\(owner.application) opens the items of \(owner.domain)")
        }
    }

    struct Remove: Command {
        static let configuration = CommandConfiguration("remove", "Remove the owner of a domain.")

        @Argument(help: "The domain.") var domain: String
        @OptionGroup var index: IndexOption

        func run(_ session: Session) throws -> ExitStatus {
            try session.switchboard().items(index.index).removeOwner(ofDomain: domain)
            return try session.respond("removed", ids: [domain])
        }
    }
}
