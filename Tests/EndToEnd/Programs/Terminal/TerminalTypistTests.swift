import Foundation
import Glibc
import SwitchboardTestSupport
import Testing

/// The program on a pseudo-terminal, typed on without looking at its screen.
private final class BlindTerminal {
    private let master: Int32
    private let slave: Int32
    private let child: ChildProcess

    init(_ bench: Bench, columns: Int, rows: Int) throws {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (number, lock) = (Int32(0), Int32(0))
        // TIOCSPTLCK and TIOCGPTN of <asm-generic/ioctls.h>, macros that Swift cannot import.
        try #require(master >= 0 && ioctl(master, 0x4004_5431, &lock) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(master, UInt(TIOCSWINSZ), &size) == 0)
        slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(slave >= 0)
        self.master = master
        child = try ChildProcess(
            [], of: TmuxTerminal.program,
            environment: [
                "HOME": bench.folder, "LANG": "C.UTF-8", "TERM": "xterm-256color", "TZ": "Europe/Berlin",
                "SWITCHBOARD_DATABASE": bench.database, "SWITCHBOARD_REGION": "GB",
            ], streams: [.descriptor(slave), .descriptor(slave), .descriptor(slave)])
        // The output is discarded until the terminal is closed.
        Thread.detachNewThread {
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            while read(master, &bytes, bytes.count) > 0 {}
        }
    }

    /// Types bytes, and waits until the program has read them.
    func type(_ bytes: [UInt8]) throws {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
            try #require(count > 0)
            start += count
            try awaitReading()
        }
    }

    private func awaitReading() throws {
        var unread: Int32 = 0
        try #require(
            becomesTrue(within: .seconds(60)) { ioctl(slave, UInt(FIONREAD), &unread) == 0 && unread == 0 },
            "the program stopped reading")
    }

    /// Types Esc alone. A letter that follows too soon would be Alt with that letter.
    func escape() throws {
        try type([0x1B])
        usleep(120_000)
    }

    /// Quits, and returns the exit status.
    func quit() throws -> Int32? {
        try type([0x11])
        let status = child.wait().status
        close(slave)
        close(master)
        return status
    }
}

@Suite("Terminal interface: a random typist")
struct TerminalTypistTests {
    /// The states in which the typist starts, by the keys that lead to them.
    private static let states: [(name: String, keys: String, leaves: Bool)] = [
        ("Find", "\u{1B}1", false), ("Contacts", "\u{1B}2", false), ("Prospects", "\u{1B}3", false),
        ("Airports", "\u{1B}4", false), ("Activity", "\u{1B}5", false), ("a detail", "\u{1B}2jo\r", false),
        ("the last row", "\u{1B}2\u{1B}[F", false), ("marked rows", "\u{1B}2\u{1B}V", false),
        ("the reminders", "\u{1B}l", false), ("groups", "\u{1B}g", false), ("birthdays", "\u{1B}h", false),
        ("duplicates", "\u{1B}D", false), ("removed contacts", "\u{1B}z", false), ("the badge", "\u{1B}b", false),
        ("the map", "\u{1B}4lon\u{1B}m", false), ("help", "\u{1B}OP", false), ("an error", "\u{1B}2zzzz\u{1B}M", false),
        ("a left form", "\u{1B}2\u{1B}aTypo", true), ("a left prompt", "\u{1B}Inothing.vcf\r", true),
        ("a left question", "\u{1B}2\u{1B}d", true), ("a left command mode", "\u{1B}OQ", true),
    ]

    private static let texts = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 éß中")
        .map { Array(String($0).utf8) }
    /// Enter, Tab, Shift-Tab, the arrows, Home, End and the page keys.
    private static let others = [
        "\r", "\t", "\u{1B}[Z", "\u{1B}[A", "\u{1B}[B", "\u{1B}[C", "\u{1B}[D", "\u{1B}[H", "\u{1B}[F", "\u{1B}[5~",
        "\u{1B}[6~",
    ].map { Array($0.utf8) }

