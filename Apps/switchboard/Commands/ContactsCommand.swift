import ArgumentParser
import Foundation
import SwitchboardContacts
import SwitchboardKeypad
import SwitchboardKit

struct ContactsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "contacts", "Manage and search the address book.",
        subcommands: commands([
            ContactsFind.self, ContactsDial.self, ContactsList.self, ContactsCount.self, ContactsShow.self,
            ContactsAdd.self, ContactsEdit.self, ContactsRemove.self, ContactsFavourite.self, ContactsCall.self,
            ContactsGroups.self, ContactsBirthdays.self, ContactsPhoto.self,
            ContactsDuplicates.self, ContactsDifferent.self, ContactsMerge.self, ContactsImport.self,
            ContactsExport.self,
            ContactsLink.self, ContactsLinks.self, ContactsSync.self, ContactsUnlink.self,
        ]))
}

struct GroupOption: ParsableArguments {
    @Option("Only the members of this group.", "name", completion: .groups)
    var group: String?
}

struct ContactsList: Command {
    static let configuration = CommandConfiguration(
        "list", "List all contacts.",
        discussion: "For example: switchboard contacts list --sort family --columns family,given,city", aliases: ["ls"])

    @OptionGroup var group: GroupOption
    @Option(help: "The order: name, given, family, organization, created or changed (the latest first).")
    var sort = ContactSortOrder.name
    @Option(help: "The format: table, tsv (tab-separated lines), json or jsonl. (default: table, or json with --json)")
    var format: ListFormat?
    @Option(
        "The columns of table and tsv: \(ContactColumn.names).", "name,…", parsing: .next,
        completion: .list(ContactColumn.all.map(\.name)))
    var columns: String?
    @Flag(help: "List the contacts that were removed and can be restored, the latest first.") var removed = false

    var isReading: Bool { true }

    private struct RemovedRow: Encodable, Sendable {
        let id: String
        let name: String
        let removedAt: String
    }

    private func listRemoved(_ session: Session) throws -> ExitStatus {
        let removed = try session.limited(try session.switchboard().contacts.removed())
        let rows = removed.map { item in
            RemovedRow(
                id: item.contact.id, name: item.contact.displayName, removedAt: item.removedAt.formatted(.iso8601))
        }
        try session.respond(ListResponse(rows)) {
            session.showTable(
                removed.map { item in
                    [
                        Cell(item.contact.displayName, .strong), Cell(item.removedAt.localTime),
                        Cell(item.contact.id, .faint),
                    ]
                })
        }
        session.diagnostics.note(
            rows.isEmpty ? "no contact was removed" : "restore one with 'switchboard contacts remove --undo NAME'")
        return .done
    }

    func run(_ session: Session) throws -> ExitStatus {
        if removed {
            guard group.group == nil, format == nil, columns == nil else {
                throw SwitchboardError.usage("--removed cannot be combined with --group, --format or --columns")
            }
            return try listRemoved(session)
        }
        let isJSON = format.map { $0 == .json || $0 == .jsonl } ?? session.options.json
        if session.options.json, !isJSON {
            throw SwitchboardError.usage(
                "--format \(format?.rawValue ?? "") cannot be combined with --json; omit one of them")
        }
        if columns != nil, isJSON { throw SwitchboardError.usage("JSON has all fields; omit --columns") }
        let shown = try columns.map { try ContactColumn.list($0) } ?? (format == .tsv ? ContactColumn.standard : nil)
        let book = try session.switchboard().contacts
        if format != .tsv { session.columns = shown }
        return try session.list(
            as: format,
            cells: format != .tsv
                ? nil
                : shown.map { columns in
                    { row in
                        guard case .contact(let contact) = row.object else { return [] }
                        let number = row.dialedNumber ?? ""
                        return columns.map { Cell(LineFormat.field($0.text(contact, number))) }
                    }
                },
            of: { try group.group.map { try book.count(inGroup: $0) } ?? book.count() }
        ) { body in
            try book.forEach(group: group.group, sortedBy: sort) { try body(SearchResult($0)) }
        } ifEmpty: {
            session.noteEmpty(
                "the address book", "add contacts with 'switchboard contacts import FILE' or 'contacts add'")
        }
    }
}

struct ContactsCount: Command {
    static let configuration = CommandConfiguration("count", "Print the number of contacts.")

    var isReading: Bool { true }

    func run(_ session: Session) throws -> ExitStatus {
        let count = try session.switchboard().contacts.count()
        return try session.respond(["count": count], line: "\(count)")
    }
}

struct ContactsShow: Command {
    static let configuration = CommandConfiguration("show", "Show a contact.")

    @Argument(help: "The identifier, its beginning, or the name.", completion: .contacts) var id: String
    @Option(help: "Write it as vcard (3.0), vcard4, csv, json or jsonl instead.") var format: ExportChoice?

    var isReading: Bool { true }

