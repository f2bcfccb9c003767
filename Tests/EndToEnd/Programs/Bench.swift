import Foundation
import Glibc
import SwitchboardTestFixtures
import Synchronization
import Testing

/// A temporary folder with a database, on which the built program runs.
final class Bench: Sendable {
    let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "switchboard-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The default database of all runs.
    var database: String { folder + "/people.sqlite" }

    /// Returns a path in the folder.
    func path(_ name: String) -> String { folder + "/" + name }

    /// Writes a file into the folder and returns its path.
    func file(_ name: String, _ text: String) throws -> String {
        try file(name, Data(text.utf8))
    }

    func file(_ name: String, _ data: Data) throws -> String {
        try data.write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    /// Writes a shell script into the folder and returns its path.
    ///
    /// A program that another test starts meanwhile inherits files that Foundation has open. As long as one is open for
    /// writing, it cannot be executed.
    func script(_ name: String, _ text: String) throws -> String {
        let descriptor = open(path(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o755)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: Data("#!/bin/sh\n\(text)\n".utf8))
        try file.close()
        return path(name)
    }

    /// Returns the names of all files in the folder except those of the database.
    func otherFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix("people.") }.sorted()
    }
}

// MARK: - The sample

extension Bench {
    /// Returns a bench with the sample address book and its index, which are made once and copied.
    static func withSample() throws -> Bench {
        let bench = try Bench()
        let prepared = try prepared.get()
        for name in try FileManager.default.contentsOfDirectory(atPath: prepared.folder) where name.hasPrefix("people.")
        {
            try FileManager.default.copyItem(atPath: prepared.path(name), toPath: bench.path(name))
        }
        return bench
    }

    private static let prepared: Result<Bench, any Error> = Result {
        let bench = try Bench()
        let imported = try bench.run("contacts", "import", sample, "--region", "GB")
        #expect(imported.status == 0, "\(imported.errors)")
        let found = try bench.run("find", "an")
        #expect(found.status == 0, "\(found.errors)")
        return bench
    }
}

/// The result of running a program.
struct RunResult {
    /// The exit status, or `nil` if a signal ended the program.
    var status: Int32?
    /// The signal that ended the program.
    var signal: Int32?
    var output = ""
    var errors = ""

    /// The lines of standard output.
    var lines: [String] {
        // Splits by scalars because CR LF is one character.
        output.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { String($0) }
    }
    /// The lines of standard error.
    var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
}

extension Bench {
    /// The program named by `SWITCHBOARD_PROGRAM` (Scripts/test uses the release build), or else the one built with the tests.
    static let program = BuiltProgram.path(of: "switchboard", unless: "SWITCHBOARD_PROGRAM")

    /// The sample address book.
    static let sample = source("Apps/switchboard/Samples/contacts.vcf")

    /// Returns the path of a file of this repository.
    static func source(_ path: String) -> String {
        let here = URL(fileURLWithPath: #filePath)
        let top = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return top.appendingPathComponent(path).path
    }

    /// Runs the program to its end.
    @discardableResult
    func run(
        _ arguments: String..., input: String = "", environment: [String: String] = [:],
        streams: [Int32: String] = [:], closing: [Int32] = []
    ) throws -> RunResult {
        try run(arguments, input: input, environment: environment, streams: streams, closing: closing)
    }

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - streams: Files that replace standard streams.
    ///   - closing: Standard streams that are closed at the start.
    func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:],
        streams: [Int32: String] = [:], closing: [Int32] = []
    ) throws -> RunResult {
        let name = UUID().uuidString
        let files = (0...2).map { path(".\(name)-\($0)") }
        try Data(input.utf8).write(to: URL(fileURLWithPath: files[0]))
        for file in files[1...] { try Data().write(to: URL(fileURLWithPath: file)) }
        defer { for file in files { unlink(file) } }
        let process = try ChildProcess(
            arguments, environment: self.environment(environment), closing: closing,
            streams: (0...2).map { .path(streams[Int32($0)] ?? files[$0]) })
        var result = process.wait()
        result.output = String(decoding: try Data(contentsOf: URL(fileURLWithPath: files[1])), as: UTF8.self)
        result.errors = String(decoding: try Data(contentsOf: URL(fileURLWithPath: files[2])), as: UTF8.self)
        return result
    }

    /// Starts the program with pipes as standard streams.
    func start(_ arguments: String..., environment: [String: String] = [:]) throws -> InteractiveProcess {
        try start(arguments, environment: environment)
    }

    func start(_ arguments: [String], environment: [String: String] = [:]) throws -> InteractiveProcess {
        try InteractiveProcess(arguments, environment: self.environment(environment))
    }

    private func environment(_ more: [String: String]) -> [String: String] {
        var variables = ["HOME": folder, "LANG": "C", "PATH": "/usr/bin:/bin", "SWITCHBOARD_DATABASE": database]
        variables.merge(more) { $1 }
        return variables
    }
}