    /// Returns everything that people have stored.
    private func stored(_ bench: Bench) throws -> [String] {
        try [
            ["contacts", "export", "--format", "json"], ["prospects", "export", "--format", "json"],
            ["reminders", "list", "--json"], ["prospects", "me", "--json"], ["contacts", "duplicates", "--json"],
        ].map { try bench.run($0).output }
    }

    @Test(
        "100,000 letters, digits, Space, Enter, Esc, Tab, arrows and page keys in bursts change nothing that is stored",
        arguments: zip(terminalSizes, [UInt64(49), 4900, 490_000]))
    func law(size: (columns: Int, rows: Int), seed: UInt64) throws {
        let bench = try Bench.withSample()
        for arguments in [
            ["prospects", "add", "--name", "Dylan Quux", "--email", "dylan@example.org"],
            ["prospects", "add", "--name", "Ana Prado", "--phone", "+44 7700 900123"],
            ["prospects", "me", "set", "--name", "Mia", "--email", "mia@example.org"],
            ["access", "grant", "notifications"], ["prospects", "remind", "Ana Prado", "--at", "2099-01-01 12:00"],
        ] {
            #expect(try bench.run(arguments).status == 0)
        }
        try type(on: bench, size, seed: seed, count: 30_000)
    }

    @Test("The same in an empty address book", arguments: zip(terminalSizes, [UInt64(1), 2, 3]))
    func empty(size: (columns: Int, rows: Int), seed: UInt64) throws {
        let bench = try Bench()
        // Without a badge, Alt-b opens its form.
        #expect(try bench.run("prospects", "me", "set", "--name", "Mia", "--email", "mia@example.org").status == 0)
        try type(on: bench, size, seed: seed, count: 4_000)
    }

    /// Types a number of random keys in bursts, and expects that the stored data stays the same.
    private func type(on bench: Bench, _ size: (columns: Int, rows: Int), seed: UInt64, count: Int) throws {
        let before = try stored(bench)
        let terminal = try BlindTerminal(bench, columns: size.columns, rows: size.rows)
        var random = SplitMix(seed: seed)
        var typed = 0
        var round = 0
        while typed < count {
            let state = Self.states[round % Self.states.count]
            round += 1
            try terminal.type(Array(state.keys.utf8))
            if state.leaves { try terminal.escape() }
            for _ in 0..<3 {
                let length = Int.random(in: 1...220, using: &random)
                var burst: [UInt8] = []
                for _ in 0..<length {
                    let keys = Int.random(in: 0..<4, using: &random) == 0 ? Self.others : Self.texts
                    burst += try #require(keys.randomElement(using: &random))
                }
                try terminal.type(burst)
                typed += length
                if Bool.random(using: &random) {
                    try terminal.escape()
                    typed += 1
                }
            }
            // Back to an empty search line.
            try terminal.escape()
            try terminal.escape()
        }
        #expect(try terminal.quit() == 0)
        #expect(try stored(bench) == before, "seed \(seed)")
    }

    @Test(
        "Letters, digits, Space, Enter and Esc do not answer a question",
        arguments: zip(terminalSizes, [UInt64(7), 8, 9]))
    func questions(size: (columns: Int, rows: Int), seed: UInt64) throws {
        let bench = try Bench.withSample()
        let before = try stored(bench)
        let terminal = try BlindTerminal(bench, columns: size.columns, rows: size.rows)
        var random = SplitMix(seed: seed)
        for round in 0..<40 {
            try terminal.type(
                Array(["\u{1B}2\u{1B}d", "\u{1B}2\u{1B}V\u{1B}d", "\u{1B}2\u{1B}V\u{1B}M"][round % 3].utf8))
            var burst: [UInt8] = []
            for _ in 0..<40 {
                let isEnter = Int.random(in: 0..<6, using: &random) == 0
                burst += isEnter ? [0x0D] : try #require(Self.texts.randomElement(using: &random))
            }
            try terminal.type(burst)
            for _ in 0..<3 { try terminal.escape() }
            // Unmarks what is still marked.
            if round % 3 > 0 { try terminal.type(Array("\u{1B}2\u{1B}V".utf8)) }
        }
        #expect(try terminal.quit() == 0)
        #expect(try stored(bench) == before, "seed \(seed)")
    }
}
