import Foundation
import Glibc
import Testing

/// The command line on a pseudo-terminal.
@Suite("Command line on a terminal")
struct TerminalTests {
    let bench: Bench

    init() throws {
        bench = try Bench()
        #expect(try bench.run("contacts", "add", "--name", "Jogo", "--favourite").status == 0)
    }

    /// Runs the program on a pseudo-terminal, types `answer`, and returns the output.
    ///
    /// - Parameters:
    ///   - prompt: the output to wait for before typing.
    ///   - columns: the width of the terminal; nil if it has none.
    private func screen(
        _ arguments: [String], typing answer: String = "", after prompt: String = "",
        environment: [String: String] = [:], columns: UInt16? = nil
    ) throws -> (text: String, status: Int32?) {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (number, lock) = (Int32(0), Int32(0))
        // TIOCSPTLCK and TIOCGPTN of <asm-generic/ioctls.h>, macros that Swift cannot import.
        try #require(master >= 0 && ioctl(master, 0x4004_5431, &lock) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
        defer { close(master) }
        if let columns {
            var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
            try #require(ioctl(master, UInt(TIOCSWINSZ), &size) == 0)
        }
        let name = "/dev/pts/\(number)"
        let slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(slave >= 0)
        var variables = ["HOME": bench.folder, "LANG": "C", "TERM": "xterm", "SWITCHBOARD_DATABASE": bench.database]
        variables.merge(environment) { $1 }
        let running = try ChildProcess(
            arguments, environment: variables, streams: (0...2).map { _ in .descriptor(slave) })
        close(slave)
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while !String(decoding: text, as: UTF8.self).contains(prompt), !prompt.isEmpty {
            let count = read(master, &piece, piece.count)
            try #require(count > 0, "it exited before printing “\(prompt)”")
            text += piece[..<count]
        }
        if !answer.isEmpty {
            let bytes = Array(answer.utf8)
            _ = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
        }
        while case let count = read(master, &piece, piece.count), count > 0 { text += piece[..<count] }
        return (String(decoding: text, as: UTF8.self), running.wait().status)
    }

    @Test("Matches are coloured unless colours are disabled")
    func colours() throws {
        let coloured = try screen(["contacts", "dial", "5646"])
        #expect(coloured.status == 0)
        #expect(coloured.text.contains("\u{1B}[1;4;36mJogo\u{1B}[0m"))
        #expect(coloured.text.contains("★"))
        #expect(try !screen(["contacts", "dial", "5646"], environment: ["NO_COLOR": "1"]).text.contains("\u{1B}"))
        #expect(try !screen(["--no-color", "contacts", "dial", "5646"]).text.contains("\u{1B}"))
        #expect(try !screen(["contacts", "dial", "5646"], environment: ["TERM": "dumb"]).text.contains("\u{1B}"))
        #expect(try screen(["contacts", "dial", "5646"], environment: ["NO_COLOR": ""]).text.contains("\u{1B}"))
        #expect(try !bench.run("contacts", "dial", "5646").output.contains("\u{1B}"))
    }

    @Test("Rows are cut to the width of the terminal, but identifiers are not", arguments: [50, 60, 80] as [UInt16])
    func narrow(columns: UInt16) throws {
        let id = try bench.run(
            "contacts", "add", "--name", "Dr. Anna Extremely Long Surname With Many Parts", "--email",
            "anna.extremely.long@mail.example.org", "--phone", "+44 7700 900177", "--organization",
            "The Quite Long Organisation of Names", "--json"
        ).json().string("id")
        for command in [["contacts", "list"], ["find", "anna"], ["contacts", "find", "anna"]] {
            let text = try screen(command + ["--no-color"], columns: columns).text
            let row = try #require(text.split(whereSeparator: \.isNewline).first { $0.contains(id) })
            // Progress that was shown in the line is erased first.
            let line = row.split(separator: "\u{1B}[K").last ?? row
            #expect(line.count <= Int(columns) && line.contains("…"), "\(line)")
        }
    }

    @Test("Consent is requested with its purpose, and the answer is stored")
    func asking() throws {
        #expect(try bench.run("airports", "here", "59.93,30.33").status == 0)
        let no = try screen(["airports", "nearest", "--here"], typing: "n\n")
        #expect(no.status == 77)
        #expect(no.text.contains("to show the airports near you"))
        let again = try screen(["airports", "nearest", "--here"])
        #expect(again.status == 77)
        #expect(!again.text.contains("[y/n]"))
        #expect(try bench.run("access", "reset", "location").status == 0)
        let yes = try screen(["airports", "nearest", "--here", "--limit", "1"], typing: "yes\n")
        #expect(yes.status == 0)
        #expect(yes.text.contains("LED"))
        #expect(try bench.run("airports", "nearest", "--here").status == 0)
    }

    @Test("Keypad typing is interactive and prints only the text")
    func keypadTyping() throws {
        let typed = try screen(["keypad", "type"], typing: "8430#3673*\t\u{7F}3\r", after: "Enter: done")
        #expect(typed.status == 0)
        #expect(typed.text.contains("9 wxyz"))
        #expect(typed.text.contains("dose"))
        #expect(typed.text.hasSuffix("the Ford\r\n"))
        let spelt = try screen(
            ["keypad", "type", "--no-color"], typing: "/44*444 63\u{1B}[A\n", after: "Enter: done")
        #expect(spelt.text.hasSuffix("hi of\r\n"))
        #expect(!spelt.text.contains("\u{1B}[7m"))
        #expect(try screen(["keypad", "type"], typing: "843\u{03}", after: "Enter: done").status == 130)
    }

    @Test("Right-to-left text does not move the next column")
    func rightToLeft() throws {
        #expect(try bench.run("contacts", "add", "--name", "محمد", "--phone", "+971 50 000 0123").status == 0)
        let text = try screen(["--no-color", "contacts", "list"]).text
        #expect(text.unicodeScalars.contains("\u{200E}"))
        #expect(try !bench.run("contacts", "list").output.unicodeScalars.contains("\u{200E}"))
    }

    @Test("A long operation shows its progress on a terminal and clears it, unless quiet")
    func progress() throws {
        let shown = try screen(["contacts", "import", Bench.sample])
        #expect(shown.status == 0)
        #expect(shown.text.contains("contacts"))
        #expect(shown.text.contains("\r\u{1B}[K"))
        let quiet = try screen(["contacts", "import", Bench.sample, "--quiet"])
        #expect(!quiet.text.contains("\u{1B}[K"))
    }
}
