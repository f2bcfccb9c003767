import SwitchboardJSON
import SwitchboardKit
import SwitchboardTerminalText

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

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
    func ask(_ question: String) { put(bytes: Array(question.utf8)) }

    private func put(_ text: String) { put(bytes: Array((TerminalText.sanitized(text) + "\n").utf8)) }

    private func put(bytes: [UInt8]) {
        var start = 0
        while start < bytes.count {
            let written = bytes[start...].withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            // Standard error is closed.
            if written <= 0 { return }
            start += written
        }
    }
}
