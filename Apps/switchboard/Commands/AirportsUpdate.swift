import ArgumentParser
import Foundation
import SwitchboardAirports
import SwitchboardJSON
import SwitchboardKit

struct AirportsUpdate: Command {
    static let configuration = CommandConfiguration(
        "update", "Replace the list of popular airports with a snapshot.",
        discussion: """
            An incomplete or invalid snapshot changes nothing. A server sends its list only if it has changed since the last \
            update. For example:

              switchboard airports update --from https://example.org
              switchboard airports update --from popular.gz
            """)

    @Option(
        """
        A server, the address of a snapshot, or a file written by 'airports snapshot' (- for standard input). \
        (default: $SWITCHBOARD_REMOTE)
        """, "url|file", parsing: .next, completion: .file())
    var from: String?

    @Flag(help: "Only if the list is older than a day and the last attempt was more than an hour ago.") var ifDue =
        false

    /// The maximum size of a snapshot file; a typical snapshot has a few hundred kilobytes.
    private static let largestFile = 64 << 20

    func run(_ session: Session) throws -> ExitStatus {
        if let address = try address(session) { return try refresh(from: address, session) }
        guard let from else {
            throw SwitchboardError(
                code: "unavailable",
                message: "no server is configured; name a server or a snapshot with --from",
                status: .unavailable)
        }
        if ifDue { throw SwitchboardError.usage("--if-due needs a server; omit it for a file") }
        let data = Data(try FileIO.read(from, limit: Self.largestFile))
        do {
            let count = try session.switchboard().airports.update(snapshot: data)
            return try session.respond(["airports": count], line: "\(count) popular airports")
        } catch let error as AirportsError {
            throw SwitchboardError(error).about(file: from)
        }
    }

    /// Returns the address of the list, or `nil` for a file or if no server is configured.
    private func address(_ session: Session) throws -> String? {
        guard let from else { return try session.server()?.popularAddress }
        let scheme = from.prefix { $0 != ":" }.lowercased()
        return scheme == "http" || scheme == "https" ? try AirportServer.popularAddress(at: from) : nil
    }

    private func refresh(from address: String, _ session: Session) throws -> ExitStatus {
        // An update can be due only in an existing database.
        session.createsDatabase = !ifDue
        let switchboard = try session.switchboard()
        let interruption = SignalObserver.interruption()
        session.progress.show("fetching \(address)")
        let refresh: PopularRefresh
        do {
            refresh = try switchboard.refreshPopular(from: address, onlyIfDue: ifDue) { interruption.wasReceived }
        } catch {
            throw SwitchboardError(error).about(file: address)
        }
        session.progress.clear()
        let count = try refresh.airports ?? switchboard.airports.popular().count
        let isNew = if case .replaced = refresh { true } else { false }
        let reason = refresh == .notDue ? "checked within the last day" : "nothing newer"
        let response: JSONValue = ["airports": .number(Double(count)), "changed": .bool(isNew)]
        try session.respond(response, line: "\(count) popular airports" + (isNew ? "" : ", unchanged: \(reason)"))
        // Build the index now to speed up the next search.
        if isNew, ifDue { try? switchboard.airportSearch.warmUp() }
        return .done
    }
}

struct AirportsSnapshot: Command {
    static let configuration = CommandConfiguration(
        "snapshot", "Write the list of popular airports to a snapshot for 'airports update'.")

    @Option(help: ArgumentHelp("The file to write.", valueName: "file"), completion: .file())
    var output: String

    func run(_ session: Session) throws -> ExitStatus {
        let airports = try session.switchboard().airports
        let count = try airports.popular().count
        session.noteEarlier(try FileIO.write([UInt8](try airports.snapshot()), to: output))
        let response: JSONValue = ["file": .string(output), "airports": .number(Double(count))]
        return try session.respond(response, note: "\(count) airports written to \(output)")
    }
}
