import Dispatch
import Foundation
import SwitchboardJSON
import SwitchboardKit
import SwitchboardTerminalText
import Synchronization

/// Messages on standard error, one line each.
struct Diagnostics {
    var isJSON = false
    var isQuiet = false
    var isVerbose = false

    func report(_ error: SwitchboardError) {
        if isJSON, let text = try? OrderedJSON.text(ErrorResponse(error)) {
            put(text)
        } else {
            put("switchboard: " + error.description)
        }
    }

    /// Prints a note, except with `--quiet` or `--json`.
    func note(_ text: String) {
        if !isQuiet, !isJSON { put(text) }
    }

    /// Prints a warning, except with `--json`, where the response contains it.
    func warn(_ text: String) {
        if !isJSON { put(text) }
    }

    /// Prints a detail with `--verbose`.
    func detail(_ text: @autoclosure () -> String) {
        if isVerbose, !isQuiet { put(text()) }
    }

    /// Prints a question without a line break. It is not sanitized and may span several lines.
    func ask(_ question: String) { StandardStreams.writeError(question) }

    private func put(_ text: String) { StandardStreams.writeError(TerminalText.sanitized(text) + "\n") }
}

/// A progress line on standard error, shown only in a terminal and erased afterwards.
final class Progress: Sendable {
    private struct State {
        /// The time of the last update.
        var time: ContinuousClock.Instant?
        var isOnScreen = false
        /// Incremented when work ends, which tells a delayed message that it is outdated.
        var generation = 0
    }

    /// `true` if standard error is a terminal and the output is neither quiet nor JSON.
    let isShown: Bool
    private let state = Mutex(State())
    private static let barWidth = 30
    /// The delay before ``explaining(_:_:)`` shows its text.
    private static let explanationDelay = DispatchTimeInterval.milliseconds(300)

    init(isShown: Bool) {
        self.isShown = isShown
    }

    /// Shows the progress, with a bar if the fraction is known. Updates at most 20 times per second.
    func show(_ text: @autoclosure () -> String, fraction: Double? = nil) {
        guard isShown else { return }
        state.withLock { state in
            let now = ContinuousClock.now
            if let time = state.time, now - time < .milliseconds(50) { return }
            state.time = now
            var line = ""
            if let fraction {
                let done = Int((min(max(fraction, 0), 1) * Double(Self.barWidth)).rounded())
                line += "[" + String(repeating: "#", count: done)
                line += String(repeating: ".", count: Self.barWidth - done) + "] "
            }
            put(line + text(), &state)
        }
    }

    /// Performs work that is usually fast, and shows a text if it takes longer.
    func explaining<Value>(_ text: String, _ work: () throws -> Value) rethrows -> Value {
        guard isShown else { return try work() }
        let begun = state.withLock { $0.generation }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.explanationDelay) { [self] in
            state.withLock { if $0.generation == begun { put(text, &$0) } }
        }
        defer { clear() }
        return try work()
    }

    /// Erases the line.
    func clear() {
        state.withLock { state in
            if state.isOnScreen { StandardStreams.writeError("\r\u{1B}[K") }
            state = State(generation: state.generation + 1)
        }
    }

    private func put(_ text: String, _ state: inout State) {
        StandardStreams.writeError("\r\u{1B}[K" + TerminalText.sanitized(text))
        state.isOnScreen = true
    }
}

/// The style of text output: colored in a terminal, plain otherwise.
///
/// `NO_COLOR` (no-color.org), `--no-color` and `TERM=dumb` disable colors.
struct Style {
    let isTerminal: Bool
    let isColored: Bool
    /// The width of the terminal in columns; nil if standard output is not a terminal.
    let columns: Int?

    init(isTerminal: Bool, _ environment: ProcessEnvironment, isPlain: Bool) {
        self.isTerminal = isTerminal
        var size = winsize()
        // Safe: the request fills a winsize during the call.
        let hasSize = unsafe isTerminal && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        columns = hasSize ? Int(size.ws_col) : nil
        isColored = isTerminal && !isPlain && environment.allowsColors && environment.terminal != "dumb"
    }

    func styled(_ text: String, _ tone: Detail.Tone) -> String {
        guard isColored, !text.isEmpty else { return text }
        let code: String
        switch tone {
        case .plain: return text
        case .strong: code = "1"
        case .faint: code = "2"
        case .match: code = "1;4;36"
        case .star: code = "33"
        }
        return "\u{1B}[\(code)m" + text + "\u{1B}[0m"
    }
}

extension SwitchboardError {
    /// Returns the error with a command-line hint added to its message.
    ///
    /// Library messages describe only the problem. The stable ``code`` selects the command that solves it.
    ///
    /// - Parameter group: The top-level command that failed, such as "contacts".
    func withHint(group: String?) -> SwitchboardError {
        // A question already names the remedy.
        guard !message.hasSuffix("?"), let hint = hint(group: group) else { return self }
        var error = self
        error.message += "; " + hint
        return error
    }

    private func hint(group: String?) -> String? {
        switch (code, group) {
        case ("notFound", "contacts"): "'switchboard contacts list' lists all contacts"
        case ("notFound", "prospects"): "'switchboard prospects list' lists all prospects"
        case ("notFound", "reminders"): "'switchboard reminders list' lists all reminders"
        case ("notFound", "index"): "'switchboard index list' lists all items"
        case ("notFound", "activity"): "'switchboard activity list' lists all activities"
        case ("accessNotGranted", "contacts"): "allow it with 'switchboard access grant contacts'"
        case ("accessNotGranted", "prospects"), ("accessNotGranted", "reminders"):
            "allow it with 'switchboard access grant notifications'"
        case ("accessNotGranted", "airports"): "allow it with 'switchboard access grant location'"
        case ("locationUnreachable", _), ("locationRefused", _):
            "set a location with 'switchboard airports here LAT,LON'"
        case ("unknownGroup", _): "'switchboard contacts groups' lists the groups"
        case ("changedSinceMerge", _): "--discard-changes undoes the merge and these changes"
        case ("missingFolder", _): "if the folder was followed, 'switchboard contacts unlink' ends that"
        case ("notLinked", _): "'switchboard contacts links' lists the followed folders"
        case ("nothingLinked", _): "follow a folder with 'switchboard contacts link DIR'"
        case ("folderEmptied", _): "--force-delete removes the contacts, too"
        case ("contacted", _): "undo that with 'switchboard prospects contacted --undo ID'"
        case ("notDelivered", _): "use --deliver-with COMMAND or --terminal"
        case ("damaged", _):
            "'switchboard database check' lists the problems, 'switchboard database restore' restores a backup"
        default: nil
        }
    }
}