    func run(_ session: Session) throws -> ExitStatus {
        if let format { return try session.exportContacts(format, ids: [try session.contact(id)]) }
        let contact = try session.switchboard().contacts.contact(try session.contact(id))
        return try session.respond(SearchResult(contact)) { session.show(contact.details) }
    }
}

struct ContactsFind: Command {
    static let configuration = CommandConfiguration(
        "find", "Find contacts by name, company, phone number, e-mail address, note, city, job title or group.",
        discussion:
            """
            Also finds the names of related people. Words may be in any order; the last one may be incomplete. For example: switchboard contacts find carmen d

            In ~/.muttrc: set query_command = "switchboard contacts find --format mutt -- %s"
            """, aliases: ["search"])

    @Argument("The search text.", "text") var text: [String] = []

    @OptionGroup var group: GroupOption
    @OptionGroup var lines: LineOptions
    @Option(
        "The columns of the table: \(ContactColumn.names).", "name,…", parsing: .next,
        completion: .list(ContactColumn.all.map(\.name)))
    var columns: String?
    @OptionGroup var batch: BatchOptions
    @OptionGroup var explaining: ExplainOption

    var isReading: Bool { true }

    func run(_ session: Session) throws -> ExitStatus {
        session.isExplaining = explaining.explain
        if columns != nil, session.options.json { throw SwitchboardError.usage("JSON has all fields; omit --columns") }
        session.columns = try columns.map { try ContactColumn.list($0) }
        return try session.searchContacts(
            try batch.query(text, named: "TEXT"), isKeypad: false, group: group.group, as: lines.format)
    }
}

struct ContactsDial: Command {
    static let configuration = CommandConfiguration(
        "dial", "Find contacts by keypad: names in any script, and phone numbers.",
        discussion: """
            2 stands for abc and for the letters of other scripts on that key. 0 is a space and 1 punctuation; both are optional. \
            + starts an international number. For example: switchboard contacts dial 253
            """)

    @Argument("The keys to press.", "digits") var digits: [String] = []

    @OptionGroup var group: GroupOption
    @OptionGroup var lines: LineOptions
    @OptionGroup var batch: BatchOptions
    @OptionGroup var explaining: ExplainOption

    var isReading: Bool { true }

    func run(_ session: Session) throws -> ExitStatus {
        session.isExplaining = explaining.explain
        return try session.searchContacts(
            try batch.query(digits, named: "DIGITS"), isKeypad: true, group: group.group, as: lines.format)
    }
}

extension Session {
    /// Searches contacts for one query, or for each line of standard input if the query is `nil`.
    func searchContacts(
        _ query: String?, isKeypad: Bool, group: String? = nil, as lines: LineFormat? = nil
    ) throws -> ExitStatus {
        let switchboard = try switchboard()
        if !isKeypad { keypadCommand = "contacts dial" }
        func contacts(_ query: String, limit: Int) throws -> SearchResponse {
            try switchboard.searchContacts(SearchInput(query, keypad: isKeypad), group: group, limit: limit)
        }
        if let lines { return try writeLines(lines, query, contacts) }
        return try search(query, contacts)
    }
}

struct ContactsGroups: Command {
    static let configuration = CommandConfiguration(
        "groups", "List the groups; 'contacts list --group NAME' lists the members of one.")

    @Flag(help: "Forget group members that are not in the address book.") var forgetUnknown = false

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

struct ContactsBirthdays: Command {
    static let configuration = CommandConfiguration(
        "birthdays", "List upcoming birthdays, nearest first.",
        discussion: """
            Includes birthdays without a year. In years without 29 February, such a birthday is shown on the 28th.
            """)

    @Option(help: ArgumentHelp("The number of days ahead; 0 means today only.", valueName: "number"))
    var days = 30
    @Option("The first day, such as tomorrow, 'next week' or 2026-12-24. (default: today)", "date", parsing: .next)
    var from: String?

    var isReading: Bool { true }

    func run(_ session: Session) throws -> ExitStatus {
        guard days >= 0 else { throw SwitchboardError.usage("--days \(days) is negative; use 0 for today only") }
        let day = from.map { CalendarDay(typed: $0) } ?? CalendarDay(Date())
        guard let day else {
            throw SwitchboardError.usage(
                "cannot read the date “\(from ?? "")”; use tomorrow, 24 December or 2026-12-24")
        }
        let birthdays = try session.switchboard().contacts.birthdays(from: day, days: days)
        let rows = try session.limited(birthdays).map(BirthdayRow.init)
        try session.respond(rows) { row in
            [
                Cell(row.birthday.date), Cell(row.distance), Cell(row.row.title, .strong),
                Cell(row.birthday.age.map { "turns \($0)" } ?? ""), Cell(row.row.id, .faint),
            ]
        }
        if rows.isEmpty { session.diagnostics.note("no birthdays in this period") }
        return .done
    }
}
