import ArgumentParser
import Foundation
import SwitchboardContacts
import SwitchboardKit

/// The options of `add` and `edit` for the fields of a contact.
struct ContactFlags: ParsableArguments {
    @Option("The full name, which is split into its parts.", "text") var name: String?
    @Option("The given name.", "text") var given: String?
    @Option("The family name.", "text") var family: String?
    @Option("The nickname.", "text") var nickname: String?
    @Option("The company.", "text", name: [.long, .customLong("organisation")]) var organization: String?
    @Option("The department.", "text") var department: String?
    @Option("The job title.", "text") var title: String?
    @Option("The pronouns, such as she/her.", "text") var pronouns: String?
    @Option("The birthday, such as '15 April 1980', or '15 April' without the year.", "date") var birthday: String?
    @Option("A phone number; may be repeated. 'edit' replaces all numbers.", "[label:]number")
    var phone: [String] = []
    @Option("An e-mail address; may be repeated. 'edit' replaces all addresses.", "[label:]address")
    var email: [String] = []
    @Option(
        "A postal address: street;city;region;postal code;country. May be repeated. 'edit' replaces all addresses.",
        "[label:]address")
    var address: [String] = []
    @Option("A web address; may be repeated. 'edit' replaces all web addresses.", "[label:]url") var url: [String] = []
    @Option("A group; may be repeated. 'edit' replaces all groups.", "name", completion: .groups)
    var group: [String] = []
    @Option("A related person; may be repeated. 'edit' replaces all related people.", "name")
    var related: [String] = []
    @Option(
        "A profile in a social network; may be repeated. 'edit' replaces all profiles.", "[service:]user or URL")
    var profile: [String] = []
    @Option("A note.", "text") var note: String?
    @Flag(inversion: .prefixedNo, help: "Marks the contact as a favourite, or not.")
    var favourite: Bool?
    @OptionGroup var region: RegionOption

    var change: ContactChange {
        var change = ContactChange()
        change.name = name
        let texts: [(ContactTextField, String?)] = [
            (.givenName, given), (.familyName, family), (.nickname, nickname), (.organization, organization),
            (.department, department), (.title, title), (.pronouns, pronouns), (.birthday, birthday), (.note, note),
        ]
        for case (let field, let text?) in texts { change[field] = text }
        change.phones = phone.isEmpty ? nil : phone
        change.emails = email.isEmpty ? nil : email
        change.addresses = address.isEmpty ? nil : address
        change.urls = url.isEmpty ? nil : url
        change.groups = group.isEmpty ? nil : group
        for (list, texts) in [(ContactListField.relatedNames, related), (.socialProfiles, profile)] {
            change.lists[list] = texts.isEmpty ? nil : texts
        }
        change.isFavourite = favourite
        return change
    }
}

struct ContactsAdd: Command {
    static let configuration = CommandConfiguration(
        "add", "Add a contact.",
        discussion: "For example: switchboard contacts add --name 'Carmen Luz Diaz' --phone 'work:+1 305 555 0167'",
        aliases: ["new"])

    @OptionGroup var flags: ContactFlags

    func run(_ session: Session) throws -> ExitStatus {
        session.region = flags.region.region
        return try session.respondAndCompact(try session.switchboard().addContact(flags.change))
    }
}

struct ContactsEdit: Command {
    static let configuration = CommandConfiguration(
        "edit", "Change the given fields of a contact; an empty text removes a field.",
        discussion: "--editor opens all fields as a vCard in $VISUAL, $EDITOR or vi.")

    @Argument(help: "The identifier, its beginning, or the name.", completion: .contacts) var id: String
    @Flag(help: "Edit all fields as a vCard in a text editor.") var editor = false
    @OptionGroup var flags: ContactFlags
    @Option("A phone number to add to the others; may be repeated.", "[label:]number") var addPhone: [String] = []
    @Option("A phone number to remove; may be repeated.", "number") var removePhone: [String] = []
    @Option("An e-mail address to add to the others; may be repeated.", "[label:]address") var addEmail: [String] = []
    @Option("An e-mail address to remove; may be repeated.", "address") var removeEmail: [String] = []

    func run(_ session: Session) throws -> ExitStatus {
        session.region = flags.region.region
        var change = flags.change
        (change.addedPhones, change.removedPhones) = (addPhone, removePhone)
        (change.addedEmails, change.removedEmails) = (addEmail, removeEmail)
        if editor {
            guard change.isEmpty else {
                throw SwitchboardError.usage("--editor cannot be combined with fields; omit one of them")
            }
            return try session.editInEditor(try session.contact(id))
        }
        if change.isEmpty {
            throw SwitchboardError.usage("nothing to change; add an option such as --phone, or --editor")
        }
        return try session.respondAndCompact(try session.switchboard().editContact(try session.contact(id), change))
    }
}

