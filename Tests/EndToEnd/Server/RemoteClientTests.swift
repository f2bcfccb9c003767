import Foundation
import SwitchboardTestFixtures
import Testing

@Suite("The command line as a client")
struct RemoteClientTests {
    let server: LiveServer
    let folder: String

    init() throws {
        server = try LiveServer()
        folder = server.folder + "/client"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private var url: String { "http://127.0.0.1:\(server.port)" }

    private func client(_ arguments: String...) throws -> CommandEnding {
        try LiveServer.start(
            arguments + ["--database", folder + "/people.sqlite", "--json"], program: LiveServer.commandLine)
    }

    private func object(_ ending: CommandEnding) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any])
    }

    private func codes(_ ending: CommandEnding) throws -> [String] {
        let rows = try #require(try object(ending)["results"] as? [[String: Any]])
        return rows.compactMap { $0["id"] as? String }
    }

    @Test(
        "Remote results extend the local ones",
        arguments: [
            ["search", "keflavik"], ["search", "frankfrut"], ["search", "москва"], ["dial", "53352845"],
            ["nearest", "64.13,-21.94"], ["nearest", "-33.92,18.42", "--sort", "distance", "--limit", "0"],
        ])
    func remoteResults(arguments: [String]) throws {
        let alone = try LiveServer.start(
            ["airports"] + arguments + ["--database", folder + "/people.sqlite", "--json"],
            program: LiveServer.commandLine)
        let both = try LiveServer.start(
            ["airports"] + arguments + ["--database", folder + "/people.sqlite", "--json", "--remote", url],
            program: LiveServer.commandLine)
        #expect(both.status == 0 && both.errors.isEmpty, "\(both.errors)")
        #expect(try object(both)["final"] as? Bool == true)
        // Both know the same airports, so the local results come first.
        #expect(try codes(both).starts(with: codes(alone)))
    }

    @Test("The popular list is downloaded only if it has changed")
    func popular() throws {
        let first = try client("airports", "update", "--from", url)
        #expect(first.status == 0, "\(first.errors)")
        #expect(try object(first)["changed"] as? Bool == true)
        #expect(try object(first)["airports"] as? Int ?? 0 > 1_000)
        #expect(try object(client("airports", "update", "--from", url))["changed"] as? Bool == false)
    }
}
