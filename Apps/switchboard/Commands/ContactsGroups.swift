import ArgumentParser
import SwitchboardContacts
import SwitchboardKit

struct ContactsGroups: Command {
    static let configuration = CommandConfiguration(
        commandName: "groups",
        abstract: "List the groups; 'contacts list --group NAME' lists the members of one.")

    @Flag(help: "Forget group members that are not in the address book.") var forgetUnknown = false
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        if forgetUnknown { try session.switchboard().contacts.forgetUnknownMembers() }
        return try session.respond(session.limited(session.switchboard().contacts.groups())) { group in
            [
                Cell(group.name, .strong), Cell("\(group.count)", isRightAligned: true),
                Cell(group.unknown.map { "and \($0) unknown" } ?? ""),
            ]
        }
    }
}