struct ContactsRemove: Command {
    static let configuration = CommandConfiguration(
        "remove", "Remove contacts; if one is unknown, none is removed.",
        discussion: """
            --undo restores removed contacts for \(ContactBook.daysToRestore) days; 'contacts list --removed' lists them.
            """, aliases: ["rm", "delete"])

    @Argument(help: "The identifiers or names.", completion: .contacts) var ids: [String]
    @Flag(help: "Restore removed contacts.") var undo = false

    func run(_ session: Session) throws -> ExitStatus {
        let book = try session.switchboard().contacts
        defer { session.compact() }
        if undo {
            let switchboard = try session.switchboard()
            return try session.respond(changed: try book.restore(try ids.map(switchboard.removedContactIdentifier)))
        }
        let known = try ids.map(session.contact)
        let names = try known.map { try book.contact($0).displayName }
        try book.remove(known)
        return try session.respondRemoved("contacts", known, names: names)
    }
}

struct ContactsFavourite: Command {
    static let configuration = CommandConfiguration(
        "favourite", "Mark a contact as a favourite.", aliases: ["favorite"])

    @Argument(help: "The identifier, its beginning, or the name.", completion: .contacts) var id: String
    @Flag(help: "Remove the mark.") var undo = false

    func run(_ session: Session) throws -> ExitStatus {
        try session.respondAndCompact(
            try session.switchboard().contacts.setFavourite(try session.contact(id), to: !undo))
    }
}

struct ContactsCall: Command {
    static let configuration = CommandConfiguration(
        "call", "Record a call of a contact, which ranks it higher; nothing is dialed.")

    @Argument(help: "The identifier, its beginning, or the name.", completion: .contacts) var id: String
    @Flag(help: "Take back the last recorded call.") var undo = false

    func run(_ session: Session) throws -> ExitStatus {
        let (book, id) = (try session.switchboard().contacts, try session.contact(id))
        return try session.respondAndCompact(undo ? try book.undoCall(id) : try book.recordCall(id))
    }
}

extension Session {
    /// The lines below the vCard in the editor, where they change no line number.
    private static let editorHelp = """
        # Lines that begin with # are ignored; an unchanged text changes nothing. Other lines go before END:VCARD, such as:
        #   TEL;TYPE=CELL:+44 7700 900123         EMAIL;TYPE=WORK:ana@example.com
        #   ADR;TYPE=HOME:;;1 High St;Leeds;;LS1 1AA;UK
        #   ORG:Initech;Research                  TITLE:Engineer
        #   BDAY:1975-03-04                       NICKNAME:Ani
        #   URL:https://example.com               CATEGORIES:family,club
        #   NOTE:met in Leeds

        """

    /// Lets the user edit a contact as a vCard until the vCard is valid, and stores it.
    fileprivate func editInEditor(_ id: String) throws -> ExitStatus {
        let book = try switchboard().contacts
        let card = try book.editableCard(of: id)
        let draft = try EditedText(card.text + Self.editorHelp, suffix: ".vcf")
        while true {
            do {
                guard let text = try draft.edit() else {
                    draft.remove()
                    return try respond(changed: try book.contact(id))
                }
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                let contact = try book.edit(card, with: lines.filter { !$0.hasPrefix("#") }.joined(separator: "\n"))
                draft.remove()
                return try respondAndCompact(contact)
            } catch {
                var error = SwitchboardError(error)
                if draft.isUnchanged {
                    draft.remove()
                    throw error
                }
                if error.code == "malformedInput" { error = error.about(file: draft.path) }
                let isCorrectable = error.status != .tryAgain && error.status != .inputOutput
                if isCorrectable, isInteractive {
                    diagnostics.report(error)
                    if ask("Edit again? [y/n] ") == true { continue }
                    diagnostics.warn("the contact is unchanged; the text is kept in \(draft.path)")
                    return error.status
                }
                error.message += "; the text is kept in \(draft.path)"
                throw error
            }
        }
    }

    /// Prints a contact after a change.
    func respondAndCompact(_ contact: Contact) throws -> ExitStatus {
        defer { compact() }
        return try respond(changed: contact)
    }
}

struct ContactsDuplicates: Command {
    static let configuration = CommandConfiguration(
        "duplicates", "List probable duplicates: same phone number, e-mail address, or name and another field.",
        discussion: """
            The most complete contact of each group comes first. 'contacts merge' merges a group. Numbers and addresses shared by \
            more than three names are assumed to belong to a company.
            """)

    var isReading: Bool { true }

    func run(_ session: Session) throws -> ExitStatus {
        let book = try session.switchboard().contacts
        var count = 0
        try session.list(pageSize: 1) { body in
            try book.forEachDuplicateGroup(limit: session.listLimit == 0 ? nil : session.listLimit) { group in
                try body(DuplicateRow(group))
                count += 1
            }
        } show: { rows in
            if count > 0 { session.output.write("\n") }
            for row in rows {
                session.showTable([[Cell(row.reason, .faint)]])
                session.show(row.rows)
                if !row.objection.isEmpty { session.showTable([[Cell("against: " + row.objection, .faint)]]) }
            }
        }
        session.diagnostics.note(
            count == 0
                ? "no duplicates"
                : "merge a group with 'switchboard contacts merge ID ID…', or keep it apart with 'contacts different'")
        return .done
    }
}

