import ArgumentParser
import SwitchboardContacts
import SwitchboardKit

struct ContactsDuplicates: Command {
    static let configuration = CommandConfiguration(
        commandName: "duplicates",
        abstract: "People who are probably there twice: same number, e-mail address, or name and one more fact.",
        discussion: """
            Of each group the one that says most comes first. 'contacts merge' makes one of them. Numbers and addresses that people of \
            more than three names share are taken for a company's.
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
            count == 0 ? "nobody is there twice" : "'switchboard contacts merge ID ID…' keeps the one named first")
        return .done
    }
}

struct ContactsMerge: Command {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Make one of several people who are the same; nothing that one of them says is lost.",
        discussion: """
            The first one stays and keeps its name; the others are removed. For \(ContactBook.daysToUndoMerge) days --undo brings back what was.
            """)

    @Argument(help: "The identifiers, first the one that stays.") var ids: [String]
    @Flag(help: "Take the last merge of the one that stayed back.") var undo = false
    @Flag(help: "With --undo: take back as well what was changed since.") var discardChanges = false
    @OptionGroup var global: GlobalOptions

    private struct Answer: Encodable {
        let ids: [String]
    }

    func run(_ session: Session) throws -> ExitStatus {
        if discardChanges, !undo { throw Fault.usage("--discard-changes is for --undo") }
        let book = try session.switchboard().contacts
        if undo {
            guard let id = ids.first, ids.count == 1 else {
                throw Fault.usage("--undo takes one identifier: that of the contact that stayed")
            }
            let contacts = try book.undoMerge(id, discardingChanges: discardChanges)
            try session.answer(Answer(ids: contacts.map(\.id))) { session.show(contacts.map(SearchResult.init)) }
        } else {
            let contact = try book.merge(ids)
            try session.answer(ChangeResponse(contact)) { session.show([SearchResult(contact)]) }
        }
        session.compact()
        return .done
    }
}

extension Session {
    /// Shows a group: why, and below it who.
    fileprivate func show(_ row: DuplicateRow) {
        var heading = Table()
        heading.add([Cell(row.reason, .faint)])
        heading.write(to: output, style: style)
        show(row.rows)
    }
}