/// A child process that runs the program or another one.
final class ChildProcess {
    enum Stream {
        case path(String)
        case descriptor(Int32)
    }

    let process: pid_t

    struct CannotStart: Error {
        let code: Int32
    }

    init(
        _ arguments: [String], of program: String = Bench.program, environment: [String: String], closing: [Int32] = [],
        streams: [Stream]
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in streams.enumerated() {
            switch stream {
            case .path(let path):
                let flags = number == 0 ? O_RDONLY : O_WRONLY
                posix_spawn_file_actions_addopen(&actions, Int32(number), path, flags, 0)
            case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
            }
        }
        for number in closing { posix_spawn_file_actions_addclose(&actions, number) }
        // Signals that the tests ignore have their default action in the program.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGPIPE)
        sigaddset(&signals, SIGTERM)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        var blocked = sigset_t()
        sigemptyset(&blocked)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        let argv = ([program] + arguments).map { strdup($0) } + [nil]
        let envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        var process: pid_t = 0
        let code = Self.spawning.withLock { _ in
            posix_spawn(&process, program, &actions, &attributes, argv, envp)
        }
        guard code == 0 else { throw CannotStart(code: code) }
        self.process = process
    }

    /// Held while a process starts and while pipes are created, so that no process inherits a pipe of another test.
    static let spawning = Mutex(())

    /// Creates a pipe that child processes do not inherit. The caller must hold `spawning`.
    static func pipe() -> [Int32] {
        var ends: [Int32] = [-1, -1]
        _ = Glibc.pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return ends
    }

    func send(_ signal: Int32) { kill(process, signal) }

    func wait() -> RunResult {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0
            ? RunResult(status: (status >> 8) & 0xFF, signal: nil) : RunResult(status: nil, signal: signal)
    }
}

/// A child process whose standard streams are pipes.
final class InteractiveProcess {
    let child: ChildProcess
    private var toProgram: Int32
    private var fromProgram: Int32
    private let errors: Int32
    private var received: [UInt8] = []

    init(_ arguments: [String], environment: [String: String]) throws {
        // Writing to a process that has ended must not end the tests.
        signal(SIGPIPE, SIG_IGN)
        let (input, output, errors) = ChildProcess.spawning.withLock { _ in
            (ChildProcess.pipe(), ChildProcess.pipe(), ChildProcess.pipe())
        }
        child = try ChildProcess(
            arguments, environment: environment,
            streams: [.descriptor(input[0]), .descriptor(output[1]), .descriptor(errors[1])])
        close(input[0])
        close(output[1])
        close(errors[1])
        toProgram = input[1]
        fromProgram = output[0]
        self.errors = errors[0]
    }

    deinit {
        closeInput()
        closeOutput()
        close(errors)
    }

    func send(_ text: String) { send(bytes: Array(text.utf8)) }

    func send(bytes: [UInt8]) {
        var start = 0
        while start < bytes.count {
            let written = bytes[start...].withUnsafeBytes { write(toProgram, $0.baseAddress, $0.count) }
            if written <= 0 { return }
            start += written
        }
    }

    /// Returns the next line of the output, or `nil` at its end.
    func readLine() -> String? {
        while true {
            if let end = received.firstIndex(of: 0x0A) {
                defer { received.removeFirst(end + 1) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            var piece = [UInt8](repeating: 0, count: 65_536)
            let count = read(fromProgram, &piece, piece.count)
            if count <= 0 { return nil }
            received += piece[..<count]
        }
    }

    /// The number of bytes that were sent and that the program has not read.
    var unreadCount: Int {
        var count: Int32 = 0
        return ioctl(toProgram, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// Closes the standard input of the program.
    func closeInput() {
        if toProgram >= 0 { close(toProgram) }
        toProgram = -1
    }

    /// Closes the reading end of the program's standard output.
    func closeOutput() {
        if fromProgram >= 0 { close(fromProgram) }
        fromProgram = -1
    }

    /// Returns the memory that only this process uses, in KiB.
    func privateMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(child.process)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
        return try #require(Int(line.filter(\.isNumber)))
    }

    /// Closes the input and waits for the program to end.
    func finish() -> RunResult {
        closeInput()
        var result = child.wait()
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(errors, &piece, piece.count), count > 0 { bytes += piece[..<count] }
        result.errors = String(decoding: bytes, as: UTF8.self)
        return result
    }
}
