#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

import Synchronization
import TerminalText

/// A line on a terminal's standard error that says how far long work is, and is gone afterwards.
final class Progress: Sendable {
    private let isShown: Bool
    private let last = Mutex<(time: ContinuousClock.Instant?, isOnScreen: Bool)>((nil, false))
    private static let barWidth = 30

    init(isShown: Bool) {
        self.isShown = isShown
    }

    /// Shows how much of the work is done, with a bar where the fraction is known; at most some twenty times a second.
    func show(_ text: @autoclosure () -> String, fraction: Double? = nil) {
        guard isShown else { return }
        last.withLock { last in
            let now = ContinuousClock.now
            if let time = last.time, now - time < .milliseconds(50) { return }
            last = (now, true)
            var line = "\r\u{1B}[K"
            if let fraction {
                let done = Int((min(max(fraction, 0), 1) * Double(Self.barWidth)).rounded())
                line += "[" + String(repeating: "#", count: done)
                line += String(repeating: ".", count: Self.barWidth - done) + "] "
            }
            put(line + TerminalText.harmless(text()))
        }
    }

    /// Takes the line away.
    func clear() {
        last.withLock { last in
            if last.isOnScreen { put("\r\u{1B}[K") }
            last = (nil, false)
        }
    }

    private func put(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
