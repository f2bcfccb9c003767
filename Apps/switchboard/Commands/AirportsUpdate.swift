import Airports
import ArgumentParser
import Foundation
import Switchboard

struct AirportsUpdate: Command {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Replace the list of popular airports by that of a snapshot.",
        discussion: "All or nothing: a snapshot that is torn or says what cannot be changes nothing.")

    @Option(
        help: ArgumentHelp("The snapshot as 'airports snapshot' writes it; - is standard input.", valueName: "file"))
    var from: String?
    @OptionGroup var global: GlobalOptions

    /// A snapshot is some hundred kilobytes.
    private static let largestFile = 64 << 20

    private struct Answer: Encodable {
        let airports: Int
    }

    func run(_ session: Session) throws -> ExitStatus {
        guard let from else {
            throw Fault(
                code: "unavailable",
                message: "no server is set to fetch the list from; name a snapshot with --from FILE",
                status: .unavailable)
        }
        if from.lowercased().hasPrefix("http://") || from.lowercased().hasPrefix("https://") {
            throw Fault.unreachable(from)
        }
        let data = Data(try WholeFile.read(from, limit: Self.largestFile))
        do {
            let count = try session.switchboard().airports.update(snapshot: data)
            try session.answer(Answer(airports: count)) { session.output.write("\(count) popular airports\n") }
        } catch let error as AirportsError {
            throw Fault(error).about(file: from)
        }
        return .done
    }
}

struct AirportsSnapshot: Command {
    static let configuration = CommandConfiguration(
        commandName: "snapshot", abstract: "Write the list of popular airports as a snapshot for 'airports update'.")

    @Option(help: ArgumentHelp("The file to write.", valueName: "file"))
    var output: String
    @OptionGroup var global: GlobalOptions

    private struct Answer: Encodable {
        let file: String
        let airports: Int
    }

    func run(_ session: Session) throws -> ExitStatus {
        let airports = try session.switchboard().airports
        let count = try airports.popular().count
        try WholeFile.write([UInt8](try airports.snapshot()), to: output)
        try session.answer(Answer(file: output, airports: count)) {
            session.diagnostics.note("\(count) airports written to \(output)")
        }
        return .done
    }
}
