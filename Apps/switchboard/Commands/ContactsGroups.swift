import ArgumentParser
import SwitchboardContacts
import SwitchboardKit

struct ContactsGroups: Command {
    static let configuration = CommandConfiguration(
        commandName: "groups",
        abstract: "The groups that people are in; 'contacts list --group NAME' shows who.")

    @Flag(help: "Forget the members whom cards of groups name and who are not in the book.") var forgetUnknown = false
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        if forgetUnknown { try session.switchboard().contacts.forgetUnknownMembers() }
        var groups = try session.switchboard().contacts.groups()
        if session.listLimit > 0 { groups = Array(groups.prefix(session.listLimit)) }
        try session.answer(ResultList(groups)) {
            var table = Table()
            for group in groups {
                table.add([
                    Cell(group.name, .strong), Cell("\(group.count)", isRightAligned: true),
                    Cell(group.unknown.map { "and \($0) unknown" } ?? ""),
                ])
            }
            table.write(to: session.output, style: session.style)
        }
        return .done
    }
}
