import ArgumentParser
import SwitchboardContacts
import SwitchboardKit
import SwitchboardTerminalText

/// Line formats for other programs; the fields are separated by tabs.
enum LineFormat: String, CaseIterable, ExpressibleByArgument {
    /// The format of mutt's `query_command`: a message, then lines of address, name and other information.
    case mutt
    /// The output of `abook --mutt-query`: an empty message, and the note in the last field.
    case abook
    /// One line per contact, without a heading.
    case tsv

    /// Returns the lines of a contact. The first two formats skip contacts without an e-mail address.
    func lines(of contact: Contact) -> [String] {
        switch self {
        case .mutt:
            addresses(of: contact) { email in
                [email.label, contact.organization].filter { !$0.isEmpty && $0 != contact.displayName }
                    .joined(separator: ", ")
            }
        // A space stands for an empty note, as in abook: some readers reject an empty field.
        case .abook: addresses(of: contact) { _ in contact.note.isEmpty ? " " : contact.note }
        case .tsv:
            [
                LineFormat.line([
                    contact.displayName, contact.emails.first?.address ?? "",
                    contact.phones.first.map { $0.number.e164 ?? $0.number.text } ?? "", contact.organization,
                    contact.title, contact.nickname, contact.birthday, contact.isFavourite ? "1" : "0", contact.id,
                ])
            ]
        }
    }

    /// Returns the first line, or `nil` if the format has none.
    func heading(count: Int, query: String) -> String? {
        switch self {
        case .mutt:
            count == 0
                ? "no contact with an e-mail address matches “\(LineFormat.field(query))”"
                : count == 1 ? "1 address" : "\(count) addresses"
        case .abook: count == 0 ? "Not found" : ""
        case .tsv: nil
        }
    }

    private func addresses(of contact: Contact, other: (Email) -> String) -> [String] {
        contact.emails.filter { !$0.address.isEmpty }.map { email in
            LineFormat.line([email.address, contact.displayName, other(email)])
        }
    }

    private static func line(_ fields: [String]) -> String { fields.map(field).joined(separator: "\t") }

    /// Returns a text without tabs, line breaks and control characters; runs of white space become one space.
    static func field(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09...0x0D, 0x20, 0x85, 0x2028, 0x2029: if result.last != " " { result.append(" ") }
            default: result.append(scalar)
            }
        }
        return TerminalText.sanitized(String(result))
    }
}

/// The `--format` option of the contact searches.
struct LineOptions: ParsableArguments {
    @Option(help: "Print lines for other programs: mutt (and neomutt), abook (and aerc) or tsv.")
    var format: LineFormat?
}

extension Session {
    /// Prints the results of a query as lines, up to the limit.
    ///
    /// Only errors go to standard error because the calling program owns the screen.
    ///
    /// - Parameter search: Returns the contacts that match a query, up to a limit. Contacts without lines do not count, so
    ///   the search is repeated with a larger limit until there are enough.
    func writeLines(
        _ format: LineFormat, _ query: String?, _ search: (String, Int) throws -> SearchResponse
    ) throws -> ExitStatus {
        guard let query, !options.json else {
            throw SwitchboardError.usage(
                "--format cannot be combined with \(options.json ? "--json" : "--batch"); omit one of them")
        }
        var requested = searchLimit
        while true {
            let results = try search(query, requested).results
            let contacts = results.compactMap { result -> [String]? in
                guard case .contact(let contact) = result.object else { return nil }
                let lines = format.lines(of: contact)
                return lines.isEmpty ? nil : lines
            }
            if requested == 0 || contacts.count >= searchLimit || results.count < requested {
                let lines = (searchLimit == 0 ? contacts[...] : contacts.prefix(searchLimit)).joined()
                if let heading = format.heading(count: lines.count, query: query) { output.write(heading + "\n") }
                for line in lines { output.write(line + "\n") }
                return lines.isEmpty ? .nothingFound : .done
            }
            let (more, overflows) = requested.multipliedReportingOverflow(by: 8)
            requested = overflows ? 0 : more
        }
    }
}
