import Foundation
import Glibc
import LiveServer
import Testing

/// A terminal in tmux with a shell in it, in which the terminal interface is run.
///
/// Nothing here waits for a time: what is expected is looked for until it is there.
final class TmuxTerminal {
    let bench: Bench
    private let socket: String
    private static let tmux = "/usr/bin/tmux"

    /// Where the terminal interface lies: beside the command line that was built with these tests.
    static let program = BuiltProgram.path(of: "switchboard-tui", unless: "SWITCHBOARD_TUI_PROGRAM")

    /// Opens a terminal.
    ///
    /// - Parameters:
    ///   - term: what it is called to the program; nil as tmux has it.
    ///   - environment: what else the shell is to know.
    init(
        _ bench: Bench, columns: Int = 80, rows: Int = 24, term: String? = nil, environment: [String: String] = [:]
    ) throws {
        self.bench = bench
        // A socket's path has room for some hundred bytes.
        socket = "/tmp/sb-tmux-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        // The shell says when it is ready and is silent otherwise.
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

    /// WordSuffixes a command of tmux.
    @discardableResult
    func run(_ arguments: String...) throws -> String {
        let output = bench.path(".tmux-" + UUID().uuidString)
        try Data().write(to: URL(fileURLWithPath: output))
        defer { unlink(output) }
        let process = try Running(
            ["-S", socket] + arguments, of: Self.tmux,
            environment: ["HOME": bench.folder, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"],
            streams: [.path("/dev/null"), .path(output), .path(output)])
        _ = process.wait()
        return String(decoding: try Data(contentsOf: URL(fileURLWithPath: output)), as: UTF8.self)
    }

    // MARK: - Typing

    /// Types a line to the shell.
    func command(_ line: String) throws {
        try run("send-keys", "-l", line)
        try run("send-keys", "Enter")
    }

    /// Starts the interface and waits until it shows a list; what the terminal is like before and after stands in files.
    func start(_ arguments: String = "", showing text: String = "Activity") throws {
        let (before, after) = (bench.path("modes-before"), bench.path("modes-after"))
        unlink(after)
        // Written so that the line itself does not say that it has ended.
        try command("stty -a >\(before); '\(Self.program)' \(arguments); echo end''ed $?; stty -a >\(after)")
        awaitText(text)
    }

    /// Types a text.
    func type(_ text: String) throws { try run("send-keys", "-l", text) }

    /// Presses a key by tmux's name of it.
    func press(_ key: String) throws { try run("send-keys", key) }

    /// Presses keys, and after each waits until the screen says something.
    func press(_ key: String, until text: String) throws {
        try press(key)
        awaitText(text)
    }

    /// Presses the mouse's first button.
    func click(row: Int, column: Int) throws {
        let bytes = [0x1B, 0x5B, 0x4D, 0x20, column + 33, row + 33].map { String($0, radix: 16) }
        var arguments = ["send-keys", "-H"] + bytes
        arguments += [0x1B, 0x5B, 0x4D, 0x23, column + 33, row + 33].map { String($0, radix: 16) }
        try runAll(arguments)
    }

    private func runAll(_ arguments: [String]) throws {
        let process = try Running(
            ["-S", socket] + arguments, of: Self.tmux, environment: ["HOME": bench.folder, "PATH": "/usr/bin:/bin"],
            streams: (0...2).map { _ in .path("/dev/null") })
        _ = process.wait()
    }

    /// The process of the interface; nil if none wordSuffixes.
    func interfaceProcess() throws -> pid_t? {
        let shell = try run("display-message", "-p", "#{pane_pid}").trimmingCharacters(in: .whitespacesAndNewlines)
        let children = (try? String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)) ?? ""
        return children.split(separator: " ").compactMap { pid_t($0) }.first
    }

    // MARK: - Looking

    /// What the screen shows; with the escape sequences of colours if asked for.
    func screen(withColours: Bool = false) -> String {
        (try? withColours ? run("capture-pane", "-p", "-e") : run("capture-pane", "-p")) ?? ""
    }

    /// The rows of the screen.
    var rows: [String] { screen().split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    /// A figure or fact that tmux knows of the terminal, such as `cursor_y` or `alternate_on`.
    func fact(_ name: String) throws -> String {
        try run("display-message", "-p", "#{\(name)}").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// How often is looked: a minute and more, on a machine that does much else.
    private static let patience = Int(ProcessInfo.processInfo.environment["SWITCHBOARD_PATIENCE"] ?? "") ?? 1_500

    /// Looks until something is so.
    @discardableResult
    func wait(
        for what: String, at location: SourceLocation = #_sourceLocation, _ isSo: (String) throws -> Bool
    ) rethrows -> Bool {
        for _ in 0..<Self.patience {
            if try isSo(screen()) { return true }
            usleep(40_000)
        }
        Issue.record("waited in vain for \(what); the screen is\n\(screen())", sourceLocation: location)
        return false
    }

    /// Looks until the screen has a text.
    func awaitText(_ text: String, at location: SourceLocation = #_sourceLocation) {
        wait(for: "“\(text)”", at: location) { $0.contains(text) }
    }

    /// Looks until the screen has a text no more.
    func awaitNo(_ text: String, at location: SourceLocation = #_sourceLocation) {
        wait(for: "no “\(text)”", at: location) { !$0.contains(text) }
    }

    /// Waits until the interface has ended, and checks that the terminal is as it was.
    ///
    /// - Returns: the exit status.
    func ending(at location: SourceLocation = #_sourceLocation) throws -> Int? {
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

// MARK: - Screens as they should be

extension TmuxTerminal {
    /// Compares the screen with the one that is kept in `Screens`, without what differs from run to run.
    ///
    /// With `SWITCHBOARD_RECORD=1` it is written there instead; look at the difference before it is committed.
    func expectScreen(_ name: String, at location: SourceLocation = #_sourceLocation) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Screens/\(name).txt")
        if ProcessInfo.processInfo.environment["SWITCHBOARD_RECORD"] == "1" {
            var last = ""
            // What comes after the last key may still be on its way.
            wait(for: "a quiet screen") { screen in
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
        for _ in 0..<Self.patience {
            seen = Self.comparable(screen())
            if seen == expected { return }
            usleep(40_000)
        }
        Issue.record("the screen is not \(name).txt but\n\(seen)", sourceLocation: location)
    }

    /// The screen without identifiers, times and durations.
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
