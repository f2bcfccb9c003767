import ArgumentParser
import SwitchboardKit
import SwitchboardProspects

/// The options of `add` and `edit` for the fields of a prospect.
struct ProspectFlags: ParsableArguments {
    @Option("The full name.", "text") var name: String?
    @Option("The e-mail address.", "address") var email: String?
    @Option("The phone number.", "number") var phone: String?
    @Option("The company.", "text") var organization: String?
    @Option("A note.", "text") var note: String?
    @Option("Where you met.", "place") var met: String?
    @OptionGroup var region: RegionOption

    var change: ProspectChange {
        var change = ProspectChange()
        change.name = name
        change.email = email
        change.phone = phone
        change.organization = organization
        change.note = note
        change.met = met
        return change
    }
}

struct ProspectsAdd: Command {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a prospect, or new details of a known one.",
        discussion: "For example: switchboard prospects add --name 'Ana Li' --email ana@example.org --met Oslo")

    @OptionGroup var flags: ProspectFlags
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        session.region = flags.region.region
        let added = try session.switchboard().addProspect(flags.change)
        try session.respond(changed: added.prospect)
        if added.wasKnown {
            session.diagnostics.note("\(added.prospect.displayName) is already listed; added the new details")
        }
        return .done
    }
}

struct ProspectsEdit: Command {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change the given fields of a prospect; an empty text removes a field.")

    @Argument(help: "The identifier.") var id: String
    @OptionGroup var flags: ProspectFlags
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        session.region = flags.region.region
        if flags.change.isEmpty { throw SwitchboardError.usage("nothing to change; add an option such as --email") }
        return try session.respond(changed: try session.switchboard().editProspect(id, flags.change))
    }
}

struct ProspectsRemove: Command {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove prospects; if one is unknown, none is removed.",
        discussion: "--undo restores removed prospects for \(Prospects.daysToRestore) days.")

    @Argument(help: "The identifiers.") var ids: [String]
    @Flag(help: "Restore removed prospects.") var undo = false
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        if undo { return try session.respond(changed: try session.switchboard().prospects.restore(ids)) }
        try session.switchboard().removeProspects(ids)
        return try session.respond("removed", ids: ids)
    }
}

struct ProspectsContacted: Command {
    static let configuration = CommandConfiguration(
        commandName: "contacted", abstract: "Mark prospects as contacted; if one is unknown, none is marked.")

    @Argument(help: "The identifiers.") var ids: [String]
    @Flag(help: "Remove the mark.") var undo = false
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        try session.respond(changed: try session.switchboard().setContacted(ids, to: !undo))
    }
}

struct ProspectsAddToContacts: Command {
    static let configuration = CommandConfiguration(
        commandName: "add-to-contacts", abstract: "Copy prospects to the address book.")

    @Argument(help: "The identifiers.") var ids: [String]
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        try session.respond(changed: try session.switchboard().addToContacts(ids))
    }
}
