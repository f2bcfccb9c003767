import Foundation
import SwitchboardKeypad
import SwitchboardKit
import SwitchboardTerminalText

/// A line of text entered with nine keys in a terminal, with the candidate words below it.
///
/// It is drawn on standard error because standard output receives only the finished text.
struct KeypadScreen {
    enum Action {
        case press(EntryKey)
        /// A pause while a word is spelled, which ends the letter.
        case pause
        case done
        case interrupted
    }

    private let saved: termios
    private let isPlain: Bool
    private let stopping = SignalObserver(SignalObserver.termination)
    private var input: [UInt8] = []
    private var isOpen = true
    private var hasShown = false
    /// `true` while a letter is entered by repeated taps.
    private var isTapping = false

    /// The pause in milliseconds that ends a letter.
    private static let letterTimeout: Int32 = 1_000

    /// Puts the terminal into raw mode without echo.
    init(isPlain: Bool, isQuiet: Bool, words: some WordSource) throws {
        self.isPlain = isPlain
        var settings = termios()
        // Each `unsafe` is safe because the system call reads or writes a local variable.
        guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else {
            throw SwitchboardError.usage(
                "typing needs a terminal; add KEYS, or read them from standard input with --batch")
        }
        saved = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        settings.c_iflag &= ~tcflag_t(IXON)
        unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
        if !isQuiet { StandardStreams.writeError(Self.layout(words)) }
    }

    /// Restores the terminal.
    mutating func close() {
        guard isOpen else { return }
        isOpen = false
        if hasShown { StandardStreams.writeError("\r\u{1B}[J") }
        var settings = saved
        unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }

    // MARK: - Keys

    /// Returns the user's next action. Unassigned keys are ignored.
    mutating func nextKey(isSpelling: Bool) throws -> Action {
        while true {
            if stopping.wasReceived { return .interrupted }
            guard let byte = try nextByte(timeout: isSpelling && isTapping ? Self.letterTimeout : -1) else {
                if stopping.wasReceived { return .interrupted }
                guard isSpelling, isTapping else { return .done }
                isTapping = false
                return .pause
            }
            switch byte {
            case 0x03: return .interrupted
            case 0x04, 0x0A, 0x0D: return .done
            case 0x08, 0x7F: return .press(.delete)
            case 0x09: return .press(.next)
            case 0x20: return .press(.space)
            case 0x1B: skipSequence()
            default:
                guard let key = EntryKey(Character(Unicode.Scalar(byte))) else { continue }
                if case .letter = key { isTapping = true } else { isTapping = false }
                return .press(key)
            }
        }
    }

    /// Returns the next byte, or `nil` at the end of the input, after a signal, or after the timeout.
    private mutating func nextByte(timeout milliseconds: Int32) throws -> UInt8? {
        if !input.isEmpty { return input.removeFirst() }
        var waited: Int32 = 0
        while !stopping.wasReceived {
            // Poll in short slices to notice signals.
            let slice: Int32 = 100
            var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&request, 1, slice)
            if ready == 0 {
                waited += slice
                if milliseconds >= 0, waited >= milliseconds { return nil }
                continue
            }
            let name = "standard input"
            input = (try? StandardStreams.read(STDIN_FILENO, upTo: 256, name: name, file: name)) ?? []
            guard !input.isEmpty else {
                isTapping = false
                return nil
            }
            return input.removeFirst()
        }
        return nil
    }

    /// Skips the escape sequence of an arrow or function key.
    private mutating func skipSequence() {
        guard let next = input.first, next == UInt8(ascii: "[") || next == UInt8(ascii: "O") else { return }
        input.removeFirst()
        while let byte = input.first {
            input.removeFirst()
            if (0x40...0x7E).contains(byte) { return }
        }
    }

    // MARK: - Drawing

    /// Draws the text and the candidates.
    mutating func show(_ typing: inout KeypadTyping) throws {
        let unfinished = try typing.unfinished()
        let text = try typing.text()
        let done = String(text.dropLast(unfinished.count))
        let candidates = try typing.candidates()
        let width = max(20, columns())
        let word = TerminalText.sanitized(unfinished)
        let before = Self.tail(TerminalText.sanitized(done), width: width - TerminalText.width(of: word) - 2)
        let line = before + (isPlain || word.isEmpty ? word : "\u{1B}[4m\(word)\u{1B}[0m") + "_"
        let choices = choices(candidates, typing.entry.choice, width: width)
        StandardStreams.writeError("\r\u{1B}[J" + line + "\r\n" + choices + "\r\u{1B}[A")
        hasShown = true
    }

    /// Returns the longest suffix of a text that fits into a width.
    private static func tail(_ text: String, width: Int) -> String {
        var room = width
        let end = text.reversed().prefix { letter in
            room -= TerminalText.width(of: String(letter))
            return room >= 0
        }
        return String(end.reversed())
    }

    /// Returns a line of candidates around the selected one.
    private func choices(_ candidates: [String], _ choice: Int?, width: Int) -> String {
        var line = ""
        var used = 0
        let first = max(0, (choice ?? 0) - 3)
        for (index, candidate) in candidates.enumerated().dropFirst(first) {
            let text = TerminalText.sanitized(candidate)
            let needed = TerminalText.width(of: text) + 3
            guard used + needed < width else { break }
            used += needed
            if index != choice {
                line += " \(text)  "
            } else {
                line += isPlain ? "[\(text)] " : " \u{1B}[7m\(text)\u{1B}[0m  "
            }
        }
        return line
    }

    private func columns() -> Int {
        var size = winsize()
        guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Returns a drawing of the keypad in the language of the words.
    private static func layout(_ words: some WordSource) -> String {
        let letters = (UInt8(ascii: "2")...UInt8(ascii: "9")).map { key in
            "\(Character(Unicode.Scalar(key))) \(String(words.letters(on: key).prefix(6)))"
        }
        let keys = ["1 . , '"] + letters + ["* next (Tab)", "0 space", "# case", "/ spell", "Backspace", "Enter: done"]
        return keys.enumerated().map { index, cell in
            cell + String(repeating: " ", count: max(1, 14 - TerminalText.width(of: cell)))
                + (index % 3 == 2 ? "\r\n" : "")
        }.joined()
    }
}
