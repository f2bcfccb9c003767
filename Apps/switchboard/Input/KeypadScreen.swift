import SwitchboardKeypad
import SwitchboardKit
import Synchronization
import SwitchboardTerminalText

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A line of text that is entered with nine keys at a terminal, and the words to choose from below it.
///
/// It is drawn on standard error, so that standard output has the text and nothing else.
struct KeypadScreen {
    /// What a person does.
    enum Action {
        case press(EntryKey)
        /// Nothing for a while, in a word that is spelt.
        case pause
        case done
        case interrupted
    }

    private let saved: termios
    private let isPlain: Bool
    private let stopping = StopSignals()
    private var input: [UInt8] = []
    private var isOpen = true
    private var hasShown = false
    /// Whether a letter is being tapped, which a pause ends.
    private var isTapping = false

    /// How long a letter waits to be walked, in milliseconds.
    private static let patience: Int32 = 1_000

    /// Takes the terminal over: keys come as they are pressed, and are not shown by themselves.
    ///
    /// - Throws: a fault if standard input is no terminal.
    init(isPlain: Bool, isQuiet: Bool, words: some WordSource) throws {
        self.isPlain = isPlain
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else {
            throw Fault.usage("typing needs a terminal; give the KEYS, or --batch to read them from standard input")
        }
        saved = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        settings.c_iflag &= ~tcflag_t(IXON)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
        if !isQuiet { put(Self.layout(words)) }
    }

    /// Gives the terminal back as it was.
    mutating func close() {
        guard isOpen else { return }
        isOpen = false
        if hasShown { put("\r\u{1B}[J") }
        var settings = saved
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }

    // MARK: - Keys

    /// The next thing that the person does; keys that mean nothing are passed over.
    ///
    /// - Throws: a fault if standard input cannot be read.
    mutating func nextKey(isSpelling: Bool) throws -> Action {
        while true {
            if stopping.hasCome { return .interrupted }
            guard let byte = try nextByte(waiting: isSpelling && isTapping ? Self.patience : -1) else {
                if stopping.hasCome { return .interrupted }
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

    /// The next byte; nil at the end of the input, when a signal came, or after the wait.
    private mutating func nextByte(waiting milliseconds: Int32) throws -> UInt8? {
        if !input.isEmpty { return input.removeFirst() }
        var waited: Int32 = 0
        while !stopping.hasCome {
            // Woken up now and then, to see whether a signal has come.
            let slice: Int32 = 100
            var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            let ready = poll(&request, 1, slice)
            if ready == 0 {
                waited += slice
                if milliseconds >= 0, waited >= milliseconds { return nil }
                continue
            }
            var piece = [UInt8](repeating: 0, count: 256)
            let count = piece.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                isTapping = false
                return nil
            }
            input = Array(piece[..<count])
            return input.removeFirst()
        }
        return nil
    }

    /// Passes over what an arrow or function key sends.
    private mutating func skipSequence() {
        guard let next = input.first, next == UInt8(ascii: "[") || next == UInt8(ascii: "O") else { return }
        input.removeFirst()
        while let byte = input.first {
            input.removeFirst()
            if (0x40...0x7E).contains(byte) { return }
        }
    }

    // MARK: - Drawing

    /// Shows the text and what can be chosen.
    mutating func show(_ typing: inout KeypadTyping) throws {
        let unfinished = try typing.unfinished()
        let text = try typing.text()
        let done = String(text.dropLast(unfinished.count))
        let candidates = try typing.candidates()
        let width = max(20, columns())
        let word = TerminalText.harmless(unfinished)
        let before = Self.tail(TerminalText.harmless(done), width: width - TerminalText.width(of: word) - 2)
        let line = before + (isPlain || word.isEmpty ? word : "\u{1B}[4m\(word)\u{1B}[0m") + "_"
        put("\r\u{1B}[J" + line + "\r\n" + choices(candidates, typing.entry.choice, width: width) + "\r\u{1B}[A")
        hasShown = true
    }

    /// The end of a text that fits.
    private static func tail(_ text: String, width: Int) -> String {
        var room = width
        let end = text.reversed().prefix { letter in
            room -= TerminalText.width(of: String(letter))
            return room >= 0
        }
        return String(end.reversed())
    }

    /// The words around the chosen one, as many as fit.
    private func choices(_ candidates: [String], _ choice: Int?, width: Int) -> String {
        var line = ""
        var used = 0
        let first = max(0, (choice ?? 0) - 3)
        for (index, candidate) in candidates.enumerated().dropFirst(first) {
            let text = TerminalText.harmless(candidate)
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
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// A picture of the keys in the language of the words.
    private static func layout(_ words: some WordSource) -> String {
        var keys: [[String]] = [["1 . , '"]]
        for key in UInt8(ascii: "2")...UInt8(ascii: "9") {
            let letters = String(words.letters(on: key).prefix(6))
            let cell = "\(Character(Unicode.Scalar(key))) \(letters)"
            if keys[keys.count - 1].count == 3 { keys.append([]) }
            keys[keys.count - 1].append(cell)
        }
        keys.append(["* next (Tab)", "0 space", "# case"])
        keys.append(["/ spell", "Backspace", "Enter: done"])
        var picture = ""
        for row in keys {
            for cell in row {
                picture += cell + String(repeating: " ", count: max(1, 14 - TerminalText.width(of: cell)))
            }
            picture += "\r\n"
        }
        return picture
    }

    private func put(_ text: String) {
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count {
            let written = bytes[start...].withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            // There is nobody left to see it.
            if written <= 0 { return }
            start += written
        }
    }
}
