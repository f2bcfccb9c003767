import ArgumentParser
import SwitchboardContacts
import SwitchboardProspects
import SwitchboardKit

/// What `add` and `edit` say about a prospect.
struct ProspectFlags: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("The whole name.", valueName: "text"))
    var name: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("The e-mail address.", valueName: "address"))
    var email: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("The phone number.", valueName: "number"))
    var phone: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("The company.", valueName: "text"))
    var organization: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Anything else.", valueName: "text"))
    var note: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Where you met.", valueName: "place"))
    var met: String?
    @Option(help: ArgumentHelp("The territory of numbers without a country code, such as TR.", valueName: "code"))
    var region: String?

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
        abstract: "Add somebody you met, or what is new about them.",
        discussion: "For example: switchboard prospects add --name 'Ana Li' --email ana@example.org --met Oslo")

    @OptionGroup var flags: ProspectFlags
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        session.region = flags.region
        let added = try session.switchboard().addProspect(flags.change)
        try session.answer(ChangeResponse(added.prospect)) { session.show([SearchResult(added.prospect)]) }
        if added.wasKnown {
            session.diagnostics.note("\(added.prospect.displayName) was in the list; added what is new")
        }
        return .done
    }
}

struct ProspectsEdit: Command {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change somebody; what no flag names stays, an empty text removes.")

    @Argument(help: "The identifier.") var id: String
    @OptionGroup var flags: ProspectFlags
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        session.region = flags.region
        if flags.change.isEmpty { throw Fault.usage("nothing to change; give a flag such as --email") }
        let prospect = try session.switchboard().editProspect(id, flags.change)
        try session.answer(ChangeResponse(prospect)) { session.show([SearchResult(prospect)]) }
        return .done
    }
}

struct ProspectsRemove: Command {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove people: all that are named, or, if one is unknown, none.",
        discussion: "What was removed can be brought back with --undo for \(Prospects.daysToRestore) days.")

    @Argument(help: "The identifiers.") var ids: [String]
    @Flag(help: "Bring back what was removed.") var undo = false
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        if undo {
            return try session.showChanges(try session.switchboard().prospects.restore(ids))
        }
        try session.switchboard().removeProspects(ids)
        try session.answer(ChangedIDs(ids: ids)) {
            session.diagnostics.note(ids.count == 1 ? "removed \(ids[0])" : "removed \(ids.count)")
        }
        return .done
    }
}

struct ProspectsContacted: Command {
    static let configuration = CommandConfiguration(
        commandName: "contacted", abstract: "Tick people off: all that are named, or, if one is unknown, none.")

    @Argument(help: "The identifiers.") var ids: [String]
    @Flag(help: "They were not contacted after all.") var undo = false
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        try session.showChanges(try session.switchboard().setContacted(ids, !undo))
    }
}

struct ProspectsAddToContacts: Command {
    static let configuration = CommandConfiguration(
        commandName: "add-to-contacts", abstract: "Put people into the address book; they stay in this list.")

    @Argument(help: "The identifiers.") var ids: [String]
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let contacts = try session.switchboard().addToContacts(ids)
        if let contact = contacts.first, contacts.count == 1 {
            try session.answer(ChangeResponse(contact)) { session.show([SearchResult(contact)]) }
        } else {
            try session.answer(ChangedIDs(ids: contacts.map(\.id))) { session.show(contacts.map(SearchResult.init)) }
        }
        return .done
    }
}

/// `{"ids": […]}`
private struct ChangedIDs: Encodable {
    let ids: [String]
}

extension Session {
    /// Shows one prospect that was changed as itself, several by their identifiers.
    fileprivate func showChanges(_ prospects: [Prospect]) throws -> ExitStatus {
        if let prospect = prospects.first, prospects.count == 1 {
            try answer(ChangeResponse(prospect)) { show([SearchResult(prospect)]) }
        } else {
            try answer(ChangedIDs(ids: prospects.map(\.id))) { show(prospects.map(SearchResult.init)) }
        }
        return .done
    }
}
