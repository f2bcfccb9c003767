import CSwitchboardNcurses
import Foundation
import SwitchboardKit
import SwitchboardTerminalInterface

/// The terminal, for use on the main thread only.
final class Terminal {
    /// True if the terminal has colors and they are enabled.
    let hasColors: Bool

    /// True if faint text has a separate color, so it must not be dimmed as well.
    private let hasFaintColor: Bool

    private var shown: Screen?
    private let signals: Int32

    /// Opens the terminal: a device, or else standard input and output.
    ///
    /// - Throws: an error if it cannot be used; its modes are then unchanged.
    init(
        wantsColors: Bool, configuration: TerminalConfiguration, term: String, device: String? = nil
    ) throws(SwitchboardError) {
        var colors: Int32 = 0
        // Safe: the result is written to a local variable, and the path is copied for the call.
        switch unsafe sb_terminal_open(wantsColors ? 1 : 0, device, &colors) {
        case SB_TERMINAL_OK: break
        case SB_TERMINAL_UNKNOWN:
            throw Terminal.error("unknown terminal “\(term)”; set TERM to a known one, such as xterm-256color")
        case SB_TERMINAL_NO_CURSOR: throw Terminal.cannotPositionCursor(term)
        default: throw Terminal.error("cannot open the terminal “\(term)”")
        }
        hasColors = colors > 0
        hasFaintColor = colors >= 256
        signals = sb_terminal_signals()
        if hasColors { Terminal.defineColors(Int(colors), configuration) }
    }

    static func cannotPositionCursor(_ term: String) -> SwitchboardError {
        error("the terminal “\(term)” cannot position its cursor; use 'switchboard' or another TERM")
    }

    private static func error(_ message: String) -> SwitchboardError {
        SwitchboardError(code: "terminal", message: message, status: .unavailable)
    }

    /// Defines the colors of each tone for 256, 16 or 8 colors.
    private static func defineColors(_ count: Int, _ configuration: TerminalConfiguration) {
        func define(_ tone: Style.Tone, _ color: Int32, of256 better: Int32, on background: Int32 = -1) {
            // Use the theme's color if the terminal lacks the configured one.
            let own = configuration.colours[tone].flatMap { $0 < count ? Int32($0) : nil }
            sb_terminal_pair(Int32(tone.rawValue), own ?? (count >= 256 ? better : color), background)
        }
        define(.code, 0, of256: 16, on: count >= 256 ? 231 : count >= 16 ? 15 : 7)
        if configuration.theme == .light {
            define(.faint, -1, of256: 242)
            define(.match, 4, of256: 25)
            define(.star, 5, of256: 130)
            define(.accent, 4, of256: 25)
            define(.good, 2, of256: 28)
            define(.warning, 1, of256: 160)
            define(.marker, 5, of256: 130)
            return
        }
        define(.faint, -1, of256: 246)
        define(.match, 6, of256: 44)
        define(.star, 3, of256: 220)
        define(.accent, 4, of256: 75)
        define(.good, 2, of256: 78)
        define(.warning, 1, of256: 209)
        define(.marker, 3, of256: 220)
    }

    /// Restores the terminal.
    func close() { sb_terminal_close() }

    func terminate(bySignal number: Int32) { sb_terminal_raise(number) }

    /// Stops the process; returns when it continues.
    func suspend() {
        sb_terminal_suspend()
        shown = nil
    }

    /// Reopens the terminal after another process stopped this one.
    func reopen() {
        sb_terminal_reopen()
        shown = nil
    }

    /// Makes the next drawing complete.
    func redraw() {
        sb_terminal_redraw()
        shown = nil
    }

    /// Copies a text to the clipboard with xterm's escape sequence OSC 52, which also works over ssh.
    func copy(_ text: String) {
        let sequence = "\u{1B}]52;c;" + Data(text.utf8).base64EncodedString() + "\u{07}"
        // Safe: the system reads no more than the size of the buffer.
        _ = unsafe Array(sequence.utf8).withUnsafeBytes { unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }

    var size: Size {
        var (columns, rows): (Int32, Int32) = (0, 0)
        // Safe: the results are written to local variables.
        unsafe sb_terminal_size(&columns, &rows)
        return Size(columns: Int(columns), rows: Int(rows))
    }

    // MARK: - Drawing

    /// Draws the rows that differ from the previous screen.
    func show(_ screen: Screen) {
        if screen == shown { return }
        for (row, cells) in screen.rows.enumerated() {
            if let shown, shown.size == screen.size, shown.rows[row] == cells { continue }
            for (column, cell) in cells.enumerated() where cell.width > 0 { put(cell, row: row, column: column) }
        }
        sb_terminal_show(
            Int32(screen.cursor.row), Int32(screen.cursor.column), screen.isCursorVisible ? 1 : 0)
        shown = screen
    }

    private func put(_ cell: Glyph, row: Int, column: Int) {
        var style = cell.style
        if hasFaintColor, style.tone == .faint { style.attributes.remove(.dim) }
        let attributes = Int32(style.attributes.rawValue)
        let pair = hasColors ? Int32(cell.style.tone.rawValue) : 0
        let scalars = cell.text.unicodeScalars.map(\.value)
        // Safe: the C code reads as many scalars as it is given.
        unsafe sb_terminal_put(
            Int32(row), Int32(column), scalars, Int32(scalars.count), Int32(cell.width), attributes, pair)
    }

    // MARK: - Waiting

    /// The sources that are ready after a wait.
    struct Readiness: OptionSet {
        let rawValue: Int32
        /// Input can be read.
        static let input = Readiness(rawValue: 1)
        /// A signal or an event arrived.
        static let wakeup = Readiness(rawValue: 2)
        /// The terminal was disconnected.
        static let hangup = Readiness(rawValue: 4)
    }

    /// Waits for input, a signal or an event.
    func wait() -> Readiness { Readiness(rawValue: sb_terminal_wait(signals, -1)) }
}

/// A reader that turns terminal input into events without blocking.
struct KeyReader {
    /// The text of an unfinished paste.
    private var pasted: String?
    /// A key that was read ahead.
    private var lookahead: sb_key?

