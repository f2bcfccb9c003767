import ArgumentParser
import SwitchboardSearchableIndex
import SwitchboardKit

struct IndexPut: Command {
    static let configuration = CommandConfiguration(
        commandName: "put",
        abstract: "Put items into the index: a JSON array, one object, or an object a line.",
        discussion: """
            All items come in or, if one is not valid, none; the exit status is then 65. An item whose identifier is there is \
            replaced, or with "isUpdate": true changed in part. For example:

              echo '{"id": "show-1", "domain": "tv-shows", "title": "Breaking Dunes"}' | switchboard index put -
            """)

    @Argument(help: "The file; - is standard input.") var file: String
    @Option(
        help: ArgumentHelp(
            "A text of yours, at most 250 bytes, that is kept with what is put. With --batch-size {n} in it is the number of items.",
            valueName: "text"))
    var clientState: String?
    @Option(
        help: ArgumentHelp(
            "Put only if the index is in this client state (an empty text: in none); exit status 75 otherwise.",
            valueName: "text"))
    var expectState: String?
    @Option(help: ArgumentHelp("Keep each so many items as soon as they are complete.", valueName: "n"))
    var batchSize: Int?
    @OptionGroup var index: IndexOption
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        if let batchSize, batchSize < 1 { throw Fault.usage("--batch-size \(batchSize): give 1 or more") }
        let bytes = try FilePieces(file)
        let interruption = Interruption()
        let progress = session.progress
        var options = PutOptions()
        options.clientState = clientState
        options.expectedState = expectState
        options.batchSize = batchSize
        options.isCancelled = { interruption.hasCome }
        options.progress = { [name = bytes.name, size = bytes.size] count in
            progress.show("\(name): \(count) items", fraction: size.map { Double(bytes.position) / Double(max($0, 1)) })
        }
        let report: PutReport
        do {
            report = try session.switchboard().items(index.index).put(reading: bytes.next, options: options)
        } catch let error as SearchableIndexError {
            progress.clear()
            if case .invalidItem = error { throw Fault(error).about(file: file) }
            throw error
        }
        progress.clear()
        try session.answer(PutResponse(report)) {
            var text = "indexed \(report.indexed), updated \(report.updated)"
            if let state = report.clientState { text += ", client state “\(state)”" }
            session.output.write(text + "\n")
        }
        try session.output.flush()
        session.compact()
        return .done
    }
}
