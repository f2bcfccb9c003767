import ArgumentParser
import Foundation
import SwitchboardSearchableIndex
import SwitchboardKit

struct IndexGet: Command {
    static let configuration = CommandConfiguration(commandName: "get", abstract: "All that an item holds.")

    @Argument(help: "The identifier.") var id: String
    @OptionGroup var index: IndexOption
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let item = try session.switchboard().items(index.index).item(id)
        try session.answer(SearchResult(item, index: index.index)) {
            session.show(item.details, most: (lines: 20, letters: 200))
        }
        return .done
    }
}

struct IndexDelete: Command {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete items: by identifier, by domain, or all.",
        discussion: """
            Of identifiers all are deleted or, if one is unknown, none. A domain is deleted with those inside it: account with \
            account.mailbox, but not accounts.
            """)

    @Argument(help: "The identifiers.") var ids: [String] = []
    @Option(help: ArgumentHelp("All items of this domain; may be repeated.", valueName: "domain"))
    var domain: [String] = []
    @Flag(help: "All items, and the client state.") var all = false
    @OptionGroup var index: IndexOption
    @OptionGroup var global: GlobalOptions

    private struct Answer: Encodable {
        let ids: [String]
    }

    func run(_ session: Session) throws -> ExitStatus {
        guard [!ids.isEmpty, !domain.isEmpty, all].count(where: { $0 }) == 1 else {
            throw Fault.usage("say what to delete: identifiers, or --domain, or --all")
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
        try session.answer(Answer(ids: deleted)) {
            session.diagnostics.note(deleted.count == 1 ? "deleted \(deleted[0])" : "deleted \(deleted.count)")
        }
        session.compact()
        return .done
    }
}

struct IndexList: Command {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "All items, in order of their identifiers.")

    @Option(help: ArgumentHelp("Only this domain and those inside it.", valueName: "domain")) var domain: String?
    @OptionGroup var index: IndexOption
    @OptionGroup var global: GlobalOptions

    /// As many rows as are aligned together and held in memory.
    private static let pageSize = 500

    func run(_ session: Session) throws -> ExitStatus {
        let items = try session.switchboard().items(index.index)
        var page: [SearchResult] = []
        var count = 0
        var isFirst = true
        func flush() throws {
            if global.json {
                for row in page {
                    if !isFirst { session.output.write(", ") }
                    isFirst = false
                    session.output.write(try OrderedJSON.bytes(row))
                }
            } else {
                session.show(page)
            }
            page = []
        }
        if global.json { session.output.write("{\"results\": [") }
        try items.forEach(inDomain: domain) { item in
            page.append(SearchResult(item, index: index.index))
            count += 1
            if page.count == Self.pageSize { try flush() }
            return count != session.listLimit
        }
        try flush()
        if global.json { session.output.write("]}\n") }
        return .done
    }
}

struct IndexStats: Command {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "What is in the index: items by domain, what expired, the client state.")

    @OptionGroup var index: IndexOption
    @OptionGroup var global: GlobalOptions

    private struct Answer: Encodable {
        struct Domain: Encodable {
            let domain: String
            let items: Int
        }
        struct Expired: Encodable {
            let id: String
            let domain: String?
            let title: String?
            let expiredAt: String
        }
        let index: String
        let items: Int
        let domains: [Domain]
        let expired: [Expired]
        let clientState: String?
        let customAttributes: [CustomAttribute]
        let indexes: [String]

        init(_ stats: ItemStats, _ name: String) {
            index = name
            items = stats.items
            domains = stats.domains.map { Domain(domain: $0.domain, items: $0.items) }
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
        try session.answer(Answer(stats, index.index)) {
            var table = Table()
            table.add([Cell("items", .faint), Cell("\(stats.items)", .strong)])
            for domain in stats.domains {
                table.add([
                    Cell("in " + (domain.domain.isEmpty ? "no domain" : domain.domain), .faint),
                    Cell("\(domain.items)"),
                ])
            }
            if let state = stats.clientState { table.add([Cell("client state", .faint), Cell(state)]) }
            for attribute in stats.customAttributes {
                table.add([
                    Cell("own attribute", .faint),
                    Cell("\(attribute.key), a \(attribute.type.rawValue)\(attribute.isSearchable ? ", searched" : "")"),
                ])
            }
            for item in stats.expired {
                table.add([
                    Cell("expired", .faint),
                    Cell("\(item.expiredAt.formatted(.iso8601))  \(item.title ?? "")  \(item.id)"),
                ])
            }
            table.write(to: session.output, style: session.style)
        }
        return .done
    }
}

struct IndexDeclare: Command {
    static let configuration = CommandConfiguration(
        commandName: "declare",
        abstract: "Declare an attribute of your own: what it holds, whether its texts are searched.")

    @Argument(help: "The key, as under custom of an item.") var key: String
    @Option(help: ArgumentHelp("text, number, date or flag.", valueName: "type")) var type = "text"
    @Flag(inversion: .prefixedNo, help: "Whether a search finds items by it.") var searchable = false
    @OptionGroup var index: IndexOption
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        guard let type = AttributeType(rawValue: type) else {
            throw Fault.usage("--type: there is no type “\(type)”; give text, number, date or flag")
        }
        let attribute = CustomAttribute(key: key, type: type, isSearchable: searchable)
        try session.switchboard().items(index.index).declare(attribute)
        try session.answer(attribute) { session.diagnostics.note("declared \(key)") }
        session.compact()
        return .done
    }
}
