import Foundation
import Glibc
import SwitchboardTestFixtures
import SwitchboardTestSupport
import Testing

/// A tmux terminal with a shell that runs the terminal interface.
///
/// Waiting means polling for an expected state, for a limited time.
final class TmuxTerminal {
    let bench: Bench
    private let socket: String
    private static let tmux = "/usr/bin/tmux"

    /// The path of the terminal interface built with these tests.
    static let program = BuiltProgram.path(of: "switchboard-tui", unless: "SWITCHBOARD_TUI_PROGRAM")

    /// Opens a terminal.
    ///
    /// - Parameters:
    ///   - term: the value of TERM; nil for that of tmux.
    ///   - environment: additional environment variables.
    init(
        _ bench: Bench, columns: Int = 80, rows: Int = 24, term: String? = nil, environment: [String: String] = [:]
    ) throws {
        self.bench = bench
        // The path of a socket is limited to some hundred bytes.
        socket = "/tmp/sb-tmux-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        // The prompt marks when the shell is ready.
        let shell = try bench.file(
            "shell", "PS1='ready> '\nunset PROMPT_COMMAND\nbind 'set enable-bracketed-paste off'\n")
        let configuration = try bench.file(
            "tmux.conf", "set -g default-terminal tmux-256color\nset -g escape-time 0\nset -g status off\n")
        var variables = [
            "HOME": bench.folder, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "SWITCHBOARD_DATABASE": bench.database,
            "TZ": "Europe/Berlin", "SWITCHBOARD_REGION": "GB",
        ]
        if let term { variables["TERM"] = term }
        variables.merge(environment) { $1 }
        let assignments = variables.sorted { $0.key < $1.key }.map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
        try run(
            "-f", configuration, "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-c", bench.folder,
            "env \(assignments) bash --noprofile --rcfile \(shell) -i")
        awaitText("ready>")
    }

    deinit {
        _ = try? run("kill-server")
        unlink(socket)
    }

    /// Runs a tmux command.
    @discardableResult
    func run(_ arguments: String...) throws -> String {
        let output = bench.path(".tmux-" + UUID().uuidString)
        try Data().write(to: URL(fileURLWithPath: output))
        defer { unlink(output) }
        let process = try ChildProcess(
            ["-S", socket] + arguments, of: Self.tmux,
            environment: ["HOME": bench.folder, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"],
            streams: [.path("/dev/null"), .path(output), .path(output)])
        _ = process.wait()
        return String(decoding: try Data(contentsOf: URL(fileURLWithPath: output)), as: UTF8.self)
    }

    // MARK: - Typing

    /// Runs a shell command.
    func command(_ line: String) throws {
        try run("send-keys", "-l", line)
        try run("send-keys", "Enter")
    }

    /// Starts the interface and waits for a text; the terminal modes before and after are written to files.
    func start(_ arguments: String = "", showing text: String = "Activity") throws {
        let (before, after) = (bench.path("modes-before"), bench.path("modes-after"))
        unlink(after)
        // Split, so that the echoed command does not contain the marker.
        try command("stty -a >\(before); '\(Self.program)' \(arguments); echo end''ed $?; stty -a >\(after)")
        awaitText(text)
    }

    func type(_ text: String) throws { try run("send-keys", "-l", text) }

    /// Presses a key, given by its tmux name.
    func press(_ key: String) throws { try run("send-keys", key) }

    /// Presses a key and waits for a text.
    func press(_ key: String, until text: String) throws {
        try press(key)
        awaitText(text)
    }

    /// Selects an answer of the question on the screen, as soon as it takes keys.
    func select(_ label: String) throws {
        func selected() throws -> String { rows.dropFirst(Int(try fact("cursor_y")) ?? 0).first ?? "" }
        try wait(for: "the answer “\(label)”") { _ in
            let before = try selected()
            if before.contains("│ \(label) ") { return true }
            try press("Down")
            return try becomesTrue(within: .milliseconds(400)) { try selected() != before }
                && selected().contains("│ \(label) ")
        }
    }

    /// Gives an answer to the question on the screen.
    func answer(_ label: String, until text: String) throws {
        try select(label)
        try press("Enter", until: text)
    }

    /// Clicks the first mouse button.
    func click(row: Int, column: Int) throws {
        let bytes = [0x1B, 0x5B, 0x4D, 0x20, column + 33, row + 33].map { String($0, radix: 16) }
        var arguments = ["send-keys", "-H"] + bytes
        arguments += [0x1B, 0x5B, 0x4D, 0x23, column + 33, row + 33].map { String($0, radix: 16) }
        try runAll(arguments)
    }

    /// Runs a tmux command without reading its output.
    func runAll(_ arguments: [String]) throws {
        let process = try ChildProcess(
            ["-S", socket] + arguments, of: Self.tmux, environment: ["HOME": bench.folder, "PATH": "/usr/bin:/bin"],
            streams: (0...2).map { _ in .path("/dev/null") })
        _ = process.wait()
    }

    /// Returns the process of the interface; nil if it is not running.
    func interfaceProcess() throws -> pid_t? {
        let shell = try run("display-message", "-p", "#{pane_pid}").trimmingCharacters(in: .whitespacesAndNewlines)
        let children = (try? String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)) ?? ""
        return children.split(separator: " ").compactMap { pid_t($0) }.first
    }

