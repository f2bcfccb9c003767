import ArgumentParser
import SwitchboardContacts
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
            }
        }
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

    func run(_ session: Session) throws -> ExitStatus {
        if discardChanges, !undo { throw SwitchboardError.usage("--discard-changes needs --undo") }
        let book = try session.switchboard().contacts
        defer { session.compact() }
        if undo {
            guard let id = ids.first, ids.count == 1 else {
                throw SwitchboardError.usage("--undo takes one identifier, that of the kept contact")
            }
            let contacts = try book.undoMerge(id, discardingChanges: discardChanges)
            return try session.respond(["ids": contacts.map(\.id)]) { session.show(contacts.map(\.row)) }
        }
        return try session.respond(changed: try book.merge(ids))
    }
}
