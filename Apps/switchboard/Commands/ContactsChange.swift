import ArgumentParser
import SwitchboardContacts
import SwitchboardKit

/// The options of `add` and `edit` for the fields of a contact.
struct ContactFlags: ParsableArguments {
    @Option("The full name, which is split into its parts.", "text") var name: String?
    @Option("The given name.", "text") var given: String?
    @Option("The family name.", "text") var family: String?
    @Option("The nickname.", "text") var nickname: String?
    @Option("The company.", "text") var organization: String?
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A phone number; may be repeated. 'edit' replaces all numbers.", valueName: "[label:]number")
    )
    var phone: [String] = []
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "An e-mail address; may be repeated. 'edit' replaces all addresses.", valueName: "[label:]address"))
    var email: [String] = []
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A group; may be repeated. 'edit' replaces all groups.", valueName: "name"))
    var group: [String] = []
    @Option("A note.", "text") var note: String?
    @Flag(inversion: .prefixedNo, help: "Marks the contact as a favourite, or not.")
    var favourite: Bool?
    @OptionGroup var region: RegionOption

    var change: ContactChange {
        var change = ContactChange()
        change.name = name
        change.given = given
        change.family = family
        change.nickname = nickname
        change.organization = organization
        change.phones = phone.isEmpty ? nil : phone
        change.emails = email.isEmpty ? nil : email
        change.groups = group.isEmpty ? nil : group
        change.note = note
        change.isFavourite = favourite
        return change
    }
}

struct ContactsAdd: Command {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a contact.",
        discussion: "For example: switchboard contacts add --name 'Carmen Luz Diaz' --phone 'work:+1 305 555 0167'")

    @OptionGroup var flags: ContactFlags
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        session.region = flags.region.region
        return try session.respondAndCompact(try session.switchboard().addContact(flags.change))
    }
}

struct ContactsEdit: Command {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change the given fields of a contact; an empty text removes a field.")

    @Argument(help: "The identifier.") var id: String
    @OptionGroup var flags: ContactFlags
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        session.region = flags.region.region
        let change = flags.change
        if change.isEmpty { throw SwitchboardError.usage("nothing to change; add an option such as --phone") }
        return try session.respondAndCompact(try session.switchboard().editContact(id, change))
    }
}

struct ContactsRemove: Command {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove contacts; if one is unknown, none is removed.")

    @Argument(help: "The identifiers.") var ids: [String]
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        try session.switchboard().contacts.remove(ids)
        defer { session.compact() }
        return try session.respond("removed", ids: ids)
    }
}

struct ContactsFavourite: Command {
    static let configuration = CommandConfiguration(
        commandName: "favourite", abstract: "Mark a contact as a favourite.")

    @Argument(help: "The identifier.") var id: String
    @Flag(help: "Remove the mark.") var undo = false
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        try session.respondAndCompact(try session.switchboard().contacts.setFavourite(id, to: !undo))
    }
}

struct ContactsCall: Command {
    static let configuration = CommandConfiguration(
        commandName: "call", abstract: "Record that a contact was chosen, which ranks it higher.")

    @Argument(help: "The identifier.") var id: String
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        try session.respondAndCompact(try session.switchboard().contacts.recordCall(id))
    }
}

extension Session {
    /// Prints a contact after a change.
    func respondAndCompact(_ contact: Contact) throws -> ExitStatus {
        defer { compact() }
        return try respond(changed: contact)
    }
}
