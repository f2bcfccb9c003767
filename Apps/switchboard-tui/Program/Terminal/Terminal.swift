import CSwitchboardNcurses
import SwitchboardKit
import SwitchboardTerminalInterface

/// The terminal: screens out, keys in. Used by the main thread alone.
final class Terminal {
    /// Why a terminal cannot be used.
    enum Refusal {
        case unknown, tooSimple, failed
    }

    /// Whether it has colours and they are wanted.
    let hasColours: Bool

    private var shown: Screen?
    private let signals: Int32

    /// Takes the terminal over.
    ///
    /// - Throws: a fault if it cannot be used; it is as it was then.
    init(wantsColours: Bool, term: String) throws(Fault) {
        var colours: Int32 = 0
        switch sb_terminal_open(wantsColours ? 1 : 0, &colours) {
        case SB_TERMINAL_OK: break
        case SB_TERMINAL_UNKNOWN: throw Terminal.fault(.unknown, term: term)
        case SB_TERMINAL_TOO_SIMPLE: throw Terminal.fault(.tooSimple, term: term)
        default: throw Terminal.fault(.failed, term: term)
        }
        hasColours = colours > 0
        signals = sb_terminal_signals()
        if hasColours { Terminal.mix(Int(colours)) }
    }

    static func fault(_ refusal: Refusal, term: String) -> Fault {
        let message =
            switch refusal {
            case .unknown: "the terminal “\(term)” is not known here; set TERM to one that is, such as xterm-256color"
            case .tooSimple: "the terminal “\(term)” cannot place its cursor; use 'switchboard', or another TERM"
            case .failed: "the terminal “\(term)” cannot be taken over"
            }
        return Fault(code: "terminal", message: message, status: .unavailable)
    }

    /// The colours of each tone: with 256 of them, with 16, with 8.
    private static func mix(_ count: Int) {
        for tone in Style.Tone.allCases where tone != .plain {
            let (foreground, background): (Int, Int) =
                switch tone {
                case .plain: (-1, -1)
                case .faint: (count >= 256 ? 246 : -1, -1)
                case .match: (count >= 256 ? 44 : 6, -1)
                case .star: (count >= 256 ? 220 : 3, -1)
                case .accent: (count >= 256 ? 75 : 4, -1)
                case .good: (count >= 256 ? 78 : 2, -1)
                case .warning: (count >= 256 ? 209 : 1, -1)
                case .found: (count >= 256 ? 220 : 3, -1)
                case .code: (count >= 256 ? 16 : 0, count >= 256 ? 231 : count >= 16 ? 15 : 7)
                }
            sb_terminal_pair(Int32(tone.rawValue), Int32(foreground), Int32(background))
        }
    }

    /// Gives the terminal back.
    func close() { sb_terminal_close() }

    /// Ends the process as a signal does.
    func die(of number: Int32) { sb_terminal_die(number) }

    /// Stops the process, and goes on when it is brought back.
    func suspend() {
        sb_terminal_suspend()
        shown = nil
    }

    /// Takes the terminal again after somebody else stopped the process.
    func retake() {
        sb_terminal_retake()
        shown = nil
    }

    /// Draws everything anew next time.
    func redraw() {
        sb_terminal_redraw()
        shown = nil
    }

    /// The size it has now.
    var size: Size {
        var (columns, rows): (Int32, Int32) = (0, 0)
        sb_terminal_size(&columns, &rows)
        return Size(columns: Int(columns), rows: Int(rows))
    }

    // MARK: - Drawing

    /// Shows a screen; only what differs from the one before is written.
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

    /// What a wait ends with.
    struct Awakening: OptionSet {
        let rawValue: Int32
        /// Something was typed.
        static let keys = Awakening(rawValue: 1)
        /// A signal came, or another thread calls.
        static let call = Awakening(rawValue: 2)
        /// The terminal is gone.
        static let gone = Awakening(rawValue: 4)
    }

    /// Waits until there is something to do.
    func wait() -> Awakening { Awakening(rawValue: sb_terminal_wait(signals, -1)) }
}