    /// Returns the next event; nil if no input is pending.
    mutating func next() -> Event? {
        while true {
            let key = lookahead ?? sb_terminal_key()
            lookahead = nil
            switch key.kind {
            case SB_KEY_NONE: return nil
            case SB_KEY_PASTE_BEGIN: pasted = ""
            case SB_KEY_PASTE_END:
                defer { pasted = nil }
                if let pasted { return .paste(pasted) }
            default:
                if pasted != nil {
                    // Pasted characters are not key presses.
                    if key.kind == SB_KEY_SCALAR, let scalar = Unicode.Scalar(key.value) {
                        pasted?.unicodeScalars.append(scalar == "\r" ? "\n" : scalar)
                    }
                } else if let event = event(of: key) {
                    return event
                }
            }
        }
    }

    private mutating func event(of key: sb_key) -> Event? {
        switch key.kind {
        case SB_KEY_SCALAR:
            guard let scalar = Unicode.Scalar(key.value), let pressed = self.key(of: scalar) else { return nil }
            return .key(pressed)
        case SB_KEY_MOUSE: return mouse(of: key).map { .mouse($0) }
        case SB_KEY_FUNCTION: return .key(.function(Int(key.value)))
        default: return KeyReader.named[key.kind.rawValue].map { .key($0) }
        }
    }

    private static let named: [UInt32: Key] = [
        SB_KEY_UP.rawValue: .up, SB_KEY_DOWN.rawValue: .down, SB_KEY_LEFT.rawValue: .left,
        SB_KEY_RIGHT.rawValue: .right, SB_KEY_HOME.rawValue: .home, SB_KEY_END.rawValue: .end,
        SB_KEY_PAGE_UP.rawValue: .pageUp, SB_KEY_PAGE_DOWN.rawValue: .pageDown, SB_KEY_BACK_TAB.rawValue: .backTab,
        SB_KEY_BACKSPACE.rawValue: .backspace, SB_KEY_DELETE.rawValue: .delete, SB_KEY_ENTER.rawValue: .enter,
        SB_KEY_WORD_LEFT.rawValue: .wordLeft, SB_KEY_WORD_RIGHT.rawValue: .wordRight,
    ]

    private mutating func key(of scalar: Unicode.Scalar) -> Key? {
        switch scalar.value {
        case 0x1B:
            // A character that directly follows ESC was pressed with Alt.
            let next = sb_terminal_key()
            if next.kind == SB_KEY_BACKSPACE { return .alt("\u{7F}") }
            guard next.kind == SB_KEY_SCALAR, let letter = Unicode.Scalar(next.value), letter.value >= 0x20 else {
                lookahead = next
                return .escape
            }
            if letter == "[" || letter == "O", skipSequence(after: letter) { return nil }
            return .alt(Character(letter))
        case 0x09: return .tab
        case 0x0A, 0x0D: return .enter
        case 0x7F, 0x08: return .backspace
        case 0: return .control(" ")
        case 1..<0x1B: return Unicode.Scalar(scalar.value + 0x60).map { .control(Character($0)) }
        case 0x1C..<0x20: return Unicode.Scalar(scalar.value + 0x40).map { .control(Character($0)) }
        default: return .character(Character(scalar))
        }
    }

    /// Skips the rest of an escape sequence unknown to ncurses (ECMA-48, 5.4): parameters and a final character.
    ///
    /// - Returns: `false` if no such sequence follows, because Alt was pressed with the letter.
    private mutating func skipSequence(after introducer: Unicode.Scalar) -> Bool {
        var isFirst = true
        while true {
            var next = sb_terminal_key()
            // Over a slow line, the rest may arrive later.
            if next.kind == SB_KEY_NONE, !isFirst, sb_terminal_wait(-1, 25) & 1 != 0 { next = sb_terminal_key() }
            if next.kind == SB_KEY_NONE { return !isFirst }
            guard next.kind == SB_KEY_SCALAR, next.value >= 0x20 else {
                lookahead = next
                return !isFirst
            }
            let isParameter = next.value < 0x40
            // The Linux console has F1 to F5 as "[[A" to "[[E".
            let isPrefix = isFirst && introducer == "[" && next.value == 0x5B
            if !isParameter, !isPrefix { return true }
            isFirst = false
        }
    }

    private func mouse(of key: sb_key) -> Mouse? {
        let action: Mouse.Action
        switch Int(key.value) {
        case Int(SB_MOUSE_PRESS): action = .press
        case Int(SB_MOUSE_DOUBLE): action = .doublePress
        case Int(SB_MOUSE_WHEEL_UP): action = .wheelUp
        case Int(SB_MOUSE_WHEEL_DOWN): action = .wheelDown
        default: return nil
        }
        return Mouse(action, row: Int(key.row), column: Int(key.column))
    }
}
