import SwitchboardKit
import SwitchboardTerminalText

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Standard error: one line for each thing there is to say.
struct Diagnostics {
    var isJSON = false
    var isQuiet = false
    var isVerbose = false

    /// What went wrong; always shown.
    func report(_ fault: Fault) {
        if isJSON, let text = try? OrderedJSON.text(FaultResponse(fault)) {
            put(text)
        } else {
            put("switchboard: " + fault.description)
        }
    }

    /// Something worth knowing; not shown when quiet, nor beside JSON.
    func note(_ text: String) {
        if !isQuiet, !isJSON { put(text) }
    }

    /// What was left out; not shown beside JSON, which has it itself.
    func warn(_ text: String) {
        if !isJSON { put(text) }
    }

    /// What helps after an error; as a note.
    func hint(_ text: String) { note("switchboard: " + text) }

    /// What is used and how long it took, if that was asked for.
    func detail(_ text: @autoclosure () -> String) {
        if isVerbose, !isQuiet { put(text()) }
    }

    /// Asks a question; the answer is typed after it. The question is the program's own and may have several lines.
    func ask(_ question: String) { put(bytes: Array(question.utf8)) }

    private func put(_ text: String) { put(bytes: Array((TerminalText.harmless(text) + "\n").utf8)) }

    private func put(bytes: [UInt8]) {
        var start = 0
        while start < bytes.count {
            let written = bytes[start...].withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            // There is nobody left to tell.
            if written <= 0 { return }
            start += written
        }
    }
}
