import ArgumentParser
import SwitchboardContacts
import SwitchboardKit

struct ContactsList: Command {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "All people, by name.")

    @Option(parsing: .unconditional, help: ArgumentHelp("Only those in this group.", valueName: "name"))
    var group: String?
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let book = try session.switchboard().contacts
        if global.json {
            try session.writeResults(of: book, group: group)
        } else {
            try session.forEachPage(of: book, group: group) { session.show($0) }
        }
        return .done
    }
}

struct ContactsCount: Command {
    static let configuration = CommandConfiguration(commandName: "count", abstract: "How many people there are.")

    @OptionGroup var global: GlobalOptions

    private struct Answer: Encodable {
        let count: Int
    }

    func run(_ session: Session) throws -> ExitStatus {
        let count = try session.switchboard().contacts.count()
        try session.answer(Answer(count: count)) { session.output.write("\(count)\n") }
        return .done
    }
}

struct ContactsShow: Command {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "All that is known of one.")

    @Argument(help: "The identifier.") var id: String
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let contact = try session.switchboard().contacts.contact(id)
        try session.answer(SearchResult(contact)) { session.show(contact.details) }
        return .done
    }
}

// MARK: - Long lists

extension Session {
    /// As many rows as are aligned together and held in memory.
    private static let pageSize = 500

    /// The rows of all contacts by name, page after page, as many as the limit allows.
    func forEachPage(
        of book: ContactBook, group: String? = nil, _ show: ([SearchResult]) throws -> Void
    ) throws {
        var page: [SearchResult] = []
        var count = 0
        struct Enough: Error {}
        do {
            try book.forEach(group: group) { contact in
                if listLimit > 0, count == listLimit { throw Enough() }
                count += 1
                page.append(SearchResult(contact))
                if page.count == Self.pageSize {
                    try show(page)
                    page = []
                }
            }
        } catch is Enough {}
        if !page.isEmpty { try show(page) }
    }

    /// Writes `{"results": […]}` of all contacts, or each as one line.
    ///
    /// A group that nobody is in is a failure before anything is written.
    func writeResults(of book: ContactBook, group: String? = nil, asLines: Bool = false) throws {
        var isFirst = true
        if let group { _ = try book.list(group: group, limit: 0) }
        if !asLines { output.write("{\"results\": [") }
        try forEachPage(of: book, group: group) { page in
            for row in page {
                if !asLines, !isFirst { output.write(", ") }
                isFirst = false
                output.write(try OrderedJSON.bytes(row))
                if asLines { output.write("\n") }
            }
        }
        if !asLines { output.write("]}\n") }
    }
}
