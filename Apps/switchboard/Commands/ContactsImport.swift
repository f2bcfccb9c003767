import ArgumentParser
import SwitchboardContacts
import Dispatch
import SwitchboardKit

struct ContactsImport: Command {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take in people from vCards (2.1, 3.0, 4.0) and tables of Google and Outlook.",
        discussion: """
            Each file comes in whole or, if a card in it is malformed, not at all; the exit status is then 65 and the other \
            files are kept. Importing a file again changes nothing.
            """)

    @Argument(help: "The files; - is standard input.") var files: [String]
    @Flag(help: "Keep the good cards of a file that has malformed ones.") var keepGood = false
    @Option(help: ArgumentHelp("The territory of numbers without a country code, such as TR.", valueName: "code"))
    var region: String?
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        session.region = region
        let book = try session.switchboard().contacts
        let interruption = Interruption()
        let progress = session.progress
        let options = ImportOptions(
            keepsGood: keepGood, region: nil,
            progress: { step in
                let place = step.fileCount > 1 ? " (\(step.fileIndex + 1) of \(step.fileCount))" : ""
                progress.show("\(step.file)\(place): \(step.contacts) contacts")
            },
            isCancelled: { interruption.hasCome })
        let report = try book.importing(files.map(ImportSource.file), options: options)
        progress.clear()
        try session.answer(report) { session.show(report) }
        for note in report.notes { session.diagnostics.note("\(note.file):\(note.line): \(note.reason)") }
        guard report.isMalformed, let first = report.skipped.first else { return .done }
        if session.options.json {
            session.diagnostics.report(Fault(first))
        } else {
            for skipped in report.skipped { session.diagnostics.report(Fault(skipped)) }
        }
        return .malformed
    }
}

extension Fault {
    fileprivate init(_ skipped: ImportReport.Skipped) {
        self.init(
            code: "malformedInput", message: skipped.reason, file: skipped.file, line: skipped.line,
            column: skipped.column, status: .malformed)
    }
}

extension Session {
    fileprivate func show(_ report: ImportReport) {
        var text = "added \(report.added), merged \(report.merged), unchanged \(report.unchanged)"
        if report.isMalformed { text += ", skipped \(report.skipped.count)" }
        output.write(text + "\n")
    }
}
