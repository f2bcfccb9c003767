import ArgumentParser
import SwitchboardContacts
import SwitchboardKit

struct ContactsExport: Command {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write all contacts to standard output as vcard3, vcard4, csv, json or jsonl.")

    @Option(help: "The format. (default: vcard3, or json with --json)") var format: ExportChoice?
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let book = try session.switchboard().contacts
        return try session.export(format, rows: { body in try book.forEach { try body(SearchResult($0)) } }) {
            _ = try book.export($0 as ExportFormat, to: $1)
        }
    }
}