    // MARK: - Reading

    /// Returns the text of the screen, optionally with escape sequences.
    func screen(withColours: Bool = false) -> String {
        (try? withColours ? run("capture-pane", "-p", "-e") : run("capture-pane", "-p")) ?? ""
    }

    /// The rows of the screen.
    var rows: [String] { screen().split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    /// Returns a tmux variable of the terminal, such as `cursor_y` or `alternate_on`.
    func fact(_ name: String) throws -> String {
        try run("display-message", "-p", "#{\(name)}").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The time for an expected state, for loaded machines.
    private static let timeout = Duration.seconds(90)

    /// Polls the screen until a condition holds.
    @discardableResult
    func wait(
        for expectation: String, at location: SourceLocation = #_sourceLocation,
        _ condition: (String) throws -> Bool
    ) rethrows -> Bool {
        if try becomesTrue(within: Self.timeout, { try condition(screen()) }) { return true }
        Issue.record("timeout while waiting for \(expectation); the screen is\n\(screen())", sourceLocation: location)
        return false
    }

    /// Waits until the screen contains a text.
    func awaitText(_ text: String, at location: SourceLocation = #_sourceLocation) {
        wait(for: "“\(text)”", at: location) { $0.contains(text) }
    }

    /// Waits until the screen no longer contains a text.
    func awaitNo(_ text: String, at location: SourceLocation = #_sourceLocation) {
        wait(for: "no “\(text)”", at: location) { !$0.contains(text) }
    }

    /// Waits until the interface has exited, checks that the terminal is restored, and returns the exit status.
    func exitStatus(at location: SourceLocation = #_sourceLocation) throws -> Int? {
        awaitText("ended ", at: location)
        wait(for: "the shell", at: location) { _ in FileManager.default.fileExists(atPath: bench.path("modes-after")) }
        try wait(for: "the modes", at: location) { _ in try modes("after") == modes("before") }
        #expect(try modes("after") == modes("before"), sourceLocation: location)
        #expect(try fact("alternate_on") == "0", sourceLocation: location)
        #expect(try fact("cursor_flag") == "1", sourceLocation: location)
        #expect(try fact("mouse_any_flag") == "0", sourceLocation: location)
        #expect(try fact("keypad_cursor_flag") == "0", sourceLocation: location)
        let line = rows.last { $0.contains("ended ") }
        return line.flatMap { $0.split(separator: " ").last }.flatMap { Int($0) }
    }

    private func modes(_ when: String) throws -> String {
        (try? String(contentsOfFile: bench.path("modes-\(when)"), encoding: .utf8)) ?? "none"
    }
}

// MARK: - Expected screens

extension TmuxTerminal {
    /// Compares the screen with the recorded one in `Screens`, ignoring identifiers and times.
    ///
    /// `SWITCHBOARD_RECORD=1` records the screen instead; review the difference before committing.
    func expectScreen(_ name: String, at location: SourceLocation = #_sourceLocation) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Screens/\(name).txt")
        if ProcessInfo.processInfo.environment["SWITCHBOARD_RECORD"] == "1" {
            var last = ""
            // Updates may still be pending after the last key.
            wait(for: "a stable screen") { screen in
                defer { last = screen }
                usleep(500_000)
                return screen == last
            }
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Self.comparable(screen()).write(to: file, atomically: true, encoding: .utf8)
            return
        }
        let expected = try String(contentsOf: file, encoding: .utf8)
        var seen = ""
        let isExpected = becomesTrue(within: Self.timeout) {
            seen = Self.comparable(screen())
            return seen == expected
        }
        if isExpected { return }
        Issue.record("the screen differs from \(name).txt:\n\(seen)", sourceLocation: location)
    }

    /// Returns the screen without identifiers, times and durations.
    private static func comparable(_ screen: String) -> String {
        var text = screen
        let patterns = [
            (#"\b[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\b"#, "UUID"),
            (#"\b[0-9a-hjkmnp-tv-z]{12}\b"#, "IDENTIFIER  "), (#"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?Z?"#, "TIME"),
            (#" *[\d.]+ (ms|µs)(?=\n)"#, ""), ("\u{200E}", ""), (" +(?=\n)", ""),
        ]
        for (pattern, replacement) in patterns {
            text = text.replacingOccurrences(of: pattern, with: replacement, options: .regularExpression)
        }
        return text
    }
}
