import CSwitchboardNcurses
import SwitchboardKit
import SwitchboardTerminalInterface

/// The terminal, for use on the main thread only.
final class Terminal {
    /// True if the terminal has colours and they are enabled.
    let hasColours: Bool

    private var shown: Screen?
    private let signals: Int32

    /// Opens the terminal.
    ///
    /// - Throws: an error if it cannot be used; its modes are unchanged then.
    init(wantsColours: Bool, term: String) throws(SwitchboardError) {
        var colours: Int32 = 0
        switch sb_terminal_open(wantsColours ? 1 : 0, &colours) {
        case SB_TERMINAL_OK: break
        case SB_TERMINAL_UNKNOWN:
            throw Terminal.error("unknown terminal “\(term)”; set TERM to a known one, such as xterm-256color")
        case SB_TERMINAL_NO_CURSOR: throw Terminal.cannotPositionCursor(term)
        default: throw Terminal.error("cannot open the terminal “\(term)”")
        }
        hasColours = colours > 0
        signals = sb_terminal_signals()
        if hasColours { Terminal.defineColours(Int(colours)) }
    }

    static func cannotPositionCursor(_ term: String) -> SwitchboardError {
        error("the terminal “\(term)” cannot position its cursor; use 'switchboard' or another TERM")
    }

    private static func error(_ message: String) -> SwitchboardError {
        SwitchboardError(code: "terminal", message: message, status: .unavailable)
    }

    /// Defines the colours of each tone for 256, 16 or 8 colours.
    private static func defineColours(_ count: Int) {
        func define(_ tone: Style.Tone, _ colour: Int32, of256 better: Int32, on background: Int32 = -1) {
            sb_terminal_pair(Int32(tone.rawValue), count >= 256 ? better : colour, background)
        }
        define(.faint, -1, of256: 246)
        define(.match, 6, of256: 44)
        define(.star, 3, of256: 220)
        define(.accent, 4, of256: 75)
        define(.good, 2, of256: 78)
        define(.warning, 1, of256: 209)
        define(.marker, 3, of256: 220)
        define(.code, 0, of256: 16, on: count >= 256 ? 231 : count >= 16 ? 15 : 7)
    }

    /// Restores the terminal.
    func close() { sb_terminal_close() }

    /// Ends the process with a signal.
    func terminate(bySignal number: Int32) { sb_terminal_raise(number) }

    /// Stops the process; returns when it continues.
    func suspend() {
        sb_terminal_suspend()
        shown = nil
    }

    /// Reopens the terminal after the process was stopped from outside.
    func reopen() {
        sb_terminal_reopen()
        shown = nil
    }

    /// Makes the next drawing complete.
    func redraw() {
        sb_terminal_redraw()
        shown = nil
    }

    /// The current size.
    var size: Size {
        var (columns, rows): (Int32, Int32) = (0, 0)
        sb_terminal_size(&columns, &rows)
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

    private func put(_ cell: Screen.Cell, row: Int, column: Int) {
        let attributes = Int32(cell.style.attributes.rawValue)
        let pair = hasColours ? Int32(cell.style.tone.rawValue) : 0
        let scalars = cell.text.unicodeScalars.map(\.value)
        sb_terminal_put(
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
