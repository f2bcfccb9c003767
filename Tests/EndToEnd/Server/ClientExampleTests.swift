import Foundation
import SwitchboardTestFixtures
import Testing

/// The clients in Examples.
@Suite("Examples of clients") struct ClientExampleTests {
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Examples/HTTPScript/client.sh").standardized.path

    @Test(
        "A client adds once, merges changes, lists all pages and resumes its events",
        arguments: [[BuiltProgram.path(of: "http-client")], ["/bin/sh", script]])
    func client(program: [String]) throws {
        let server = try LiveServer()
        let token = try server.token()
        for name in ["Ana", "Bo", "Cy", "Dan"] {
            #expect(try server.ask("POST", "/v1/contacts", token: token, json: #"{"name": "\#(name)"}"#).status == 201)
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program[0])
        process.arguments = program.dropFirst() + ["http://127.0.0.1:\(server.port)"]
        process.environment = ["SWITCHBOARD_TOKEN": token, "PATH": "/usr/bin:/bin", "HOME": server.folder]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        for line in [
            "added once: yes", "merging with: Met in Bergen", "merged: Met in Bergen; Call on Monday",
            "listed all: yes", #"event: {"changed": ["contacts"]}"#,
        ] {
            #expect(text.contains(line + "\n"), "\(text)")
        }
        #expect(text.contains("unchanged since: yes\n") || text.contains("unchanged since: 304\n"), "\(text)")
        #expect(try server.ask("GET", "/v1/contacts", token: token).results.count == 4)
    }

    @Test(
        "A client reports the detail of a problem",
        arguments: [[BuiltProgram.path(of: "http-client")], ["/bin/sh", script]])
    func problem(program: [String]) throws {
        let server = try LiveServer()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program[0])
        process.arguments = program.dropFirst() + ["http://127.0.0.1:\(server.port)"]
        process.environment = ["SWITCHBOARD_TOKEN": "sb_wrong", "PATH": "/usr/bin:/bin"]
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 1 && text.contains("(unauthorized)"), "\(text)")
    }
}
