import Foundation
import SwitchboardJSON
import SwitchboardKit
import SwitchboardTerminalText

/// Messages on standard error, one line each.
struct Diagnostics {
    var isJSON = false
    var isQuiet = false
    var isVerbose = false

    /// Reports an error.
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
    func ask(_ question: String) { write(question) }

    private func put(_ text: String) { write(TerminalText.sanitized(text) + "\n") }

    /// Writes a text, unless standard error is closed.
    private func write(_ text: String) { _ = StandardStreams.write(Array(text.utf8), to: STDERR_FILENO) }
}
