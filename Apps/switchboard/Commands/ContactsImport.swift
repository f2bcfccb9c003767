import ArgumentParser
import Dispatch
import SwitchboardContacts
import SwitchboardKit

struct ContactsImport: Command {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import contacts from vCard (2.1, 3.0, 4.0) or CSV files of Google and Outlook.",
        discussion: """
            A file with a malformed card is rejected as a whole, and the exit status is 65; other files are still imported. \
            Importing a file again changes nothing.
            """)

    @Argument(help: "The files, or - for standard input.") var files: [String]
    @Flag(help: "Import the valid cards of a file that has malformed ones.") var keepGood = false
    @OptionGroup var region: RegionOption
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        session.region = region.region
        let book = try session.switchboard().contacts
        let interruption = SignalObserver.interruption()
        let progress = session.progress
        let options = ImportOptions(
            keepsGood: keepGood, region: nil,
            progress: { step in
                let place = step.fileCount > 1 ? " (\(step.fileIndex + 1) of \(step.fileCount))" : ""
                progress.show("\(step.file)\(place): \(step.contacts) contacts")
            },
            isCancelled: { interruption.wasReceived })
        let report = try book.importing(files.map(ImportSource.file), options: options)
        progress.clear()
        try session.respond(report) { session.show(report) }
        for note in report.notes { session.diagnostics.note("\(note.file):\(note.line): \(note.reason)") }
        guard report.isMalformed, let first = report.skipped.first else { return .done }
        for skipped in session.options.json ? [first] : report.skipped {
            session.diagnostics.report(SwitchboardError(skipped))
        }
        return .malformed
    }
}

extension SwitchboardError {
    fileprivate init(_ skipped: MalformedInput) {
        self.init(
            code: "malformedInput", message: skipped.reason, file: skipped.file, line: skipped.line,
            column: skipped.column, status: .malformed)
        if skipped.file.hasSuffix(".json") || skipped.file.hasSuffix(".jsonl") {
            message += "; import reads vCard and CSV, such as 'switchboard contacts export --format vcard4'"
        }
    }
}

extension Session {
    fileprivate func show(_ report: ImportReport) {
        var text = "added \(report.added), merged \(report.merged), unchanged \(report.unchanged)"
        if report.isMalformed { text += ", skipped \(report.skipped.count)" }
        output.write(text + "\n")
    }
}
