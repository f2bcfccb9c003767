import ArgumentParser
import SwitchboardKit
import SwitchboardSearchableIndex

struct IndexPut: Command {
    static let configuration = CommandConfiguration(
        commandName: "put",
        abstract: "Add items: a JSON array, one object, or one object per line.",
        discussion: """
            If one item is invalid, none is stored and the exit status is 65. An item with a known identifier is replaced, or \
            updated if it has "isUpdate": true. For example:

              echo '{"id": "show-1", "domain": "tv-shows", "title": "Breaking Dunes"}' | switchboard index put -
            """)

    @Argument(help: "The file, or - for standard input.") var file: String
    @Option(
        "A text of at most 250 bytes to store with the items. With --batch-size, {n} becomes the number of items.",
        "text", parsing: .next)
    var clientState: String?
    @Option(
        "Store only if this is the current client state, or an empty text for none; otherwise exit with 75.", "text",
        parsing: .next)
    var expectState: String?
    @Option("Commit after each N items.", "n", parsing: .next)
    var batchSize: Int?
    @OptionGroup var index: IndexOption
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        if let batchSize, batchSize < 1 {
            throw SwitchboardError.usage("--batch-size \(batchSize) is too small; use 1 or more")
        }
        let bytes = try FileReader(file)
        let interruption = SignalObserver.interruption()
        let progress = session.progress
        var options = PutOptions()
        options.clientState = clientState
        options.expectedState = expectState
        options.batchSize = batchSize
        options.isCancelled = { interruption.wasReceived }
        options.progress = { [name = bytes.name, size = bytes.size] count in
            progress.show("\(name): \(count) items", fraction: size.map { Double(bytes.position) / Double(max($0, 1)) })
        }
        let report: PutReport
        do {
            report = try session.switchboard().items(index.index).put(reading: bytes.next, options: options)
        } catch let error as SearchableIndexError {
            progress.clear()
            if case .invalidItem = error { throw SwitchboardError(error).about(file: file) }
            throw error
        }
        progress.clear()
        try session.respond(PutResponse(report)) {
            var text = "indexed \(report.indexed), updated \(report.updated)"
            if let state = report.clientState { text += ", client state “\(state)”" }
            session.output.write(text + "\n")
        }
        try session.output.flush()
        session.compact()
        return .done
    }
}
