import ArgumentParser
import SwitchboardContacts
import SwitchboardKit

struct ContactsList: Command {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List all contacts by name.")

    @Option("Only the members of this group.", "name")
    var group: String?
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let book = try session.switchboard().contacts
        return try session.list { body in try book.forEach(group: group) { try body(SearchResult($0)) } }
    }
}

struct ContactsCount: Command {
    static let configuration = CommandConfiguration(commandName: "count", abstract: "Print the number of contacts.")

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let count = try session.switchboard().contacts.count()
        return try session.respond(["count": count], line: "\(count)")
    }
}

struct ContactsShow: Command {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a contact.")

    @Argument(help: "The identifier.") var id: String
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let contact = try session.switchboard().contacts.contact(id)
        return try session.respond(SearchResult(contact)) { session.show(contact.details) }
    }
}
