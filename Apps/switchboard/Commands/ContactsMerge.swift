import ArgumentParser
import SwitchboardContacts
import SwitchboardJSON
import SwitchboardKit

struct ContactsDuplicates: Command {
    static let configuration = CommandConfiguration(
        commandName: "duplicates",
        abstract: "List probable duplicates: same phone number, e-mail address, or name and another field.",
        discussion: """
            The most complete contact of each group comes first. 'contacts merge' merges a group. Numbers and addresses shared by \
            more than three names are assumed to belong to a company.
            """)

    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let book = try session.switchboard().contacts
        var count = 0
        if global.json { session.output.write("{\"results\": [") }
        try book.forEachDuplicateGroup(limit: session.listLimit == 0 ? nil : session.listLimit) { group in
            let row = DuplicateRow(group)
            if global.json {
                if count > 0 { session.output.write(", ") }
                session.output.write(try OrderedJSON.bytes(row))
            } else {
                if count > 0 { session.output.write("\n") }
                session.show(row)
            }
            count += 1
        }
        if global.json { session.output.write("]}\n") }
        session.diagnostics.note(
            count == 0
                ? "no duplicates" : "merge a group with 'switchboard contacts merge ID ID…'; the first ID is kept")
        return .done
    }
}

struct ContactsMerge: Command {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge contacts of the same person; no data is lost.",
        discussion: """
            The first contact is kept with its name; the others are removed. --undo reverses the merge for \
            \(ContactBook.daysToUndoMerge) days.
            """)

    @Argument(help: "The identifiers, starting with the contact to keep.") var ids: [String]
    @Flag(help: "Undo the last merge of the kept contact.") var undo = false
    @Flag(help: "With --undo, discard later changes, too.") var discardChanges = false
    @OptionGroup var global: GlobalOptions

    private struct Response: Encodable {
        let ids: [String]
    }

    func run(_ session: Session) throws -> ExitStatus {
        if discardChanges, !undo { throw SwitchboardError.usage("--discard-changes needs --undo") }
        let book = try session.switchboard().contacts
        if undo {
            guard let id = ids.first, ids.count == 1 else {
                throw SwitchboardError.usage("--undo takes one identifier, that of the kept contact")
            }
            let contacts = try book.undoMerge(id, discardingChanges: discardChanges)
            try session.respond(Response(ids: contacts.map(\.id))) { session.show(contacts.map(SearchResult.init)) }
        } else {
            let contact = try book.merge(ids)
            try session.respond(ChangeResponse(contact)) { session.show([SearchResult(contact)]) }
        }
        session.compact()
        return .done
    }
}

extension Session {
    /// Prints a group of duplicates below the reason.
    fileprivate func show(_ row: DuplicateRow) {
        var heading = Table()
        heading.add([Cell(row.reason, .faint)])
        heading.write(to: output, style: style)
        show(row.rows)
    }
}
