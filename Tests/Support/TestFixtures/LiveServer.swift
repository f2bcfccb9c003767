import Foundation
import Glibc
import SwitchboardTestSupport

/// A running server with its own data folder, killed when the value is released.
package final class LiveServer: @unchecked Sendable {
    // Mutated only by `init` and `stop`, which no test calls concurrently.
    package let folder: String
    package private(set) var port = 0
    private let process = Process()
    package let log: String

    /// Starts a server and waits until it listens.
    package init(_ options: [String] = [], in existing: String? = nil, environment: [String: String] = [:]) throws {
        folder = existing ?? NSTemporaryDirectory() + "switchboard-server-" + UUID().uuidString
        if existing == nil {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        log = folder + "/log-" + UUID().uuidString
        let portFile = folder + "/port-" + UUID().uuidString
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments =
            ["serve", "--data", folder + "/data", "--port", "0", "--port-file", portFile] + options
        process.environment = ["HOME": folder, "PATH": "/usr/bin:/bin", "TZ": "Europe/Berlin"]
            .merging(environment) { $1 }
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        process.standardError = FileHandle(forWritingAtPath: log)
        process.standardOutput = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        try eventually("the server listens", timeout: .seconds(60)) {
            if !self.process.isRunning { throw Failure(text: "the server has ended: " + self.logText) }
            guard let text = try? String(contentsOfFile: portFile, encoding: .utf8),
                let port = Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
            else { return false }
            self.port = port
            return true
        }
    }

    deinit {
        if process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    package var data: String { folder + "/data" }
    package var processID: Int32 { process.processIdentifier }
    package var logText: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

    /// Sends a signal and waits until the server exits.
    package func stop(_ signal: Int32 = SIGTERM) -> Int32 {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Creates a token for a person.
    package func token(_ person: String = "ana", _ scope: String = "all") throws -> String {
        let made = try Self.command(
            "token", "create", "--create", "--person", person, "--scope", scope, "--data", data, "--json")
        let object = try expected(
            try JSONSerialization.jsonObject(with: Data(made.output.utf8)) as? [String: Any], made.errors)
        return try expected(object["token"] as? String, made.output)
    }

    /// Sends a request to this server.
    package func ask(
        _ method: String, _ target: String, token: String? = nil, headers: [String] = [], body: [UInt8]? = nil,
        host: String? = nil
    ) throws -> Reply {
        var fields = headers
        if let token { fields.append("Authorization: Bearer \(token)") }
        return try HTTPClient(port: port).ask(method, target, headers: fields, body: body, host: host)
    }

    /// Sends a request with a JSON body to this server.
    package func ask(_ method: String, _ target: String, token: String? = nil, json: String, headers: [String] = [])
        throws
        -> Reply
    {
        try ask(
            method, target, token: token, headers: headers + ["Content-Type: application/json"], body: Array(json.utf8))
    }
}

/// The result of a command.
package struct CommandEnding {
    package let status: Int32
    package let output: String
    package let errors: String
}

package struct Failure: Error, CustomStringConvertible {
    package let text: String
    package var description: String { text }
}

extension LiveServer {
    /// The program in `SWITCHBOARD_SERVER_PROGRAM`, or else the one built with the tests.
    package static let program = BuiltProgram.path(of: "switchboard-server", unless: "SWITCHBOARD_SERVER_PROGRAM")
    /// The command-line program.
    package static let commandLine = BuiltProgram.path(of: "switchboard", unless: "SWITCHBOARD_PROGRAM")

    /// Returns a port of this machine that no program listens on.
    package static func freePort() throws -> Int {
        let made = try command(
            "-c", "import socket; s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1])",
            program: "/usr/bin/python3")
        return try expected(Int(made.output.trimmingCharacters(in: .whitespacesAndNewlines)), made.errors)
    }

    /// Runs a command of the server, or of another program.
    package static func command(
        _ arguments: String..., program: String = LiveServer.program, environment: [String: String] = [:]
    ) throws -> CommandEnding {
        try start(arguments, program: program, environment: environment)
    }

    /// Runs a command.
    package static func start(
        _ arguments: [String], program: String = LiveServer.program, environment: [String: String] = [:]
    ) throws -> CommandEnding {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ["HOME": NSTemporaryDirectory(), "PATH": "/usr/bin:/bin"].merging(environment) { $1 }
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let complaint = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return CommandEnding(status: process.terminationStatus, output: text, errors: complaint)
    }
}
