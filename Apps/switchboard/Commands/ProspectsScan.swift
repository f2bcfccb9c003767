import ArgumentParser
import SwitchboardKit
import SwitchboardProspects

struct ProspectsScan: Command {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Add prospects from pictures of badges.",
        discussion: """
            Reads PNG and JPEG files with one or more codes each. Codes that are not badges are printed and skipped, and the exit \
            status is 65. Without any code it is 1.
            """)

    @Argument(help: ArgumentHelp("The pictures, or - for standard input.", valueName: "image"))
    var images: [String]
    @Option("Where you met.", "place") var met: String?
    @OptionGroup var region: RegionOption
    @OptionGroup var global: GlobalOptions

    /// Larger than any camera picture within the pixel limit.
    private static let largestFile = 64 << 20

    func run(_ session: Session) throws -> ExitStatus {
        session.region = region.region
        var scan = BadgeScan()
        for image in images {
            try scan.read(FileIO.read(image, limit: Self.largestFile), named: image)
        }
        let report = try scan.finish(into: session.switchboard(), met: met ?? "")
        if let fault = report.refused.first, report.added.isEmpty, images.count == 1, fault.text == nil {
            throw SwitchboardError(code: "malformedInput", message: fault.reason, file: fault.file, status: .malformed)
        }
        try session.respond(report) { session.show(report.added.map { SearchResult($0.prospect) }) }
        for skipped in report.refused {
            let text = skipped.text.map { ": “\($0)”" } ?? ""
            session.diagnostics.warn("\(skipped.file): \(skipped.reason)\(text)")
        }
        for file in report.empty { session.diagnostics.warn("\(file): no code found in the picture") }
        return report.status
    }
}
