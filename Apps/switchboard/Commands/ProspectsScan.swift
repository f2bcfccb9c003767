import ArgumentParser
import SwitchboardProspects
import SwitchboardKit

struct ProspectsScan: Command {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Add the people whose badges are in pictures.",
        discussion: """
            PNG and JPEG files; there may be several codes in one. A code that is no badge is shown and left out; the others are \
            added, and the status is 65. Without any code it is 1.
            """)

    @Argument(help: ArgumentHelp("The pictures; - is standard input.", valueName: "image"))
    var images: [String]
    @Option(parsing: .unconditional, help: ArgumentHelp("Where you meet.", valueName: "place"))
    var met: String?
    @Option(help: ArgumentHelp("The territory of numbers without a country code, such as TR.", valueName: "code"))
    var region: String?
    @OptionGroup var global: GlobalOptions

    /// As large as the pictures of any camera that are not refused for their pixels.
    private static let largestFile = 64 << 20

    func run(_ session: Session) throws -> ExitStatus {
        session.region = region
        var scan = BadgeScan()
        for image in images {
            try scan.read(WholeFile.read(image, limit: Self.largestFile), named: image)
        }
        let report = try scan.finish(into: session.switchboard(), met: met ?? "")
        if let fault = report.refused.first, report.added.isEmpty, images.count == 1, fault.text == nil {
            throw Fault(code: "malformedInput", message: fault.reason, file: fault.file, status: .malformed)
        }
        try session.answer(report) { session.show(report.added.map { SearchResult($0.prospect) }) }
        for skipped in report.refused {
            let text = skipped.text.map { ": “\($0)”" } ?? ""
            session.diagnostics.warn("\(skipped.file): \(skipped.reason)\(text)")
        }
        for file in report.empty { session.diagnostics.warn("\(file): there is no code in the picture") }
        return report.status
    }
}
