import ArgumentParser
import SwitchboardContacts
import SwitchboardKit
import SwitchboardTerminalText

/// The forms in which other programs take people: lines of fields that are parted by tabs.
enum LineFormat: String, CaseIterable, ExpressibleByArgument {
    /// What mutt's `query_command` reads: a message, then address, name and what else tells people apart.
    case mutt
    /// The same as abook prints it for `--mutt-query`: an empty message, and the note in the last field.
    case abook
    /// A line a person, without a first line that is none.
    case tsv

    /// The lines of one person; those of the first two are none without an e-mail address.
    func lines(of contact: Contact) -> [String] {
        switch self {
        case .mutt:
            addresses(of: contact) { email in
                [email.label, contact.organization].filter { !$0.isEmpty && $0 != contact.displayName }
                    .joined(separator: ", ")
            }
        // A space where there is no note: abook has one there, and not every reader takes an empty field.
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

    /// The line before the others; nil if there is none.
    func heading(count: Int, query: String) -> String? {
        switch self {
        case .mutt:
            count == 0
                ? "nobody with an e-mail address matches “\(LineFormat.field(query))”"
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

    /// A text that ends neither the field nor the line and commands no terminal: what parts words is one space.
    static func field(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09...0x0D, 0x20, 0x85, 0x2028, 0x2029: if result.last != " " { result.append(" ") }
            default: result.append(scalar)
            }
        }
        return TerminalText.harmless(String(result))
    }
}

/// The option of the searches for people to answer other programs.
struct LineOptions: ParsableArguments {
    @Option(help: "Lines for other programs: mutt (also for neomutt), abook (also for aerc) or tsv.")
    var format: LineFormat?
}

extension Session {
    /// Answers a query with lines, for as many people as the limit allows that have any.
    ///
    /// Nothing but errors goes to standard error: who asks is a program that has the screen.
    ///
    /// - Parameter search: the people of a query, as many as it is told.
    func writeLines(
        _ format: LineFormat, _ query: String?, _ search: (String, Int) throws -> SearchResponse
    ) throws -> ExitStatus {
        guard let query, !options.json else {
            throw Fault.usage("--format answers with lines; leave \(options.json ? "--json" : "--batch") out")
        }
        let lines = try lines(format, limit: searchLimit) { try search(query, $0) }
        if let heading = format.heading(count: lines.count, query: query) { output.write(heading + "\n") }
        for line in lines { output.write(line + "\n") }
        return lines.isEmpty ? .nothingFound : .done
    }

    /// The lines of the best people who have any. Many may have none, so more and more are looked at until there are enough.
    private func lines(
        _ format: LineFormat, limit: Int, _ search: (Int) throws -> SearchResponse
    ) throws -> [String] {
        var asked = limit
        while true {
            let results = try search(asked).results
            let people = results.compactMap { result -> [String]? in
                guard case .contact(let contact) = result.object else { return nil }
                let lines = format.lines(of: contact)
                return lines.isEmpty ? nil : lines
            }
            if asked == 0 || people.count >= limit || results.count < asked {
                return Array((limit == 0 ? people[...] : people.prefix(limit)).joined())
            }
            let (more, overflows) = asked.multipliedReportingOverflow(by: 8)
            asked = overflows ? 0 : more
        }
    }
}
