import ArgumentParser
import SwitchboardContacts
import SwitchboardKit
import SwitchboardProspects

/// The options of `add` and `edit` for the fields of a prospect.
struct ProspectFlags: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("The full name.", valueName: "text"))
    var name: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("The e-mail address.", valueName: "address"))
    var email: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("The phone number.", valueName: "number"))
    var phone: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("The company.", valueName: "text"))
    var organization: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("A note.", valueName: "text"))
    var note: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Where you met.", valueName: "place"))
    var met: String?
    @Option(help: ArgumentHelp("The region of numbers without a country code, such as TR.", valueName: "code"))
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
        abstract: "Add a prospect, or new details of a known one.",
        discussion: "For example: switchboard prospects add --name 'Ana Li' --email ana@example.org --met Oslo")

    @OptionGroup var flags: ProspectFlags
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        session.region = flags.region
        let added = try session.switchboard().addProspect(flags.change)
        try session.respond(ChangeResponse(added.prospect)) { session.show([SearchResult(added.prospect)]) }
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
        session.region = flags.region
        if flags.change.isEmpty { throw SwitchboardError.usage("nothing to change; add an option such as --email") }
        let prospect = try session.switchboard().editProspect(id, flags.change)
        try session.respond(ChangeResponse(prospect)) { session.show([SearchResult(prospect)]) }
        return .done
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
        if undo {
            return try session.showChanges(try session.switchboard().prospects.restore(ids))
        }
        try session.switchboard().removeProspects(ids)
        try session.respond(ChangedIDs(ids: ids)) {
            session.diagnostics.note(ids.count == 1 ? "removed \(ids[0])" : "removed \(ids.count)")
        }
        return .done
    }
}

struct ProspectsContacted: Command {
    static let configuration = CommandConfiguration(
        commandName: "contacted", abstract: "Mark prospects as contacted; if one is unknown, none is marked.")

    @Argument(help: "The identifiers.") var ids: [String]
    @Flag(help: "Remove the mark.") var undo = false
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        try session.showChanges(try session.switchboard().setContacted(ids, to: !undo))
    }
}

struct ProspectsAddToContacts: Command {
    static let configuration = CommandConfiguration(
        commandName: "add-to-contacts", abstract: "Copy prospects to the address book.")

    @Argument(help: "The identifiers.") var ids: [String]
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let contacts = try session.switchboard().addToContacts(ids)
        if let contact = contacts.first, contacts.count == 1 {
            try session.respond(ChangeResponse(contact)) { session.show([SearchResult(contact)]) }
        } else {
            try session.respond(ChangedIDs(ids: contacts.map(\.id))) { session.show(contacts.map(SearchResult.init)) }
        }
        return .done
    }
}

/// `{"ids": […]}`
private struct ChangedIDs: Encodable {
    let ids: [String]
}

extension Session {
    /// Prints changed prospects. The JSON response contains one prospect in full, or the identifiers of several.
    fileprivate func showChanges(_ prospects: [Prospect]) throws -> ExitStatus {
        if let prospect = prospects.first, prospects.count == 1 {
            try respond(ChangeResponse(prospect)) { show([SearchResult(prospect)]) }
        } else {
            try respond(ChangedIDs(ids: prospects.map(\.id))) { show(prospects.map(SearchResult.init)) }
        }
        return .done
    }
}
