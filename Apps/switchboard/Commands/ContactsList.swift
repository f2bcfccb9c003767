import ArgumentParser
import SwitchboardContacts
import SwitchboardKit

struct ContactsList: Command {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List all contacts by name.")

    @Option(parsing: .unconditional, help: ArgumentHelp("Only the members of this group.", valueName: "name"))
    var group: String?
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let book = try session.switchboard().contacts
        try session.list { body in try book.forEach(group: group) { try body(SearchResult($0)) } }
        return .done
    }
}

struct ContactsCount: Command {
    static let configuration = CommandConfiguration(commandName: "count", abstract: "Print the number of contacts.")

    @OptionGroup var global: GlobalOptions

    private struct Response: Encodable {
        let count: Int
    }

    func run(_ session: Session) throws -> ExitStatus {
        let count = try session.switchboard().contacts.count()
        try session.respond(Response(count: count)) { session.output.write("\(count)\n") }
        return .done
    }
}

struct ContactsShow: Command {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a contact.")

    @Argument(help: "The identifier.") var id: String
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let contact = try session.switchboard().contacts.contact(id)
        try session.respond(SearchResult(contact)) { session.show(contact.details) }
        return .done
    }
}
