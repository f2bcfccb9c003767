import SwitchboardAirports
import ArgumentParser
import Foundation
import SwitchboardKit

struct AirportsUpdate: Command {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Replace the list of popular airports by that of a snapshot.",
        discussion: """
            All or nothing: a snapshot that is torn or says what cannot be changes nothing. A server is asked only whether it has \
            another list than the one it gave last. For example:

              switchboard airports update --from https://example.org
              switchboard airports update --from popular.gz
            """)

    @Option(
        help: ArgumentHelp(
            """
            A server, the address of a snapshot, or a file as 'airports snapshot' writes it (- is standard input); \
            $SWITCHBOARD_REMOTE otherwise.
            """,
            valueName: "url|file"))
    var from: String?

    @Flag(help: "Only if the list is older than a day and nobody has tried within the hour.") var ifDue = false
    @OptionGroup var global: GlobalOptions

    /// A snapshot is some hundred kilobytes.
    private static let largestFile = 64 << 20

    private struct Answer: Encodable {
        let airports: Int
        /// Of a server, whether it had another list.
        var changed: Bool?
    }

    func run(_ session: Session) throws -> ExitStatus {
        if let address = try address(session) { return try refresh(from: address, session) }
        guard let from else {
            throw Fault(
                code: "unavailable",
                message: "no server is set to fetch the list from; name one, or a snapshot, with --from",
                status: .unavailable)
        }
        if ifDue { throw Fault.usage("--if-due goes with a server, not with a file") }
        let data = Data(try WholeFile.read(from, limit: Self.largestFile))
        do {
            let count = try session.switchboard().airports.update(snapshot: data)
            try session.answer(Answer(airports: count)) { session.output.write("\(count) popular airports\n") }
        } catch let error as AirportsError {
            throw Fault(error).about(file: from)
        }
        return .done
    }

    /// Where a server has the list; nil if it is in a file, or no server is set.
    private func address(_ session: Session) throws -> String? {
        guard let from else { return try session.server()?.popularAddress }
        let scheme = from.prefix { $0 != ":" }.lowercased()
        return scheme == "http" || scheme == "https" ? try AirportServer.popularAddress(at: from) : nil
    }

    private func refresh(from address: String, _ session: Session) throws -> ExitStatus {
        // What is due is due in a database that is there.
        session.createsDatabase = !ifDue
        let switchboard = try session.switchboard()
        let interruption = Interruption()
        session.progress.show("fetching \(address)")
        let refresh: PopularRefresh
        do {
            refresh = try switchboard.refreshPopular(from: address, onlyIfDue: ifDue) { interruption.hasCome }
        } catch {
            throw Fault(error).about(file: address)
        }
        session.progress.clear()
        let count = try refresh.airports ?? switchboard.airports.popular().count
        if case .replaced = refresh {
            try session.answer(Answer(airports: count, changed: true)) {
                session.output.write("\(count) popular airports\n")
            }
            // So that the next search need not.
            if ifDue { try? switchboard.airportSearch.warmUp() }
        } else {
            let reason = refresh == .notDue ? "looked at within the day" : "nothing newer"
            try session.answer(Answer(airports: count, changed: false)) {
                session.output.write("\(count) popular airports, unchanged: \(reason)\n")
            }
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
