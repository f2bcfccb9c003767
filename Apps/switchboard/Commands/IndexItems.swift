import ArgumentParser
import Foundation
import SwitchboardKit
import SwitchboardSearchableIndex

struct IndexGet: Command {
    static let configuration = CommandConfiguration(commandName: "get", abstract: "Show an item.")

    @Argument(help: "The identifier.") var id: String
    @OptionGroup var index: IndexOption
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let item = try session.switchboard().items(index.index).item(id)
        return try session.respond(SearchResult(item, index: index.index)) {
            session.show(item.details, most: (lines: 20, letters: 200))
        }
    }
}

struct IndexDelete: Command {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete items by identifier or domain, or all items.",
        discussion: """
            If one identifier is unknown, no item is deleted. A domain includes its subdomains: account includes account.mailbox \
            but not accounts.
            """)

    @Argument(help: "The identifiers.") var ids: [String] = []
    @Option(help: ArgumentHelp("Delete the items of this domain; may be repeated.", valueName: "domain"))
    var domain: [String] = []
    @Flag(help: "Delete all items and the client state.") var all = false
    @OptionGroup var index: IndexOption
    @OptionGroup var global: GlobalOptions

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
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List all items in order of their identifiers.")

    @Option("Only this domain and its subdomains.", "domain", parsing: .next) var domain: String?
    @OptionGroup var index: IndexOption
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let items = try session.switchboard().items(index.index)
        return try session.list { body in
            try items.forEach(inDomain: domain) { item in
                try body(SearchResult(item, index: index.index))
                return true
            }
        }
    }
}

struct IndexStats: Command {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Show items by domain, expired items and the client state.")

    @OptionGroup var index: IndexOption
    @OptionGroup var global: GlobalOptions

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
    static let configuration = CommandConfiguration(
        commandName: "declare",
        abstract: "Declare a custom attribute.")

    @Argument(help: "The key, as in the custom object of an item.") var key: String
    @Option(help: ArgumentHelp("text, number, date or flag.", valueName: "type")) var type = "text"
    @Flag(inversion: .prefixedNo, help: "Include the attribute in searches, or not.") var searchable = false
    @OptionGroup var index: IndexOption
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        guard let type = AttributeType(rawValue: type) else {
            throw SwitchboardError.usage("unknown type “\(type)”; use text, number, date or flag")
        }
        let attribute = CustomAttribute(key: key, type: type, isSearchable: searchable)
        try session.switchboard().items(index.index).declare(attribute)
        defer { session.compact() }
        return try session.respond(attribute, note: "declared \(key)")
    }
}
