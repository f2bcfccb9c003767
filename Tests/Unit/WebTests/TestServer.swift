import Foundation

/// A local web server for a test.
final class TestServer {
    private let process = Process()
    private let input = Pipe()
    let port: Int

    /// Starts a server at a local address.
    init(at address: String = "127.0.0.1") throws {
        let script = Bundle.module.bundleURL.appending(path: "Resources/server.py")
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", script.path(percentEncoded: false), address]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A { line.append(byte) }
        guard let port = Int(String(decoding: line, as: UTF8.self)) else { throw CocoaError(.fileReadUnknown) }
        self.port = port
    }

    // Not waited for: Foundation waits with a run loop, which test threads lack. The server also exits at the end of its
    // input.
    deinit {
        process.terminate()
    }

    func url(_ path: String, host: String = "127.0.0.1") -> String { "http://\(host):\(port)\(path)" }
}
