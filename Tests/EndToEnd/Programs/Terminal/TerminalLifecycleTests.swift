import Foundation
import Glibc
import Testing

@Suite("Terminal interface: life cycle")
struct TerminalLifecycleTests {
    @Test("F2 q, Ctrl-Q and Ctrl-C quit and restore the terminal")
    func quitting() throws {
        let terminal = try TmuxTerminal(Bench.withSample())
        for keys in [["F2", "q"], ["C-q"], ["C-c"]] {
            try terminal.command("clear")
            try terminal.start()
            for key in keys { try terminal.press(key) }
            #expect(try terminal.exitStatus() == 0)
        }
    }

    @Test("A text and --tab start with a search, and the window has a title meanwhile")
    func start() throws {
        let terminal = try TmuxTerminal(Bench.withSample())
        let title = try terminal.fact("pane_title")
        try terminal.start("--tab contacts jogo", showing: "> jogo")
        terminal.awaitText("contacts: 1 of ")
        try terminal.wait(for: "the title") { _ in try terminal.fact("pane_title") == "switchboard" }
        try terminal.press("C-q")
        #expect(try terminal.exitStatus() == 0)
        #expect(try terminal.fact("pane_title") == title)
        try terminal.command("clear; '\(TmuxTerminal.program)' --tab home; echo end''ed $?")
        terminal.awaitText("ended 64")
    }

    @Test("tui.conf sets the first tab and the keys, and a mistake in it ends the program")
    func configuration() throws {
        let bench = try Bench.withSample()
        let folder = bench.path("config/switchboard")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let file = try bench.file("config/switchboard/tui.conf", "tab = contacts\ntheme = light\nkey.quit = x\n")
        let terminal = try TmuxTerminal(bench, environment: ["XDG_CONFIG_HOME": bench.path("config")])
        try terminal.start("", showing: "contacts: 1 of 342")
        try terminal.press("F2", until: "COMMAND")
        try terminal.press("x")
        #expect(try terminal.exitStatus() == 0)
        _ = try bench.file("config/switchboard/tui.conf", "# mine\ntheme = pink\n")
        try terminal.command("clear; '\(TmuxTerminal.program)'; echo en''ded $?")
        terminal.awaitText("ended 65")
        // The path may be wrapped.
        #expect(terminal.screen().replacing("\n", with: "").contains(file + ":2: there is no theme “pink”"))
        unlink(file)
        let printed = bench.path("printed")
        try terminal.command("clear; '\(TmuxTerminal.program)' --print-config >\(printed); echo en''ded $?")
        terminal.awaitText("ended 0")
        #expect(try String(contentsOfFile: printed, encoding: .utf8).contains("key.undo = Alt-u, Ctrl-_\n"))
    }

    @Test("A detail copies the selected field to the clipboard of the terminal")
    func copying() throws {
        let terminal = try TmuxTerminal(Bench.withSample())
        try terminal.run("set", "-s", "set-clipboard", "on")
        try terminal.start()
        try terminal.type("jogo")
        terminal.awaitText("+44 7700 900177")
        try terminal.press("Enter", until: "mobile")
        try terminal.press("Down")
        try terminal.press("M-y", until: "name copied")
        try terminal.wait(for: "the clipboard") { _ in try terminal.run("show-buffer").contains("Jogo") }
        try terminal.press("C-q")
        #expect(try terminal.exitStatus() == 0)
    }

    @Test(
        "A fatal signal restores the terminal and determines the exit status",
        arguments: [SIGTERM, SIGHUP, SIGQUIT, SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT])
    func signals(number: Int32) throws {
        let terminal = try TmuxTerminal(Bench.withSample())
        try terminal.command("ulimit -c 0")
        try terminal.start()
        try terminal.type("jo")
        terminal.awaitText("João")
        let process = try #require(try terminal.interfaceProcess())
        kill(process, number)
        #expect(try terminal.exitStatus() == Int(128 + number))
    }

