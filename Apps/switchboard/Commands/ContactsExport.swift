import ArgumentParser
import SwitchboardContacts
import SwitchboardKit

struct ContactsExport: Command {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write all people to standard output: vcard3, vcard4, csv, json or jsonl.")

    /// The formats of the contact book, and JSON lines.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case vcard3, vcard4, csv, json, jsonl
    }

    @Option(help: "The format; vcard3 otherwise, with --json json.") var format: Format?
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let book = try session.switchboard().contacts
        switch format ?? (global.json ? .json : .vcard3) {
        case .vcard3: try session.export(book, .vcard3)
        case .vcard4: try session.export(book, .vcard4)
        case .csv: try session.export(book, .csv)
        case .json: try session.writeResults(of: book)
        case .jsonl: try session.writeResults(of: book, asLines: true)
        }
        return .done
    }
}

extension Session {
    /// Writes the pieces that the book gives, as many contacts as the limit allows.
    fileprivate func export(_ book: ContactBook, _ format: ExportFormat) throws {
        struct Enough: Error {}
        // A table begins with its header; every other piece is one contact.
        var pieces = format == .csv ? -1 : 0
        do {
            try book.export(format) { piece in
                if listLimit > 0, pieces == listLimit { throw Enough() }
                pieces += 1
                output.write(piece)
            }
        } catch is Enough {}
    }
}