struct ContactsDifferent: Command {
    static let configuration = CommandConfiguration(
        "different", "Remember that contacts are different people, so that 'contacts duplicates' no longer lists them.")

    @Argument(help: "The identifiers, two or more.", completion: .contacts) var ids: [String]
    @Flag(help: "Forget it.") var undo = false

    func run(_ session: Session) throws -> ExitStatus {
        let ids = try ids.map(session.contact)
        try session.switchboard().contacts.markAsDifferent(ids, !undo)
        return try session.respond(
            ["ids": ids], note: "\(ids.count) contacts are \(undo ? "listed again" : "different people")")
    }
}

struct ContactsMerge: Command {
    static let configuration = CommandConfiguration(
        "merge", "Merge contacts of the same person; no data is lost.",
        discussion: """
            The first contact is kept with its name; the others are removed. --undo reverses the merge for \
            \(ContactBook.daysToUndoMerge) days.
            """)

    @Argument(help: "The identifiers, starting with the contact to keep.", completion: .contacts) var ids: [String]
    @Flag(help: "Show the merged contact, and change nothing.") var dryRun = false
    @Flag(help: "Undo the last merge of the kept contact.") var undo = false
    @Flag(help: "With --undo, discard later changes, too.") var discardChanges = false

    func run(_ session: Session) throws -> ExitStatus {
        if discardChanges, !undo { throw SwitchboardError.usage("--discard-changes needs --undo") }
        if dryRun, undo { throw SwitchboardError.usage("--dry-run cannot be combined with --undo; omit one of them") }
        let book = try session.switchboard().contacts
        if dryRun {
            let merged = try book.mergePreview(try ids.map(session.contact))
            return try session.respond(merged.changeResponse) { session.show(merged.details) }
        }
        defer { session.compact() }
        if undo {
            guard let id = try ids.first.map(session.contact), ids.count == 1 else {
                throw SwitchboardError.usage("--undo takes one identifier, that of the kept contact")
            }
            let contacts = try book.undoMerge(id, discardingChanges: discardChanges)
            return try session.respond(["ids": contacts.map(\.id)]) { session.show(contacts.map(\.row)) }
        }
        return try session.respond(changed: try book.merge(try ids.map(session.contact)))
    }
}

struct ContactsPhoto: Command {
    static let configuration = CommandConfiguration(
        "photo", "Describe the photo of a contact, write it with --output, or replace it with a file.",
        discussion: "For example: switchboard contacts photo ID ana.jpeg")

    @Argument(help: "The identifier, its beginning, or the name.", completion: .contacts) var id: String
    @Argument(help: "The new photo, or - for standard input.", completion: .file()) var file: String?
    @Flag(help: "Remove the photo.") var remove = false
    @Option("Write the photo to a file, or - for standard output.", "file", completion: .file())
    var output: String?

    private struct Response: Encodable {
        struct Photo: Encodable {
            let type: String
            let size: Int
        }
        let id: String
        let photo: Photo
        let file: String?
    }

    func validate() throws {
        if [file != nil, remove, output != nil].filter({ $0 }).count > 1 {
            throw ValidationError("give only one of a file, --remove and --output")
        }
    }

    func run(_ session: Session) throws -> ExitStatus {
        let id = try session.contact(id)
        if remove { return try session.respondAndCompact(try session.switchboard().contacts.setPhoto(nil, of: id)) }
        if let file {
            // An unknown contact is reported before a missing file.
            let contacts = try session.switchboard().contacts
            _ = try contacts.contact(id)
            let bytes = try FileIO.read(file, limit: ContactPhoto.largestPicture)
            let photo = try ContactPhoto(picture: Data(bytes))
            return try session.respondAndCompact(try contacts.setPhoto(photo, of: id))
        }
        return try show(id, session)
    }

    private func show(_ id: String, _ session: Session) throws -> ExitStatus {
        guard let photo = try session.switchboard().contacts.photo(of: id), let data = photo.data else {
            throw ContactBookError.noPhoto(id: id)
        }
        if output == "-" {
            session.output.write([UInt8](data))
            return .done
        }
        let earlier = try output.flatMap { try FileIO.write([UInt8](data), to: $0) }
        let response = Response(id: id, photo: .init(type: photo.mediaType, size: photo.size), file: output)
        return try session.respond(response) {
            if output == nil { session.output.write("\(photo.mediaType), \(photo.size) bytes\n") }
            session.noteEarlier(earlier)
        }
    }
}