    @Test("Ctrl-Z restores the terminal, and fg resumes the interface")
    func suspending() throws {
        let terminal = try TmuxTerminal(Bench.withSample())
        try terminal.start()
        try terminal.type("jogo")
        terminal.awaitText("+44 7700 900177")
        try terminal.press("C-z", until: "Stopped")
        #expect(try terminal.fact("alternate_on") == "0")
        try terminal.command("fg")
        terminal.awaitText("+44 7700 900177")
        terminal.awaitText("> jogo")
        try terminal.type("x")
        terminal.awaitText("> jogox")
        // The same for a signal from another process.
        kill(try #require(try terminal.interfaceProcess()), SIGTSTP)
        terminal.awaitText("Stopped")
        try terminal.command("fg")
        terminal.awaitText("> jogox")
        try terminal.press("C-c")
        terminal.awaitText("ready>")
        #expect(try terminal.fact("alternate_on") == "0")
    }

    @Test("Ctrl-Z in the editor of a note stops the interface, and fg resumes both")
    func suspendingEditor() throws {
        let bench = try Bench.withSample()
        // What an editor does on Ctrl-Z.
        let editor = try bench.script("editor", "kill -TSTP 0\nprintf resumed >\"$1\"")
        let terminal = try TmuxTerminal(bench, environment: ["EDITOR": editor])
        try terminal.start()
        try terminal.press("M-2", until: "contacts: 1 of 342")
        try terminal.press("M-n", until: "Stopped")
        try terminal.command("fg")
        terminal.awaitText("note            resumed")
        try terminal.press("C-q")
        terminal.awaitText("ready>")
        #expect(try terminal.fact("alternate_on") == "0")
    }

    @Test("Esc responds at once, and Alt with a letter is one key")
    func escape() throws {
        let terminal = try TmuxTerminal(Bench.withSample())
        try terminal.start()
        try terminal.type("jo")
        terminal.awaitText("> jo")
        try terminal.press("Escape", until: "type to search")
        try terminal.press("M-3", until: "everyone")
    }

    @Test(
        "Keys of common terminals work under each TERM, and unknown sequences are ignored",
        arguments: ["xterm-256color", "screen-256color", "tmux-256color", "linux", "vt100"])
    func sequences(term: String) throws {
        let terminal = try TmuxTerminal(Bench.withSample(), term: term)
        func send(_ sequence: String) throws {
            let bytes = sequence.utf8.map { String($0, radix: 16) }
            try terminal.runAll(["send-keys", "-H", "1b"] + bytes)
        }
        try terminal.start()
        try terminal.type("abc")
        terminal.awaitText("> abc")
        terminal.awaitText("1 of 2")
        // Ctrl-Down, Alt-Up, Shift-F5, Insert with Ctrl, a key of the kitty protocol, F1 to F5 of the Linux console.
        for unknown in ["[1;5B", "[1;3A", "[15;2~", "[2;5~", "[97;5u", "[[E", "[I"] { try send(unknown) }
        // Home, End and Page Down of other terminals.
        for home in ["[1~", "[7~", "[H", "OH"] {
            try send(home)
            try terminal.wait(for: "the first row after \(home)") { _ in try terminal.fact("cursor_y") == "3" }
            try send("[4~")
            try terminal.wait(for: "the last row") { _ in try terminal.fact("cursor_y") == "4" }
        }
        try send("[6~")
        try terminal.type(" def")
        terminal.awaitText("> abc def")
        try send("[1;5D")
        try terminal.wait(for: "the cursor at the last word") { _ in try terminal.fact("cursor_x") == "6" }
        try terminal.press("C-k")
        terminal.awaitNo("def")
        try terminal.wait(for: "the cursor in the search line") { _ in try terminal.fact("cursor_y") == "0" }
        // A terminal without an alternate screen keeps the text, so the status may follow other text in its line.
        try terminal.press("C-q", until: "ended 0")
    }

    @Test("A database in a missing folder is an error, and creates nothing")
    func missingFolder() throws {
        let bench = try Bench.withSample()
        let terminal = try TmuxTerminal(bench)
        try terminal.command("'\(TmuxTerminal.program)' --database \(bench.path("nowhere/p.sqlite")); echo end''ed $?")
        terminal.awaitText("ended 66")
        #expect(!FileManager.default.fileExists(atPath: bench.path("nowhere")))
    }

    @Test(
        "Without colours no colour code is written, but bold and reverse are", arguments: ["NO_COLOR", "--no-color"])
    func withoutColours(how: String) throws {
        let bench = try Bench.withSample()
        let terminal = try TmuxTerminal(bench, environment: how == "NO_COLOR" ? ["NO_COLOR": "1"] : [:])
        let written = bench.path("written")
        try terminal.run("pipe-pane", "-o", "cat >\(written)")
        try terminal.start(how == "NO_COLOR" ? "" : how)
        try terminal.type("jogo")
        terminal.awaitText("+44 7700 900177")
        try terminal.press("Down")
        try terminal.press("C-q")
        #expect(try terminal.exitStatus() == 0)
        let bytes = try String(decoding: Data(contentsOf: URL(fileURLWithPath: written)), as: UTF8.self)
        #expect(Self.colourCodes(in: bytes).isEmpty)
        #expect(bytes.contains(/\u{1B}\[[0-9;]*1m/))
        #expect(bytes.contains(/\u{1B}\[[0-9;]*7m/))
    }

    @Test("The terminal's 8, 16 or 256 colours are used", arguments: ["xterm", "xterm-16color", "xterm-256color"])
    func colours(term: String) throws {
        let bench = try Bench.withSample()
        let terminal = try TmuxTerminal(bench, term: term)
        // Debian's base terminals have 8 or 256 colors; this is the entry of ncurses-term.
        let entry = try bench.file(
            "terminal.ti",
            #"xterm-16color|xterm with 16 colors, colors#16, pairs#0x100, setab=\E[%?%p1%{8}%<%t%p1%{40}%+%e%p1%{92}%+%;%dm, "#
                + #"setaf=\E[%?%p1%{8}%<%t%p1%{30}%+%e%p1%{82}%+%;%dm, use=xterm,"# + "\n")
        try terminal.command("clear; tic -o ~/.terminfo \(entry) && echo rea''dy-made")
        terminal.awaitText("ready-made")
        let written = bench.path("written")
        try terminal.run("pipe-pane", "-o", "cat >\(written)")
        try terminal.start()
        try terminal.type("jogo")
        terminal.awaitText("+44 7700 900177")
        try terminal.press("C-q")
        #expect(try terminal.exitStatus() == 0)
        let bytes = try String(decoding: Data(contentsOf: URL(fileURLWithPath: written)), as: UTF8.self)
        let codes = Self.colourCodes(in: bytes)
        #expect(!codes.isEmpty)
        #expect(codes.contains { $0.contains("38;5;44") } == (term == "xterm-256color"))
        // Faint text is gray or dimmed, not both.
        let isDimmed = bytes.matches(of: /\u{1B}\[([0-9;]*)m/).contains { $0.1.split(separator: ";").contains("2") }
        #expect(isDimmed == (term != "xterm-256color"))
    }

    /// The escape sequences that set a color (ECMA-48, SGR 30 to 49 and 90 to 107).
    private static func colourCodes(in text: String) -> [String] {
        text.matches(of: /\u{1B}\[([0-9;]*)m/).map { String($0.1) }.filter { code in
            code.split(separator: ";").contains { part in
                Int(part).map { (30...39).contains($0) || (40...49).contains($0) || (90...107).contains($0) } ?? false
            }
        }
    }

    // MARK: - Startup errors

    @Test("Without a terminal it reports an error in one line")
    func noTerminal() throws {
        let bench = try Bench()
        let process = try ChildProcess(
            [], of: TmuxTerminal.program, environment: ["HOME": bench.folder, "TERM": "xterm"],
            streams: [.path("/dev/null"), .path("/dev/null"), .path(bench.file("errors", ""))])
        #expect(process.wait().status == 64)
        let errors = try String(contentsOfFile: bench.path("errors"), encoding: .utf8)
        #expect(errors.split(separator: "\n").count == 1)
        #expect(errors.contains("needs a terminal"))
    }

    @Test(
        "An unusable terminal is reported in one line",
        arguments: [("nonsense-9", "unknown terminal"), ("dumb", "cannot position its cursor")])
    func unusableTerminal(term: String, reason: String) throws {
        let terminal = try TmuxTerminal(Bench.withSample(), term: term)
        try terminal.start(showing: reason)
        #expect(try terminal.exitStatus() == 69)
    }

    @Test("A newer, damaged or locked database is reported in one line with its exit status")
    func unusableDatabases() throws {
        let bench = try Bench.withSample()
        let newer = bench.path("newer.sqlite")
        try FileManager.default.copyItem(atPath: bench.database, toPath: newer)
        try python(
            bench, "import sqlite3; db = sqlite3.connect('\(newer)')",
            "db.execute(\"INSERT INTO storage_migration VALUES ('ContactBook', '999-tomorrow', '2026')\"); db.commit()")
        let broken = try bench.file(
            "broken.sqlite", "This is a text, and no database at all; it goes on for a while.\n")
        let terminal = try TmuxTerminal(bench, columns: 200)
        for (path, status, reason) in [(newer, 65, "newer version"), (broken, 65, "not a database")] {
            try terminal.command("clear")
            try terminal.start("--database \(path)", showing: reason)
            #expect(try terminal.exitStatus() == status)
            #expect(terminal.rows.count { $0.contains("switchboard-tui: ") } == 1)
        }
        let locked = bench.path("locked.sqlite")
        try FileManager.default.copyItem(atPath: bench.database, toPath: locked)
        let holding = try ChildProcess(
            [
                "-c",
                """
                import sqlite3, time
                db = sqlite3.connect('\(locked)', isolation_level=None)
                db.execute('PRAGMA locking_mode=EXCLUSIVE')
                db.execute('BEGIN EXCLUSIVE')
                open('\(bench.path("held"))', 'w').close()
                time.sleep(600)
                """,
            ], of: "/usr/bin/python3", environment: ["PATH": "/usr/bin:/bin"],
            streams: (0...2).map { _ in .path("/dev/null") })
        defer {
            holding.send(SIGKILL)
            _ = holding.wait()
        }
        terminal.wait(for: "the file to be held") { _ in FileManager.default.fileExists(atPath: bench.path("held")) }
        try terminal.command("clear")
        try terminal.start("--database \(locked)", showing: "in use by another process")
        #expect(try terminal.exitStatus() == 75)
    }

    private func python(_ bench: Bench, _ lines: String...) throws {
        let process = try ChildProcess(
            ["-c", lines.joined(separator: "\n")], of: "/usr/bin/python3", environment: ["PATH": "/usr/bin:/bin"],
            streams: [.path("/dev/null"), .path("/dev/null"), .path(bench.file("python-errors", ""))])
        let status = process.wait().status
        #expect(status == 0, "\((try? String(contentsOfFile: bench.path("python-errors"), encoding: .utf8)) ?? "")")
    }
}
