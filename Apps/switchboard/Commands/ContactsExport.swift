import ArgumentParser
import SwitchboardContacts
import SwitchboardKit

struct ContactsExport: Command {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write all contacts to standard output as vcard3, vcard4, csv, json or jsonl.")

    /// The formats of `ExportFormat`, JSON, and JSON lines.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case vcard3, vcard4, csv, json, jsonl
    }

    @Option(help: "The format. (default: vcard3, or json with --json)") var format: Format?
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let book = try session.switchboard().contacts
        switch format ?? (global.json ? .json : .vcard3) {
        case .vcard3: try session.export(hasHeader: false) { try book.export(.vcard3, to: $0) }
        case .vcard4: try session.export(hasHeader: false) { try book.export(.vcard4, to: $0) }
        case .csv: try session.export(hasHeader: true) { try book.export(.csv, to: $0) }
        case .json: try session.writeJSON { body in try book.forEach { try body(SearchResult($0)) } }
        case .jsonl: try session.writeJSON(asLines: true) { body in try book.forEach { try body(SearchResult($0)) } }
        }
        return .done
    }
}
